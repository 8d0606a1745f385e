// What the window and the desktop share, in German: states, errors, questions before a command.

import { formatsGerman } from './german-formats.ts';
import { germanSentences } from './german-sentences.ts';
import type { Catalog } from './messages.ts';

export const sharedGerman: Catalog = {
  ...formatsGerman,
  ...germanSentences,

  // templates
  'Word document': 'Word-Dokument',
  'Excel spreadsheet': 'Excel-Tabelle',
  'PowerPoint presentation': 'PowerPoint-Präsentation',
  'Text (OpenDocument)': 'Text (OpenDocument)',
  'Spreadsheet (OpenDocument)': 'Tabelle (OpenDocument)',
  'Presentation (OpenDocument)': 'Präsentation (OpenDocument)',
  'Text document': 'Textdokument',
  'Markdown document': 'Markdown-Dokument',

  'This folder doesn’t exist.': 'Diesen Ordner gibt es nicht.',
  // what needs attention
  'A changed setting takes effect when the port is reopened':
    'Eine Änderung gilt erst, wenn der Port neu geöffnet wird',
  'No folder is served yet': 'Noch kein Ordner freigegeben',
  'HTTPS needs attention': 'HTTPS prüfen',
  'Documents don’t open in {editor}': 'Dokumente öffnen sich nicht in {editor}',
  '{editor} can’t be reached': '{editor} ist nicht erreichbar',
  'Choose another port in Settings → Editors → Text editor → Details.':
    'Ein anderer lässt sich unter „Einstellungen“ → „Editoren“ → „Texteditor“ → „Details“ wählen.',
  'Choose a port above 1023 in Settings → Editors → Text editor → Details.':
    'Ein Port über 1023 lässt sich unter „Einstellungen“ → „Editoren“ → „Texteditor“ → „Details“ wählen.',
  'Choose an address of this computer in Settings → Network & HTTPS.':
    'Eine Adresse dieses Computers lässt sich unter „Einstellungen“ → „Netzwerk & HTTPS“ wählen.',
  'Restart DocTray. If that doesn’t help, see its log.':
    'DocTray neu starten. Hilft das nicht, steht mehr im Protokoll.',
  'Change its public URL in Settings → Editors → Text editor → Details.':
    'Seine öffentliche URL lässt sich unter „Einstellungen“ → „Editoren“ → „Texteditor“ → „Details“ ändern.',
  'Add it to the allowed addresses in Settings → Advanced.':
    'Sie lässt sich unter „Einstellungen“ → „Erweitert“ zulassen.',
  'A failed save of {name} was recovered': 'Gesicherte Fassung von {name}',
  'A save of {name} isn’t a readable document': 'Unlesbare Speicherung von {name}',
  'Two programs changed {name}': 'Zwei Programme haben {name} geändert',
  '{name} has a stale lock': 'Verwaiste Sperre: {name}',
  '{n, plural, one {# lock needs attention} other {# locks need attention}}':
    '{n, plural, one {# Sperre ist zu prüfen} other {# Sperren sind zu prüfen}}',
  '{n, plural, one {# recovered save} other {# recovered saves}}':
    '{n, plural, one {# gesicherte Fassung} other {# gesicherte Fassungen}}',
  '{n, plural, one {# conflict copy} other {# conflict copies}}':
    '{n, plural, one {# Konfliktkopie} other {# Konfliktkopien}}',
  '{n, plural, one {# editor needs attention} other {# editors need attention}}':
    '{n, plural, one {# Editor ist zu prüfen} other {# Editoren sind zu prüfen}}',
  'the port must be reopened': 'Port muss neu geöffnet werden',

  // the host's state
  'Starting…': 'Wird gestartet…',
  'No folder yet': 'Kein Ordner',
  'No folder is chosen yet': 'Noch kein Ordner ausgewählt',
  Paused: 'Pausiert',
  'Not serving': 'Nicht bereit',
  'Stopping…': 'Wird beendet…',
  Serving: 'Bereit',
  'Serving “{folder}”': '„{folder}“ ist bereit',
  '{count, plural, one {# needs attention} other {# need attention}}': '{count, number} zu erledigen',
  '{count, plural, one {# thing needs attention} other {# things need attention}}':
    '{count, plural, one {# Punkt ist zu erledigen} other {# Punkte sind zu erledigen}}',

  // recovered saves
  'Not saved: the document was deleted.': 'Nicht gespeichert: Das Dokument wurde gelöscht.',
  'Not saved: the document was no longer locked.': 'Nicht gespeichert: Das Dokument war nicht mehr gesperrt.',
  'Not saved: the document is locked by another editor.':
    'Nicht gespeichert: Das Dokument ist von einem anderen Editor gesperrt.',
  'Not saved: no lock id was sent.': 'Nicht gespeichert: Es wurde keine Sperr-ID gesendet.',
  'Not saved: the lock had expired, and another program had changed the document.':
    'Nicht gespeichert: Die Sperre war abgelaufen, und ein anderes Programm hatte das Dokument geändert.',
  'Not saved: another program had changed the document.':
    'Nicht gespeichert: Ein anderes Programm hatte das Dokument geändert.',
  'Not saved: the access token was revoked during the upload.':
    'Nicht gespeichert: Das Zugriffstoken wurde während des Uploads widerrufen.',
  'Not saved: the user no longer has permission to edit.':
    'Nicht gespeichert: Der Benutzer darf nicht mehr bearbeiten.',
  'Not saved: it isn’t a readable document.': 'Nicht gespeichert: Es ist kein lesbares Dokument.',
  'Not saved: the editor sent an empty file.': 'Nicht gespeichert: Der Editor hat eine leere Datei gesendet.',
  'Not saved: its size isn’t the one that the editor reported.':
    'Nicht gespeichert: Die Größe weicht von der ab, die der Editor gemeldet hat.',
  'Not saved: the editor used an unsupported Content-Encoding.':
    'Nicht gespeichert: Der Editor hat eine nicht unterstützte Kodierung (Content-Encoding) verwendet.',
  'Not saved: the name of the copy was taken.': 'Nicht gespeichert: Der Name der Kopie war schon vergeben.',
  'DocTray stopped before it could record why this save failed.':
    'DocTray endete, bevor es festhalten konnte, woran das Speichern scheiterte.',
  'DocTray stopped while receiving this save, so the end may be missing.':
    'DocTray endete während des Empfangs, daher kann das Ende fehlen.',
  'DocTray stopped before it could save this.': 'DocTray endete, bevor es dies speichern konnte.',

  // stale locks
  'Its editor has been gone for {duration}.': 'Der Editor dieser Sperre ist seit {duration} weg.',
  'Its token has expired.': 'Das Token ist abgelaufen.',
  'Its token was revoked.': 'Das Token wurde widerrufen.',

  // what a user did, in Activity
  'Created document': 'Dokument erstellt',
  'Created folder': 'Ordner erstellt',
  'Duplicated document': 'Dokument dupliziert',
  Renamed: 'Umbenannt',
  Moved: 'Verschoben',
  'Moved to trash': 'In den Papierkorb gelegt',
  'Put back from the trash': 'Aus Papierkorb zurückgelegt',
  Imported: 'Importiert',
  'Restored version': 'Version wiederhergestellt',
  'Saved copy of version': 'Kopie einer Version gespeichert',
  'Opened version': 'Version geöffnet',
  'Restored recovered save': 'Gesicherte Fassung wiederhergestellt',
  'Discarded recovered save': 'Gesicherte Fassung verworfen',
  'Saved anyway': 'Trotzdem gespeichert',
  'Force-cleared lock': 'Sperre aufgehoben',
  'Restored lock': 'Sperre wiederhergestellt',
  'Ended session': 'Sitzung beendet',
  'Created API token': 'API-Token erstellt',
  'Revoked token': 'Token widerrufen',
  'Revoked tokens of user': 'Token des Benutzers widerrufen',
  'Added user': 'Benutzer hinzugefügt',
  'Removed user': 'Benutzer entfernt',
  'Changed password': 'Passwort geändert',
  'Changed role': 'Rolle geändert',

  // questions
  'Create an API token for {login}?': 'API-Token für {login} erstellen?',
  'A program with this token can do everything that {login} can do through the API.':
    'Ein Programm mit diesem Token darf über die API alles, was {login} darf.',
  'Create token': 'Token erstellen',
  'Connect the editor at {url}?': 'Editor unter {url} verbinden?',
  'Trust {editor} with more?': '{editor} mehr erlauben?',
  Allow: 'Erlauben',
  'Its pages can be on other hosts, and documents that you open in it are sent there.':
    'Seine Seiten dürfen dann auf anderen Hosts liegen, und Dokumente, die darin geöffnet werden, gehen dorthin.',
  'DocTray no longer checks the signatures of its requests.':
    'DocTray prüft die Signaturen seiner Anfragen dann nicht mehr.',
  'DocTray no longer requires signatures if the editor has no proof keys.':
    'DocTray verlangt dann keine Signaturen mehr, wenn der Editor keine Proof-Keys hat.',
  'Its requests can come from any address.': 'Seine Anfragen dürfen dann von jeder Adresse kommen.',
  'Its requests can also come from {addresses}.': 'Seine Anfragen dürfen dann auch von {addresses} kommen.',
  'It sends its requests, with their access tokens, to {url}.':
    'Er sendet seine Anfragen dann samt Zugriffstoken an {url}.',
  'Documents that you open in it are sent to this address.':
    'Dokumente, die darin geöffnet werden, gehen an diese Adresse.',
  Connect: 'Verbinden',
  'Let other computers reach DocTray?': 'DocTray für andere Computer öffnen?',
  'There is no file at {path}. Check the path.': 'Unter {path} gibt es keine Datei. Bitte den Pfad prüfen.',
  'This computer doesn’t have the address {address}.': 'Dieser Computer hat die Adresse {address} nicht.',
  'Open to the network': 'Im Netzwerk freigeben',
  'DocTray was started with a fixed bind address. Restart it without one.':
    'DocTray wurde mit einer festen Bindeadresse gestartet. Starten Sie es ohne sie neu.',
  'DocTray was started with a fixed port. Restart it without one.':
    'DocTray wurde mit einem festen Port gestartet. Starten Sie es ohne ihn neu.',
  'They can sign in and use the JSON API.': 'Nach einer Anmeldung ist dort die JSON-API nutzbar.',
  'They can sign in and open documents in their browser.':
    'Nach einer Anmeldung lassen sich dort Dokumente im Browser öffnen.',
  'They can use everything in this window, with a link that only this computer’s terminal prints.':
    'Mit einem Link, den nur das Terminal dieses Computers ausgibt, ist dort alles in diesem Fenster nutzbar.',
  'DocTray will listen on {address}. Editors on other computers can then open documents with an access token.':
    'DocTray lauscht dann auf {address}. Editoren auf anderen Computern können Dokumente mit einem Zugriffstoken öffnen.',
  'DocTray will listen on the first of these addresses that works: {addresses}. Editors on other computers can then open documents with an access token.':
    'DocTray lauscht dann auf der ersten funktionierenden von diesen Adressen: {addresses}. Editoren auf anderen Computern können dann Dokumente mit einem Zugriffstoken öffnen.',
  'all addresses of this computer': 'allen Adressen dieses Computers',
  'Drop files onto the window to import them.': 'Ziehen Sie Dateien auf das Fenster, um sie zu importieren.',
  'Start {name} in a container?': '{name} in einem Container starten?',
  Start: 'Starten',
  'Use the Choose folder button.': 'Der Ordner lässt sich nur mit „Ordner auswählen“ ändern.',
  'Let {login} sign in to DocTray?': '{login} die Anmeldung bei DocTray erlauben?',
  'They can read every document in the folder.': 'Damit sind alle Dokumente im Ordner lesbar.',
  'They can read and change every document in the folder.':
    'Damit lassen sich alle Dokumente im Ordner lesen und ändern.',
  'Add user': 'Benutzer hinzufügen',
  'Make {login} an editor?': '{login} zum Editor machen?',
  'Make editor': 'Zum Editor machen',
  'Set a new password for {login}?': 'Neues Passwort für {login} festlegen?',
  'The current password stops working, and programs that signed in with it must sign in again.':
    'Das bisherige Passwort gilt dann nicht mehr. Programme, die damit angemeldet sind, müssen sich neu anmelden.',
  'Set password': 'Passwort festlegen',

  // copying into the folder
  '{count, plural, one {Copying “{name}” into the folder} other {Copying # items into the folder}}':
    '{count, plural, one {„{name}“ wird in den Ordner kopiert} other {# Objekte werden in den Ordner kopiert}}',
  '{count, plural, one {Copying “{name}” into “{folder}”} other {Copying # items into “{folder}”}}':
    '{count, plural, one {„{name}“ wird nach „{folder}“ kopiert} other {# Objekte werden nach „{folder}“ kopiert}}',
  '{copied, number} of {count, plural, one {# file} other {# files}} copied.':
    '{copied, number} von {count, plural, one {# Datei} other {# Dateien}} kopiert.',
  'Stopped.': 'Abgebrochen.',
  'The disk has {free} free, and these files need {needed}. Free some space, then copy them again.':
    'Auf dem Datenträger sind {free} frei, diese Dateien brauchen {needed}. Schaffen Sie Platz und kopieren Sie sie noch einmal.',
  '“{name}”: {sentence}': '„{name}“: {sentence}',
  'And {count, number} more.': 'Und {count, number} weitere.',
  '{count, plural, one {# file} other {# files}} ({size}) copied.':
    '{count, plural, one {# Datei} other {# Dateien}} ({size}) kopiert.',
  '{count, plural, one {# item couldn’t be copied:} other {# items couldn’t be copied:}}':
    '{count, plural, one {# Objekt konnte nicht kopiert werden:} other {# Objekte konnten nicht kopiert werden:}}',
  '{count, plural, one {# link or hidden file left out.} other {# links or hidden files left out.}}':
    '{count, plural, one {# Verknüpfung oder verborgene Datei ausgelassen.} other {# Verknüpfungen oder verborgene Dateien ausgelassen.}}',

  '{count, plural, one {Copied “{name}”.} other {Copied # files.}}':
    '{count, plural, one {„{name}“ kopiert.} other {# Dateien kopiert.}}',
  '{count, number} of {files, plural, one {# file} other {# files}} copied.':
    '{count, number} von {files, plural, one {# Datei} other {# Dateien}} kopiert.',

  // other jobs
  'Cleaning up old versions': 'Alte Versionen werden entfernt',
  'There was nothing to remove.': 'Es gab nichts zu entfernen.',
  '{count, plural, one {# version} other {# versions}} ({freed}) removed.':
    '{count, plural, one {# Version} other {# Versionen}} ({freed}) entfernt.',

  // the dashboard
  'This isn’t the owner’s password.': 'Das ist nicht das Passwort des Besitzers.',
  'Too many wrong passwords. Try again in {duration}.':
    'Zu viele falsche Passwörter. Bitte in {duration} erneut versuchen.',

  // errors: requests
  'The body isn’t valid JSON. Send a JSON object.':
    'Der Inhalt ist kein gültiges JSON. Erwartet wird ein JSON-Objekt.',
  'A value is missing or invalid.': 'Ein Wert fehlt oder ist ungültig.',
  'Send the body as application/json.': 'Der Inhalt muss als application/json gesendet werden.',
  'The body is too large.': 'Der Inhalt ist zu groß.',
  'The document is larger than the upload limit. Raise the limit in the settings.':
    'Das Dokument überschreitet die Obergrenze für Uploads. Sie lässt sich in den Einstellungen erhöhen.',
  'The connection closed before the whole body arrived. Nothing was changed.':
    'Die Verbindung brach ab, bevor alles angekommen war. Es wurde nichts geändert.',
  'This address doesn’t exist.': 'Diese Adresse gibt es nicht.',
  'This address doesn’t support that method.': 'Diese Adresse unterstützt diese Methode nicht.',
  'DocTray doesn’t support that method.': 'DocTray unterstützt diese Methode nicht.',
  'This host name isn’t allowed. Add it to the allowed names in the settings.':
    'Dieser Hostname ist nicht zugelassen. Zugelassene Namen stehen in den Einstellungen.',
  'This client address isn’t allowed. Add it to the allowed addresses in the settings.':
    'Diese Client-Adresse ist nicht zugelassen. Zugelassene Adressen stehen in den Einstellungen.',

  // errors: accounts
  'Sign in first, then send the token in the Authorization header.':
    'Zuerst anmelden, dann das Token im Authorization-Header senden.',
  'The user name or password is wrong.': 'Benutzername oder Passwort ist falsch.',
  'Too many failed sign-ins. Wait, then try again.':
    'Zu viele fehlgeschlagene Anmeldungen. Bitte später erneut versuchen.',
  'Too many sign-ins at once. Try again in a moment.':
    'Zu viele Anmeldungen gleichzeitig. Bitte gleich noch einmal versuchen.',
  'Your role doesn’t allow this.': 'Ihre Rolle erlaubt das nicht.',
  'This user no longer exists.': 'Diesen Benutzer gibt es nicht mehr.',
  'A user with this name already exists.': 'Ein Benutzer mit diesem Namen existiert bereits.',
  'A user name has 1 to 64 letters, digits, dots, dashes, underscores or an @, and starts with a letter or digit.':
    'Ein Benutzername hat 1 bis 64 Buchstaben, Ziffern, Punkte, Binde- oder Unterstriche oder ein @ und beginnt mit einem Buchstaben oder einer Ziffer.',
  'A password needs at least 8 characters and can have at most 1024 bytes.':
    'Ein Passwort braucht mindestens 8 Zeichen und darf höchstens 1024 Bytes lang sein.',
  'The owner can’t be removed or given another role.':
    'Der Besitzer lässt sich nicht entfernen und behält seine Rolle.',
  'There can be only one owner. Choose editor or viewer.':
    'Es kann nur einen Besitzer geben. Zur Wahl stehen Editor und Betrachter.',

  // errors: files
  'The hosted folder is missing. Connect its drive, or choose another folder.':
    'Der freigegebene Ordner fehlt. Schließen Sie das Laufwerk an oder wechseln Sie den Ordner.',
  'DocTray can’t serve this folder.': 'DocTray kann diesen Ordner nicht freigeben.',
  'The folder to serve doesn’t exist. Connect its drive, or choose another folder.':
    'Der freigegebene Ordner existiert nicht. Schließen Sie sein Laufwerk an oder wählen Sie einen anderen Ordner.',
  'The folder {} doesn’t exist. Connect its drive, or choose another folder.':
    'Der Ordner {} existiert nicht. Schließen Sie sein Laufwerk an oder wählen Sie einen anderen Ordner.',
  'DocTray can’t create the folder for your documents. Choose another one.':
    'DocTray kann den Ordner für die Dokumente nicht anlegen. Bitte einen anderen wählen.',
  'The path must be inside the hosted folder.': 'Der Pfad muss im freigegebenen Ordner liegen.',
  'This document doesn’t exist in the hosted folder.':
    'Dieses Dokument gibt es im freigegebenen Ordner nicht.',
  'Another program is writing to the document. Nothing was changed. Try again.':
    'Ein anderes Programm schreibt gerade in das Dokument. Es wurde nichts geändert. Bitte erneut versuchen.',
  'The document is being edited. Close it in the editor, or force-clear its lock.':
    'Das Dokument wird gerade bearbeitet. Schließen Sie es im Editor oder heben Sie seine Sperre auf.',
  'The document isn’t locked.': 'Das Dokument ist nicht gesperrt.',
  'The lock wasn’t force-cleared, because its editor is using it again.':
    'Die Sperre wurde nicht aufgehoben, weil ihr Editor sie wieder benutzt.',
  'This folder doesn’t exist in the hosted folder.': 'Diesen Ordner gibt es im freigegebenen Ordner nicht.',
  'This name isn’t valid.': 'Dieser Name ist ungültig.',
  'The name is taken. Choose another.': 'Der Name ist vergeben. Bitte einen anderen wählen.',
  'Something with this name is already there. Rename one of them, then try again.':
    'Dort gibt es schon etwas mit diesem Namen. Nach dem Umbenennen erneut versuchen.',
  '{} already exists there. Rename one of them, then try again.':
    '{} gibt es dort schon. Nach dem Umbenennen erneut versuchen.',
  'A folder can’t be moved into itself.': 'Ein Ordner lässt sich nicht in sich selbst verschieben.',
  'DocTray can’t put this back. Restore it from the system’s trash.':
    'DocTray kann das nicht zurücklegen. Im Papierkorb des Systems lässt es sich wiederherstellen.',
  'Similar names are all taken. Rename or remove some of those documents.':
    'Ähnliche Namen sind alle vergeben. Benennen Sie einige dieser Dokumente um oder entfernen Sie sie.',
  'This is a link to another location. Use the file manager to change or remove it.':
    'Das ist eine Verknüpfung zu einem anderen Ort. Ändern oder entfernen lässt sie sich im Dateimanager.',
  'Not everything was copied.': 'Es wurde nicht alles kopiert.',
  'This conflict copy is no longer in the list.': 'Diese Konfliktkopie steht nicht mehr in der Liste.',
  'This job no longer exists.': 'Diesen Vorgang gibt es nicht mehr.',
  'This recovered save no longer exists.': 'Diese gesicherte Fassung gibt es nicht mehr.',
  'This version no longer exists.': 'Diese Version gibt es nicht mehr.',
  'Another program has changed the stored version, so it wasn’t restored. The document is unchanged.':
    'Ein anderes Programm hat die aufbewahrte Version geändert, daher wurde sie nicht wiederhergestellt. Das Dokument ist unverändert.',
  'The disk is almost full, so nothing new was created. Free some space, or lower the limit in the settings.':
    'Der Datenträger ist fast voll, daher wurde nichts angelegt. Schaffen Sie Platz oder senken Sie die Grenze in den Einstellungen.',
  'Too many copies in a short time. Wait a moment, then try again.':
    'Zu viele Kopien in kurzer Zeit. Bitte gleich noch einmal versuchen.',
  'Too many requests are running for this document. Try again in a moment.':
    'Für dieses Dokument laufen zu viele Anfragen. Bitte gleich noch einmal versuchen.',
  'The text editor is busy. Try again in a moment.':
    'Der Texteditor ist ausgelastet. Bitte gleich noch einmal versuchen.',
  'The disk returned an error. Nothing was changed.':
    'Der Datenträger meldet einen Fehler. Es wurde nichts geändert.',
  'The document has been saved since. Restore this save as a copy instead.':
    'Das Dokument wurde seitdem gespeichert. Stellen Sie diese Fassung stattdessen als Kopie wieder her.',
  'This recovered save can only be restored as a copy.':
    'Diese gesicherte Fassung lässt sich nur als Kopie wiederherstellen.',
  'The save isn’t a readable document, so the file wasn’t changed. Open DocTray to decide what to keep.':
    'Die Speicherung ist kein lesbares Dokument, deshalb wurde die Datei nicht geändert. Öffnen Sie DocTray, um zu entscheiden, was bleiben soll.',
  'The document was saved, but DocTray couldn’t confirm that it reached the disk. Save again.':
    'Das Dokument wurde gespeichert, aber DocTray konnte nicht bestätigen, dass es auf dem Datenträger angekommen ist. Bitte noch einmal speichern.',
  'The change was made, but DocTray couldn’t confirm that it reached the disk. Check the folder.':
    'Die Änderung wurde gemacht, aber DocTray konnte nicht bestätigen, dass sie auf dem Datenträger angekommen ist. Bitte den Ordner prüfen.',
  'The disk with DocTray’s data folder is full. Free some space on it, then try again.':
    'Der Datenträger mit DocTrays Datenordner ist voll. Schaffen Sie dort Platz und versuchen Sie es erneut.',

  // errors: the desktop and updates
  'macOS doesn’t let DocTray start at login. Switch it on in System Settings → General → Login Items.':
    'macOS lässt DocTray bei der Anmeldung nicht starten. Einschalten lässt es sich unter „Systemeinstellungen“ → „Allgemein“ → „Anmeldeobjekte“.',
  'DocTray couldn’t check for updates. Check your internet connection, then try again.':
    'Die Suche nach Updates ist fehlgeschlagen. Prüfen Sie die Internetverbindung und versuchen Sie es erneut.',
  'The update couldn’t be downloaded. Check your internet connection and free disk space, then try again.':
    'Das Update konnte nicht heruntergeladen werden. Prüfen Sie Internetverbindung und Speicherplatz und versuchen Sie es erneut.',
  'The update isn’t signed by DocTray’s developers, so it wasn’t downloaded. Try again later.':
    'Das Update ist nicht von DocTrays Entwicklern signiert und wurde daher nicht heruntergeladen. Bitte später erneut versuchen.',
  'DocTray couldn’t open a browser. Choose a default browser in the system settings, or let DocTray open documents in its own window.':
    'DocTray konnte keinen Browser öffnen. Legen Sie in den Systemeinstellungen einen Standardbrowser fest oder lassen Sie DocTray Dokumente im eigenen Fenster öffnen.',

  // errors: editors
  'This editor is no longer connected.': 'Dieser Editor ist nicht mehr verbunden.',
  'This editor is already connected.': 'Dieser Editor ist bereits verbunden.',
  'Enter the URL of the document server, such as http://localhost:9980.':
    'URL des Dokumentservers eingeben, etwa http://localhost:9980.',
  'DocTray can’t reach the editor.': 'DocTray kann den Editor nicht erreichen.',
  'No WOPI document server responded at this address.':
    'Unter dieser Adresse antwortet kein WOPI-Dokumentserver.',
  'The editor’s pages are on another host. Allow it if you trust that host.':
    'Die Seiten des Editors liegen auf einem anderen Host. Ist er vertrauenswürdig, lässt er sich zulassen.',
  'No container engine is ready.': 'Keine Container-Engine ist bereit.',
  'The image couldn’t be downloaded.': 'Das Image konnte nicht heruntergeladen werden.',
  'Docker or Podman reported an error.': 'Docker oder Podman meldet einen Fehler.',
  'The document server didn’t start in time.': 'Der Dokumentserver ist nicht rechtzeitig gestartet.',
  'The document server is running, but it can’t reach DocTray.':
    'Der Dokumentserver läuft, kann DocTray aber nicht erreichen.',
  'DocTray didn’t create this container, so it wasn’t removed.':
    'Dieser Container stammt nicht von DocTray und wurde daher nicht entfernt.',
  'The container already exists. Start or connect it instead.':
    'Der Container existiert bereits. Er lässt sich starten oder verbinden.',
  'This container doesn’t exist.': 'Diesen Container gibt es nicht.',
  '{}': '{}',
  'DocTray is already starting or stopping a document server. Wait until it’s done.':
    'DocTray startet oder beendet gerade einen Dokumentserver. Bitte warten, bis das fertig ist.',
  'This start no longer exists.': 'Diesen Startvorgang gibt es nicht mehr.',
  'No connected editor can open this type of document.':
    'Kein verbundener Editor kann diese Art von Dokument öffnen.',
  'The editor’s signature is missing or invalid.': 'Die Signatur des Editors fehlt oder ist ungültig.',
  'This isn’t one of the addresses where editors can reach DocTray.':
    'Unter dieser Adresse können Editoren DocTray nicht erreichen.',

  // errors: pages and the network
  'This part of DocTray is available only on the computer it runs on. To open it to the network, change the settings networkApi and networkPages.':
    'Dieser Teil von DocTray ist nur auf dem Computer verfügbar, auf dem es läuft. Die Einstellungen networkApi und networkPages öffnen ihn für das Netzwerk.',
  'This port requires HTTPS. Use https:// instead.':
    'Dieser Port verlangt HTTPS: Adresse mit https:// verwenden.',
  'The certificate or its key can’t be used.': 'Das Zertifikat oder sein Schlüssel ist nicht verwendbar.',
  'This request didn’t come from a DocTray page. Open the document again from DocTray.':
    'Diese Anfrage kam nicht von einer DocTray-Seite. Öffnen Sie das Dokument in DocTray noch einmal.',
  'This link has expired or was already used. Open the document again from DocTray.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Öffnen Sie das Dokument in DocTray noch einmal.',
  'This page couldn’t be built. See the log for the reason, then restart DocTray.':
    'Diese Seite konnte nicht erstellt werden. Die Ursache steht im Protokoll. Danach DocTray neu starten.',
  'This page couldn’t be built: {} Restart DocTray to try again.':
    'Diese Seite konnte nicht erstellt werden: {} Für einen neuen Versuch DocTray neu starten.',
  'A browser can’t do this. Use a terminal on the computer that DocTray runs on.':
    'Im Browser geht das nicht. Verwenden Sie ein Terminal auf dem Computer, auf dem DocTray läuft.',

  // errors: data folder, keychain, settings
  'Another DocTray is using this data folder. Quit it, then try again.':
    'Ein anderes DocTray verwendet diesen Datenordner. Bitte beenden und erneut versuchen.',
  'DocTray doesn’t open a window without Electron’s sandbox.':
    'Ohne die Sandbox von Electron öffnet DocTray kein Fenster.',
  'DocTray can’t use the data folder.': 'DocTray kann den Datenordner nicht verwenden.',
  'This isn’t a DocTray data folder. Check --data.':
    'Das ist kein Datenordner von DocTray. Bitte --data prüfen.',
  'A newer version of DocTray wrote this data folder. Install that version or a later one. Nothing was changed.':
    'Dieser Datenordner stammt von einer neueren DocTray-Version. Installieren Sie diese oder eine spätere. Es wurde nichts geändert.',
  'DocTray couldn’t upgrade its database and changed nothing. Start the version you used before, or restore the data folder from a backup.':
    'DocTray konnte seine Datenbank nicht aktualisieren und hat nichts geändert. Starten Sie die vorige Version oder stellen Sie den Datenordner aus einer Sicherung wieder her.',
  'DocTray can’t reach the keychain that holds the secrets of this data folder. Unlock the keychain, then try again. No new key was created.':
    'DocTray kann den Schlüsselbund mit den Geheimnissen dieses Datenordners nicht erreichen. Entsperren Sie ihn und versuchen Sie es noch einmal. Es wurde kein neuer Schlüssel erstellt.',
  'No keychain is available: this computer has none, or it is locked. Unlock it and try again. No secret was moved.':
    'Kein Schlüsselbund verfügbar: Dieser Computer hat keinen, oder er ist gesperrt. Entsperren Sie ihn und versuchen Sie es erneut. Es wurde kein Geheimnis verschoben.',
  'DocTray is waiting for the keychain. Answer its prompt.':
    'DocTray wartet auf den Schlüsselbund. Bitte dessen Abfrage beantworten.',
  'The settings file isn’t valid.': 'Die Einstellungsdatei ist ungültig.',
  'This setting doesn’t exist.': 'Diese Einstellung gibt es nicht.',
  'The setting wasn’t changed.': 'Die Einstellung wurde nicht geändert.',
  'The data folder belongs to another user of this computer.':
    'Der Datenordner gehört einem anderen Benutzer dieses Computers.',

  // errors: the port
  'The port is already in use. Change it, or quit the program that uses it.':
    'Der Port ist bereits belegt. Bitte ändern oder das Programm beenden, das ihn verwendet.',
  'Port {} is already in use. Change the port, or quit the program that uses it.':
    'Port {} ist bereits belegt. Bitte den Port ändern oder das Programm beenden, das ihn verwendet.',
  'This computer doesn’t have the bind address at the moment. Change it, or connect to its network.':
    'Dieser Computer hat die Bindeadresse zurzeit nicht. Bitte ändern oder mit ihrem Netzwerk verbinden.',
  'This computer doesn’t have the address {} at the moment. Change it, or connect to its network.':
    'Dieser Computer hat die Adresse {} zurzeit nicht. Bitte ändern oder mit ihrem Netzwerk verbinden.',
  'You don’t have permission to listen on this port. Change it to a number above 1023.':
    'Für diesen Port fehlt die Berechtigung. Bitte eine Nummer über 1023 wählen.',
  'You don’t have permission to listen on port {}. Change it to a number above 1023.':
    'Für Port {} fehlt die Berechtigung. Bitte eine Nummer über 1023 wählen.',

  // errors: the host
  'No folder is chosen yet. Choose the one whose documents you want to edit.':
    'Noch kein Ordner ausgewählt. Wählen Sie den mit den Dokumenten, die Sie bearbeiten möchten.',
  'DocTray isn’t running with this data folder. Start it with `serve`.':
    'DocTray läuft nicht mit diesem Datenordner. `serve` startet es.',
  'The running DocTray didn’t respond. Try again, or restart it.':
    'Das laufende DocTray hat nicht geantwortet. Versuchen Sie es erneut oder starten Sie es neu.',
  'DocTray isn’t serving a folder. Wait until it’s running, then try again.':
    'DocTray gibt gerade keinen Ordner frei. Bitte erneut versuchen, sobald es läuft.',
  'DocTray isn’t serving a folder. {}': 'DocTray gibt gerade keinen Ordner frei. {}',
  'Nothing was removed.': 'Es wurde nichts entfernt.',
  'You didn’t confirm it, so nothing was changed.': 'Ohne Bestätigung wurde nichts geändert.',
  'It’s too late to undo this. You can undo it once, within 10 seconds.':
    'Zum Rückgängigmachen ist es zu spät: Es geht nur einmal und innerhalb von 10 Sekunden.',
  'Another user has locked the document since, so its lock wasn’t restored.':
    'Inzwischen hat jemand anderes das Dokument gesperrt, daher wurde die Sperre nicht wiederhergestellt.',
  '{} has locked the document since, so its lock wasn’t restored.':
    'Inzwischen hat {} das Dokument gesperrt, daher wurde die Sperre nicht wiederhergestellt.',
  'DocTray can only show a password that it generated. Set a new one in the settings.':
    'DocTray kann nur selbst erzeugte Passwörter anzeigen. Ein neues lässt sich in den Einstellungen festlegen.',
  'DocTray is paused. Resume it to open documents. Documents that are already open can still be saved.':
    'DocTray ist pausiert. Nach dem Fortsetzen lassen sich wieder Dokumente öffnen. Bereits geöffnete können weiterhin gespeichert werden.',
  'Something went wrong in DocTray. See its log for details.':
    'In DocTray ist etwas schiefgegangen. Einzelheiten stehen im Protokoll.',

  // details after an error's sentence
  'The document is write-protected.': 'Das Dokument ist schreibgeschützt.',
  'There is no local authority yet. Create one first.':
    'Es gibt noch keine lokale Zertifizierungsstelle. Bitte zuerst eine erstellen.',
  'This template doesn’t exist.': 'Diese Vorlage gibt es nicht.',
  'Its database can’t be opened.': 'Die Datenbank darin lässt sich nicht öffnen.',
  'Its settings file can’t be read.': 'Die Einstellungsdatei darin lässt sich nicht lesen.',
  'This isn’t a TariffCacheItem.': 'Das ist kein TariffCacheItem.',
  'mode must be edit or view': 'mode muss edit oder view sein',
  'It has no entries of this data folder: they were deleted, or the folder is from another computer.':
    'Er enthält keine Einträge dieses Datenordners: Sie wurden gelöscht, oder der Ordner stammt von einem anderen Computer.',
  'It doesn’t show the entries of this data folder: it is locked, or they were deleted.':
    'Er zeigt die Einträge dieses Datenordners nicht: Er ist gesperrt, oder sie wurden gelöscht.',
  'It doesn’t return what was stored in it.': 'Er gibt nicht zurück, was darin gespeichert wurde.',
  'DocTray can’t write its secrets there.': 'DocTray kann seine Geheimnisse dort nicht speichern.',
  'Its token key is damaged. Restore it from a backup.':
    'Der Token-Schlüssel darin ist beschädigt und muss aus einer Sicherung wiederhergestellt werden.',
  'The document belongs to a folder that isn’t being served.':
    'Das Dokument gehört zu einem Ordner, der nicht freigegeben ist.',
  'This is a folder, not a document.': 'Das ist ein Ordner, kein Dokument.',
  '{} doesn’t exist in the hosted folder.': '{} gibt es im freigegebenen Ordner nicht.',
  'Choose files or folders on this computer.': 'Bitte Dateien oder Ordner auf diesem Computer wählen.',
  'The folder no longer exists.': 'Den Ordner gibt es nicht mehr.',
  'A folder or a special file has taken its name. Move it, then save again.':
    'Ein Ordner oder eine Gerätedatei hat seinen Namen. Nach dem Verschieben noch einmal speichern.',
  'The editor this token was issued for isn’t allowed to call from this address.':
    'Der Editor, für den dieses Token ausgestellt ist, darf DocTray nicht von dieser Adresse aufrufen.',
  'The built-in text editor always calls DocTray on this computer.':
    'Der integrierte Texteditor ruft DocTray immer auf diesem Computer auf.',
  'Another editor already uses it.': 'Ein anderer Editor verwendet ihn bereits.',
  'Another API token of this user already uses it.':
    'Ein anderes API-Token dieses Benutzers verwendet ihn bereits.',
  'Enter the public address as http or https, without a user name, query or fragment.':
    'Öffentliche Adresse mit http oder https eingeben, ohne Benutzernamen, Abfrage oder Fragment.',
  'The built-in text editor has its own settings: textEditor, textEditorPort, textEditorUrl.':
    'Der integrierte Texteditor hat eigene Einstellungen: textEditor, textEditorPort, textEditorUrl.',
  'Enter an extension, such as docx.': 'Endung eingeben, etwa docx.',
  'This is the hosted folder itself.': 'Das ist der freigegebene Ordner selbst.',
  'DocTray stopped.': 'DocTray wurde beendet.',
  'This job is still running. Cancel it first.': 'Dieser Vorgang läuft noch. Bitte zuerst abbrechen.',
  'Only text documents of up to 1 MB can be compared.': 'Vergleichen lassen sich nur Textdokumente bis 1 MB.',
  'There is no sample.': 'Es gibt kein Beispiel.',
  'Type at least one letter or digit.': 'Mindestens ein Buchstabe oder eine Ziffer ist nötig.',
  'Save it in another folder.': 'Bitte in einem anderen Ordner speichern.',
  'This isn’t a folder.': 'Das ist kein Ordner.',
  'The folder couldn’t be opened in a file manager.':
    'Der Ordner ließ sich nicht in einem Dateimanager öffnen.',
  'DocTray doesn’t open this address.': 'DocTray öffnet diese Adresse nicht.',
  'Its control socket can’t be created.': 'Der Steuer-Socket darin lässt sich nicht anlegen.',
  'Enter the name of an image, such as collabora/code.': 'Namen eines Images eingeben, etwa collabora/code.',
  'cwd: the window has no current folder.': 'cwd: Das Fenster hat keinen aktuellen Ordner.',
  'tls: Set tlsCertificate and tlsKey first.': 'tls: Zuerst tlsCertificate und tlsKey festlegen.',
};
