// The window in German.

import { sharedGerman } from '../../app/contract/german.ts';
import type { Catalog } from '../../app/contract/messages.ts';

export const german: Catalog = {
  'Actions for {name}': 'Aktionen für {name}',
  '“{name}” is back as “{now}”': '„{name}“ ist als „{now}“ zurück',
  'Its old name is taken.': 'Den Namen hat inzwischen etwas anderes.',
  ...sharedGerman,

  // everywhere
  Cancel: 'Abbrechen',
  Close: 'Schließen',
  'Close details': 'Details schließen',
  'Close message': 'Meldung schließen',
  Clear: 'Leeren',
  Copied: 'Kopiert',
  Copy: 'Kopieren',
  Create: 'Erstellen',
  Details: 'Details',
  Discard: 'Verwerfen',
  'Discard…': 'Verwerfen…',
  Dismiss: 'Ausblenden',
  Done: 'Fertig',
  Edit: 'Bearbeiten',
  Hide: 'Ausblenden',
  More: 'Mehr',
  Never: 'Nie',
  never: 'nie',
  Open: 'Öffnen',
  Refresh: 'Aktualisieren',
  Remove: 'Entfernen',
  'Remove…': 'Entfernen…',
  Rename: 'Umbenennen',
  Restore: 'Wiederherstellen',
  Saved: 'Gespeichert',
  Show: 'Anzeigen',
  'Try again': 'Erneut versuchen',
  Undo: 'Rückgängig',
  View: 'Lesen',
  '{count, number}': '{count, number}',
  '{count, plural, one {# more} other {# more}}': '{count, number} weitere',
  '{reason} {count, plural, one {And # more.} other {And # more.}}': '{reason} Und {count, number} weitere.',
  '{file}: {reason}': '{file}: {reason}',
  '{file}: {reason} {count, plural, one {And # more.} other {And # more.}}':
    '{file}: {reason} Und {count, number} weitere.',

  // copying a text
  'Couldn’t copy the {what}': '{what}: Kopieren fehlgeschlagen',
  '{what} copied': '{what} kopiert',
  'Copy {what}': '{what} kopieren',
  address: 'Adresse',
  fingerprint: 'Fingerabdruck',
  line: 'Zeile',

  // the window
  'This window stopped working': 'Dieses Fenster funktioniert nicht mehr',
  'This view stopped working': 'Diese Ansicht funktioniert nicht mehr',
  'DocTray keeps serving, and nothing was lost.': 'DocTray arbeitet weiter, und nichts ging verloren.',
  'DocTray keeps serving, and nothing was lost. If trying again doesn’t help, close the window and open it from the tray.':
    'DocTray arbeitet weiter, und nichts ging verloren. Hilft ein neuer Versuch nicht, das Fenster schließen und über den Infobereich wieder öffnen.',
  'DocTray isn’t responding': 'DocTray antwortet nicht',
  'This window couldn’t load': 'Dieses Fenster ließ sich nicht laden',
  'Editors can save without this window. The log shows what happened.':
    'Editoren können auch ohne dieses Fenster speichern. Das Protokoll zeigt, was passiert ist.',
  'Not responding': 'Antwortet nicht',
  'Loading…': 'Wird geladen…',
  Ctrl: 'Strg',
  Shift: 'Umschalt',
  Enter: 'Eingabe',
  Space: 'Leertaste',
  Home: 'Pos1',
  End: 'Ende',
  Del: 'Entf',
  Menu: 'Menü',
  '{count, number}+': '{count, number}+',
  'Something went wrong in the window. Try again.':
    'Im Fenster ist etwas schiefgegangen. Bitte erneut versuchen.',
  '“{name}” is a folder or can’t be read. Drop files instead.':
    '„{name}“ ist ein Ordner oder nicht lesbar. Hier lassen sich nur Dateien ablegen.',
  'DocTray refused it.': 'DocTray hat das abgelehnt.',
  '“{name}” wasn’t copied: the connection was closed.':
    '„{name}“ wurde nicht kopiert: Die Verbindung wurde getrennt.',
  'Skip to {view}': 'Direkt zu {view}',
  'DocTray was restarted': 'DocTray wurde neu gestartet',
  'DocTray closed because of an error and started again. Everything that was saved is safe.':
    'DocTray wurde wegen eines Fehlers beendet und neu gestartet. Alles Gespeicherte ist sicher.',
  'Couldn’t resume': 'Fortsetzen fehlgeschlagen',
  Resume: 'Fortsetzen',
  'Paused until you resume it. Documents can’t be opened, but open ones can still be saved.':
    'Pausiert bis zum Fortsetzen. Es lassen sich keine Dokumente öffnen, geöffnete können gespeichert werden.',
  'Paused until {time} ({when}). Documents can’t be opened, but open ones can still be saved.':
    'Pausiert bis {time} ({when}). Es lassen sich keine Dokumente öffnen, geöffnete können gespeichert werden.',
  'Quick open': 'Öffnen',
  'Search documents, actions and settings': 'Dokumente, Aktionen und Einstellungen suchen',
  'Unknown editor': 'Unbekannter Editor',
  'Can’t read the activity': 'Die Aktivität lässt sich nicht lesen',
  'Restore this version…': 'Diese Version wiederherstellen…',
  'Nothing found.': 'Nichts gefunden.',
  '{count, plural, one {# result} other {# results}}': '{count, number} Treffer',
  '{count, plural, one {Force-clear # stale lock…} other {Force-clear # stale locks…}}':
    '{count, plural, one {# verwaiste Sperre aufheben…} other {# verwaiste Sperren aufheben…}}',
  'Pause for 30 minutes': '30 Minuten pausieren',
  'Go to {view}': 'Gehe zu {view}',
  Help: 'Hilfe',
  'Untitled {number, number}': 'Unbenannt {number, number}',
  'Couldn’t create {title}': '{title}: Erstellen fehlgeschlagen',
  'New {title}': '{title} erstellen',
  'Keyboard (F1)': 'Tastatur (F1)',
  Keyboard: 'Tastatur',

  // keyboard shortcuts
  Everywhere: 'Überall',
  'Quick open: documents, actions and settings': 'Öffnen: Dokumente, Aktionen und Einstellungen',
  'Go to a view': 'Zu einer Ansicht gehen',
  'Search or filter the view': 'Ansicht durchsuchen oder filtern',
  'Go to the next part of the window': 'Zum nächsten Teil des Fensters gehen',
  'Undo the last action': 'Letzte Aktion rückgängig machen',
  'Show these shortcuts': 'Diese Tastenkürzel anzeigen',
  'In a table': 'In einer Tabelle',
  'Go to a row and select it': 'Zu einer Zeile gehen und sie auswählen',
  Select: 'Auswählen',
  'Select more rows': 'Weitere Zeilen auswählen',
  'Move without selecting': 'Bewegen, ohne auszuwählen',
  'Select or deselect the row': 'Zeile aus- oder abwählen',
  'Select none': 'Keine auswählen',
  'Remove or force-clear': 'Entfernen oder Sperre aufheben',
  'Show all actions of the selected rows': 'Alle Aktionen der ausgewählten Zeilen anzeigen',
  'Go to the buttons of the row': 'Zu den Schaltflächen der Zeile gehen',
  'Go back to the row': 'Zurück zur Zeile gehen',
  'Copy the selected rows as CSV': 'Ausgewählte Zeilen als CSV kopieren',

  // the rail
  Disconnected: 'Getrennt',
  'DocTray isn’t reachable': 'DocTray ist nicht erreichbar',
  Overview: 'Übersicht',
  Documents: 'Dokumente',
  Locks: 'Sperren',
  Sessions: 'Sitzungen',
  Tokens: 'Token',
  Activity: 'Aktivität',
  Settings: 'Einstellungen',
  Views: 'Ansichten',
  '{count, plural, one {needs attention} other {need attention}}':
    '{count, plural, one {offener Punkt} other {offene Punkte}}',
  '{count, number} of them stale': 'davon {count, number} verwaist',

  // what needs attention
  'Needs attention': 'Braucht Aufmerksamkeit',
  '{count, plural, one {# more stale lock} other {# more stale locks}}':
    '{count, plural, one {# weitere verwaiste Sperre} other {# weitere verwaiste Sperren}}',
  'Show locks': 'Sperren anzeigen',
  'Show settings': 'Einstellungen anzeigen',
  'Still not serving': 'Weiterhin nicht bereit',
  'Serving again': 'Wieder bereit',
  'Couldn’t reopen the port': 'Port konnte nicht neu geöffnet werden',
  'The port was reopened': 'Port wurde neu geöffnet',
  'Reopen port': 'Port neu öffnen',
  'This briefly interrupts editors.': 'Editoren warten einen Moment.',
  'Couldn’t use this folder': 'Ordner kann nicht verwendet werden',
  'Choose the folder whose documents editors may open.':
    'Wählen Sie den Ordner, dessen Dokumente Editoren öffnen dürfen.',
  'Choose folder…': 'Ordner auswählen…',
  'Couldn’t restore the save': 'Kopie konnte nicht gespeichert werden',
  'Restored as {name}': 'Gespeichert als {name}',
  'Couldn’t discard the save': 'Gesicherte Fassung konnte nicht verworfen werden',
  'Discard the recovered save of {name}?': 'Gesicherte Fassung von {name} verwerfen?',
  'This save ({size}) exists nowhere else. You can’t undo this.':
    'Diese {size} gibt es sonst nirgends. Das lässt sich nicht rückgängig machen.',
  '{reason} {size}, {when}.': '{reason} {size}, {when}.',
  'Restore as copy': 'Als Kopie speichern',
  'Restore as copy: {name}': 'Als Kopie speichern: {name}',
  'More for the save of {name}': 'Mehr zur gesicherten Fassung von {name}',
  'Couldn’t dismiss it': 'Ausblenden fehlgeschlagen',
  'The other content is in {copy}, {when}.': 'Der andere Inhalt ist in {copy}, {when}.',
  'Show copy': 'Kopie anzeigen',
  'Show copy: {name}': 'Kopie anzeigen: {name}',
  'More for the copy of {name}': 'Mehr zur Kopie von {name}',
  'Locked by {user} {when}. {why}': 'Gesperrt von {user}, {when}. {why}',
  'Force-clear…': 'Aufheben…',
  'Force-clear… {name}': 'Sperre aufheben… {name}',
  '{editor} still can’t be reached': '{editor} ist weiterhin nicht erreichbar',
  '{editor} responds again': '{editor} antwortet wieder',
  '{problem} Since {when}.': '{problem} Seit: {when}.',
  'Try again: {editor}': 'Erneut versuchen: {editor}',
  'Its last connection test failed.': 'Der letzte Verbindungstest ist fehlgeschlagen.',
  'Show test': 'Test anzeigen',
  'Show test of {editor}': 'Test von {editor} anzeigen',

  // the Overview
  'Last 24 hours': 'Letzte 24 Stunden',
  'Show activity': 'Aktivität anzeigen',
  'No activity in the last 24 hours.': 'Keine Aktivität in den letzten 24 Stunden.',
  '{count, plural, =0 {No saves} one {# save} other {# saves}} in the last 24 hours':
    'In den letzten 24 Stunden {count, plural, =0 {nicht} one {einmal} other {#-mal}} gespeichert',
  'Peak open documents': 'Höchstens offene Dokumente',
  'At most {count, plural, one {# open document} other {# open documents}} in an hour of the last 24':
    'Höchstens {count, plural, one {# geöffnetes Dokument} other {# geöffnete Dokumente}} in einer der letzten 24 Stunden',
  '{count, plural, =0 {No errors} one {# error} other {# errors}} in the last 24 hours':
    '{count, plural, =0 {Keine Fehler} one {# Fehler} other {# Fehler}} in den letzten 24 Stunden',
  '{words}, most at {time}': '{words}, die meisten um {time}',
  '{time}: {count, number}': '{time}: {count, number}',
  now: 'jetzt',
  'Couldn’t pause': 'Pausieren fehlgeschlagen',
  Pause: 'Pausieren',
  'For 5 minutes': '5 Minuten',
  'For 30 minutes': '30 Minuten',
  'Until resumed': 'Bis zum Fortsetzen',
  Host: 'Host',
  'Folder, address and editors': 'Ordner, Adresse und Editoren',
  'No folder': 'Kein Ordner',
  'Not listening': 'Nicht aktiv',
  'No document server': 'Kein Dokumentserver',
  '{count, plural, one {# document server} other {# document servers}}': '{count, number} Dokumentserver',
  'None chosen yet': 'Noch keiner ausgewählt',
  'Choose…': 'Auswählen…',
  'Change…': 'Ändern…',
  'Listens on': 'Lauscht auf',
  'One moment.': 'Einen Moment.',
  'Documents can’t be opened or saved until you fix this.':
    'Bis das gelöst ist, lassen sich keine Dokumente öffnen oder speichern.',
  'Documents in “{folder}” can’t be opened or saved until you fix this.':
    'Bis das gelöst ist, lassen sich in „{folder}“ keine Dokumente öffnen oder speichern.',
  '“{folder}”, until you resume it. Documents can’t be opened, but open ones can still be saved.':
    '„{folder}“, bis zum Fortsetzen. Es lassen sich keine Dokumente öffnen, geöffnete können gespeichert werden.',
  '“{folder}”, until {time} ({when}). Documents can’t be opened, but open ones can still be saved.':
    '„{folder}“, bis {time} ({when}). Es lassen sich keine Dokumente öffnen, geöffnete können gespeichert werden.',
  'Serving “{folder}”. {count, plural, =0 {No document is being edited.} one {# document is being edited.} other {# documents are being edited.}}':
    '„{folder}“ ist freigegeben. {count, plural, =0 {Kein Dokument wird bearbeitet.} one {# Dokument wird bearbeitet.} other {# Dokumente werden bearbeitet.}}',
  'All good. {count, plural, =0 {No document is being edited.} one {# document is being edited.} other {# documents are being edited.}}':
    'Alles in Ordnung. {count, plural, =0 {Kein Dokument wird bearbeitet.} one {# Dokument wird bearbeitet.} other {# Dokumente werden bearbeitet.}}',
  '{count, plural, one {Editor} other {Editors}}': '{count, plural, one {Editor} other {Editoren}}',
  'None connected yet': 'Noch keiner verbunden',
  'No document server yet': 'Noch kein Dokumentserver',
  'Connect an editor…': 'Editor verbinden…',
  'Connect…': 'Verbinden…',
  'Settings of {editor}': 'Einstellungen von {editor}',
  'Being edited': 'In Bearbeitung',
  'Show all {count, number}': 'Alle {count, number} anzeigen',
  'Recent documents': 'Zuletzt geöffnet',
  'Documents that you open appear here.': 'Geöffnete Dokumente erscheinen hier.',
  'Show documents': 'Dokumente anzeigen',
  'Work in progress': 'Laufende Vorgänge',
  'Couldn’t cancel it': 'Abbrechen fehlgeschlagen',
  'Done.': 'Fertig.',
  'Cancel: {job}': 'Abbrechen: {job}',
  'Dismiss: {job}': 'Ausblenden: {job}',
  '{done} of {total}': '{done} von {total}',
  '{user}, {when}': '{user}, {when}',
  '{user} in {editor}, {when}': '{user} in {editor}, {when}',

  // documents
  'Open with': 'Öffnen mit',
  'Open read-only': 'Schreibgeschützt öffnen',
  'Open the version from {time} read-only': 'Version von {time} schreibgeschützt öffnen',
  'Copy link for a colleague': 'Link für andere kopieren',
  'Show in its folder': 'Im Ordner anzeigen',
  'Move to…': 'Verschieben…',
  Duplicate: 'Duplizieren',
  'Show in the file manager': 'Im Dateimanager anzeigen',
  'Move to trash': 'In den Papierkorb',
  '{count, plural, one {Copy path} other {Copy # paths}}':
    '{count, plural, one {Pfad kopieren} other {# Pfade kopieren}}',
  'Show WOPI address…': 'WOPI-Adresse anzeigen…',
  'A name can’t contain “{character}”.': '„{character}“ ist in Namen nicht erlaubt.',
  'This name contains invisible characters. Type it again.':
    'Dieser Name enthält unsichtbare Zeichen. Bitte neu eingeben.',
  'Type a name.': 'Namen eingeben.',
  'A name can’t start with a dot: the file would be hidden.':
    'Ein Name darf nicht mit einem Punkt beginnen: Die Datei wäre verborgen.',
  'Names that start with ~$ are reserved for lock files.':
    'Namen mit ~$ am Anfang sind für Sperrdateien reserviert.',
  'A name can’t end with a dot.': 'Ein Name darf nicht mit einem Punkt enden.',
  'Windows reserves this name. Choose another.':
    'Windows reserviert diesen Namen. Bitte einen anderen wählen.',
  'This name is too long. Shorten it.': 'Dieser Name ist zu lang.',
  '“{name}” already exists. Choose another name.':
    '„{name}“ gibt es schon. Bitte einen anderen Namen wählen.',
  '“{name}” is no longer in this folder': '„{name}“ ist nicht mehr in diesem Ordner',
  '“{name}” is no longer here': '„{name}“ ist nicht mehr hier',
  'Another program moved, renamed or deleted it.':
    'Etwas anderes hat das Dokument verschoben, umbenannt oder gelöscht.',
  'Searching…': 'Suche läuft…',
  '{count, plural, one {Searched # name} other {Searched all # names}}':
    '{count, plural, one {# Name durchsucht} other {Alle # Namen durchsucht}}',
  'The first {count, number} results. Type more of the name.':
    'Die ersten {count, number} Treffer. Mehr vom Namen eingeben.',
  '{count, plural, one {Searched # name} other {Searched # names}} before time ran out. There may be more.':
    'Nach {count, plural, one {# Name} other {# Namen}} war die Zeit um. Vielleicht gibt es mehr Treffer.',
  '{count, plural, one {Moved “{name}” to “{folder}”} other {Moved # items to “{folder}”}}':
    '{count, plural, one {„{name}“ nach „{folder}“ verschoben} other {# Objekte nach „{folder}“ verschoben}}',
  'Can’t move “{name}” back': '„{name}“ lässt sich nicht zurückverschieben',
  '{count, plural, one {# item} other {# items}} can’t be moved back':
    '{count, plural, one {# Objekt lässt} other {# Objekte lassen}} sich nicht zurückverschieben',
  'Can’t move “{name}”': '„{name}“ lässt sich nicht verschieben',
  '{count, plural, one {# item} other {# items}} weren’t moved':
    '{count, plural, one {# Objekt wurde} other {# Objekte wurden}} nicht verschoben',
  'Can’t undo this': 'Rückgängigmachen fehlgeschlagen',
  'Can’t put “{name}” back': '„{name}“ lässt sich nicht zurücklegen',
  '{count, plural, one {# item} other {# items}} stayed in the trash':
    '{count, plural, one {# Objekt blieb} other {# Objekte blieben}} im Papierkorb',
  '{count, plural, one {Moved “{name}” to the trash} other {Moved # items to the trash}}':
    '{count, plural, one {„{name}“ in den Papierkorb gelegt} other {# Objekte in den Papierkorb gelegt}}',
  '{count, plural, one {# was already gone.} other {# were already gone.}}':
    '{count, plural, one {# war nicht mehr vorhanden.} other {# waren nicht mehr vorhanden.}}',
  '{count, plural, one {“{name}” was already gone} other {# items were already gone}}':
    '{count, plural, one {„{name}“ war nicht mehr vorhanden} other {# Objekte waren nicht mehr vorhanden}}',
  'Can’t move “{name}” to the trash': '„{name}“ lässt sich nicht in den Papierkorb legen',
  '{count, plural, one {# item} other {# items}} weren’t moved to the trash':
    '{count, plural, one {# Objekt wurde} other {# Objekte wurden}} nicht in den Papierkorb gelegt',
  'Keep both': 'Beide behalten',
  'Keep both adds a number to the name of the one you move.':
    '„Beide behalten“ hängt an den Namen des verschobenen Objekts eine Nummer an.',
  'To open “{name}”, your colleague needs an account here.':
    'Um „{name}“ zu öffnen, braucht die andere Person ein Konto.',
  'To open “{name}”, your colleague needs an account here, and DocTray must be open to the network.':
    'Um „{name}“ zu öffnen, braucht die andere Person ein Konto, und DocTray muss im Netzwerk erreichbar sein.',
  'To open “{name}” for a colleague, DocTray must be open to the network.':
    'Damit andere „{name}“ öffnen können, muss DocTray im Netzwerk erreichbar sein.',
  'Can’t let colleagues open documents': 'DocTray kann nicht im Netzwerk freigegeben werden',
  'The connection isn’t encrypted until you turn on HTTPS in the settings.':
    'Die Verbindung ist erst verschlüsselt, wenn Sie in den Einstellungen HTTPS einschalten.',
  'Link copied': 'Link kopiert',
  'Some rows couldn’t be read. Try again.':
    'Einige Zeilen konnten nicht gelesen werden. Versuchen Sie es erneut.',
  'Your colleague signs in to open it.': 'Zum Öffnen ist eine Anmeldung nötig.',
  'Can’t copy the link': 'Link kann nicht kopiert werden',
  'Can’t serve that folder': 'Ordner kann nicht freigegeben werden',
  'Choose another folder…': 'Anderen Ordner auswählen…',
  'Change port': 'Port ändern',
  'DocTray is starting': 'DocTray wird gestartet',
  'DocTray is stopping. Running saves finish first.':
    'DocTray wird beendet. Laufende Speicherungen werden noch abgeschlossen.',
  'DocTray can’t serve the folder. Start it again.':
    'DocTray kann den Ordner nicht bereitstellen. Bitte neu starten.',
  'Start again': 'Neu starten',
  'No folder is chosen yet. Choose the one whose documents you want to edit. They stay where they are.':
    'Noch kein Ordner ausgewählt. Wählen Sie den mit den Dokumenten, die Sie bearbeiten möchten. Sie bleiben, wo sie sind.',
  'Can’t duplicate the document': 'Dokument kann nicht dupliziert werden',
  'Can’t show it in the file manager': 'Anzeigen im Dateimanager fehlgeschlagen',
  'Can’t copy the path': 'Pfad kann nicht kopiert werden',
  'Path copied': 'Pfad kopiert',
  'This list may be out of date. {problem}': 'Diese Liste ist vielleicht veraltet. {problem}',
  'Documents in {folder}': 'Dokumente in {folder}',
  '{count, plural, one {# item} other {# items}}': '{count, plural, one {# Objekt} other {# Objekte}}',
  'Search by name': 'Namen suchen',
  'Search results': 'Suchergebnisse',
  'Go to the top folder': 'Zum obersten Ordner',
  'Top folder': 'Oberster Ordner',
  'This folder is empty. Drop documents here to copy them in, or create one.':
    'Dieser Ordner ist leer. Dokumente hierher ziehen, um sie hineinzukopieren, oder ein neues erstellen.',
  'New document': 'Neues Dokument',
  'Drop to copy into “{folder}”': 'Zum Kopieren nach „{folder}“ loslassen',
  '{count, plural, one {# item} other {# items}} can’t be copied':
    '{count, plural, one {# Objekt kann} other {# Objekte können}} nicht kopiert werden',
  'Only files and folders on this computer can be dropped here.':
    'Hier lassen sich nur Dateien und Ordner dieses Computers ablegen.',
  'Can’t copy the files': 'Dateien können nicht kopiert werden',
  '{count, plural, one {{name}} other {# items}}': '{count, plural, one {{name}} other {# Objekte}}',
  'Can’t open the folder': 'Ordner kann nicht geöffnet werden',
  Recent: 'Zuletzt',
  New: 'Neu',
  'Open the folder in the file manager': 'Ordner im Dateimanager öffnen',
  'Show disk space used by versions…': 'Speicherplatz der Versionen…',
  'Folders in between': 'Ordner dazwischen',
  '{count, plural, one {# file} other {# files}}': '{count, plural, one {# Datei} other {# Dateien}}',
  '{done, number} of {total, plural, one {# file} other {# files}}':
    '{done, number} von {total, plural, one {# Datei} other {# Dateien}}',
  'Canceled after {progress}.': 'Abgebrochen nach {progress}.',
  '{count, plural, one {Move “{name}” to…} other {Move # items to…}}':
    '{count, plural, one {„{name}“ verschieben} other {# Objekte verschieben}}',
  'New folder': 'Neuer Ordner',
  'Move here': 'Hierher verschieben',
  'Folders in {folder}': 'Ordner in {folder}',
  'No folders in here.': 'Hier gibt es keine Ordner.',
  'Created in “{folder}”.': 'Wird in „{folder}“ erstellt.',
  'Can’t read the templates': 'Vorlagen können nicht gelesen werden',
  'Read the templates again': 'Vorlagen neu lesen',
  'New {type}': '{type} erstellen',
  Untitled: 'Unbenannt',
  'Can’t open the document': 'Dokument kann nicht geöffnet werden',
  'No connected editor opens “{name}”': 'Kein verbundener Editor öffnet „{name}“',
  'Connect an editor that supports this type of document.':
    'Verbinden Sie einen Editor für diese Art von Dokument.',
  'Can’t open “{name}”': '„{name}“ kann nicht geöffnet werden',
  '{editor} (view only)': '{editor} (nur lesen)',
  'Opened {name} in {editor}, view only': '{name} in {editor} geöffnet, nur zum Lesen',
  'To edit it, convert it there. The original is kept.':
    'Zum Bearbeiten dort konvertieren. Das Original bleibt erhalten.',
  'This editor can’t change documents of this type.': 'Dieser Editor kann Dokumente dieser Art nicht ändern.',
  'Opened {name} in {editor}': '{name} in {editor} geöffnet',
  'No editor is connected yet': 'Noch kein Editor verbunden',
  'Connect an editor': 'Editor verbinden',
  '“{name}” opens in a document server, such as ONLYOFFICE Docs or Collabora Online. Connect one in the settings.':
    '„{name}“ öffnet sich in einem Dokumentserver wie ONLYOFFICE Docs oder Collabora Online. Verbinden lässt er sich in den Einstellungen.',
  'An editor that can’t be connected here can use the document’s WOPI address and a token.':
    'Für einen Editor, der sich hier nicht verbinden lässt, gibt es die WOPI-Adresse des Dokuments und ein Token.',
  'Can’t open the help page': 'Hilfeseite kann nicht geöffnet werden',
  '{duration}, to edit this document only': '{duration}, nur zum Bearbeiten dieses Dokuments',
  '{duration}, to view this document only': '{duration}, nur zum Lesen dieses Dokuments',
  Expired: 'Abgelaufen',
  'WOPI address of “{name}”': 'WOPI-Adresse von „{name}“',
  'WOPI address': 'WOPI-Adresse',
  'Access token': 'Zugriffstoken',
  'Access token, hidden': 'Zugriffstoken, verborgen',
  'Hide the access token': 'Zugriffstoken verbergen',
  'Show the access token': 'Zugriffstoken anzeigen',
  'access token': 'Zugriffstoken',
  'Valid for': 'Gültig für',
  'The token is shown only once. Open this dialog again to get another one.':
    'Das Token wird nur einmal angezeigt. Ein weiteres gibt es beim nächsten Öffnen dieses Dialogs.',
  'Instructions:': 'Anleitung:',
  'For an editor that isn’t connected to DocTray. It requests the document at this address, with the token as its {parameter}.':
    'Für einen Editor, der nicht mit DocTray verbunden ist. Er ruft das Dokument unter dieser Adresse ab, mit dem Token als {parameter}.',
  'Being edited by {user}': 'In Bearbeitung durch {user}',
  'Stale lock of {user}: show it in Locks': 'Verwaist: Sperre von {user}, in „Sperren“ anzeigen',
  Modified: 'Geändert',
  Size: 'Größe',
  Name: 'Name',
  'Earlier versions use {size}': 'Frühere Versionen belegen {size}',
  'New name': 'Neuer Name',
  'Problem with the name': 'Problem mit dem Namen',

  // versions
  'This version and the current content have the same lines.': 'Beide haben dieselben Zeilen.',
  '{count, plural, one {# change} other {# changes}}':
    '{count, plural, one {# Änderung} other {# Änderungen}}',
  '{count, plural, one {# line removed} other {# lines removed}}':
    '{count, plural, one {# Zeile entfernt} other {# Zeilen entfernt}}',
  '{count, plural, one {# line added} other {# lines added}}':
    '{count, plural, one {# Zeile hinzugefügt} other {# Zeilen hinzugefügt}}',
  Current: 'Aktuell',
  '{count, plural, one {# unchanged line} other {# unchanged lines}}':
    '{count, plural, one {# unveränderte Zeile} other {# unveränderte Zeilen}}',
  'The rest of this long document isn’t shown.': 'Der Rest dieses langen Dokuments wird nicht angezeigt.',
  saved: 'gespeichert',
  autosaved: 'automatisch gespeichert',
  'saved on closing': 'beim Schließen gespeichert',
  'without changes': 'ohne Änderungen',
  restored: 'wiederhergestellt',
  'recovered save': 'gesicherte Fassung',
  created: 'erstellt',
  'changed by another program': 'von einem anderen Programm geändert',
  Versions: 'Versionen',
  '{name}, {count, plural, =0 {no earlier version} one {# earlier version} other {# earlier versions}}':
    '{name}, {count, plural, =0 {keine frühere Version} one {# frühere Version} other {# frühere Versionen}}',
  'Can’t restore “{name}”': '„{name}“ kann nicht wiederhergestellt werden',
  'Restored “{name}”. The previous content is kept as a version.':
    '„{name}“ wiederhergestellt. Der vorige Stand ist als Version aufbewahrt.',
  'Can’t open this version': 'Version kann nicht geöffnet werden',
  'Restore “{name}”?': '„{name}“ wiederherstellen?',
  'The document goes back to its content from {time} ({size}).':
    'Das Dokument erhält den Stand vom {time} ({size}).',
  'Its current content is kept as a version.': 'Der aktuelle Inhalt wird als Version aufbewahrt.',
  'Restore the version from {time}': 'Version von {time} wiederherstellen',
  'More for the version from {time}': 'Mehr zur Version von {time}',
  'Compare with current': 'Mit aktueller vergleichen',
  'Save a copy…': 'Kopie speichern…',
  'DocTray keeps a version each time the document is saved.':
    'DocTray bewahrt bei jedem Speichern des Dokuments eine Version auf.',
  'Changes in “{name}” since {time}': 'Änderungen in „{name}“ seit {time}',
  'Save a copy': 'Kopie speichern',
  'Created next to “{name}”.': 'Wird neben „{name}“ erstellt.',
  '{count, plural, one {Size of # version} other {Sizes of # versions, oldest first}}: {first} to {last}':
    '{count, plural, one {Größe von # Version} other {Größen von # Versionen, älteste zuerst}}: {first} bis {last}',
  'Disk space used by versions': 'Speicherplatz der Versionen',
  'DocTray keeps earlier versions outside the folder. It removes those beyond the limits in the settings automatically, or now.':
    'DocTray bewahrt frühere Versionen außerhalb des Ordners auf. Was die Grenzen in den Einstellungen überschreitet, wird automatisch entfernt, oder jetzt.',
  'Measuring…': 'Wird ermittelt…',
  '{count, plural, one {# version} other {# versions}} of all documents: {size}':
    '{count, plural, one {# Version} other {# Versionen}} aller Dokumente: {size}',
  'Clean up now': 'Jetzt aufräumen',

  // locks
  Lock: 'Sperre',
  State: 'Status',
  User: 'Benutzer',
  Since: 'Seit',
  Refreshed: 'Erneuert',
  'Lock ID': 'Sperr-ID',
  'another user': 'jemand anderes',
  'Editing: {user}': 'In Bearbeitung: {user}',
  'Stale: {user}, gone {duration}': 'Verwaist: {user}, seit {duration}',
  'Stale: {user}, token expired': 'Verwaist: {user}, abgelaufen',
  'Stale: {user}, token revoked': 'Verwaist: {user}, widerrufen',
  'Saves only': 'Nur speichern',
  'Stale: {user}, editor gone': 'Verwaist: {user}, Editor weg',
  'Force-clear': 'Aufheben',
  'Force-clear {file}': 'Sperre von {file} aufheben',
  'Force-clear {count, number}…': '{count, number} Sperren aufheben…',
  'Show sessions': 'Sitzungen anzeigen',
  'Show session': 'Sitzung anzeigen',
  'Show in Documents': 'In „Dokumente“ anzeigen',
  '{count, plural, one {# lock} other {# locks}}': '{count, plural, one {# Sperre} other {# Sperren}}',
  'Filter locks': 'Sperren filtern',
  'Select {count, number} stale': '{count, number} verwaiste wählen',
  'No document is locked. Locks appear here when an editor opens a document.':
    'Kein Dokument ist gesperrt. Sperren erscheinen hier, wenn ein Editor ein Dokument öffnet.',
  '{count, plural, one {# document is being edited.} other {# documents are being edited.}}':
    '{count, plural, one {# Dokument wird bearbeitet.} other {# Dokumente werden bearbeitet.}}',
  '{held, plural, =0 {} one {# document is being edited, } other {# documents are being edited, }}{stale, plural, one {# lock is stale.} other {# locks are stale.}}':
    '{held, plural, =0 {} one {# Dokument wird bearbeitet, } other {# Dokumente werden bearbeitet, }}{stale, plural, one {# Sperre ist verwaist.} other {# Sperren sind verwaist.}}',
  'No editor is connected.': 'Kein Editor ist verbunden.',
  '{mode}, active {when}': '{mode}, aktiv {when}',
  '{file} is locked again': '{file} ist wieder gesperrt',
  '{count, plural, one {# lock restored} other {# locks restored}}':
    '{count, plural, one {# Sperre wiederhergestellt} other {# Sperren wiederhergestellt}}',
  '{count, plural, one {Can’t restore # lock} other {Can’t restore # locks}}':
    '{count, plural, one {# Sperre kann nicht wiederhergestellt werden} other {# Sperren können nicht wiederhergestellt werden}}',
  'Can’t restore the lock': 'Sperre kann nicht wiederhergestellt werden',
  'Force-clear the lock on {file}?': 'Sperre von {file} aufheben?',
  '{count, plural, one {Force-clear # lock?} other {Force-clear # locks?}}':
    '{count, plural, one {# Sperre aufheben?} other {# Sperren aufheben?}}',
  'Lock on {file} cleared': 'Sperre von {file} aufgehoben',
  '{count, plural, one {# lock cleared} other {# locks cleared}}':
    '{count, plural, one {# Sperre aufgehoben} other {# Sperren aufgehoben}}',
  '{count, plural, one {Can’t clear # lock} other {Can’t clear # locks}}':
    '{count, plural, one {# Sperre kann nicht aufgehoben werden} other {# Sperren können nicht aufgehoben werden}}',
  'Can’t clear the locks': 'Sperren können nicht aufgehoben werden',
  '{user} is editing this document now.': '{user} bearbeitet dieses Dokument gerade.',
  '{count, plural, one {# of these documents is being edited now.} other {# of these documents are being edited now.}}':
    '{count, plural, one {# dieser Dokumente wird gerade bearbeitet.} other {# dieser Dokumente werden gerade bearbeitet.}}',
  'If the editor reconnects, its next save goes to Recovered saves instead of the file.':
    'Meldet sich der Editor wieder, kommt seine nächste Speicherung nicht in die Datei, sondern zu „Gesicherte Fassungen“.',
  'The editor’s next save is rejected with a message, and its content goes to Recovered saves.':
    'Die nächste Speicherung des Editors wird mit einer Meldung abgelehnt, ihr Inhalt kommt zu „Gesicherte Fassungen“.',
  'You can undo this for 10 seconds.': 'Das lässt sich 10 Sekunden lang rückgängig machen.',

  // sessions
  Session: 'Sitzung',
  Document: 'Dokument',
  Editor: 'Editor',
  Mode: 'Modus',
  'Last activity': 'Zuletzt aktiv',
  Stale: 'Verwaist',
  Editing: 'In Bearbeitung',
  Viewing: 'Liest',
  Held: 'Gesperrt',
  Address: 'Adresse',
  Requests: 'Anfragen',
  Saves: 'Speicherungen',
  Read: 'Gelesen',
  Written: 'Geschrieben',
  'End {user}’s session in {file}?': 'Sitzung von {user} in {file} beenden?',
  '{count, plural, one {End # session?} other {End # sessions?}}':
    '{count, plural, one {# Sitzung beenden?} other {# Sitzungen beenden?}}',
  '{count, plural, one {End session} other {End # sessions}}':
    '{count, plural, one {Sitzung beenden} other {# Sitzungen beenden}}',
  '{count, plural, one {Session ended} other {# sessions ended}}':
    '{count, plural, one {Sitzung beendet} other {# Sitzungen beendet}}',
  '{count, plural, one {Can’t end a session} other {Can’t end # sessions}}':
    '{count, plural, one {Eine Sitzung kann nicht beendet werden} other {# Sitzungen können nicht beendet werden}}',
  'Can’t end the sessions': 'Sitzungen können nicht beendet werden',
  '{user}, {mode}': '{user}, {mode}',
  '{state}: show the lock on {file}': '{state}: Sperre von {file} anzeigen',
  'End {count, number} sessions…': '{count, number} Sitzungen beenden…',
  'End session…': 'Sitzung beenden…',
  'Show lock': 'Sperre anzeigen',
  '{count, plural, one {# session} other {# sessions}}':
    '{count, plural, one {# Sitzung} other {# Sitzungen}}',
  'Filter sessions': 'Sitzungen filtern',
  'No document is open. A session starts when an editor opens one.':
    'Kein Dokument ist geöffnet. Eine Sitzung beginnt, wenn ein Editor eines öffnet.',
  '{editing, number} editing': '{editing, number} zum Bearbeiten',
  '{viewing, number} viewing': '{viewing, number} zum Lesen',
  '{stale, number} stale': '{stale, number} verwaist',
  '{user} is editing': '{user} bearbeitet',
  '{user} is viewing': '{user} liest',

  // tokens
  'All documents': 'Alle Dokumente',
  'Deleted document': 'Gelöschtes Dokument',
  '{document} ({mode})': '{document} ({mode})',
  'Expired {when}': 'Abgelaufen {when}',
  'Saves only, {duration}': 'Nur speichern, {duration}',
  'Expired on {at}. It can no longer open documents. Open ones can be saved until {until}.':
    'Abgelaufen am {at}. Öffnet keine Dokumente mehr. Geöffnete lassen sich bis {until} speichern.',
  'Can’t create the token': 'Token kann nicht erstellt werden',
  'Can’t copy the token': 'Token kann nicht kopiert werden',
  'Token copied': 'Token kopiert',
  'New API token of {user}': 'Neues API-Token von {user}',
  'This token is shown only once. Copy it now and keep it secret.':
    'Dieses Token wird nur einmal angezeigt. Jetzt kopieren und geheim halten.',
  'API token': 'API-Token',
  'Expires {at}.': 'Läuft ab: {at}.',
  'Create an API token': 'API-Token erstellen',
  'A program with this token can do everything its user can do through the API.':
    'Ein Programm mit diesem Token darf über die API alles, was sein Benutzer darf.',
  Lifetime: 'Gültigkeit',
  '{count, plural, one {# day} other {# days}}': '{count, plural, one {# Tag} other {# Tage}}',
  'Revoke this token of {user}?': 'Dieses Token von {user} widerrufen?',
  '{count, plural, one {Revoke # token?} other {Revoke # tokens?}}': '{count, number} Token widerrufen?',
  '{count, plural, one {Revoke} other {Revoke #}}': '{count, plural, one {Widerrufen} other {# widerrufen}}',
  '{count, plural, one {Token revoked} other {# tokens revoked}}':
    '{count, plural, one {Token widerrufen} other {# Token widerrufen}}',
  '{count, plural, one {Can’t revoke a token} other {Can’t revoke # tokens}}':
    '{count, plural, one {Ein Token kann nicht widerrufen werden} other {# Token können nicht widerrufen werden}}',
  'Can’t revoke the tokens': 'Token können nicht widerrufen werden',
  'Revoke all tokens of {user}?': 'Alle Token von {user} widerrufen?',
  'Revoke all': 'Alle widerrufen',
  '{count, plural, =0 {{user} has no tokens} one {# token of {user} revoked} other {# tokens of {user} revoked}}':
    '{count, plural, =0 {{user} hat keine Token} other {# Token von {user} widerrufen}}',
  'Can’t revoke the tokens of {user}': 'Token von {user} können nicht widerrufen werden',
  'Programs that use an API token lose access and must sign in again.':
    'Programme mit einem API-Token verlieren den Zugriff und müssen sich neu anmelden.',
  'The editor loses access immediately. Open the document again to continue.':
    'Der Editor verliert sofort den Zugriff. Zum Weiterarbeiten das Dokument neu öffnen.',
  'Unsaved changes stay in the editor and can be copied from there, but not saved here.':
    'Ungespeicherte Änderungen bleiben im Editor und lassen sich von dort kopieren, aber nicht mehr speichern.',
  'You can’t undo this.': 'Das lässt sich nicht rückgängig machen.',
  Created: 'Erstellt',
  Expires: 'Läuft ab',
  'Last used': 'Zuletzt benutzt',
  Opens: 'Öffnet',
  '{count, plural, one {# token} other {# tokens}}': '{count, number} Token',
  'Filter tokens': 'Token filtern',
  'Revoke by user': 'Nach Benutzer widerrufen',
  'Create API token': 'API-Token erstellen',
  'Kind of token': 'Art des Tokens',
  'Access tokens': 'Zugriffstoken',
  'No access tokens. One is issued when a document is opened.':
    'Keine Zugriffstoken. Eines wird ausgestellt, wenn ein Dokument geöffnet wird.',
  'API tokens': 'API-Token',
  'No API tokens. A program needs one to use the API.':
    'Keine API-Token. Programme brauchen eines, um die API zu nutzen.',
  'Revoke {count, number}…': '{count, number} widerrufen…',
  'Revoke…': 'Widerrufen…',
  'Revoke all tokens of this user…': 'Alle des Benutzers widerrufen…',
  'Revoke all tokens of {user}…': 'Alle von {user} widerrufen…',
  '{relative}, {exact}': '{relative}, {exact}',
  'API token for all documents': 'API-Token für alle Dokumente',
  'Access token of {user}': 'Zugriffstoken von {user}',
  '{name} ({login})': '{name} ({login})',
  'Token ID': 'Token-ID',

  // tables
  'Copy or save rows': 'Zeilen kopieren oder speichern',
  '{shown} of {all}': '{shown} von {all}',
  '{count, number} selected': '{count, number} ausgewählt',
  'Can’t copy': 'Kopieren fehlgeschlagen',
  'Can’t save the file': 'Datei kann nicht gespeichert werden',
  'Not saved': 'Nicht gespeichert',
  'Saved {file}': '{file} gespeichert',
  '{count, plural, =0 {Copy selected rows as CSV} one {Copy # row as CSV} other {Copy # rows as CSV}}':
    '{count, plural, =0 {Auswahl als CSV kopieren} one {# Zeile als CSV kopieren} other {# Zeilen als CSV kopieren}}',
  '{count, plural, =0 {Copy selected rows as JSON} one {Copy # row as JSON} other {Copy # rows as JSON}}':
    '{count, plural, =0 {Auswahl als JSON kopieren} one {# Zeile als JSON kopieren} other {# Zeilen als JSON kopieren}}',
  'Copy all as CSV': 'Alle als CSV kopieren',
  'Copy all as JSON': 'Alle als JSON kopieren',
  'Save all as CSV…': 'Alle als CSV speichern…',
  'Save all as JSON…': 'Alle als JSON speichern…',
  Filter: 'Filter',
  'Nothing matches “{filter}”.': 'Kein Treffer für „{filter}“.',
  'Clear filter': 'Filter leeren',
  Loading: 'Wird geladen',
  Actions: 'Aktionen',
  Selected: 'Ausgewählt',
  'Select all': 'Alle auswählen',

  // settings: sections and fields
  General: 'Allgemein',
  Editors: 'Editoren',
  Users: 'Benutzer',
  'Network & HTTPS': 'Netzwerk & HTTPS',
  Advanced: 'Erweitert',
  About: 'Info',
  Folder: 'Ordner',
  'Editors can only open documents in this folder.': 'Editoren können nur Dokumente in diesem Ordner öffnen.',
  'documents directory path switch': 'dokumente verzeichnis pfad wechseln freigeben',
  'Open documents in': 'Dokumente öffnen in',
  'Your browser, or a DocTray window for each document.':
    'Im Browser oder in einem DocTray-Fenster pro Dokument.',
  'Start DocTray when you log in': 'DocTray bei der Anmeldung starten',
  'It starts in the tray, without a window.': 'Es startet im Infobereich, ohne Fenster.',
  'autostart boot': 'autostart hochfahren login',
  'Shortcut for quick open': 'Tastenkürzel zum Öffnen',
  'Opens documents from any program.': 'Öffnet Dokumente aus jedem Programm heraus.',
  'global keyboard hotkey': 'global tastatur hotkey shortcut',
  Theme: 'Design',
  'Contrast themes of the system always apply.': 'Kontrastdesigns des Systems gelten immer.',
  'appearance colors light dark': 'aussehen farben hell dunkel darstellung',
  Errors: 'Fehler',
  'DocTray stops serving, or a save had to be recovered.':
    'DocTray ist nicht mehr bereit, oder es gibt eine gesicherte Fassung.',
  notifications: 'benachrichtigungen mitteilungen',
  'Stale locks': 'Verwaiste Sperren',
  'The editor of a lock has gone away.': 'Der Editor einer Sperre ist weg.',
  'Unreachable editors': 'Nicht erreichbare Editoren',
  'A connected editor stops responding.': 'Ein verbundener Editor antwortet nicht mehr.',
  'Connected editors': 'Verbundene Editoren',
  'Programs that open your documents.': 'Programme, die Ihre Dokumente öffnen.',
  'Text editor': 'Texteditor',
  'Text editor (built-in)': 'Texteditor (integriert)',
  'Opens text, Markdown and CSV.': 'Öffnet Text, Markdown und CSV.',
  'built in': 'integriert eingebaut',
  'Port of the text editor': 'Port des Texteditors',
  'Optional. Defaults to the next free port after DocTray’s.':
    'Optional. Sonst der nächste freie Port nach dem von DocTray.',
  'Public URL of the text editor': 'Öffentliche URL des Texteditors',
  'Optional. Only needed behind a reverse proxy.': 'Optional. Nur hinter einem Reverse-Proxy nötig.',
  'On this computer': 'Auf diesem Computer',
  'Document servers that run here or that DocTray can start.':
    'Dokumentserver, die hier laufen oder die DocTray starten kann.',
  'Default editors': 'Standardeditoren',
  'Which editor opens a type of document.': 'Welcher Editor eine Art von Dokument öffnet.',
  'Who can sign in to open documents.': 'Wer sich anmelden und Dokumente öffnen darf.',
  'accounts roles password owner viewer add remove':
    'konten rollen passwort besitzer betrachter hinzufügen entfernen',
  'Keep versions for': 'Versionen aufbewahren',
  'Older versions are removed.': 'Ältere Versionen werden entfernt.',
  history: 'verlauf',
  'Versions of each document': 'Versionen pro Dokument',
  'The oldest are removed first.': 'Die ältesten werden zuerst entfernt.',
  'history limit': 'verlauf grenze anzahl',
  'Disk space': 'Speicherplatz',
  'Disk space that all versions use together.': 'Was alle Versionen belegen.',
  'clean up usage': 'aufräumen belegung',
  'Keep recovered saves for': 'Gesicherte Fassungen aufbewahren',
  'Older recovered saves are removed.': 'Ältere gesicherte Fassungen werden entfernt.',
  'Space for recovered saves': 'Platz für gesicherte Fassungen',
  'The limit for all recovered saves together.': 'Für alle zusammen.',
  'quota limit': 'kontingent grenze',
  'Space for each open document': 'Platz pro geöffnetem Dokument',
  'One save is kept even if it’s larger.': 'Eine Speicherung bleibt, auch wenn sie größer ist.',
  'quota limit recovered saves': 'kontingent grenze gesicherte fassungen wiederhergestellte',
  'Bind address': 'Bindeadresse',
  '127.0.0.1 for this computer only, 0.0.0.0 for all networks.':
    '127.0.0.1 nur für diesen Computer, 0.0.0.0 für alle Netzwerke.',
  'listen host interface': 'lauschen host schnittstelle',
  Port: 'Port',
  '0 chooses any free port.': '0 wählt einen beliebigen freien Port.',
  listen: 'lauschen',
  'Public URL for editors': 'Öffentliche URL für Editoren',
  'Optional. Where editors reach DocTray. Defaults to the bind address.':
    'Optional. Wo Editoren DocTray erreichen. Sonst die Bindeadresse.',
  'address reverse proxy base': 'adresse reverse-proxy basis',
  'Let other computers open documents': 'Öffnen von anderen Computern erlauben',
  'Users sign in on the document’s page.': 'Benutzer melden sich auf der Dokumentseite an.',
  'share colleagues network pages': 'teilen kollegen netzwerk seiten freigeben',
  'HTTPS for other computers': 'HTTPS für andere Computer',
  'This computer can always use plain HTTP.': 'Dieser Computer darf immer HTTP verwenden.',
  'TLS SSL encryption certificate authority fingerprint':
    'TLS SSL verschlüsselung zertifikat zertifizierungsstelle fingerabdruck',
  'Certificate file': 'Zertifikatsdatei',
  'A PEM file, with the intermediate certificates.': 'Eine PEM-Datei mit den Zwischenzertifikaten.',
  'Key file': 'Schlüsseldatei',
  'The certificate’s private key. DocTray keeps no copy.':
    'Der private Schlüssel des Zertifikats. DocTray behält keine Kopie.',
  'Access token lifetime': 'Gültigkeit von Zugriffstoken',
  'Open the document again after that. Saves work for another day.':
    'Danach ist das Dokument neu zu öffnen. Speichern geht noch einen Tag.',
  'expire session': 'ablaufen sitzung',
  'API token lifetime': 'Gültigkeit von API-Token',
  'After that, the program must sign in again.': 'Danach muss sich das Programm neu anmelden.',
  expire: 'ablaufen',
  'Documents open in a desktop program': 'In Desktop-Programmen geöffnete Dokumente',
  'LibreOffice and Microsoft Office create a lock file next to them.':
    'LibreOffice und Microsoft Office legen daneben eine Sperrdatei an.',
  'lock files': 'sperrdateien',
  'Proof keys': 'Proof-Schlüssel',
  'Set for each editor, in its details.': 'Werden pro Editor festgelegt, in dessen Details.',
  signatures: 'signaturen',
  'Largest document': 'Größtes Dokument',
  'Larger saves and uploads are refused.': 'Größere Speicherungen und Uploads werden abgelehnt.',
  'size limit': 'größe grenze',
  'Keep free on the disk': 'Auf dem Datenträger freihalten',
  'With less, nothing new is created. Open documents still save.':
    'Ist weniger frei, wird nichts Neues angelegt. Geöffnete Dokumente speichern weiter.',
  'disk space limit': 'speicherplatz grenze',
  'Additional host names': 'Weitere Hostnamen',
  'One per line. Requests for any other name are refused.':
    'Einer pro Zeile. Anfragen an andere Namen werden abgelehnt.',
  'Host header DNS': 'Host-Header DNS',
  'Allowed addresses': 'Zugelassene Adressen',
  'Optional. One address or network per line. Defaults to all.':
    'Optional. Eine Adresse oder ein Netz pro Zeile. Sonst alle.',
  'firewall clients IP': 'firewall clients IP',
  'Trusted proxies': 'Vertraute Proxys',
  'One per line. DocTray trusts their forwarding headers.':
    'Einer pro Zeile. DocTray vertraut ihren Weiterleitungs-Headern.',
  'reverse proxy X-Forwarded-For': 'reverse-proxy X-Forwarded-For',
  'JSON API on the network': 'JSON-API im Netzwerk',
  'Programs on other computers can sign in and use it.':
    'Programme auf anderen Computern können sich anmelden und sie nutzen.',
  'Dashboard on the network': 'Dashboard im Netzwerk',
  'This window in browsers of other computers. HTTPS only.':
    'Dieses Fenster in Browsern anderer Computer. Nur mit HTTPS.',
  'Dashboard port': 'Port des Dashboards',
  'Optional. Defaults to a free port.': 'Optional. Sonst ein freier Port.',
  Version: 'Version',
  'Version numbers of DocTray and its components.': 'Versionsnummern von DocTray und seinen Bestandteilen.',
  'Licenses of DocTray and the packages it contains.': 'Lizenzen von DocTray und seinen Bestandteilen.',
  Licenses: 'Lizenzen',
  'help guides': 'hilfe anleitungen',
  'Check for updates once a day': 'Täglich nach Updates suchen',
  'Downloads new versions, and installs them when you quit.':
    'Lädt neue Versionen herunter und installiert sie beim Beenden.',
  Diagnostics: 'Diagnose',
  'Checks that everything DocTray needs is working.': 'Prüft, ob alles funktioniert, was DocTray braucht.',
  'doctor problems check troubleshooting': 'doctor probleme prüfen fehlersuche',
  Log: 'Protokoll',
  'What DocTray did. It contains no secrets.': 'Was DocTray getan hat. Enthält keine Geheimnisse.',
  'errors warnings': 'fehler warnungen',
  Secrets: 'Geheimnisse',
  'Where keys of tokens and the owner’s password are stored.':
    'Wo die Schlüssel der Token und das Passwort des Besitzers liegen.',
  'keychain password file': 'schlüsselbund passwort datei',
  'Data folder': 'Datenordner',
  'Settings, versions, recovered saves and the log. Not your documents.':
    'Einstellungen, Versionen, gesicherte Fassungen und Protokoll. Nicht Ihre Dokumente.',
  'Changes save automatically.': 'Änderungen werden automatisch gespeichert.',
  'Search settings': 'Einstellung suchen',
  'No setting matches “{query}”.': 'Keine Einstellung passt zu „{query}“.',
  'Show all settings': 'Alle Einstellungen anzeigen',
  '{count, plural, one {# setting found} other {# settings found}}':
    '{count, plural, one {# Einstellung gefunden} other {# Einstellungen gefunden}}',
  '{setting} wasn’t saved': '{setting}: nicht gespeichert',

  // settings: general
  Browser: 'Browser',
  Window: 'Fenster',
  System: 'System',
  Light: 'Hell',
  Dark: 'Dunkel',
  Off: 'Aus',
  Notifications: 'Benachrichtigungen',
  'Shown by the system when this happens.': 'Das System zeigt sie bei diesen Ereignissen an.',
  'Couldn’t open the folder': 'Ordner konnte nicht geöffnet werden',
  'No folder is chosen yet.': 'Noch kein Ordner ausgewählt.',
  '{count, plural, one {# document is} other {# documents are}} being edited. They can still be saved here after a change.':
    '{count, plural, one {# Dokument wird} other {# Dokumente werden}} bearbeitet. Nach einem Wechsel lässt sich hier weiter speichern.',
  'Open folder': 'Ordner öffnen',
  'Change folder…': 'Ordner wechseln…',
  'This system doesn’t support it. Add DocTray to your desktop’s startup programs.':
    'Dieses System unterstützt das nicht. DocTray lässt sich den Startprogrammen des Desktops hinzufügen.',
  'The system refused this shortcut. Another program may use it. Choose another.':
    'Das System hat dieses Tastenkürzel abgelehnt. Vielleicht verwendet es ein anderes Programm. Bitte ein anderes wählen.',

  // settings: editors
  'Couldn’t refresh {editor}': '{editor} konnte nicht aktualisiert werden',
  '{editor} was refreshed': '{editor} aktualisiert',
  'Couldn’t remove {editor}': '{editor} konnte nicht entfernt werden',
  '{editor} was removed': '{editor} entfernt',
  'Remove {editor}?': '{editor} entfernen?',
  'Documents no longer open in it. Another editor becomes the default for its types.':
    'Dokumente öffnen sich darin nicht mehr. Für seine Dokumentarten wird ein anderer Editor zum Standard.',
  'Documents that are open in it stay open and can be saved.':
    'Darin geöffnete Dokumente bleiben offen und lassen sich speichern.',
  'Test connection': 'Verbindung testen',
  'Test connection of {editor}': 'Verbindung testen: {editor}',
  'Actions for {editor}': 'Aktionen für {editor}',
  'Choose address…': 'Adresse auswählen…',
  'Details of {editor}': 'Details zu {editor}',
  'Not running': 'Läuft nicht',
  Starting: 'Startet',
  'Built in · {summary}': 'Integriert · {summary}',
  'Opens {count, plural, one {# type} other {# types}}':
    'Öffnet {count, plural, one {# Dokumentart} other {# Dokumentarten}}',
  'It also opens any other file that contains plain text.':
    'Öffnet auch jede andere Datei, die reinen Text enthält.',
  'Address of DocTray': 'Adresse von DocTray',
  'From the network settings.': 'Aus den Netzwerkeinstellungen.',
  'Chosen for this editor.': 'Für diesen Editor ausgewählt.',
  'Change the address of DocTray for {editor}': 'Adresse von DocTray für {editor} ändern',
  'View and convert': 'Lesen und konvertieren',
  'Name of {url}': 'Name von {url}',
  'Shown in menus and messages.': 'Erscheint in Menüs und Meldungen.',
  'The editor signs its requests, so nobody else can send them.':
    'Der Editor signiert seine Anfragen, damit niemand sonst sie senden kann.',
  'This editor has no proof keys, so signatures can’t be checked.':
    'Dieser Editor hat keine Proof-Schlüssel, daher lassen sich Signaturen nicht prüfen.',
  'Check signatures if present': 'Vorhandene Signaturen prüfen',
  'Requests with a wrong signature are refused.': 'Anfragen mit falscher Signatur werden abgelehnt.',
  'Require signatures': 'Signaturen verlangen',
  'Requests without a signature are refused as well.': 'Auch Anfragen ohne Signatur werden abgelehnt.',
  'Don’t check': 'Nicht prüfen',
  'For a proxy that rewrites addresses. Access tokens are still checked.':
    'Für einen Proxy, der Adressen umschreibt. Zugriffstoken werden weiterhin geprüft.',
  'Allowed addresses of {editor}': 'Zugelassene Adressen von {editor}',
  'Allow pages on another host': 'Seiten auf einem anderen Host zulassen',
  'For an editor that browsers reach at another address.':
    'Für einen Editor, den Browser unter einer anderen Adresse erreichen.',
  'Updated {when}. DocTray checks for changes regularly.':
    'Aktualisiert {when}. DocTray prüft regelmäßig auf Änderungen.',
  'Connect editor…': 'Editor verbinden…',
  'Find document servers': 'Dokumentserver suchen',
  'Search again': 'Erneut suchen',
  Guides: 'Anleitungen',
  Troubleshooting: 'Fehlersuche',
  'Text documents': 'Textdokumente',
  Spreadsheets: 'Tabellen',
  Presentations: 'Präsentationen',
  'Other types': 'Andere Arten',
  Automatic: 'Automatisch',
  'Prefers an editor that can edit the type.': 'Bevorzugt einen Editor, der diese Art bearbeiten kann.',
  '{count, plural, one {# file type} other {# file types}} can open in more than one editor.':
    '{count, plural, one {# Dateityp lässt} other {# Dateitypen lassen}} sich in mehreren Editoren öffnen.',
  'Set by group': 'Nach Gruppe',
  'Set by type…': 'Nach Typ festlegen…',
  'Editor for {type}': 'Editor für {type}',
  Mixed: 'Gemischt',
  'Chosen for each type.': 'Für jede Art ausgewählt.',
  'Couldn’t save the default': 'Standard konnte nicht gespeichert werden',

  // editors
  'Built-in text editor': 'Integrierter Texteditor',
  'Editor with WOPI': 'Editor mit WOPI',
  'Not available': 'Nicht verfügbar',
  'Can’t be reached': 'Nicht erreichbar',
  Ready: 'Bereit',
  'Not tested yet': 'Noch nicht getestet',
  'Partly tested': 'Teilweise getestet',
  'Test failed': 'Test fehlgeschlagen',
  'Works, with a warning': 'Funktioniert, mit Warnung',
  Works: 'Funktioniert',
  running: 'läuft',

  // editors: address of DocTray
  'Testing addresses for {editor}': 'Adressen für {editor} werden getestet',
  '{editor} is connected, but it didn’t reach DocTray at any address of this computer.':
    '{editor} ist verbunden, hat DocTray aber unter keiner Adresse dieses Computers erreicht.',
  'Waiting for your confirmation.': 'Ihre Bestätigung steht aus.',
  'DocTray didn’t try the addresses that other computers can reach, because you didn’t allow it.':
    'DocTray hat die Adressen, die andere Computer erreichen können, nicht versucht, weil Sie es nicht erlaubt haben.',
  'DocTray now listens on all addresses of this computer, so that this editor can reach it.':
    'DocTray lauscht jetzt auf allen Adressen dieses Computers, damit dieser Editor es erreicht.',
  'DocTray now also listens on {host}, so that this editor can reach it.':
    'DocTray lauscht jetzt auch auf {host}, damit dieser Editor es erreicht.',
  'Testing whether {editor} can reach DocTray at {address}. Each address takes up to half a minute.':
    'Es wird getestet, ob {editor} DocTray unter {address} erreicht. Jede Adresse dauert bis zu einer halben Minute.',
  'this computer': 'dieser Computer',
  network: 'Netzwerk',
  container: 'Container',
  'by name': 'über den Namen',
  'from the settings': 'aus den Einstellungen',
  'Follows the network settings.': 'Folgt den Netzwerkeinstellungen.',
  '{sentence} Follows the network settings.': '{sentence} Folgt den Netzwerkeinstellungen.',
  'From the network settings': 'Aus den Netzwerkeinstellungen',
  'A reverse proxy or tunnel that leads to DocTray.': 'Ein Reverse-Proxy oder Tunnel, der zu DocTray führt.',
  'Another address': 'Andere Adresse',
  'Other address': 'Andere Adresse',
  'Address of DocTray for {editor}': 'Adresse von DocTray für {editor}',
  'Use and test': 'Verwenden und testen',
  '{editor} opens and saves documents at this address. Which one works depends on where it runs. The test shows it.':
    '{editor} öffnet und speichert Dokumente unter dieser Adresse. Welche funktioniert, hängt davon ab, wo der Editor läuft. Der Test zeigt es.',
  'DocTray will listen on {host} as well. Other computers in that network can then reach the port, but open nothing without a token.':
    'DocTray lauscht dann auch auf {host}. Andere Computer in diesem Netzwerk erreichen den Port, öffnen ohne Token aber nichts.',
  'Enter the address.': 'Adresse eingeben.',

  // editors: connecting and testing
  'Enter the address of the document server.': 'Adresse des Dokumentservers eingeben.',
  'Address of the editor': 'Adresse des Editors',
  'The URL you use to reach it from this computer.': 'Die URL, unter der dieser Computer ihn erreicht.',
  'Optional. Defaults to the product name.': 'Optional. Sonst der Produktname.',
  'Connect anyway': 'Trotzdem verbinden',
  'A document server on this computer or in your network: ONLYOFFICE, Collabora or another with WOPI.':
    'Ein Dokumentserver auf diesem Computer oder in Ihrem Netzwerk: ONLYOFFICE, Collabora oder ein anderer mit WOPI.',
  'Testing whether {editor} and DocTray reach each other. This takes up to half a minute.':
    'Es wird getestet, ob {editor} und DocTray einander erreichen. Das dauert bis zu einer halben Minute.',
  'Testing {editor}': '{editor} wird getestet',
  'DocTray reaches the editor': 'DocTray erreicht den Editor',
  'DocTray can’t reach the editor': 'DocTray erreicht den Editor nicht',
  'The editor shows its page': 'Der Editor zeigt seine Seite',
  'The editor doesn’t show its page': 'Der Editor zeigt seine Seite nicht',
  'The editor reaches DocTray': 'Der Editor erreicht DocTray',
  'The editor can’t reach DocTray': 'Der Editor erreicht DocTray nicht',
  'Its requests are signed': 'Seine Anfragen sind signiert',
  'Its requests aren’t signed correctly': 'Seine Anfragen sind nicht richtig signiert',
  'Both clocks agree': 'Beide Uhren stimmen überein',
  'The clocks are too far apart': 'Die Uhren gehen zu weit auseinander',
  passed: 'bestanden',
  'passed, with a warning': 'bestanden, mit Warnung',
  failed: 'fehlgeschlagen',
  'not tested': 'nicht getestet',
  'Steps of the test': 'Schritte des Tests',
  'What to do:': 'Abhilfe:',
  'Tested {when}': 'Getestet {when}',

  // document servers of this computer
  'Get Docker': 'Docker installieren',
  'Docker guide': 'Docker-Anleitung',
  'Docker troubleshooting': 'Fehlersuche bei Docker',
  'Get Podman': 'Podman installieren',
  'Podman guide': 'Podman-Anleitung',
  'Podman troubleshooting': 'Fehlersuche bei Podman',
  'Document server': 'Dokumentserver',
  'Document servers': 'Dokumentserver',
  'Install Docker or Podman, and DocTray can start Collabora or ONLYOFFICE for you.':
    'Mit Docker oder Podman kann DocTray Collabora oder ONLYOFFICE starten.',
  '{done} of {total, plural, one {# layer} other {# layers}}':
    '{done} von {total, plural, one {# Schicht} other {# Schichten}}',
  'For Microsoft’s formats: Word, Excel and PowerPoint.': 'Für Microsofts Formate: Word, Excel, PowerPoint.',
  'For OpenDocument, LibreOffice’s formats. Opens Microsoft’s too.':
    'Für OpenDocument, die Formate von LibreOffice. Öffnet auch Word, Excel, PowerPoint.',
  Recommended: 'Empfohlen',
  'Runs on this computer in a container. The first start downloads it.':
    'Läuft auf diesem Computer in einem Container. Der erste Start lädt ihn herunter.',
  'Runs in {engine}. The first start downloads it.':
    'Läuft in {engine}. Der erste Start lädt das Image herunter.',
  'Looking for document servers': 'Dokumentserver werden gesucht',
  'DocTray couldn’t look for document servers': 'Dokumentserver konnten nicht gesucht werden',
  'No document server is running on this computer.': 'Auf diesem Computer läuft kein Dokumentserver.',
  'Checking Docker and Podman': 'Docker und Podman werden geprüft',
  'Start one in a container': 'In einem Container starten',
  ' · container {name}': ' · Container {name}',
  'Can’t be connected': 'Nicht verbindbar',
  Found: 'Gefunden',
  'Connect {server} at {url}': '{server} unter {url} verbinden',
  'Couldn’t start {server}': '{server} konnte nicht gestartet werden',
  'Couldn’t cancel the start of {server}': 'Start von {server} konnte nicht abgebrochen werden',
  'Canceled the start of {server}': 'Start von {server} abgebrochen',
  'Couldn’t copy the command': 'Befehl konnte nicht kopiert werden',
  'Command copied. Run it in a terminal, then search again.':
    'Befehl kopiert. Im Terminal ausführen, dann erneut suchen.',
  'Cancel the start of {server}': 'Start von {server} abbrechen',
  Running: 'Läuft',
  Stopped: 'Beendet',
  'Not started': 'Nicht gestartet',
  'Copy command': 'Befehl kopieren',
  'Copy command: {server}': 'Befehl kopieren: {server}',
  Stop: 'Beenden',
  'Stop…': 'Beenden…',
  'Stop {server}…': '{server} beenden…',
  'Remove {server}…': '{server} entfernen…',
  '. Created outside DocTray.': '. Außerhalb von DocTray erstellt.',
  'Started {when}': 'Gestartet {when}',
  'Starting {server}': '{server} wird gestartet',
  'Couldn’t stop {server}': '{server} konnte nicht beendet werden',
  'Couldn’t remove {server}': '{server} konnte nicht entfernt werden',
  '{server} was stopped': '{server} beendet',
  '{server} was stopped, and its data was deleted': '{server} beendet und seine Daten gelöscht',
  '{server} was removed': '{server} entfernt',
  '{server} was removed, and its data was deleted': '{server} entfernt und seine Daten gelöscht',
  'Stop {server}?': '{server} beenden?',
  'Remove {server}?': '{server} entfernen?',
  'Stop and delete data': 'Beenden und Daten löschen',
  'Remove and delete data': 'Entfernen und Daten löschen',
  'DocTray removes the container {container}. You can start it again at any time.':
    'DocTray entfernt den Container {container}. Er lässt sich jederzeit neu starten.',
  'DocTray removes the container {container} and disconnects {editor}. You can start it again at any time.':
    'DocTray entfernt den Container {container} und trennt {editor}. Er lässt sich jederzeit neu starten.',
  '{count, plural, one {# document is} other {# documents are}} open in {editor}. Save and close them first, or unsaved changes are lost.':
    '{count, plural, one {# Dokument ist} other {# Dokumente sind}} in {editor} geöffnet. Vorher speichern und schließen, sonst gehen ungespeicherte Änderungen verloren.',
  'Delete its data': 'Seine Daten löschen',
  'Its certificates and settings. Your documents stay.':
    'Seine Zertifikate und Einstellungen. Ihre Dokumente bleiben.',

  // the first run
  Setup: 'Einrichtung',
  ', done': ', erledigt',
  Skipped: 'Übersprungen',
  'You can change all of this later in Settings.': 'All das lässt sich später in den Einstellungen ändern.',
  'Couldn’t finish the setup': 'Einrichtung konnte nicht abgeschlossen werden',
  Back: 'Zurück',
  Next: 'Weiter',
  Skip: 'Überspringen',
  'Skip setup': 'Einrichtung überspringen',
  Finish: 'Fertigstellen',
  'Your documents': 'Ihre Dokumente',
  'DocTray opens and saves the documents in one folder.':
    'DocTray öffnet und speichert die Dokumente in einem Ordner.',
  'This folder exists. Its files stay as they are.':
    'Diesen Ordner gibt es schon. Seine Dateien bleiben, wie sie sind.',
  'DocTray creates it, with three sample documents.': 'DocTray legt ihn mit drei Beispieldokumenten an.',
  'Use default': 'Standard verwenden',
  'Choose another…': 'Anderen auswählen…',
  'Your files stay where they are': 'Ihre Dateien bleiben, wo sie sind',
  'Saves go directly to your files.': 'Gespeichert wird direkt in Ihre Dateien.',
  'Editors see only the open document': 'Editoren sehen nur das offene Dokument',
  'Open any document': 'Jedes Dokument öffnen',
  'Press {keys} and type part of its name.': 'Drücken Sie {keys} und tippen Sie einen Teil des Namens.',
  'See who is editing': 'Sehen, wer gerade bearbeitet',
  'Locks shows it, and lets you force-clear stale locks.':
    '„Sperren“ zeigt es. Verwaiste Sperren können Sie dort aufheben.',
  'Work together': 'Zusammenarbeiten',
  'Add users in Settings, then copy a link to a document.':
    'Legen Sie in den Einstellungen Benutzer an, und kopieren Sie dann den Link zu einem Dokument.',
  'They can’t open anything else in the folder.': 'Anderes im Ordner können sie nicht öffnen.',
  'Earlier versions are kept': 'Frühere Versionen bleiben erhalten',
  'You can restore any of them.': 'Jede lässt sich wiederherstellen.',
  'Your editor': 'Ihr Editor',
  'Text files already work. For Word, Excel and PowerPoint, connect a document server.':
    'Für Textdateien ist alles bereit. Word, Excel und PowerPoint brauchen einen Dokumentserver.',
  'Built in': 'Integriert',
  Testing: 'Wird getestet',
  ', reaches DocTray at {address}': ', erreicht DocTray unter {address}',
  Disconnect: 'Trennen',
  'Another document server': 'Anderer Dokumentserver',
  'On this computer or in your network.': 'Auf diesem Computer oder in Ihrem Netzwerk.',
  'Enter address…': 'Adresse eingeben…',
  'Almost ready': 'Fast fertig',
  'DocTray has no folder yet. Go back to choose one, or choose it later in Settings.':
    'DocTray hat noch keinen Ordner. Er lässt sich auf der ersten Seite oder später in den Einstellungen auswählen.',
  'DocTray has no folder yet. Go back to choose one, or finish to use the default folder.':
    'DocTray hat noch keinen Ordner. Er lässt sich auf der ersten Seite auswählen. „Fertigstellen“ verwendet den Standardordner.',
  'DocTray keeps running in the tray when you close this window.':
    'Auch ohne dieses Fenster läuft DocTray im Infobereich weiter.',
  'DocTray runs until you quit it. This desktop has no tray, so closing the window asks first.':
    'DocTray läuft, bis es beendet wird. Dieser Desktop hat keinen Infobereich, daher fragt DocTray beim Schließen des Fensters nach.',
  'Opening a sample document': 'Beispieldokument wird geöffnet',
  'Sample document': 'Beispieldokument',
  'DocTray creates it in your folder. Delete it whenever you like.':
    'DocTray legt es in Ihrem Ordner an. Es lässt sich jederzeit löschen.',
  'Opened in {editor}. What you write is saved in the file.':
    'In {editor} geöffnet. Eingaben werden in der Datei gespeichert.',
  'Opened in {editor}, read-only.': 'In {editor} geöffnet, schreibgeschützt.',
  'Open sample': 'Beispiel öffnen',
  'Open again': 'Erneut öffnen',
  '{server} is still starting. Settings shows the progress.':
    '{server} wird noch gestartet. Den Fortschritt zeigen die Einstellungen.',
  'To edit Word, Excel and PowerPoint files, connect ONLYOFFICE or Collabora in Settings.':
    'Zum Bearbeiten von Word-, Excel- und PowerPoint-Dateien in den Einstellungen ONLYOFFICE oder Collabora verbinden.',

  // settings: users
  'Users sign in on the document’s page. This window needs no sign-in.':
    'Benutzer melden sich auf der Dokumentseite an. Dieses Fenster braucht keine Anmeldung.',
  'Add user…': 'Benutzer hinzufügen…',
  'Users appear once DocTray is running.': 'Benutzer erscheinen, sobald DocTray läuft.',
  Role: 'Rolle',
  Added: 'Hinzugefügt',
  'Couldn’t change the role of {user}': 'Rolle von {user} konnte nicht geändert werden',
  'Couldn’t remove {user}': '{user} konnte nicht entfernt werden',
  '{user} was removed': '{user} entfernt',
  'Couldn’t copy the password': 'Passwort konnte nicht kopiert werden',
  'The owner’s password was copied': 'Passwort des Besitzers kopiert',
  'Make {user} a viewer?': '{user} zum Betrachter machen?',
  '{user} can still open documents, but not change them.':
    '{user} kann Dokumente weiterhin öffnen, aber nicht ändern.',
  'Documents that {user} is editing can no longer be saved. Unsaved changes stay in the editor.':
    'Dokumente, die {user} gerade bearbeitet, lassen sich nicht mehr speichern. Ungespeicherte Änderungen bleiben im Editor.',
  'Make viewer': 'Zum Betrachter machen',
  'Remove {user}?': '{user} entfernen?',
  'All tokens of {user} are revoked. Documents and versions stay.':
    'Alle Token von {user} werden widerrufen. Dokumente und Versionen bleiben.',
  'Unsaved changes of {user} can no longer be saved here.':
    'Ungespeicherte Änderungen von {user} lassen sich hier nicht mehr speichern.',
  Owner: 'Besitzer',
  'Role of {user}': 'Rolle von {user}',
  'Copy password': 'Passwort kopieren',
  'Actions for {user}': 'Aktionen für {user}',
  'Set password…': 'Passwort festlegen…',
  'Opens and changes documents.': 'Öffnet und ändert Dokumente.',
  Viewer: 'Betrachter',
  'Opens documents read-only.': 'Öffnet Dokumente schreibgeschützt.',
  'Enter a user name.': 'Benutzernamen eingeben.',
  'Enter a password of at least 8 characters.': 'Passwort mit mindestens 8 Zeichen eingeben.',
  '{user} was added': '{user} hinzugefügt',
  Add: 'Hinzufügen',
  'User name': 'Benutzername',
  'Letters, digits, dots, dashes, underscores or an @.':
    'Buchstaben, Ziffern, Punkte, Binde- und Unterstriche oder ein @.',
  'Optional. What others see. Defaults to the user name.':
    'Optional. Was andere sehen. Sonst der Benutzername.',
  Password: 'Passwort',
  'At least 8 characters. Write it down: DocTray can’t show it.':
    'Mindestens 8 Zeichen. Bitte dem Benutzer mitteilen: DocTray kann es nicht anzeigen.',
  '{user} has a new password': '{user} hat ein neues Passwort',
  'Set the password of {user}': 'Passwort von {user} festlegen',
  'New password': 'Neues Passwort',
  'At least 8 characters.': 'Mindestens 8 Zeichen.',
  'Programs signed in as {user} must sign in again. Open documents stay open.':
    'Als {user} angemeldete Programme müssen sich neu anmelden. Geöffnete Dokumente bleiben offen.',

  // settings: versions and recovered saves
  'DocTray keeps the previous content at each save.':
    'DocTray bewahrt den Stand eines Dokuments vor jedem Speichern auf.',
  days: 'Tage',
  hours: 'Stunden',
  versions: 'Versionen',
  'Recovered saves': 'Gesicherte Fassungen',
  'Saves that arrived but couldn’t be written to their document.':
    'Speicherungen, die ankamen, aber nicht ins Dokument geschrieben werden konnten.',
  'Couldn’t clean up': 'Aufräumen fehlgeschlagen',
  '{count, plural, =0 {No versions yet.} one {# version, {size}.} other {# versions, {size}.}}':
    '{count, plural, =0 {Noch keine Versionen.} one {# Version, {size}.} other {# Versionen, {size}.}}',

  // settings: network
  'DocTray isn’t listening at the moment.': 'DocTray lauscht gerade nicht.',
  'The new address takes effect when the port is reopened. Running saves finish first.':
    'Die neue Adresse gilt, wenn der Port neu geöffnet wird. Laufende Speicherungen werden vorher abgeschlossen.',
  'Plain HTTP. Fine if only this computer uses DocTray.':
    'Nur HTTP. Genügt, wenn nur dieser Computer DocTray nutzt.',
  'Certificate created by DocTray': 'Zertifikat von DocTray',
  'Editors and browsers must trust its local authority once.':
    'Editoren und Browser müssen dessen lokaler Zertifizierungsstelle einmal vertrauen.',
  'Your own certificate': 'Eigenes Zertifikat',
  'Two PEM files. DocTray picks up renewed files automatically.':
    'Zwei PEM-Dateien. Erneuerte Dateien übernimmt DocTray automatisch.',
  'Both files are chosen': 'Beide Dateien sind ausgewählt',
  'Choose both files first': 'Zuerst beide Dateien auswählen',
  'Turn on HTTPS': 'HTTPS einschalten',
  'Couldn’t save the certificate': 'Zertifikat konnte nicht gespeichert werden',
  'Nothing was saved': 'Es wurde nichts gespeichert',
  'Saved {path}': '{path} gespeichert',
  'DocTray renews it automatically.': 'DocTray erneuert es automatisch.',
  'Certificate of the authority': 'Zertifikat der Zertifizierungsstelle',
  'Save certificate…': 'Zertifikat speichern…',
  'DocTray listens on {address}.': 'DocTray lauscht auf {address}.',
  'It also listens on the other addresses of this computer.':
    'Es lauscht auch auf den anderen Adressen dieses Computers.',
  'The certificate expires {when}': 'Zertifikat läuft ab: {when}',
  'On {date}, for {names}.': 'Am {date}, für {names}.',
  'Editors and browsers must trust it. SHA-256 fingerprint: {fingerprint}':
    'Editoren und Browser müssen ihm vertrauen. SHA-256-Fingerabdruck: {fingerprint}',

  // settings: advanced
  'Tokens and locks': 'Token und Sperren',
  'Refuse the editor': 'Editor abweisen',
  'The editor reports that the document is locked.': 'Der Editor meldet, dass das Dokument gesperrt ist.',
  'Allow, with a warning in the log': 'Zulassen, mit Warnung im Protokoll',
  'If both save, the other content is kept as a conflict copy.':
    'Speichern beide, bleibt die andere Fassung als Konfliktkopie erhalten.',
  'Ignore lock files': 'Sperrdateien ignorieren',
  'For synchronized folders, where old lock files stay behind.':
    'Für synchronisierte Ordner, in denen alte Sperrdateien zurückbleiben.',
  'Show editors': 'Editoren anzeigen',
  Limits: 'Grenzen',
  'Network access': 'Netzwerkzugriff',

  // settings: about and diagnostics
  'Couldn’t open the page': 'Seite konnte nicht geöffnet werden',
  'Guides and licenses': 'Anleitungen und Lizenzen',
  'Getting started': 'Erste Schritte',
  Storage: 'Speicherorte',
  'Couldn’t check for updates': 'Suche nach Updates fehlgeschlagen',
  'Couldn’t restart': 'Neustart fehlgeschlagen',
  Updates: 'Updates',
  'Checking for updates…': 'Nach Updates wird gesucht…',
  '{app} is up to date': '{app} ist aktuell',
  'Downloading {app}…': '{app} wird heruntergeladen…',
  'You can keep working.': 'Sie können weiterarbeiten.',
  '{app} is ready': '{app} ist bereit',
  'It’s installed when you quit DocTray. Logging out doesn’t install it.':
    'Die Installation erfolgt, wenn DocTray beendet wird, nicht beim Abmelden vom System.',
  'Restart to update': 'Neu starten',
  'Check for updates': 'Nach Updates suchen',
  'What’s new in {app}': 'Neu in {app}',
  'Not known while DocTray isn’t running.': 'Nicht bekannt, solange DocTray nicht läuft.',
  'In the keychain of this computer.': 'Im Schlüsselbund dieses Computers.',
  'In secrets.json in the data folder. Only you can read it. A keychain is safer.':
    'In secrets.json im Datenordner. Nur für Sie lesbar. Ein Schlüsselbund ist sicherer.',
  'Move to the keychain': 'In den Schlüsselbund verschieben',
  'Couldn’t move the secrets': 'Die Geheimnisse konnten nicht verschoben werden',
  'The secrets are in the keychain': 'Die Geheimnisse sind im Schlüsselbund',
  'Last request {when}': 'Letzte Anfrage {when}',
  'Couldn’t show the data folder': 'Datenordner konnte nicht angezeigt werden',
  'Show in file manager': 'Im Dateimanager anzeigen',
  'Checked {when}.': 'Geprüft {when}.',
  'Copy diagnostics': 'Diagnose kopieren',
  'Run check': 'Prüfen',
  'Check again': 'Erneut prüfen',
  Results: 'Ergebnisse',
  'Hide log': 'Protokoll ausblenden',
  'Show log': 'Protokoll anzeigen',
  'Check DocTray': 'DocTray prüfen',
  '{count, plural, =0 {No problems found} one {# problem found} other {# problems found}}':
    '{count, plural, =0 {Keine Probleme gefunden} one {# Problem gefunden} other {# Probleme gefunden}}',
  'Couldn’t collect the diagnostics': 'Diagnose konnte nicht erstellt werden',
  'Couldn’t copy the diagnostics': 'Diagnose konnte nicht kopiert werden',
  'Diagnostics copied, without secrets or document names':
    'Diagnose kopiert, ohne Geheimnisse und Dokumentnamen',
  'Filter the log': 'Protokoll filtern',
  'Problems only': 'Nur Probleme',
  'No lines.': 'Keine Zeilen.',

  // the dashboard in a browser
  'The browser blocked a new tab': 'Der Browser hat einen neuen Tab blockiert',
  'The browser doesn’t let this page copy. Allow the clipboard for it.':
    'Der Browser lässt diese Seite nicht kopieren. Erlauben Sie ihr die Zwischenablage.',
  'The browser didn’t allow copying': 'Der Browser hat das Kopieren nicht erlaubt',
  'Allow pop-ups for this page to open documents without this question.':
    'Sind Pop-ups für diese Seite erlaubt, öffnen sich Dokumente ohne diese Frage.',
  'Press the button to copy it.': 'Zum Kopieren die Schaltfläche drücken.',
  'Choose the folder to serve': 'Ordner zum Freigeben auswählen',
  'Serve this folder': 'Diesen Ordner freigeben',
  'Folder on the computer that DocTray runs on': 'Ordner auf dem Computer, auf dem DocTray läuft',
  'An absolute path, such as /home/ana/Documents.': 'Ein absoluter Pfad, etwa /home/ana/Dokumente.',
  'The owner’s password': 'Passwort des Besitzers',
  'Proves that you are the owner of this DocTray.': 'Weist Sie als Besitzer von DocTray aus.',
  'This page opens with a link. Run {command} in a terminal on the computer that DocTray runs on.':
    'Diese Seite öffnet sich über einen Link. Ihn gibt {command} in einem Terminal auf dem Computer aus, auf dem DocTray läuft.',
  'This link expired or was already used. If it was used, the page that it opened was signed out. Run {command} on the computer that DocTray runs on for a new link.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Wurde er benutzt, ist die damit geöffnete Seite jetzt abgemeldet. Einen neuen Link gibt {command} auf dem Computer aus, auf dem DocTray läuft.',
  'You were signed out. Run {command} on the computer that DocTray runs on for a new link.':
    'Sie wurden abgemeldet. Einen neuen Link gibt {command} auf dem Computer aus, auf dem DocTray läuft.',
  'Disconnected from DocTray. This page reconnects automatically. If DocTray was restarted, run {command} for a new link.':
    'Verbindung zu DocTray getrennt. Diese Seite verbindet sich von selbst wieder. Wurde DocTray neu gestartet, gibt {command} einen neuen Link aus.',
  'DocTray didn’t respond. Check that it’s running.':
    'DocTray hat nicht geantwortet. Bitte prüfen, ob es läuft.',
  'The browser blocked the new tab. Allow pop-ups for this page.':
    'Der Browser hat den neuen Tab blockiert. Bitte Pop-ups für diese Seite erlauben.',

  // activity
  'Can’t read the new requests': 'Neue Anfragen können nicht gelesen werden',
  'Hide requests': 'Anfragen ausblenden',
  'Show requests': 'Anfragen anzeigen',
  'Pause list': 'Liste anhalten',
  'Filter requests': 'Anfragen filtern',
  Operation: 'Vorgang',
  'Errors only': 'Nur Fehler',
  Grouped: 'Gruppiert',
  'DocTray window': 'DocTray-Fenster',
  Terminal: 'Terminal',
  '{count, plural, one {# group} other {# groups}}': '{count, plural, one {# Gruppe} other {# Gruppen}}',
  'None of these requests failed.': 'Keine solche Anfrage ist fehlgeschlagen.',
  'No requests of this kind: {operation}.': 'Keine Anfragen dieser Art: {operation}.',
  'Show all requests': 'Alle Anfragen anzeigen',
  'Save failed': 'Speicherfehler',
  'Requests appear here once DocTray serves again.': 'Anfragen erscheinen hier, sobald DocTray wieder läuft.',
  'Locks appear here once DocTray serves again.': 'Sperren erscheinen hier, sobald DocTray wieder läuft.',
  'Sessions appear here once DocTray serves again.':
    'Sitzungen erscheinen hier, sobald DocTray wieder läuft.',
  'No requests yet. They appear here as editors and programs send them.':
    'Noch keine Anfragen. Sie erscheinen hier, sobald Editoren und Programme sie senden.',
  'Paused. DocTray keeps serving; new requests are shown when you resume.':
    'Angehalten. DocTray arbeitet weiter, neue Anfragen erscheinen nach dem Fortsetzen.',
  'Paused. {waiting, number} requests are waiting; only the newest 10,000 are kept.':
    'Angehalten. {waiting, number} Anfragen warten, nur die neuesten 10.000 werden aufbewahrt.',
  'Paused. {waiting, plural, one {# request is waiting.} other {# requests are waiting.}}':
    'Angehalten. {waiting, plural, one {# Anfrage wartet.} other {# Anfragen warten.}}',
  'All operations': 'Alle Vorgänge',
  'Can’t clear the activity': 'Aktivität kann nicht gelöscht werden',
  'Clear the activity?': 'Aktivität löschen?',
  '{count, plural, one {# request is removed} other {# requests are removed}} from DocTray. The log file stays.':
    '{count, plural, one {# Anfrage wird} other {# Anfragen werden}} aus DocTray entfernt. Die Protokolldatei bleibt.',
  'Clear…': 'Löschen…',
  Export: 'Exportieren',
  '{count, plural, one {# request as CSV…} other {All # requests as CSV…}}':
    '{count, plural, one {# Anfrage als CSV…} other {Alle # Anfragen als CSV…}}',
  '{count, plural, one {# request as JSON…} other {All # requests as JSON…}}':
    '{count, plural, one {# Anfrage als JSON…} other {Alle # Anfragen als JSON…}}',
  '{requests, plural, one {# request} other {# requests}}{saves, plural, =0 {} one {, # save} other {, # saves}}':
    '{requests, plural, one {# Anfrage} other {# Anfragen}}{saves, plural, =0 {} one {, # Speicherung} other {, # Speicherungen}}',
  'Last request': 'Letzte Anfrage',
  'Other requests': 'Andere Anfragen',
  'Document {id}': 'Dokument {id}',
  '{count, plural, one {# error} other {# errors}}': '{count, number} Fehler',
  Time: 'Zeit',
  Status: 'Status',
  'Document or path': 'Dokument oder Pfad',
  Duration: 'Dauer',
  Received: 'Empfangen',
  Sent: 'Gesendet',
  'Correlation ID': 'Korrelations-ID',
  'correlation ID': 'Korrelations-ID',
  'Can’t copy the request': 'Anfrage kann nicht kopiert werden',
  'Request copied': 'Anfrage kopiert',
  'Applied to': 'Betrifft',
  Request: 'Anfrage',
  'Copy as JSON': 'Als JSON kopieren',
  'The owner did this in the window or the terminal.': 'Vom Besitzer im Fenster oder im Terminal ausgeführt.',
  '{count, plural, one {# request by {user}} other {# requests by {user}}}':
    '{count, plural, one {# Anfrage von {user}} other {# Anfragen von {user}}}',
  'First request': 'Erste Anfrage',
  Ended: 'Beendet',
  'Timeline of the document': 'Zeitverlauf des Dokuments',
  Other: 'Andere',
  '{requests, plural, one {# request} other {# requests}} in {duration}: {saves, plural, one {# save} other {# saves}}, {errors, plural, one {# error} other {# errors}}':
    '{requests, plural, one {# Anfrage} other {# Anfragen}} in {duration}: {saves, plural, one {einmal gespeichert} other {#-mal gespeichert}}, {errors, number} Fehler',
  'Bad request': 'Ungültige Anfrage',
  'Not authorized': 'Nicht angemeldet',
  Forbidden: 'Verboten',
  'Not found': 'Nicht gefunden',
  'Method not allowed': 'Methode nicht erlaubt',
  'Timed out': 'Zeitüberschreitung',
  Conflict: 'Konflikt',
  Changed: 'Geändert',
  'Too large': 'Zu groß',
  'Unsupported type': 'Typ nicht unterstützt',
  'Unknown host name': 'Unbekannter Hostname',
  'Too many requests': 'Zu viele Anfragen',
  Error: 'Fehler',
  'Not supported': 'Nicht unterstützt',
  Failed: 'Fehlgeschlagen',
  '< 1 ms': '< 1 ms',
  '{count, plural, one {# request} other {# requests}}':
    '{count, plural, one {# Anfrage} other {# Anfragen}}',
  'Recent requests': 'Letzte Anfragen',
  'No requests yet.': 'Noch keine Anfragen.',
  'Show all in Activity': 'Alle in „Aktivität“ anzeigen',
  '{count, plural, one {It’s already in this folder. Choose another one.} other {They’re already in this folder. Choose another one.}}':
    '{count, plural, one {Es liegt schon in diesem Ordner. Wählen Sie einen anderen.} other {Sie liegen schon in diesem Ordner. Wählen Sie einen anderen.}}',
};
