// The host page in German.

import { formatsGerman } from '../../app/contract/german-formats.ts';
import type { Catalog } from '../../app/contract/messages.ts';

export const german: Catalog = {
  ...formatsGerman,

  'Rename {name}': '{name} umbenennen',
  'New name': 'Neuer Name',
  'Saved {time}': 'Gespeichert um {time}',
  'The document is closed': 'Das Dokument ist geschlossen',
  'You can close this tab.': 'Sie können diesen Tab schließen.',
  'Restoring…': 'Wird wiederhergestellt…',
  'Restoring {name}…': '{name} wird wiederhergestellt…',
  '{editor} releases the document first.': '{editor} gibt das Dokument zuerst frei.',
  'You have this document open in another tab or browser. Close it there, then restore the version.':
    'Das Dokument ist bei Ihnen in einem anderen Tab oder Browser geöffnet. Schließen Sie es dort und stellen Sie die Version dann wieder her.',
  'This document is open for {names}. Ask them to close it, then restore the version.':
    'Das Dokument ist bei {names} geöffnet. Bitten Sie darum, es zu schließen, und stellen Sie die Version dann wieder her.',
  'The version wasn’t restored': 'Die Version wurde nicht wiederhergestellt',
  // buttons
  'View only': 'Nur ansehen',
  'Back to the first': 'Zurück zum ersten',
  Cancel: 'Abbrechen',
  'Save copy': 'Kopie speichern',
  Close: 'Schließen',
  'Copy link': 'Link kopieren',
  'Copied.': 'Kopiert.',
  'The link is selected. Press Ctrl+C to copy it.': 'Der Link ist markiert. Strg+C kopiert ihn.',
  'Open copy': 'Kopie öffnen',
  'Restore as copy': 'Als Kopie speichern',
  Reload: 'Neu laden',
  'Try again': 'Erneut versuchen',
  Edit: 'Bearbeiten',
  'Sign in again': 'Neu anmelden',
  'Save and close': 'Speichern und schließen',
  'Close anyway': 'Trotzdem schließen',
  'Save and restore': 'Speichern und wiederherstellen',
  'Restore anyway': 'Trotzdem wiederherstellen',
  'Open again': 'Neu öffnen',
  Dismiss: 'Ausblenden',

  'The editor': 'Der Editor',
  Document: 'Dokument',

  // the state of the document, in the bar
  'Opening in {editor}…': 'Wird in {editor} geöffnet…',
  'Opening…': 'Wird geöffnet…',
  '{editor} is still loading the document…': '{editor} lädt das Dokument noch…',
  'Closing…': 'Wird geschlossen…',
  'Saving…': 'Wird gespeichert…',
  'Converting…': 'Wird konvertiert…',
  'Not opened': 'Nicht geöffnet',
  'Read only': 'Schreibgeschützt',
  'Not saved yet': 'Noch nicht gespeichert',
  '{editor} has changes that aren’t in the file yet.':
    '{editor} hat Änderungen, die noch nicht in der Datei sind.',
  'DocTray hasn’t received a save since the last change.':
    'Bei DocTray ist seit der letzten Änderung keine Speicherung angekommen.',
  '{editor} has the changes and writes the file automatically.':
    '{editor} hat die Änderungen und schreibt die Datei von selbst.',
  Saved: 'Gespeichert',
  'Saved at {time}': 'Gespeichert um {time}',

  // the bar
  '{number} of {count}': '{number} von {count}',
  'Next notice, {number} of {count}': 'Nächster Hinweis, {number} von {count}',
  Download: 'Herunterladen',
  Share: 'Teilen',
  'Hide this bar': 'Leiste ausblenden',
  'Show the bar': 'Leiste einblenden',
  'Also open for: {names}': 'Auch geöffnet bei: {names}',

  // opening
  'In DocTray, open Settings, then Editors, and choose “Test connection” to see what is wrong.':
    'Die Ursache zeigt „Verbindung testen“ in DocTray unter „Einstellungen“, „Editoren“.',
  '{editor} hasn’t responded for 20 seconds.': '{editor} antwortet seit 20 Sekunden nicht.',
  'It may be slow, this browser may not reach it, or it may not reach DocTray.':
    'Vielleicht ist der Editor langsam, für diesen Browser nicht erreichbar, oder er erreicht DocTray nicht.',
  '{editor} has started, but hasn’t loaded the document.':
    '{editor} ist gestartet, hat das Dokument aber nicht geladen.',
  'It may not reach DocTray.': 'Vielleicht erreicht der Editor DocTray nicht.',
  '{editor} couldn’t open the document.': '{editor} konnte das Dokument nicht öffnen.',
  'The editor tried to open an unknown address. DocTray blocked it.':
    'Der Editor wollte eine unbekannte Adresse öffnen. DocTray hat das verhindert.',
  'The editor tried to open {origin}, which isn’t one of its addresses. DocTray blocked it.':
    'Der Editor wollte {origin} öffnen. Das ist keine seiner Adressen, daher hat DocTray es verhindert.',
  'If its pages are at that address, connect it in DocTray (Settings → Editors) with that address, or allow its other hosts there.':
    'Falls seine Seiten dort liegen: in DocTray unter „Einstellungen“, „Editoren“ mit dieser Adresse verbinden oder dort seine weiteren Hosts zulassen.',
  'This page uses HTTPS and the editor uses HTTP. Browsers don’t show both in one page.':
    'Diese Seite verwendet HTTPS, der Editor HTTP. Browser zeigen beides nicht auf einer Seite.',
  'Connect the editor with an HTTPS address, or open DocTray over HTTP on this computer.':
    'Verbinden Sie den Editor über eine HTTPS-Adresse oder öffnen Sie DocTray auf diesem Computer über HTTP.',
  '{editor} hasn’t downloaded this document from DocTray.':
    '{editor} hat dieses Dokument nicht von DocTray abgerufen.',
  'If the editor is empty, it may not be able to reach DocTray. If it shows text, that’s {editor}’s own copy from an earlier session: compare it with the file before you save.':
    'Ist der Editor leer, erreicht er DocTray vielleicht nicht. Zeigt er Text, stammt dieser aus einer früheren Sitzung in {editor}: vor dem Speichern mit der Datei vergleichen.',

  // the host
  'DocTray isn’t responding.': 'DocTray antwortet nicht.',
  'DocTray answered with status {status}.': 'DocTray hat mit Status {status} geantwortet.',
  'Keep this page open. Unsaved changes are only in the editor: save again there when DocTray responds.':
    'Lassen Sie diese Seite offen. Ungespeicherte Änderungen sind nur im Editor: dort erneut speichern, sobald DocTray antwortet.',
  'This document can’t be opened': 'Dieses Dokument lässt sich nicht öffnen',
  'You are signed out.': 'Sie sind abgemeldet.',
  'Sign in again to open the document.': 'Melden Sie sich neu an, um das Dokument zu öffnen.',
  'Sign in again before you continue. What you type now may not be saved.':
    'Melden Sie sich neu an, bevor Sie weiterarbeiten. Neue Eingaben werden sonst vielleicht nicht gespeichert.',
  'Your access to this document has expired.': 'Der Zugriff auf dieses Dokument ist abgelaufen.',
  'The editor can still save this document for 24 hours. Save your changes, then reload the editor.':
    'Der Editor kann noch 24 Stunden lang speichern. Speichern Sie Ihre Änderungen und laden Sie den Editor dann neu.',
  'The editor has closed this session.': 'Der Editor hat diese Sitzung beendet.',

  // what isn't on disk, and where it is kept
  '{editor} couldn’t save the document.': '{editor} konnte das Dokument nicht speichern.',
  'DocTray hasn’t received a save since your last change.':
    'Bei DocTray ist seit der letzten Änderung keine Speicherung angekommen.',
  '{editor} hasn’t reported whether it saved the document.':
    '{editor} hat nicht gemeldet, ob das Dokument gespeichert ist.',
  '{editor} reports nothing to save. If you undid your changes, nothing is lost.':
    '{editor} meldet nichts zu speichern. Falls Sie Ihre Änderungen rückgängig gemacht haben, geht nichts verloren.',
  'Your last changes are only in {editor}. They may be lost if you close the page now.':
    'Ihre letzten Änderungen sind nur in {editor}. Wenn Sie die Seite jetzt schließen, gehen sie vielleicht verloren.',
  'DocTray keeps the save it couldn’t write in Recovered saves. Newer changes are only in {editor} and may be lost if you close the page now.':
    'Was DocTray nicht schreiben konnte, liegt unter „Gesicherte Fassungen“. Neuere Änderungen sind nur in {editor} und gehen vielleicht verloren, wenn Sie die Seite jetzt schließen.',
  'This document has changes that aren’t in the file yet.':
    'Dieses Dokument hat Änderungen, die noch nicht in der Datei sind.',
  'They are only in {editor}. Save before you leave.':
    'Sie sind nur in {editor}. Vor dem Verlassen speichern.',
  '{editor} writes the file a few seconds after everyone has closed the document.':
    '{editor} schreibt die Datei einige Sekunden, nachdem alle das Dokument geschlossen haben.',
  'Saving {name}…': '{name} wird gespeichert…',
  '{editor} has your changes and is writing the file. Keep this tab open until it is on disk.':
    '{editor} hat Ihre Änderungen und schreibt die Datei gerade. Lassen Sie diesen Tab so lange offen.',
  '{name} isn’t on disk yet': '{name} ist noch nicht geschrieben',
  '{editor} has your changes, but hasn’t written the file. If another user has the document open, it is written when they close it.':
    '{editor} hat Ihre Änderungen, die Datei aber noch nicht geschrieben. Ist das Dokument auch bei anderen geöffnet, wird sie geschrieben, wenn diese es schließen.',
  'The last save couldn’t be written to the file. DocTray keeps it in Recovered saves: open the document again to restore it.':
    'Die letzte Speicherung konnte nicht in die Datei geschrieben werden und liegt in DocTray unter „Gesicherte Fassungen“. Nach erneutem Öffnen des Dokuments lässt sie sich als Kopie speichern.',
  '{editor} closed the document, and DocTray received no save. Open it again to check your last changes.':
    '{editor} hat das Dokument geschlossen, ohne dass eine Speicherung bei DocTray ankam. Öffnen Sie es noch einmal und prüfen Sie Ihre letzten Änderungen.',
  '{count, plural, one {A save of this document ({when}) couldn’t be written to the file.} other {# saves of this document (latest: {when}) couldn’t be written to the file.}}':
    '{count, plural, one {Eine Speicherung dieses Dokuments ({when}) konnte nicht in die Datei geschrieben werden.} other {# Speicherungen dieses Dokuments (zuletzt {when}) konnten nicht in die Datei geschrieben werden.}}',
  'DocTray keeps it in Recovered saves. You can restore it as a copy next to this document.':
    'DocTray bewahrt sie unter „Gesicherte Fassungen“ auf. Sie lässt sich als Kopie neben diesem Dokument speichern.',
  'DocTray keeps it in Recovered saves. Ask the owner of this DocTray to restore it.':
    'DocTray bewahrt sie unter „Gesicherte Fassungen“ auf. Der Besitzer von DocTray kann sie als Kopie speichern.',
  'Restored as {name}': 'Gespeichert als {name}',
  'Another version of this document is kept as {name}.':
    'Eine andere Fassung dieses Dokuments liegt als {name} vor.',
  'The file had changed elsewhere when the editor saved it. Compare both, then delete the one you don’t need.':
    'Die Datei war schon anderswo geändert, als der Editor sie speicherte. Vergleichen Sie beide und löschen Sie dann die überflüssige.',

  // who holds the document
  '{user} is editing this document in {editor}.': '{user} bearbeitet dieses Dokument in {editor}.',
  'Another user': 'Jemand anderes',
  'another editor': 'einem anderen Editor',
  'You can only read it here. Ask them to close it, or force-clear the lock in DocTray. Then reload.':
    'Hier ist es nur lesbar. Bitten Sie darum, es zu schließen, oder heben Sie die Sperre in DocTray auf. Laden Sie dann neu.',
  'Your saves don’t reach the file.': 'Ihre Änderungen kommen nicht in die Datei.',
  'The lock was force-cleared or has expired.': 'Die Sperre wurde aufgehoben oder ist abgelaufen.',
  'The editor didn’t get the document’s lock.': 'Der Editor hat die Sperre des Dokuments nicht bekommen.',
  'Reload to continue.': 'Laden Sie neu, um weiterzuarbeiten.',
  'Save a copy of your changes, then reload.':
    'Speichern Sie Ihre Änderungen als Kopie und laden Sie dann neu.',
  'Save a copy in the editor or copy your unsaved text, then reload.':
    'Speichern Sie im Editor eine Kopie oder kopieren Sie den ungespeicherten Text, und laden Sie dann neu.',

  // copies and versions
  'Saved a copy: {name}': 'Kopie gespeichert: {name}',
  'If nothing opened, your browser blocked it: ':
    'Falls sich nichts geöffnet hat, hat der Browser es blockiert: ',
  'Opening {name}…': '{name} wird geöffnet…',
  'the copy': 'Kopie',
  'The editor shows the copy. This page is still for the first document.':
    'Der Editor zeigt die Kopie. Diese Seite gehört noch zum ersten Dokument.',
  Versions: 'Versionen',
  'Loading…': 'Wird geladen…',
  Compare: 'Vergleichen',
  'Compare with current: version from {time}': 'Vergleichen mit der aktuellen: Version ({time})',
  'Changes since {time}': 'Änderungen seit {time}',
  'This version': 'Diese Version',
  Lines: 'Zeilen',
  '{count, plural, one {# unchanged line} other {# unchanged lines}}':
    '{count, plural, one {# unveränderte Zeile} other {# unveränderte Zeilen}}',
  'This version and the current content have the same text.':
    'Diese Version und der aktuelle Inhalt haben denselben Text.',
  'Only the line endings differ.': 'Nur die Zeilenenden unterscheiden sich.',
  '{count, plural, one {# change} other {# changes}}':
    '{count, plural, one {# Änderung} other {# Änderungen}}',
  '{count, plural, one {# line removed} other {# lines removed}}':
    '{count, plural, one {# Zeile entfernt} other {# Zeilen entfernt}}',
  '{count, plural, one {# line added} other {# lines added}}':
    '{count, plural, one {# Zeile hinzugefügt} other {# Zeilen hinzugefügt}}',
  'The rest of this long document isn’t shown.': 'Der Rest dieses langen Dokuments wird nicht angezeigt.',
  'Restore this version…': 'Diese Version wiederherstellen…',
  'Previous change': 'Vorherige Änderung',
  'Next change': 'Nächste Änderung',
  'Change {number} of {count}': 'Änderung {number} von {count}',
  'Only documents of up to {limit} can be compared. This version has {version}, and the current content has {current}.':
    'Vergleichen lassen sich nur Dokumente bis {limit}. Diese Version hat {version}, der aktuelle Inhalt {current}.',
  'Only text can be compared. This version or the current content isn’t text.':
    'Nur Text lässt sich vergleichen. Diese Version oder der aktuelle Inhalt ist kein Text.',
  'DocTray no longer has this version.': 'DocTray hat diese Version nicht mehr.',
  'Another program has changed this stored version, so it can’t be compared.':
    'Ein anderes Programm hat diese gespeicherte Version geändert. Sie lässt sich nicht vergleichen.',
  'This document was deleted or moved.': 'Dieses Dokument wurde gelöscht oder verschoben.',
  'You are signed out. Reload this page to sign in again.':
    'Sie sind abgemeldet. Laden Sie diese Seite neu, um sich wieder anzumelden.',
  'There are no earlier versions yet. One is kept each time the document is saved.':
    'Noch keine früheren Versionen. Bei jedem Speichern wird eine aufbewahrt.',
  Current: 'Aktuell',
  'Open read-only': 'Schreibgeschützt öffnen',
  Restore: 'Wiederherstellen',
  'Restore the version from {time}? The current content is kept as a version.':
    'Version ({time}) wiederherstellen? Der aktuelle Inhalt wird als Version aufbewahrt.',
  'Restored. The previous content is kept as a version.':
    'Wiederhergestellt. Der vorige Inhalt ist als Version aufbewahrt.',
  'Earlier version, read-only': 'Frühere Version, schreibgeschützt',
  'You can read this document, but not edit it.': 'Dieses Dokument lässt sich lesen, aber nicht bearbeiten.',

  // older formats
  '{name} is in an older format.': '{name} hat ein älteres Format.',
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
  'To open it, your colleague needs an account here, and DocTray must be open to the network. Both are in Settings.':
    'Um ihn zu öffnen, braucht die andere Person ein Konto, und DocTray muss im Netzwerk erreichbar sein. Beides ist in den Einstellungen.',
  'This link works on any computer that can reach this address.':
    'Dieser Link funktioniert auf jedem Computer, der diese Adresse erreicht.',
  'To open it, your colleague needs an account here. Add users in Settings.':
    'Um ihn zu öffnen, braucht die andere Person ein Konto. Benutzer lassen sich in den Einstellungen hinzufügen.',
  'Save a copy': 'Kopie speichern',
  'Save a copy…': 'Kopie speichern…',
  'Name of the copy': 'Name der Kopie',
  '{stem} (copy)': '{stem} (Kopie)',
  'The copy is saved next to this document. If the name is taken, a number is added.':
    'Die Kopie kommt neben dieses Dokument. Ist der Name vergeben, wird eine Nummer angehängt.',
  'Enter a name.': 'Namen eingeben.',
  'A name can’t contain \\ / : * ? " < > |': 'In Namen nicht erlaubt: \\ / : * ? " < > |',
  'Open read-only: version from {time}': 'Schreibgeschützt öffnen: Version ({time})',
};
