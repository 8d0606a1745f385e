// The tray, the menu, dialogs and notifications in German.

import { sharedGerman } from '../contract/german.ts';
import type { Catalog } from '../contract/messages.ts';

export const german: Catalog = {
  ...sharedGerman,

  // dialogs
  'DocTray opens files of other computers only in the folder it serves. Copy them there first.':
    'Dateien anderer Computer öffnet DocTray nur im freigegebenen Ordner. Kopieren Sie sie zuerst dorthin.',
  'DocTray couldn’t start': 'DocTray konnte nicht starten',
  OK: 'OK',
  Cancel: 'Abbrechen',
  'Choose the folder to serve': 'Ordner zum Freigeben auswählen',
  'Serve this folder': 'Diesen Ordner freigeben',
  Certificate: 'Zertifikat',
  '{name} has unsaved changes.': '{name} hat ungespeicherte Änderungen.',
  'The editor is about to save them. If you close now, they may be lost.':
    'Der Editor speichert sie gleich. Beim Schließen gehen sie vielleicht verloren.',
  'Keep editing': 'Weiter bearbeiten',
  'Close anyway': 'Trotzdem schließen',
  'The document’s page crashed twice.': 'Die Seite des Dokuments ist zweimal abgestürzt.',
  'Everything that was saved is safe.': 'Alles Gespeicherte ist sicher.',
  'Try again': 'Erneut versuchen',
  'Close the window': 'Fenster schließen',
  'DocTray closed because of an error': 'DocTray wurde wegen eines Fehlers beendet',
  'Everything that was saved is safe. Start DocTray again. The log has the details.':
    'Alles Gespeicherte ist sicher. Starten Sie DocTray neu. Einzelheiten stehen im Protokoll.',
  'DocTray’s window crashed twice.': 'Das Fenster von DocTray ist zweimal abgestürzt.',
  'Open documents can still be saved until you quit.':
    'Geöffnete Dokumente lassen sich bis zum Beenden weiterhin speichern.',
  'Reload the window': 'Fenster neu laden',

  // documents from outside of the folder
  '(no name)': '(ohne Namen)',
  '{count} more': '{count} weitere',
  '{count, plural, one {{names} isn’t in the folder {folder}.} other {{names} aren’t in the folder {folder}.}}':
    '{count, plural, one {{names} liegt nicht im Ordner {folder}.} other {{names} liegen nicht im Ordner {folder}.}}',
  '{count, plural, one {Editors can open only documents in that folder. Copy it there? The original stays where it is.} other {Editors can open only documents in that folder. Copy them there? The originals stay where they are.}}':
    '{count, plural, one {Editoren können nur Dokumente in diesem Ordner öffnen. Dorthin kopieren? Das Original bleibt, wo es ist.} other {Editoren können nur Dokumente in diesem Ordner öffnen. Dorthin kopieren? Die Originale bleiben, wo sie sind.}}',
  '{count, plural, one {Copy into the folder} other {Copy # files into the folder}}':
    '{count, plural, one {In den Ordner kopieren} other {# Dateien in den Ordner kopieren}}',
  'DocTray can’t open {names}.': 'DocTray kann {names} nicht öffnen.',
  'It isn’t a document, or it no longer exists. To serve a folder, choose it in the settings.':
    'Das ist kein Dokument oder existiert nicht mehr. Ordner lassen sich in den Einstellungen freigeben.',

  // the menu
  Overview: 'Übersicht',
  Documents: 'Dokumente',
  Locks: 'Sperren',
  Sessions: 'Sitzungen',
  Tokens: 'Token',
  Activity: 'Aktivität',
  Settings: 'Einstellungen',
  'Settings…': 'Einstellungen…',
  'Quit DocTray': 'DocTray beenden',
  File: 'Ablage',
  'Open DocTray': 'DocTray öffnen',
  'Close Window': 'Fenster schließen',
  View: 'Darstellung',
  Quit: 'Beenden',

  // notifications
  'DocTray restarted after an error': 'DocTray wurde nach einem Fehler neu gestartet',
  'Everything that was saved is safe. Reopen documents that were open in a DocTray window.':
    'Alles Gespeicherte ist sicher. Dokumente, die in einem DocTray-Fenster geöffnet waren, bitte erneut öffnen.',
  'DocTray isn’t serving': 'DocTray ist nicht bereit',
  'Open DocTray to see why.': 'Die Ursache steht in DocTray.',
  'Force-clear': 'Aufheben',
  'Lock on {file} cleared': 'Sperre von {file} aufgehoben',
  'The lock on {file} was already released or cleared.':
    'Die Sperre von {file} wurde schon freigegeben oder aufgehoben.',
  'Others can edit the document now.': 'Andere können das Dokument jetzt bearbeiten.',
  Undo: 'Rückgängig',
  'It couldn’t be written to the document. Restore it or discard it.':
    'Sie konnte nicht ins Dokument geschrieben werden. Als Kopie speichern oder verwerfen.',
  'The file still has the last readable content. Open what was saved, save it anyway, or keep the good version.':
    'Die Datei hat noch den letzten lesbaren Stand. Gespeichertes öffnen, trotzdem speichern oder den guten Stand behalten.',
  'They weren’t written to their documents: {names}. Decide what happens to each.':
    'Sie wurden nicht in ihre Dokumente geschrieben: {names}. Bitte für jede entscheiden.',
  'Both contents are kept. Compare the document with {name}.':
    'Beide Fassungen sind erhalten. Bitte das Dokument mit {name} vergleichen.',
  'Both contents are kept: {names}. Compare each with its conflict copy.':
    'Beide Fassungen sind erhalten: {names}. Bitte jeweils mit der Konfliktkopie vergleichen.',
  'Force-clear the lock so that others can edit the document.':
    'Wird die Sperre aufgehoben, können andere das Dokument bearbeiten.',
  '{names}. Force-clear the locks so that others can edit the documents.':
    '{names}. Werden die Sperren aufgehoben, können andere die Dokumente bearbeiten.',
  '{names}. Test the connections in the settings.':
    '{names}. Die Verbindungen lassen sich in den Einstellungen testen.',

  // quitting
  'DocTray – finishing {count, plural, one {# save} other {# saves}}…':
    'DocTray – schließt {count, plural, one {# Speicherung} other {# Speicherungen}} ab…',
  '{count, plural, one {Editors can’t save it until DocTray runs again.} other {Editors can’t save them until DocTray runs again.}}':
    '{count, plural, one {Editoren können es erst wieder speichern, wenn DocTray läuft.} other {Editoren können sie erst wieder speichern, wenn DocTray läuft.}}',
  'DocTray finishes {saves, plural, one {# running save} other {# running saves}} first.':
    'Vorher schließt DocTray {saves, plural, one {# laufende Speicherung} other {# laufende Speicherungen}} ab.',
  '{count, plural, one {Quit while {names} is still open?} other {Quit while {names} are still open?}}':
    '{count, plural, one {{names} ist noch geöffnet. Trotzdem beenden?} other {{names} sind noch geöffnet. Trotzdem beenden?}}',
  'Quit anyway': 'Trotzdem beenden',
  'Keep running': 'Weiter ausführen',
  'DocTray is finishing {saves, plural, one {# save} other {# saves}}.':
    'DocTray schließt {saves, plural, one {# Speicherung} other {# Speicherungen}} ab.',
  '{saves, plural, one {DocTray quits when it is done. If you quit now, this save is lost, and the document keeps its last saved content.} other {DocTray quits when they are done. If you quit now, these saves are lost, and the documents keep their last saved content.}}':
    '{saves, plural, one {Danach beendet sich DocTray. Beim sofortigen Beenden geht diese Speicherung verloren, und das Dokument behält seinen zuletzt gespeicherten Inhalt.} other {Danach beendet sich DocTray. Beim sofortigen Beenden gehen diese Speicherungen verloren, und die Dokumente behalten ihren zuletzt gespeicherten Inhalt.}}',
  'Wait longer': 'Weiter warten',
  'Quit now': 'Sofort beenden',
  'This desktop has no tray. To show the window, start DocTray again.':
    'Dieser Desktop hat keinen Infobereich. Ein erneuter Start von DocTray zeigt das Fenster wieder.',
  '{count, plural, one {# document is open in an editor.} other {# documents are open in an editor.}}':
    '{count, plural, one {# Dokument ist in einem Editor geöffnet.} other {# Dokumente sind in einem Editor geöffnet.}}',
  'Keep DocTray running without its window?': 'DocTray ohne Fenster weiter ausführen?',

  // the tray
  'Finishing {count, plural, one {# save} other {# saves}}…':
    'Schließt {count, plural, one {# Speicherung} other {# Speicherungen}} ab…',
  '{count, plural, one {# file open} other {# files open}}':
    '{count, plural, one {# Datei offen} other {# Dateien offen}}',
  'No folder chosen yet': 'Noch kein Ordner ausgewählt',
  'Serving a folder': 'Ein Ordner ist bereit',
  'Serving {folder}': '„{folder}“ ist bereit',
  'Not serving: {reason}': 'Nicht bereit: {reason}',
  'Open a document…': 'Dokument öffnen…',
  'Open folder': 'Ordner öffnen',
  'Needs attention ({count})': 'Zu erledigen ({count})',
  Recent: 'Zuletzt verwendet',
  Resume: 'Fortsetzen',
  Pause: 'Pausieren',
  'For 5 minutes': '5 Minuten',
  'For 30 minutes': '30 Minuten',
  'Until resumed': 'Bis zum Fortsetzen',
  'Quit ({names} still open)': 'Beenden ({names} noch offen)',
  'Paused until resumed': 'Pausiert bis zum Fortsetzen',
  'Paused until {time}': 'Pausiert bis {time}',
  'Resuming…': 'Wird fortgesetzt…',
  'Paused until tomorrow, {time}': 'Pausiert bis morgen, {time}',
  'the folder is missing': 'Ordner fehlt',
  'this folder can’t be served': 'Ordner lässt sich nicht freigeben',
  'no folder is chosen': 'kein Ordner ausgewählt',
  'the documents folder couldn’t be created': 'Dokumentordner ließ sich nicht anlegen',
  'the port is already in use': 'Port ist bereits belegt',
  'no permission to listen on the port': 'keine Berechtigung für den Port',
  'the address doesn’t belong to this computer': 'Adresse gehört nicht zu diesem Computer',
  'another DocTray is using the data folder': 'ein anderes DocTray verwendet den Datenordner',
  'the data folder can’t be used': 'Datenordner nicht verwendbar',
  'the data folder belongs to another user': 'Datenordner gehört einem anderen Benutzer',
  'the data is from a newer DocTray': 'Daten stammen von einem neueren DocTray',
  'the database couldn’t be upgraded': 'Datenbank ließ sich nicht aktualisieren',
  'the keychain can’t be reached': 'Schlüsselbund nicht erreichbar',
  'the settings file isn’t valid': 'Einstellungsdatei ungültig',
  'the disk returned an error': 'Datenträger meldet einen Fehler',
  'open DocTray to see why': 'Ursache siehe DocTray',
  'not saved': 'nicht gespeichert',
};
