// The text editor in German.

import { formatsGerman } from '../../app/contract/german-formats.ts';
import type { Catalog } from '../../app/contract/messages.ts';
import { commonGerman } from '../pages/german.ts';

export const german: Catalog = {
  ...formatsGerman,
  ...commonGerman,

  // the search panel
  Next: 'Nächster',
  Previous: 'Voriger',
  'Select all': 'Alle auswählen',
  'Match case': 'Groß-/Kleinschreibung',
  'Regular expression': 'Regulärer Ausdruck',
  'Whole words': 'Ganze Wörter',
  Replace: 'Ersetzen',
  'Replace all': 'Alle ersetzen',
  Go: 'Los',
  Line: 'Zeile',

  'Opening…': 'Wird geöffnet…',
  'Text of {name}': 'Text von {name}',
  'Press Escape, then Tab to leave the text.': 'Escape, dann Tab verlässt den Text.',

  // the state of the document, in the bar
  Unsaved: 'Ungespeichert',
  'Saving…': 'Wird gespeichert…',
  'Not saved': 'Nicht gespeichert',
  'Read only': 'Schreibgeschützt',
  'Not editing': 'Keine Bearbeitung',

  // buttons and menu
  Find: 'Suchen',
  'Wrap lines': 'Zeilen umbrechen',
  Preview: 'Vorschau',
  More: 'Mehr',
  Save: 'Speichern',
  'Rename…': 'Umbenennen…',
  'Go to line…': 'Gehe zu Zeile…',
  Help: 'Hilfe',
  'Share…': 'Teilen…',
  'Versions…': 'Versionen…',

  // the status bar
  'Line {line, number}, column {column, number}': 'Zeile {line, number}, Spalte {column, number}',
  '{characters, plural, one {# character selected} other {# characters selected}}':
    '{characters, number} Zeichen ausgewählt',
  'Mixed line endings': 'Gemischte Zeilenenden',
  'UTF-8 with BOM': 'UTF-8 mit BOM',
  '{size} of {limit}': '{size} von {limit}',

  // why it can't be edited
  'This document is open for viewing only.': 'Dieses Dokument ist nur zum Lesen geöffnet.',
  'You don’t have permission to edit this document.': 'Für dieses Dokument fehlt die Schreibberechtigung.',
  'This file isn’t valid UTF-8 text, so editing could damage it.':
    'Diese Datei ist kein gültiger UTF-8-Text. Eine Bearbeitung könnte sie beschädigen.',
  'Characters that can’t be read are shown as �.': 'Nicht lesbare Zeichen erscheinen als �.',
  'This file is UTF-16 text. Convert it to UTF-8 to edit it here.':
    'Diese Datei ist UTF-16-Text. Nach einer Konvertierung in UTF-8 lässt sie sich hier bearbeiten.',
  'This file is {size}. The text editor opens files up to {limit}.':
    'Diese Datei ist {size} groß. Der Texteditor öffnet Dateien bis {limit}.',
  'It’s still saved, but you won’t be able to open it here again. Remove some text or move it to another document before you close this page.':
    'Sie wird weiter gespeichert, lässt sich hier aber nicht noch einmal öffnen. Kürzen Sie den Text oder verschieben Sie einen Teil in ein anderes Dokument, bevor Sie diese Seite schließen.',
  'Open it in another program on the computer that has it.':
    'Sie lässt sich auf dem Computer, auf dem sie liegt, in einem anderen Programm öffnen.',

  // the lock
  'Another user is editing this document.': 'Dieses Dokument wird gerade von jemand anderem bearbeitet.',
  'DocTray couldn’t lock this document for editing.':
    'DocTray konnte dieses Dokument nicht für die Bearbeitung sperren.',
  'Saved changes appear here.': 'Gespeicherte Änderungen erscheinen hier.',
  'The document is free to edit.': 'Das Dokument kann jetzt bearbeitet werden.',
  'Edit now': 'Jetzt bearbeiten',
  'Edit here': 'Hier bearbeiten',
  'Press Edit here to continue in this window. If the other window is still open, it saves first.':
    'Mit „Hier bearbeiten“ geht es in diesem Fenster weiter. Ist das andere Fenster noch offen, speichert es zuerst.',
  'Waiting for the other window to save…': 'Das andere Fenster speichert noch…',
  'You’re editing this document in another window.':
    'Sie bearbeiten dieses Dokument in einem anderen Fenster.',
  'The lock on this document was cleared.': 'Die Sperre dieses Dokuments wurde aufgehoben.',
  'Another user has locked this document.': 'Jemand anderes hat dieses Dokument gesperrt.',
  'Your changes are kept on this page, but aren’t saved to the file.':
    'Ihre Änderungen bleiben auf dieser Seite erhalten, werden aber nicht in der Datei gespeichert.',
  'Everything you typed so far is saved. New changes aren’t.':
    'Alles bisher Eingegebene ist gespeichert, neue Änderungen werden es nicht.',
  'The file has changed on disk. You’ll compare both versions before anything is saved.':
    'Die Datei auf dem Datenträger hat sich geändert. Vor dem Speichern lassen sich beide Fassungen vergleichen.',
  'Your text is saved in {name}.': 'Ihr Text ist in {name} gespeichert.',
  'Lock again': 'Erneut sperren',
  'Keep editing': 'Weiter bearbeiten',
  'Press Keep editing to replace the file with your text.':
    '„Weiter bearbeiten“ ersetzt die Datei durch Ihren Text.',
  'Show what changed': 'Änderungen anzeigen',
  'Hide changes': 'Änderungen ausblenden',
  'Load the file': 'Datei laden',
  'Green lines are only in your text, red lines are only in the file on disk.':
    'Grüne Zeilen stehen nur in Ihrem Text, rote nur in der Datei auf dem Datenträger.',
  'Keep mine': 'Meinen behalten',
  'Use the file’s': 'Aus Datei übernehmen',

  // the host
  'DocTray isn’t responding.': 'DocTray antwortet nicht.',
  'Your changes are kept here and saved when it’s back.':
    'Ihre Änderungen bleiben hier erhalten und werden gespeichert, sobald es wieder antwortet.',
  'DocTray couldn’t save this document.': 'DocTray konnte dieses Dokument nicht speichern.',
  'DocTray couldn’t save this document: {reason}': 'DocTray konnte dieses Dokument nicht speichern: {reason}',
  'Your changes are kept here. The editor keeps trying.':
    'Ihre Änderungen bleiben hier erhalten. Der Editor versucht es weiter.',
  'DocTray refused the save because the document is too large.':
    'DocTray hat das Speichern abgelehnt, weil das Dokument zu groß ist.',
  'Your changes are kept here. Remove some text, or save it in parts.':
    'Ihre Änderungen bleiben hier erhalten. Kürzen Sie den Text oder speichern Sie ihn in Teilen.',
  'The file was deleted or moved to another folder.':
    'Die Datei wurde gelöscht oder in einen anderen Ordner verschoben.',
  'If you save or keep typing, it is created again under its old name.':
    'Beim Speichern oder Weiterschreiben wird sie unter ihrem alten Namen neu angelegt.',
  'DocTray couldn’t create it again.': 'DocTray konnte sie nicht neu anlegen.',
  'DocTray couldn’t create it again: {reason}': 'DocTray konnte sie nicht neu anlegen: {reason}',
  '{name} was deleted or moved while you were editing. Your save put it back.':
    '{name} wurde während der Bearbeitung gelöscht oder verschoben und beim Speichern neu angelegt.',
  'If it was moved, there are two files now.': 'Falls die Datei verschoben wurde, gibt es sie jetzt zweimal.',
  'Your access to this document has expired.': 'Der Zugriff auf dieses Dokument ist abgelaufen.',
  'You can keep editing for up to 24 hours, and your changes are saved. After that, open the document again.':
    'Bis zu 24 Stunden lang lässt sich weiter bearbeiten und speichern. Danach muss das Dokument neu geöffnet werden.',
  'Your access to this document was revoked.': 'Der Zugriff auf dieses Dokument wurde widerrufen.',
  'Your unsaved changes are kept on this page until you close it.':
    'Ungespeicherte Änderungen bleiben auf dieser Seite erhalten, bis sie geschlossen wird.',
  'Open the document again from DocTray.': 'Öffnen Sie das Dokument in DocTray noch einmal.',
  'Download my text': 'Text herunterladen',
  'The file changed on disk while you had unsaved changes.':
    'Die Datei hat sich auf dem Datenträger geändert, während es ungespeicherte Änderungen gab.',
  'Your text is saved. If the other version was different, DocTray kept it next to the file as a conflict copy.':
    'Ihr Text ist gespeichert. Falls die andere Fassung abwich, liegt sie als Konfliktkopie neben der Datei.',

  // opening
  'DocTray isn’t responding. Trying again…': 'DocTray antwortet nicht. Neuer Versuch…',
  'This document was deleted or moved.': 'Dieses Dokument wurde gelöscht oder verschoben.',
  'DocTray couldn’t open this document (status {status}).':
    'DocTray konnte dieses Dokument nicht öffnen (Status {status}).',

  // names
  'Name of the copy': 'Name der Kopie',
  'The copy is saved in the same folder. A number is added if the name is taken.':
    'Die Kopie kommt in denselben Ordner. Ist der Name vergeben, wird eine Nummer angehängt.',
  '{stem} (copy)': '{stem} (Kopie)',
  'Saved a copy: {name}': 'Kopie gespeichert: {name}',
  'Open copy': 'Kopie öffnen',
  'DocTray couldn’t save the copy.': 'DocTray konnte die Kopie nicht speichern.',
  'DocTray couldn’t save the copy: {reason}': 'DocTray konnte die Kopie nicht speichern: {reason}',
  Rename: 'Umbenennen',
  'The extension .{extension} stays.': 'Die Endung .{extension} bleibt.',
  'DocTray couldn’t rename this document.': 'DocTray konnte dieses Dokument nicht umbenennen.',
  'DocTray couldn’t rename this document: {reason}':
    'DocTray konnte dieses Dokument nicht umbenennen: {reason}',
  'A name can’t contain \\ / : * ? " < > |': 'In Namen nicht erlaubt: \\ / : * ? " < > |',

  // previews
  'Preview of {name}': 'Vorschau von {name}',
  Code: 'Code',
  Table: 'Tabelle',
  'The preview isn’t shown for large documents.': 'Für große Dokumente gibt es keine Vorschau.',
  'This document can’t be previewed.': 'Für dieses Dokument gibt es keine Vorschau.',
  Image: 'Bild',
  'Image: {description}': 'Bild: {description}',
  Done: 'Erledigt',
  'To do': 'Offen',
  'Read-only preview. Connect ONLYOFFICE or Collabora to edit this document.':
    'Schreibgeschützte Vorschau. Zum Bearbeiten ONLYOFFICE oder Collabora verbinden.',
  'This browser doesn’t show PDF documents in a page.':
    'Dieser Browser zeigt PDF-Dokumente nicht auf einer Seite an.',
  'This file isn’t a complete PDF, so it can’t be shown.':
    'Diese Datei ist kein vollständiges PDF und kann nicht angezeigt werden.',
  'This image can’t be shown.': 'Dieses Bild kann nicht angezeigt werden.',
  'This file is {size}. Previews are shown for files up to {limit}.':
    'Diese Datei ist {size} groß. Eine Vorschau gibt es für Dateien bis {limit}.',
};
