// The host page in German.

import { formatsGerman } from '../../app/contract/german-formats.ts';
import type { Catalog } from '../../app/contract/messages.ts';
import { commonGerman, versionsGerman } from '../pages/german.ts';

export const german: Catalog = {
  ...formatsGerman,
  ...commonGerman,
  ...versionsGerman,

  'Rename {name}': '{name} umbenennen',
  'Saved {time}': 'Gespeichert um {time}',
  'The document is closed': 'Das Dokument ist geschlossen',
  'You can close this tab.': 'Sie können diesen Tab schließen.',
  'Restoring…': 'Wird wiederhergestellt…',
  'Restoring {name}…': '{name} wird wiederhergestellt…',
  'Waiting for {editor} to release the document.': 'Wartet, bis {editor} das Dokument freigibt.',
  'You have this document open in another tab or browser. Close it there, then restore the version.':
    'Das Dokument ist bei Ihnen noch in einem anderen Tab oder Browser geöffnet. Schließen Sie es zuerst dort.',
  'This document is open for {names}. Ask them to close it, then restore the version.':
    'Das Dokument ist noch bei {names} geöffnet. Bitten Sie zuerst darum, es zu schließen.',
  'The version wasn’t restored': 'Die Version wurde nicht wiederhergestellt',
  // buttons
  'Back to the original': 'Zurück zum Original',
  'Copy link': 'Link kopieren',
  'Copied.': 'Kopiert.',
  'The link is selected. Press Ctrl+C to copy it.': 'Der Link ist markiert. Strg+C kopiert ihn.',
  'Open copy': 'Kopie öffnen',
  Reload: 'Neu laden',
  'Sign in again': 'Neu anmelden',
  'Save and close': 'Speichern und schließen',
  'Close anyway': 'Trotzdem schließen',
  'Save and restore': 'Speichern und wiederherstellen',
  'Restore anyway': 'Trotzdem wiederherstellen',

  'The editor': 'Der Editor',

  // the state of the document, in the bar
  'Opening in {editor}…': 'Wird in {editor} geöffnet…',
  'Opening…': 'Wird geöffnet…',
  '{editor} is still loading the document…': '{editor} lädt das Dokument noch…',
  'Closing…': 'Wird geschlossen…',
  'Saving…': 'Wird gespeichert…',
  'Converting…': 'Wird konvertiert…',
  'Not opened': 'Nicht geöffnet',
  'Read only': 'Schreibgeschützt',
  'Not saved yet': 'Ungespeichert',
  '{editor} has changes that aren’t in the file yet.':
    '{editor} hat Änderungen, die noch nicht in der Datei sind.',
  'DocTray hasn’t received a save since the last change.':
    'Bei DocTray ist seit der letzten Änderung keine Speicherung angekommen.',
  '{editor} has the changes and writes the file automatically.':
    '{editor} hat die Änderungen und schreibt die Datei von selbst.',
  'Saved at {time}': 'Gespeichert um {time}',

  // the bar
  '{number} of {count}': '{number} von {count}',
  'Next notice, {number} of {count}': 'Nächster Hinweis, {number} von {count}',
  Share: 'Teilen',
  'Hide this bar': 'Leiste ausblenden',
  'Show the bar': 'Leiste einblenden',
  'Also open for: {names}': 'Auch geöffnet bei: {names}',

  // opening
  '{editor} hasn’t responded for 20 seconds.': '{editor} antwortet seit 20 Sekunden nicht.',
  'It may be slow or unreachable.': 'Vielleicht ist er langsam oder nicht erreichbar.',
  '“Test connection” in DocTray (Settings → Editors) shows why.':
    '„Verbindung testen“ in DocTray zeigt die Ursache.',
  'Ask the owner of this DocTray to test its connection.':
    'Bitten Sie den Besitzer dieses DocTray, die Verbindung zu testen.',
  '{editor} has started, but hasn’t loaded the document.':
    '{editor} ist gestartet, hat das Dokument aber nicht geladen.',
  'It may be unable to reach DocTray.': 'Vielleicht erreicht der Editor DocTray nicht.',
  '{editor} couldn’t open the document.': '{editor} konnte das Dokument nicht öffnen.',
  '{editor} couldn’t open the document: “{reason}”': '{editor} konnte das Dokument nicht öffnen: „{reason}“',
  'DocTray blocked the editor from opening an unknown address.':
    'Der Editor wollte eine unbekannte Adresse öffnen. DocTray hat das verhindert.',
  'DocTray blocked the editor from opening {origin}.':
    'Der Editor wollte {origin} öffnen. DocTray hat das verhindert.',
  'If the editor is hosted there, connect it with that address or allow its other hosts in Settings → Editors.':
    'Falls der Editor dort läuft, verbinden Sie ihn unter „Einstellungen“ → „Editoren“ mit dieser Adresse oder lassen Sie dort seine weiteren Hosts zu.',
  'If the editor is hosted there, ask the owner of this DocTray to allow that address.':
    'Falls der Editor dort läuft, bitten Sie den Besitzer dieses DocTray, die Adresse zuzulassen.',
  'This page uses HTTPS and the editor uses HTTP. Browsers block that combination.':
    'Diese Seite verwendet HTTPS, der Editor HTTP. Browser blockieren das.',
  'Connect the editor with an HTTPS address, or open DocTray over HTTP on this computer.':
    'Verbinden Sie den Editor über eine HTTPS-Adresse oder öffnen Sie DocTray auf diesem Computer über HTTP.',
  'Ask the owner of this DocTray to connect the editor with an HTTPS address.':
    'Bitten Sie den Besitzer dieses DocTray, den Editor über eine HTTPS-Adresse zu verbinden.',
  '{editor} hasn’t downloaded this document from DocTray.':
    '{editor} hat dieses Dokument nicht von DocTray abgerufen.',
  'Its text may be from an earlier session. Compare it with the file before you save.':
    'Sein Text stammt vielleicht aus einer früheren Sitzung. Vor dem Speichern mit der Datei vergleichen.',

  // the host
  'DocTray isn’t responding.': 'DocTray antwortet nicht.',
  'DocTray answered with status {status}.': 'DocTray hat mit Status {status} geantwortet.',
  'Keep this page open. When DocTray responds, save again in the editor.':
    'Lassen Sie diese Seite offen. Speichern Sie im Editor erneut, sobald DocTray antwortet.',
  'This document was deleted or moved out of the folder.':
    'Dieses Dokument wurde gelöscht oder aus dem Ordner verschoben.',
  'If you save, DocTray creates it again or keeps the save in Recovered saves.':
    'Wenn Sie speichern, legt DocTray es wieder an oder bewahrt die Speicherung unter „Gesicherte Fassungen“ auf.',
  'DocTray can’t tell whether everything is saved.': 'DocTray weiß nicht, ob alles gespeichert ist.',
  'It isn’t responding, or you are signed out. Changes may be only in {editor}.':
    'Es antwortet nicht, oder Sie sind abgemeldet. Änderungen sind vielleicht nur in {editor}.',
  'This document can’t be opened': 'Dieses Dokument lässt sich nicht öffnen',
  'You are signed out.': 'Sie sind abgemeldet.',
  'Sign in again to open the document.': 'Melden Sie sich neu an, um das Dokument zu öffnen.',
  'Sign in again to continue.': 'Melden Sie sich neu an, um weiterzuarbeiten.',
  'Sign in again before you continue. Changes you make now may not be saved.':
    'Melden Sie sich neu an, bevor Sie weiterarbeiten. Neue Eingaben werden sonst vielleicht nicht gespeichert.',
  'Your access to this document has expired.': 'Der Zugriff auf dieses Dokument ist abgelaufen.',
  'The editor can still save this document for 24 hours. Save, then reload.':
    'Der Editor kann noch 24 Stunden lang speichern. Speichern Sie, und laden Sie dann neu.',
  'The editor has closed this session.': 'Der Editor hat diese Sitzung beendet.',
  'Reload to open the document again.': 'Laden Sie neu, um das Dokument wieder zu öffnen.',

  // what isn't on disk, and where it is kept
  '{editor} couldn’t save the document.': '{editor} konnte das Dokument nicht speichern.',
  '{editor} couldn’t save the document: “{reason}”': '{editor} konnte nicht speichern: „{reason}“',
  'DocTray hasn’t received a save since your last change.':
    'Bei DocTray ist seit der letzten Änderung keine Speicherung angekommen.',
  '{editor} hasn’t reported whether it saved the document.':
    '{editor} hat nicht gemeldet, ob das Dokument gespeichert ist.',
  'If you undid your changes, nothing is lost.':
    'Falls Sie Ihre Änderungen rückgängig gemacht haben, geht nichts verloren.',
  'Your last changes are only in {editor}.': 'Ihre letzten Änderungen sind nur in {editor}.',
  'This document has changes that aren’t in the file yet.':
    'Dieses Dokument hat Änderungen, die noch nicht in der Datei sind.',
  'They are only in {editor}. Save before you leave.':
    'Sie sind nur in {editor}. Vor dem Verlassen speichern.',
  '{editor} writes the file a few seconds after everyone has closed the document.':
    '{editor} schreibt die Datei einige Sekunden, nachdem alle das Dokument geschlossen haben.',
  'Saving {name}…': '{name} wird gespeichert…',
  '{editor} has your changes and is writing the file. Keep this tab open until it’s on disk.':
    '{editor} hat Ihre Änderungen und schreibt die Datei gerade. Lassen Sie diesen Tab so lange offen.',
  '{name} isn’t on disk yet': '{name} ist noch nicht gespeichert',
  '{editor} has your changes, but hasn’t written the file. If another user has the document open, it is written when they close it.':
    '{editor} hat Ihre Änderungen, die Datei aber noch nicht geschrieben. Ist das Dokument auch bei anderen geöffnet, wird sie geschrieben, wenn diese es schließen.',
  '{editor} closed the document, and DocTray received no save. Open it again to check your last changes.':
    '{editor} hat das Dokument geschlossen, ohne dass eine Speicherung bei DocTray ankam. Öffnen Sie es noch einmal und prüfen Sie Ihre letzten Änderungen.',
  '{count, plural, one {A save couldn’t be written to the file ({when})} other {# saves couldn’t be written to the file (latest: {when})}}':
    '{count, plural, one {Eine Speicherung kam nicht in die Datei ({when})} other {# Speicherungen kamen nicht in die Datei (zuletzt {when})}}',
  'You can restore it as a copy next to this document.':
    'Sie lässt sich als Kopie neben diesem Dokument speichern.',
  'Ask the owner of this DocTray to restore it.':
    'Bitten Sie den Besitzer dieses DocTray, sie wiederherzustellen.',
  'The file was also changed elsewhere.': 'Die Datei wurde auch anderswo geändert.',
  'That version is kept as {name}. Compare both, then delete one.':
    'Jene Fassung liegt als {name} vor. Vergleichen Sie beide und löschen Sie dann eine.',

  // who holds the document
  '{user} is editing this document in {editor}.': '{user} bearbeitet dieses Dokument in {editor}.',
  'Ask them to close it, or force-clear the lock in DocTray.':
    'Bitten Sie darum, es zu schließen, oder heben Sie die Sperre in DocTray auf.',
  'Ask them to close it, or ask the owner of this DocTray to force-clear the lock.':
    'Bitten Sie darum, es zu schließen, oder den Besitzer dieses DocTray, die Sperre aufzuheben.',
  'Another user': 'Jemand anderes',
  'another editor': 'einem anderen Editor',
  'Your saves don’t reach the file.': 'Ihre Änderungen kommen nicht in die Datei.',
  '{user} force-cleared the lock.': '{user} hat die Sperre aufgehoben.',
  'The editor no longer has the document’s lock.': 'Der Editor hat die Sperre des Dokuments nicht mehr.',
  'The editor didn’t get the document’s lock.': 'Der Editor hat die Sperre des Dokuments nicht bekommen.',
  'Reload to continue.': 'Laden Sie neu, um weiterzuarbeiten.',
  'Save a copy of your changes, then reload.': 'Ihre Änderungen als Kopie speichern, dann neu laden.',
  'Save a copy in the editor or copy your unsaved text, then reload.':
    'Speichern Sie im Editor eine Kopie oder kopieren Sie den ungespeicherten Text, und laden Sie dann neu.',

  // copies and versions
  'Saved a copy: {name}': 'Kopie gespeichert: {name}',
  'If nothing opened, your browser blocked it: ':
    'Falls sich nichts geöffnet hat, hat der Browser es blockiert: ',
  'Opening {name}…': '{name} wird geöffnet…',
  'the copy': 'Kopie',
  'The editor shows the copy, but this page still belongs to the original.':
    'Der Editor zeigt die Kopie, aber diese Seite gehört noch zum Original.',
  'Restore the version from {time}?': 'Version von {time} wiederherstellen?',
  'The current content is kept as a version.': 'Der aktuelle Inhalt wird als Version aufbewahrt.',
  '{count, plural, one {# earlier version} other {# earlier versions}}':
    '{count, plural, one {# frühere Version} other {# frühere Versionen}}',
  'The versions appear again once the document is back.':
    'Die Versionen erscheinen wieder, sobald das Dokument zurück ist.',
  'Only documents of up to {limit} can be compared. This version is {version}, and the current content is {current}.':
    'Vergleichen lassen sich nur Dokumente bis {limit}. Diese Version ist {version} groß, der aktuelle Inhalt {current}.',
  'Only text can be compared. This version or the current content isn’t text.':
    'Nur Text lässt sich vergleichen. Diese Version oder der aktuelle Inhalt ist kein Text.',
  'DocTray no longer has this version.': 'DocTray hat diese Version nicht mehr.',
  'Another program has changed this stored version, so it can’t be compared.':
    'Ein anderes Programm hat diese gespeicherte Version geändert. Sie lässt sich nicht vergleichen.',
  'You are signed out. Reload this page to sign in again.':
    'Sie sind abgemeldet. Laden Sie diese Seite neu, um sich wieder anzumelden.',
  'There are no earlier versions yet. One is kept each time the document is saved.':
    'Noch keine früheren Versionen. Bei jedem Speichern wird eine aufbewahrt.',
  'Restored. The previous content is kept as a version.':
    'Wiederhergestellt. Der vorige Inhalt ist als Version aufbewahrt.',
  'Earlier version, read-only': 'Frühere Version, schreibgeschützt',
  'You can read this document, but not edit it.': 'Dieses Dokument lässt sich lesen, aber nicht bearbeiten.',
  'Ask the owner of this DocTray if you need to edit it.':
    'Bitten Sie den Besitzer dieses DocTray um das Recht dazu, wenn Sie es brauchen.',

  // older formats
  '{name} is in an older format': '{name} hat ein älteres Format',
  '{editor} can open it read-only. To edit it, a copy in a newer format is created next to it. The original isn’t changed.':
    '{editor} kann es schreibgeschützt öffnen. Zum Bearbeiten entsteht daneben eine Kopie in einem neueren Format. Das Original wird nicht verändert.',
  '{editor} can open it read-only. To edit it, a .{format} copy is created next to it. The original isn’t changed.':
    '{editor} kann es schreibgeschützt öffnen. Zum Bearbeiten entsteht daneben eine .{format}-Kopie. Das Original wird nicht verändert.',
  'Convert…': 'Konvertieren…',
  'Convert to .{format}…': 'In .{format} konvertieren…',

  // dialogs
  'Share this document': 'Dokument teilen',
  'Link to this document': 'Link zu diesem Dokument',
  'This link works only on this computer.': 'Dieser Link funktioniert nur auf diesem Computer.',
  'This link works on any computer that can reach this address.':
    'Dieser Link funktioniert auf jedem Computer, der diese Adresse erreicht.',
  'To let a colleague open it, add them in DocTray under Settings → Users, and let other computers connect under Settings → Network & HTTPS.':
    'Damit andere ihn öffnen können, fügen Sie sie in DocTray unter „Einstellungen“ → „Benutzer“ hinzu und lassen Sie unter „Netzwerk & HTTPS“ andere Computer zu.',
  'To let a colleague open it, ask the owner of this DocTray to add them as a user and to let other computers connect.':
    'Damit andere ihn öffnen können, bitten Sie den Besitzer dieses DocTray, sie als Benutzer hinzuzufügen und andere Computer zuzulassen.',
  'To let a colleague open it, add them in DocTray under Settings → Users.':
    'Damit andere ihn öffnen können, fügen Sie sie in DocTray unter „Einstellungen“ → „Benutzer“ hinzu.',
  'To let a colleague open it, ask the owner of this DocTray to add them as a user.':
    'Damit andere ihn öffnen können, bitten Sie den Besitzer dieses DocTray, sie als Benutzer hinzuzufügen.',
  'Name of the copy': 'Name der Kopie',
  '{stem} (copy)': '{stem} (Kopie)',
  'The copy is saved next to this document. If the name is taken, a number is added.':
    'Die Kopie kommt neben dieses Dokument. Ist der Name vergeben, wird eine Nummer angehängt.',
  'A name can’t contain \\ / : * ? " < > |': 'In Namen nicht erlaubt: \\ / : * ? " < > |',
  'All changes are saved.': 'Alle Änderungen sind gespeichert.',
  'The last save couldn’t be written to the file.':
    'Die letzte Speicherung konnte nicht in die Datei geschrieben werden.',
  'The last save isn’t a readable document.': 'Die letzte Speicherung ist kein lesbares Dokument.',
  'Another program changed the file before the last save.':
    'Ein anderes Programm hat die Datei vor der letzten Speicherung geändert.',
  'DocTray keeps it in Recovered saves.': 'DocTray bewahrt sie unter „Gesicherte Fassungen“ auf.',
  'The file is unchanged. DocTray keeps the save in Recovered saves.':
    'Die Datei ist unverändert. DocTray bewahrt die Speicherung unter „Gesicherte Fassungen“ auf.',
  'The file has the other program’s content. The save is kept as a version.':
    'Die Datei hat den Inhalt des anderen Programms. Die Speicherung ist als Version aufbewahrt.',
  'A save of {name} isn’t a readable document ({when}).':
    'Eine Speicherung von {name} ist kein lesbares Dokument ({when}).',
  'The file is unchanged.': 'Die Datei ist unverändert.',
  'Ask the owner of this DocTray what to do with the save.':
    'Fragen Sie den Besitzer dieses DocTray, was mit der Speicherung geschehen soll.',
  'Open what was saved': 'Gespeichertes öffnen',
  'Save it anyway': 'Trotzdem speichern',
  'Keep the good version': 'Guten Stand behalten',
  'If {editor} still shows your last changes, save again.':
    'Wenn {editor} Ihre letzten Änderungen noch anzeigt, speichern Sie erneut.',
  'Show versions': 'Versionen anzeigen',
  'Keep the file': 'Datei behalten',
  '{name} is damaged.': '{name} ist beschädigt.',
  '{editor} may show an empty page. If you save, it overwrites the file.':
    '{editor} zeigt vielleicht eine leere Seite. Beim Speichern wird die Datei überschrieben.',
  'You can restore the version from {time}.': 'Sie können die Version von {time} wiederherstellen.',
  '{editor} may show an empty page.': '{editor} zeigt vielleicht eine leere Seite.',
  'The last save isn’t in the file': 'Die letzte Speicherung ist nicht in der Datei',
  'DocTray keeps it in Recovered saves. Open the document again to restore it.':
    'DocTray bewahrt sie unter „Gesicherte Fassungen“ auf. Öffnen Sie das Dokument erneut, um sie wiederherzustellen.',
  'It isn’t a readable document. DocTray keeps it in Recovered saves, and the file is unchanged.':
    'Sie ist kein lesbares Dokument. DocTray bewahrt sie unter „Gesicherte Fassungen“ auf, und die Datei ist unverändert.',
  'DocTray doesn’t have it. Open the document again to check your last changes.':
    'DocTray hat sie nicht. Öffnen Sie das Dokument erneut, um Ihre letzten Änderungen zu prüfen.',
  'Closed without saving': 'Geschlossen, ohne zu speichern',
  'Your last changes may not be in the file. Open the document again to check them.':
    'Ihre letzten Änderungen sind vielleicht nicht in der Datei. Öffnen Sie das Dokument erneut, um sie zu prüfen.',
  'DocTray doesn’t have the last save.': 'DocTray hat die letzte Speicherung nicht.',
  'Discard what was saved?': 'Gespeichertes verwerfen?',
  'It exists nowhere else. You can’t undo this.':
    'Es existiert nirgendwo sonst. Das lässt sich nicht rückgängig machen.',
};
