// Sentences that the host makes with values in them, in German: `{}` is the next value, `{2}` the second. The host may speak English
// while a window speaks German, so the window looks finished sentences up here; see translator.ts.

import type { Catalog } from './messages.ts';

export const germanSentences: Catalog = {
  // users, commands
  'A display name must have at most {} characters, all of them visible.':
    'Ein Anzeigename hat höchstens {} Zeichen, die alle sichtbar sind.',
  'It was started with --no-sandbox (see docs/help/linux-window.md).':
    'Es wurde mit --no-sandbox gestartet (siehe docs/help/linux-window.md).',
  'This command doesn’t exist.': 'Diesen Befehl gibt es nicht.',
  'This session doesn’t exist. It may have expired.':
    'Diese Sitzung gibt es nicht. Vielleicht ist sie abgelaufen.',
  'This token doesn’t exist. It may have expired.':
    'Dieses Token gibt es nicht. Vielleicht ist es abgelaufen.',
  '{} doesn’t open .{}.': '{} öffnet .{} nicht.',
  'Two editors are called {}. Use an id.': 'Zwei Editoren heißen {}. Bitte eine ID verwenden.',
  '{} can’t be reached. Check the internet connection, then start again.':
    '{} ist nicht erreichbar. Prüfen Sie die Internetverbindung, und starten Sie es dann erneut.',
  'DOCTRAY_SECRETS must be empty or “file”.': 'DOCTRAY_SECRETS muss leer oder „file“ sein.',
  '{} is outside it.': '{} liegt außerhalb.',
  'Enter the absolute path of a folder.': 'Absoluten Pfad eines Ordners eingeben.',

  // doctor
  'Not tested: DocTray isn’t running with this data folder.':
    'Nicht getestet: DocTray läuft nicht mit diesem Datenordner.',
  'Not tested, because DocTray isn’t serving.': 'Nicht getestet, weil DocTray nicht bereit ist.',
  '{} reaches this DocTray.': '{} führt zu diesem DocTray.',
  'Add its name to the setting allowedHosts.': 'Der Name gehört in die Einstellung allowedHosts.',
  'Another server may be running there.': 'Vielleicht läuft dort ein anderer Server.',
  '{} responds with status {}.': '{} antwortet mit Status {}.',
  'This computer doesn’t trust the certificate at {} ({}). Editors must trust it.':
    'Dieser Computer vertraut dem Zertifikat unter {} nicht ({}). Editoren müssen ihm vertrauen.',
  '{} can’t be reached from this computer ({}).': '{} ist von diesem Computer aus nicht erreichbar ({}).',
  'Trusted proxies: {}.': 'Vertraute Proxys: {}.',
  'The disk is almost full, so nothing new can be created. Free some space.':
    'Der Datenträger ist fast voll, daher kann nichts Neues angelegt werden. Schaffen Sie Platz.',
  'There is enough free disk space.': 'Es ist genug Speicherplatz frei.',
  'Only this computer can reach DocTray.': 'Nur dieser Computer erreicht DocTray.',
  'Other computers can reach /wopi (for editors) and the JSON API and the pages.':
    'Andere Computer erreichen /wopi (für Editoren), die JSON-API und die Seiten.',
  'Other computers can reach /wopi (for editors) and the JSON API.':
    'Andere Computer erreichen /wopi (für Editoren) und die JSON-API.',
  'Other computers can reach /wopi (for editors) and the pages.':
    'Andere Computer erreichen /wopi (für Editoren) und die Seiten.',
  'Other computers can reach /wopi (for editors) and nothing else.':
    'Andere Computer erreichen /wopi (für Editoren) und sonst nichts.',
  'Turn on HTTPS in Settings.': 'HTTPS lässt sich in den Einstellungen einschalten.',
  'The connection isn’t encrypted.': 'Die Verbindung ist nicht verschlüsselt.',
  'HTTPS is off.': 'HTTPS ist ausgeschaltet.',
  'HTTPS is on. The certificate expires on {}.': 'HTTPS ist eingeschaltet. Das Zertifikat läuft am {} ab.',
  'No folder is chosen yet. Choose one in Settings.':
    'Noch kein Ordner ausgewählt. Bitte in den Einstellungen einen wählen.',
  'The folder can’t be read.': 'Der Ordner lässt sich nicht lesen.',
  '{} can be written to.': 'In {} lässt sich schreiben.',
  '{} can’t be written to.': 'In {} lässt sich nicht schreiben.',
  'DocTray listens at {}.': 'DocTray lauscht unter {}.',
  '{} is free.': '{} ist frei.',
  '{} is already in use.': '{} ist bereits belegt.',
  'Port {} is already in use. Change the port, or quit the program that uses it.':
    'Port {} ist bereits belegt. Bitte den Port ändern oder das Programm beenden, das ihn verwendet.',
  '{} can’t be opened ({}).': '{} lässt sich nicht öffnen ({}).',
  'Choose another address in Settings.': 'Bitte in den Einstellungen eine andere Adresse wählen.',
  'The text editor is off.': 'Der Texteditor ist ausgeschaltet.',
  'The text editor is starting.': 'Der Texteditor wird gestartet.',
  'The text editor is ready at {}.': 'Der Texteditor ist unter {} bereit.',
  'settings.json contains unknown settings: {}. Correct or remove them, then restart DocTray.':
    'settings.json enthält unbekannte Einstellungen: {}. Bitte korrigieren oder entfernen und DocTray dann neu starten.',
  'DocTray is paused: no document can be opened.':
    'DocTray ist pausiert: Dokumente lassen sich nicht öffnen.',
  'DocTray is paused until {}: no document can be opened.':
    'DocTray ist bis {} pausiert: Dokumente lassen sich nicht öffnen.',
  'The database is intact.': 'Die Datenbank ist in Ordnung.',
  'The database is damaged: {}. Restart DocTray.':
    'Die Datenbank ist beschädigt: {}. Bitte DocTray neu starten.',
  'Secrets are kept in the keychain of this computer.':
    'Geheimnisse liegen im Schlüsselbund dieses Computers.',
  'Secrets are kept in secrets.json in the data folder, readable only by you.':
    'Geheimnisse liegen in secrets.json im Datenordner, nur für Sie lesbar.',
  'No document needs attention.': 'Kein Dokument ist zu prüfen.',
  '{counts}. Overview shows more.': '{counts}. Die Übersicht zeigt mehr.',
  'This computer’s clock shows {}, which can’t be right.':
    'Die Uhr dieses Computers zeigt {}, was nicht stimmen kann.',
  'This computer’s clock shows {}, but DocTray was last used at {}.':
    'Die Uhr dieses Computers zeigt {}, aber DocTray wurde zuletzt um {} verwendet.',
  'The clock shows {}.': 'Die Uhr zeigt {}.',

  // documents and folders
  'It is “{}” in this folder.': 'Es ist „{}“ in diesem Ordner.',
  'It is “{}” in this folder, and {} has it open.': 'Es ist „{}“ in diesem Ordner, geöffnet von {}.',
  '{} has it open.': '{} hat es geöffnet.',
  'Choose one of these types: {}.': 'Möglich sind diese Typen: {}.',
  '“{}” already exists.': '„{}“ gibt es schon.',
  'The document is open in {}.': 'Das Dokument ist in {} geöffnet.',
  'The document is open in {} by {}.': 'Das Dokument ist in {} geöffnet, von {}.',
  'The disk is full. Delete it with the file manager.':
    'Der Datenträger ist voll. Im Dateimanager lässt sich das löschen.',
  '“{}” couldn’t be moved to the trash.': '„{}“ ließ sich nicht in den Papierkorb legen.',
  '{} is a file, not a folder.': '{} ist eine Datei, kein Ordner.',
  'The folder {} doesn’t exist.': 'Den Ordner {} gibt es nicht.',
  'DocTray can’t list the documents in this folder.':
    'DocTray kann die Dokumente in diesem Ordner nicht auflisten.',
  'You don’t have permission to read this folder.': 'Für diesen Ordner fehlt die Leseberechtigung.',
  'Change its permissions, or choose another folder.':
    'Bitte die Berechtigungen ändern oder einen anderen Ordner wählen.',
  'Documents can be opened but not saved.': 'Dokumente lassen sich öffnen, aber nicht speichern.',
  'You don’t have permission to write to this folder.': 'Für diesen Ordner fehlt die Schreibberechtigung.',
  'It is the data folder. Choose another folder.':
    'Das ist der Datenordner. Bitte einen anderen Ordner wählen.',
  'The data folder {} is inside it. Choose a folder that doesn’t contain it.':
    'Der Datenordner {} liegt darin. Bitte einen Ordner wählen, der ihn nicht enthält.',
  'It is inside the data folder. Choose another folder.':
    'Er liegt im Datenordner. Bitte einen anderen Ordner wählen.',
  'A file with this name already exists.': 'Eine Datei mit diesem Namen gibt es schon.',
  'Permission denied.': 'Keine Berechtigung.',
  'The home folder doesn’t exist.': 'Den persönlichen Ordner gibt es nicht.',
  'The home folder isn’t a folder.': 'Der persönliche Ordner ist kein Ordner.',
  'It’s starting. Try again in a moment.': 'Es wird gestartet. Bitte gleich noch einmal versuchen.',
  'Start it again.': 'Bitte neu starten.',
  'The document’s page didn’t load ({}).': 'Die Seite des Dokuments wurde nicht geladen ({}).',
  'A Flatpak can’t start DocTray at login. Add it to the startup programs of your desktop.':
    'Ein Flatpak kann DocTray nicht bei der Anmeldung starten. Es lässt sich zu den Startprogrammen des Desktops hinzufügen.',
  'This system can’t start DocTray at login.': 'Dieses System kann DocTray nicht bei der Anmeldung starten.',

  // importing
  'The file no longer exists.': 'Die Datei gibt es nicht mehr.',
  'The file can’t be read.': 'Die Datei lässt sich nicht lesen.',
  'It doesn’t exist.': 'Das gibt es nicht.',
  'It’s neither a file nor a folder.': 'Das ist weder eine Datei noch ein Ordner.',
  'Hidden files aren’t imported.': 'Verborgene Dateien werden nicht importiert.',
  'Links aren’t imported.': 'Verknüpfungen werden nicht importiert.',
  'It belongs to DocTray’s own data.': 'Das gehört zu DocTrays eigenen Daten.',
  'It is the hosted folder, is inside it, or contains it.':
    'Das ist der freigegebene Ordner, liegt darin oder enthält ihn.',
  'Folders are nested more than {} levels deep.': 'Die Ordner sind mehr als {} Ebenen tief verschachtelt.',
  'It can’t be read.': 'Das lässt sich nicht lesen.',
  'An import can contain at most {} files.': 'Auf einmal lassen sich höchstens {} Dateien importieren.',
  'Copy them with the file manager.': 'Im Dateimanager lassen sie sich kopieren.',
  'It isn’t on a disk.': 'Das liegt auf keinem Datenträger.',

  // what the disk reports
  'The disk is full.': 'Der Datenträger ist voll.',
  'The disk quota is used up.': 'Das Speicherkontingent ist aufgebraucht.',
  'The file is larger than this disk or process allows.':
    'Die Datei ist größer, als dieser Datenträger oder Prozess erlaubt.',
  'The disk is read-only.': 'Der Datenträger ist schreibgeschützt.',
  'Make it writable, or choose another folder.':
    'Heben Sie den Schreibschutz auf, oder wählen Sie einen anderen Ordner.',
  'DocTray has no permission to write to the folder or the document.':
    'DocTray darf nicht in den Ordner oder das Dokument schreiben.',
  'The disk reported an error.': 'Der Datenträger hat einen Fehler gemeldet.',
  'Another program is using the document.': 'Ein anderes Programm verwendet das Dokument.',
  'The name is too long for this disk.': 'Der Name ist zu lang für diesen Datenträger.',
  'Too many files are open.': 'Zu viele Dateien sind geöffnet.',
  'The disk returned an error.': 'Der Datenträger meldet einen Fehler.',
  'The disk returned an error ({}).': 'Der Datenträger meldet einen Fehler ({}).',
  'That folder is on another disk. Move it with the file manager.':
    'Dieser Ordner liegt auf einem anderen Datenträger. Verschieben lässt es sich im Dateimanager.',

  // data folder
  'Its path is too long for a control socket, and there is no private folder for one elsewhere.':
    'Sein Pfad ist zu lang für einen Steuer-Socket, und anderswo gibt es keinen privaten Ordner dafür.',
  'Its {} can’t be read.': 'Seine Datei {} lässt sich nicht lesen.',
  'Its {} is missing.': 'Seine Datei {} fehlt.',
  'Its {} is damaged.': 'Seine Datei {} ist beschädigt.',
  'Its {} is damaged. Restore it from a backup. DocTray didn’t replace it.':
    'Seine Datei {} ist beschädigt und muss aus einer Sicherung wiederhergestellt werden. DocTray hat sie nicht ersetzt.',
  'Restore it from a backup. DocTray didn’t replace it.':
    'Sie muss aus einer Sicherung wiederhergestellt werden. DocTray hat sie nicht ersetzt.',

  // settings
  'Correct or delete settings.json in the data folder.':
    'Bitte settings.json im Datenordner berichtigen oder löschen.',
  'It isn’t valid JSON: {}.': 'Das ist kein gültiges JSON: {}.',
  'It isn’t valid JSON.': 'Das ist kein gültiges JSON.',
  'It isn’t a JSON object.': 'Das ist kein JSON-Objekt.',
  'DocTray and the text editor can’t use the same port.':
    'DocTray und der Texteditor können nicht denselben Port verwenden.',
  'DocTray and the text editor can’t use the same address.':
    'DocTray und der Texteditor können nicht dieselbe Adresse verwenden.',
  'Enter an address or a name of this computer, such as 127.0.0.1.':
    'Adresse oder Namen dieses Computers eingeben, etwa 127.0.0.1.',
  'Enter an http or https address without a user name, query, fragment or trailing slash.':
    'Adresse mit http oder https eingeben, ohne Benutzernamen, Abfrage, Fragment oder Schrägstrich am Ende.',
  'Enter host names or addresses, without a port.': 'Hostnamen oder Adressen eingeben, ohne Port.',
  'Enter addresses or networks, such as 192.168.1.7 or 192.168.1.0/24.':
    'Adressen oder Netze eingeben, etwa 192.168.1.7 oder 192.168.1.0/24.',
  'Enter addresses or networks, such as 192.168.1.7 or 192.168.1.0/24. "{}" isn’t one.':
    'Adressen oder Netze eingeben, etwa 192.168.1.7 oder 192.168.1.0/24. „{}“ gehört nicht dazu.',
  'Enter the addresses of proxies, or networks that contain only proxies, such as 192.168.1.7.':
    'Adressen von Proxys eingeben oder Netze, in denen nur Proxys sind, etwa 192.168.1.7.',
  'Enter the absolute path of a PEM file.': 'Absoluten Pfad einer PEM-Datei eingeben.',
  'Enter an http or https address without a path, such as https://edit.example.com.':
    'Adresse mit http oder https ohne Pfad eingeben, etwa https://edit.example.com.',
  'Enter a whole number from {} to {}.': 'Eine ganze Zahl von {} bis {} eingeben.',
  'Enter at most {} entries.': 'Höchstens {} Einträge eingeben.',
  'Enter {} or {}.': 'Möglich sind {} oder {}.',
  'Enter a list.': 'Eine Liste eingeben.',
  '{} isn’t one.': '{} gehört nicht dazu.',

  // certificates
  'Choose a certificate file (tlsCertificate).': 'Bitte eine Zertifikatsdatei wählen (tlsCertificate).',
  'Choose a key file (tlsKey).': 'Bitte eine Schlüsseldatei wählen (tlsKey).',
  'The path of the certificate isn’t a file.': 'Der Pfad des Zertifikats führt zu keiner Datei.',
  'The path of the key isn’t a file.': 'Der Pfad des Schlüssels führt zu keiner Datei.',
  'The certificate file is too large to be a certificate.':
    'Die Zertifikatsdatei ist zu groß für ein Zertifikat.',
  'The key file is too large to be a key.': 'Die Schlüsseldatei ist zu groß für einen Schlüssel.',
  'The certificate file doesn’t exist.': 'Die Zertifikatsdatei gibt es nicht.',
  'The key file doesn’t exist.': 'Die Schlüsseldatei gibt es nicht.',
  'DocTray doesn’t have permission to read the certificate file.':
    'DocTray darf die Zertifikatsdatei nicht lesen.',
  'DocTray doesn’t have permission to read the key file.': 'DocTray darf die Schlüsseldatei nicht lesen.',
  'The certificate file can’t be read ({}).': 'Die Zertifikatsdatei lässt sich nicht lesen ({}).',
  'The certificate file can’t be read (unknown).':
    'Die Zertifikatsdatei lässt sich nicht lesen (Ursache unbekannt).',
  'The key file can’t be read ({}).': 'Die Schlüsseldatei lässt sich nicht lesen ({}).',
  'The key file can’t be read (unknown).': 'Die Schlüsseldatei lässt sich nicht lesen (Ursache unbekannt).',
  'The certificate file must begin with this host’s certificate, before those of its authorities.':
    'Die Zertifikatsdatei muss mit dem Zertifikat dieses Hosts beginnen, vor denen seiner Zertifizierungsstellen.',
  'The key doesn’t match the certificate.': 'Der Schlüssel passt nicht zum Zertifikat.',
  'The certificate expired on {}. Renew it.': 'Das Zertifikat ist am {} abgelaufen. Bitte erneuern.',
  'The certificate isn’t valid before {}. Check the clock of this computer.':
    'Das Zertifikat gilt erst ab {}. Bitte die Uhr dieses Computers prüfen.',
  'HTTPS can’t use this certificate and key ({}).':
    'HTTPS kann dieses Zertifikat mit diesem Schlüssel nicht verwenden ({}).',
  'A certificate in the file is damaged.': 'Ein Zertifikat in der Datei ist beschädigt.',
  'The certificate file isn’t in PEM format: it needs a line "-----BEGIN CERTIFICATE-----".':
    'Die Zertifikatsdatei hat nicht das PEM-Format: Sie braucht eine Zeile „-----BEGIN CERTIFICATE-----“.',
  'The key has a passphrase. Save it without one.':
    'Der Schlüssel ist durch eine Passphrase geschützt. Bitte ohne Passphrase speichern.',
  'The key file isn’t in PEM format: it needs a line "-----BEGIN PRIVATE KEY-----".':
    'Die Schlüsseldatei hat nicht das PEM-Format: Sie braucht eine Zeile „-----BEGIN PRIVATE KEY-----“.',
  'The key in the file is damaged.': 'Der Schlüssel in der Datei ist beschädigt.',
  'The local authority can no longer sign certificates. Create a new authority and trust it instead.':
    'Die lokale Zertifizierungsstelle kann keine Zertifikate mehr signieren. Erstellen Sie eine neue und vertrauen Sie dieser.',
  'The certificate can’t be read or created.': 'Das Zertifikat lässt sich nicht lesen oder erstellen.',
  'There’s no certificate yet.': 'Es gibt noch kein Zertifikat.',
  'HTTPS isn’t working, so other computers get no response.':
    'HTTPS funktioniert nicht, daher erhalten andere Computer keine Antwort.',
  'DocTray keeps using the previous certificate.': 'DocTray verwendet weiterhin das vorige Zertifikat.',
  'The certificate doesn’t cover {}: the local authority is older than that name. Create a new authority and trust it instead.':
    'Das Zertifikat gilt nicht für {}: Die lokale Zertifizierungsstelle ist älter als dieser Name. Erstellen Sie eine neue und vertrauen Sie dieser.',
  'The certificate expires on {}. Renew it before then.':
    'Das Zertifikat läuft am {} ab. Bitte vorher erneuern.',

  // document servers in containers
  'Canceled. Everything this start created was removed, except complete images.':
    'Abgebrochen. Alles, was dieser Start angelegt hatte, wurde entfernt, außer vollständigen Images.',
  'Looking for {}.': '{} wird gesucht.',
  'Looking for Docker or Podman.': 'Docker oder Podman wird gesucht.',
  '{} is running at {} and reaches DocTray at {}.': '{} läuft unter {} und erreicht DocTray unter {}.',
  '{} was started at {} and reaches DocTray at {}.':
    '{} wurde unter {} gestartet und erreicht DocTray unter {}.',
  'For that, DocTray now listens on all addresses of this computer.':
    'Dafür lauscht DocTray jetzt auf allen Adressen dieses Computers.',
  'For that, DocTray now also listens on {}.': 'Dafür lauscht DocTray jetzt auch auf {}.',
  '{} described the container in a way that DocTray doesn’t understand.':
    '{} hat den Container so beschrieben, dass DocTray es nicht versteht.',
  '{}: no reason given.': '{}: ohne Angabe eines Grundes.',
  'no reason given.': 'ohne Angabe eines Grundes.',
  'it didn’t respond in time.': 'keine rechtzeitige Antwort.',
  'it couldn’t be started.': 'Starten nicht möglich.',
  'No reason was given.': 'Ein Grund wurde nicht angegeben.',
  'The download took more than 3 hours.': 'Der Download dauerte mehr als 3 Stunden.',
  'Free some space on the disk, then start again.':
    'Schaffen Sie Platz auf dem Datenträger und starten Sie neu.',
  'The registry’s download limit is reached. Try again in an hour.':
    'Die Download-Grenze der Registry ist erreicht. Bitte in einer Stunde erneut versuchen.',
  'Check the internet connection, then start again. The download continues where possible.':
    'Prüfen Sie die Internetverbindung und starten Sie neu. Der Download wird nach Möglichkeit fortgesetzt.',
  '{} isn’t installed.': '{} ist nicht installiert.',
  'Install {} if you want DocTray to run a document server here.':
    'Damit DocTray hier einen Dokumentserver ausführen kann, muss {} installiert sein.',
  'Docker is running, but you don’t have permission to use it.':
    'Docker läuft, aber die Berechtigung dafür fehlt.',
  'Add your user to the docker group, then sign out and in again.':
    'Fügen Sie Ihren Benutzer zur Gruppe docker hinzu und melden Sie sich ab und wieder an.',
  'Docker is installed, but it isn’t running.': 'Docker ist installiert, läuft aber nicht.',
  'Start the Docker service or Docker Desktop, then try again.':
    'Bitte den Docker-Dienst oder Docker Desktop starten und erneut versuchen.',
  'Start Docker Desktop, then try again.': 'Bitte Docker Desktop starten und erneut versuchen.',
  'Podman is installed, but its virtual machine isn’t running.':
    'Podman ist installiert, aber seine virtuelle Maschine läuft nicht.',
  'Start the Podman machine, then try again.': 'Bitte die Podman-Maschine starten und erneut versuchen.',
  'Podman is installed, but you don’t have permission to use it: {}':
    'Podman ist installiert, aber die Berechtigung dafür fehlt: {}',
  'Check how Podman is set up for your user.': 'Prüfen Sie, wie Podman für Ihren Benutzer eingerichtet ist.',
  '{} is ready (as root).': '{} ist bereit (als root).',
  '{} is ready (rootless).': '{} ist bereit (rootless).',
  '{} is ready (in a virtual machine).': '{} ist bereit (in einer virtuellen Maschine).',
  '{} is installed, but you haven’t used it yet.': '{} ist installiert, wurde aber noch nie benutzt.',
  '{} is installed, but it doesn’t respond.': '{} ist installiert, antwortet aber nicht.',
  'Wait until it has started, or restart it, then try again.':
    'Warten Sie den Start ab oder starten Sie es neu und versuchen Sie es noch einmal.',
  '{} is installed, but it doesn’t work: {}': '{} ist installiert, funktioniert aber nicht: {}',
  'Fix {} first, then try again.': 'Bringen Sie zuerst {} in Ordnung und versuchen Sie es erneut.',
  'No port is free from {} to {}. Free one, then start again.':
    'Von {} bis {} ist kein Port frei. Geben Sie einen frei und starten Sie neu.',
  'Remove the container {} with {} if you don’t need it.':
    'Wird der Container {} nicht gebraucht, lässt er sich mit {} entfernen.',
  'There is no container called {}.': 'Es gibt keinen Container namens {}.',
  'Waiting for {} to respond at {}. The first start takes a minute or two.':
    'Warten auf die Antwort von {} unter {}. Der erste Start dauert ein bis zwei Minuten.',
  'Connecting {} at {}.': '{} wird unter {} verbunden.',
  '{} stays connected. Start it again to retry.':
    '{} bleibt verbunden. Ein erneuter Start versucht es noch einmal.',
  'Recreating the {} container with DocTray’s current addresses.':
    'Der Container für {} wird mit DocTrays aktuellen Adressen neu angelegt.',
  'Neither Docker nor Podman is installed. Install Docker Desktop, Docker Engine or Podman, then start again.':
    'Weder Docker noch Podman ist installiert. Installieren Sie Docker Desktop, Docker Engine oder Podman und starten Sie neu.',
  'The container {} doesn’t publish its port {}. Remove it, then start again.':
    'Der Container {} gibt seinen Port {} nicht frei. Entfernen Sie ihn und starten Sie neu.',
  'Starting the existing container {}.': 'Der vorhandene Container {} wird gestartet.',
  'Another program uses port {}, which the container {} publishes. Stop that program, then start again.':
    'Ein anderes Programm verwendet Port {}, den der Container {} freigibt. Beenden Sie es und starten Sie neu.',
  'Another program uses port {}. Recreating the {} container.':
    'Ein anderes Programm verwendet Port {}. Der Container für {} wird neu angelegt.',
  'Looking for the image {}.': 'Das Image {} wird gesucht.',
  'Downloading the image {}.': 'Das Image {} wird heruntergeladen.',
  'Creating the container {}.': 'Der Container {} wird angelegt.',
  'Starting {} on port {}.': '{} wird auf Port {} gestartet.',
  '{} didn’t respond at {} within {} min. Start it again to keep waiting, or check the log of the container {}.':
    '{} hat unter {} nicht innerhalb von {} min geantwortet. Ein erneuter Start wartet weiter. Vielleicht hilft das Protokoll des Containers {}.',
  'The container {} was removed while DocTray waited for it.':
    'Der Container {} wurde entfernt, während DocTray auf ihn wartete.',
  'The program in the container exited. The computer may have too little memory for it.':
    'Das Programm im Container hat sich beendet. Vielleicht hat der Computer zu wenig Arbeitsspeicher.',
  'The program in the container exited with exit code {}. The computer may have too little memory for it.':
    'Das Programm im Container hat sich mit Exit-Code {} beendet. Vielleicht hat der Computer zu wenig Arbeitsspeicher.',
  'Testing whether {} can reach DocTray at {}.': 'Test, ob {} DocTray unter {} erreicht.',
  'This computer doesn’t have the address {} yet. DocTray listens there as soon as it does.':
    'Dieser Computer hat die Adresse {} noch nicht. DocTray ist dort erreichbar, sobald er sie hat.',
  'This computer has no address to try.': 'Dieser Computer hat keine Adresse zum Ausprobieren.',

  // which editor opens a document
  'Files without an extension aren’t supported.': 'Dateien ohne Endung werden nicht unterstützt.',
  '.{} files aren’t supported.': '.{}-Dateien werden nicht unterstützt.',
  'The text editor, which shows a preview, is off.':
    'Der Texteditor, der eine Vorschau zeigt, ist ausgeschaltet.',
  'Connect ONLYOFFICE or Collabora to edit .{} files.':
    'Zum Bearbeiten von .{}-Dateien ONLYOFFICE oder Collabora verbinden.',
  'Connect ONLYOFFICE or Collabora to open .{} files.':
    'Zum Öffnen von .{}-Dateien ONLYOFFICE oder Collabora verbinden.',
  'Connect a document server first.': 'Bitte zuerst einen Dokumentserver verbinden.',
  'This file isn’t UTF-8 text. To open it in another editor, add its extension to the name.':
    'Diese Datei ist kein UTF-8-Text. Mit ihrer Endung im Namen öffnet sie sich in einem anderen Editor.',
  'It runs only while DocTray does.': 'Er läuft nur, solange DocTray läuft.',
  'Enter a name of 1 to {} visible characters.': 'Einen Namen mit 1 bis {} sichtbaren Zeichen eingeben.',
  'They are at {}.': 'Sie liegen unter {}.',
  'They are at another address.': 'Sie liegen unter einer anderen Adresse.',
  'Connect that address, or allow that host.':
    'Diese Adresse lässt sich verbinden oder dieser Host zulassen.',

  // DocTray reaches the editor
  '{} at {} opens one type of document.': '{} unter {} öffnet einen Dokumenttyp.',
  'A document server at {} opens one type of document.':
    'Ein Dokumentserver unter {} öffnet einen Dokumenttyp.',
  '{} at {} opens {} types of document.': '{} unter {} öffnet {} Dokumenttypen.',
  'A document server at {} opens {} types of document.':
    'Ein Dokumentserver unter {} öffnet {} Dokumenttypen.',
  '{} responded, but it isn’t a WOPI document server.':
    '{} hat geantwortet, ist aber kein WOPI-Dokumentserver.',
  'Check the address. In ONLYOFFICE Docs, WOPI must be on (WOPI_ENABLED=true).':
    'Bitte die Adresse prüfen. In ONLYOFFICE Docs muss WOPI eingeschaltet sein (WOPI_ENABLED=true).',
  'This computer can’t resolve the name {}.': 'Dieser Computer kann den Namen {} nicht auflösen.',
  'Check the spelling, or use the IP address.':
    'Bitte die Schreibweise prüfen oder die IP-Adresse verwenden.',
  'Nothing is listening at {} (connection refused).': 'Unter {} lauscht nichts (Verbindung abgelehnt).',
  'Start the document server, or check the port.': 'Bitte den Dokumentserver starten oder den Port prüfen.',
  'There is no route to {}.': 'Es gibt keine Route zu {}.',
  'Check the address, the network and the VPN.': 'Bitte Adresse, Netzwerk und VPN prüfen.',
  '{} didn’t respond in time.': '{} hat nicht rechtzeitig geantwortet.',
  'Check that the document server is running, and that no firewall blocks the connection.':
    'Bitte prüfen, ob der Dokumentserver läuft und keine Firewall die Verbindung blockiert.',
  'This computer doesn’t trust the certificate of {} ({}).':
    'Dieser Computer vertraut dem Zertifikat von {} nicht ({}).',
  'Trust the authority that signed it and restart DocTray, or use the host name in the certificate.':
    'Vertrauen Sie der Zertifizierungsstelle dahinter und starten Sie DocTray neu, oder verwenden Sie den Hostnamen aus dem Zertifikat.',
  '{} doesn’t support HTTPS, or only a TLS version that DocTray doesn’t accept.':
    '{} unterstützt kein HTTPS oder nur eine TLS-Version, die DocTray nicht akzeptiert.',
  'Check the port, or use http:// instead of https://.':
    'Bitte den Port prüfen oder http:// statt https:// verwenden.',
  'The connection to {} was lost (no reason given).':
    'Die Verbindung zu {} ist abgebrochen (ohne Angabe eines Grundes).',
  'The connection to {} was lost ({}).': 'Die Verbindung zu {} ist abgebrochen ({}).',
  'Check that a document server uses this port, and whether it needs http:// or https://.':
    'Bitte prüfen, ob ein Dokumentserver diesen Port verwendet und ob er http:// oder https:// braucht.',
  '{} resolves to an address that DocTray never connects to (link-local, or cloud metadata).':
    '{} führt zu einer Adresse, mit der DocTray sich nie verbindet (link-local oder Cloud-Metadaten).',
  'Use another address of the document server.': 'Bitte eine andere Adresse des Dokumentservers verwenden.',
  '{} redirects to {}, and DocTray doesn’t follow that.':
    '{} leitet zu {} weiter, und DocTray folgt dem nicht.',
  '{} redirects to something that isn’t a web address, and DocTray doesn’t follow that.':
    '{} leitet zu etwas weiter, das keine Webadresse ist, und DocTray folgt dem nicht.',
  'If that is the document server, connect {}.': 'Ist das der Dokumentserver, lässt sich {} verbinden.',
  'Check the address.': 'Bitte die Adresse prüfen.',
  'It requires a sign-in. Let this computer read /hosting/discovery without one.':
    'Er verlangt eine Anmeldung. Dieser Computer muss /hosting/discovery ohne Anmeldung lesen dürfen.',
  'The server, or a proxy in front of it, doesn’t allow this computer to read /hosting/discovery.':
    'Der Server oder ein Proxy davor lässt diesen Computer /hosting/discovery nicht lesen.',
  '{} answered {} instead of its discovery document.':
    '{} hat mit {} statt mit dem Discovery-Dokument geantwortet.',
  'It may still be starting. Try again in a minute.':
    'Vielleicht startet er noch. Bitte in einer Minute erneut versuchen.',
  '{} answered with more than 1 MB instead of its discovery document.':
    '{} hat mit mehr als 1 MB statt mit dem Discovery-Dokument geantwortet.',
  'Its discovery document wasn’t read.': 'Sein Discovery-Dokument wurde nicht gelesen.',

  // the editor shows its page
  'Its page wasn’t requested.': 'Seine Seite wurde nicht angefordert.',
  'Its page loads and can be shown at {}.': 'Seine Seite lädt und lässt sich unter {} anzeigen.',
  '{} lists no type of document it can show.': '{} nennt keinen Dokumenttyp zum Anzeigen.',
  'Wait until it has started completely, then read its discovery document again.':
    'Warten Sie, bis er ganz gestartet ist, und lesen Sie sein Discovery-Dokument erneut.',
  'The page of {} answered {}.': 'Die Seite von {} hat mit {} geantwortet.',
  'Check its log, and the log of any proxy in front of it.':
    'Bitte sein Protokoll prüfen, und das eines Proxys davor.',
  'Check its log for the reason.': 'Die Ursache steht in seinem Protokoll.',
  'The page of {} redirects to {}.': 'Die Seite von {} leitet zu {} weiter.',
  'The page of {} redirects to another address.': 'Die Seite von {} leitet zu einer anderen Adresse weiter.',
  'Documents can’t be opened behind a sign-in page. Allow access to /hosting and to its pages without one.':
    'Hinter einer Anmeldeseite lassen sich keine Dokumente öffnen. /hosting und seine Seiten müssen ohne Anmeldung erreichbar sein.',
  '{} doesn’t allow {} to show its page in a frame.':
    '{} erlaubt {} nicht, seine Seite in einem Rahmen anzuzeigen.',
  'Add the first line to the extra_params of its container, or put the second one into <net> in coolwsd.xml.':
    'Fügen Sie die erste Zeile zu extra_params seines Containers hinzu, oder die zweite in <net> in coolwsd.xml ein.',
  'Allow that address in its X-Frame-Options or Content-Security-Policy header. A proxy in front of it may add these.':
    'Lassen Sie diese Adresse in seinem Header X-Frame-Options oder Content-Security-Policy zu. Vielleicht stammt der von einem Proxy davor.',
  'Documents open at {}, and browsers don’t show the page of {} there because it uses HTTP.':
    'Dokumente öffnen sich unter {}, und dort zeigen Browser die Seite von {} nicht an, weil sie HTTP verwendet.',
  'Use HTTPS for the editor, or HTTP for DocTray.':
    'Bitte für den Editor HTTPS oder für DocTray HTTP verwenden.',
  'The page of {} couldn’t be shown: {}.': 'Die Seite von {} ließ sich nicht anzeigen: {}.',
  'Try its address in a browser on this computer.':
    'Probieren Sie seine Adresse in einem Browser auf diesem Computer.',
  'A browser on this computer can’t load the editor’s page: {}':
    'Ein Browser auf diesem Computer kann die Seite des Editors nicht laden: {}',
  'The editor’s page at {} answered {}.': 'Die Seite des Editors unter {} hat mit {} geantwortet.',
  'It may still be starting. Try again in a minute, or check its log.':
    'Vielleicht startet er noch. Bitte in einer Minute erneut versuchen oder sein Protokoll prüfen.',
  'Check the log of the document server for the reason.':
    'Die Ursache steht im Protokoll des Dokumentservers.',
  'Check that the document server is running there, and that no firewall blocks it.':
    'Bitte prüfen, ob der Dokumentserver dort läuft und keine Firewall ihn blockiert.',
  'the connection to {} was lost.': 'Die Verbindung zu {} ist abgebrochen.',
  'the name {} can’t be resolved.': 'Der Name {} lässt sich nicht auflösen.',
  'Give the document server a name or address that this computer can resolve.':
    'Geben Sie dem Dokumentserver einen Namen oder eine Adresse, die dieser Computer auflösen kann.',
  'nothing is listening at {}.': 'Unter {} lauscht nichts.',
  'there is no route to {}.': 'Es gibt keine Route zu {}.',
  'the certificate of {} isn’t trusted.': 'Das Zertifikat von {} ist nicht vertrauenswürdig.',
  'Make browsers on this computer trust the authority that signed it, or use the host name in the certificate.':
    'Lassen Sie Browser auf diesem Computer der Zertifizierungsstelle dahinter vertrauen, oder verwenden Sie den Hostnamen aus dem Zertifikat.',
  '{} doesn’t support HTTPS, or only a TLS version that browsers don’t accept.':
    '{} unterstützt kein HTTPS oder nur eine TLS-Version, die Browser nicht akzeptieren.',
  'Check the port, and whether it needs http:// or https://.':
    'Bitte prüfen, ob der Port stimmt und ob er http:// oder https:// braucht.',
  '{} redirects to another host, or returns no page.':
    '{} leitet zu einem anderen Host weiter oder liefert keine Seite.',
  'Connect the editor at the address of its pages.':
    'Bitte den Editor unter der Adresse seiner Seiten verbinden.',
  'it is on another host than the editor, or redirects to one: {}.':
    'Sie liegt auf einem anderen Host als der Editor oder leitet zu einem weiter: {}.',
  'If you trust the other host, connect the editor again and allow it.':
    'Ist der andere Host vertrauenswürdig, den Editor neu verbinden und den Host zulassen.',

  // the editor reaches DocTray
  'Not tested.': 'Nicht getestet.',
  'It called DocTray from {} at {}.': 'Er hat DocTray von {} aus unter {} aufgerufen.',
  'It called DocTray from {} at {} (instead of {}).':
    'Er hat DocTray von {} aus unter {} aufgerufen (statt unter {}).',
  'Its own connection check reached DocTray from {}.':
    'Seine eigene Verbindungsprüfung hat DocTray von {} aus erreicht.',
  'Its own connection check reached DocTray.': 'Seine eigene Verbindungsprüfung hat DocTray erreicht.',
  'Give it another address of this computer.': 'Geben Sie ihm eine andere Adresse dieses Computers.',
  'Collabora Online doesn’t accept documents from {}.': 'Collabora Online nimmt keine Dokumente von {} an.',
  'Start its container with the first line. Without a container, start it with the second line, or put the third one into <wopi> in coolwsd.xml.':
    'Starten Sie seinen Container mit der ersten Zeile. Ohne Container starten Sie es mit der zweiten, oder fügen Sie die dritte in <wopi> in coolwsd.xml ein.',
  'Collabora Online can’t resolve the name {}.': 'Collabora Online kann den Namen {} nicht auflösen.',
  'Start its container with this line.': 'Starten Sie seinen Container mit dieser Zeile.',
  'Collabora Online couldn’t connect to {}.': 'Collabora Online konnte sich nicht mit {} verbinden.',
  'In a container, {} is the container itself.': 'In einem Container ist {} der Container selbst.',
  'Check that DocTray listens there, and that no firewall blocks it.':
    'Bitte prüfen, ob DocTray dort lauscht und keine Firewall es blockiert.',
  'The certificate of {} has expired, according to Collabora Online.':
    'Laut Collabora Online ist das Zertifikat von {} abgelaufen.',
  'Collabora Online doesn’t trust the certificate of {}.':
    'Collabora Online vertraut dem Zertifikat von {} nicht.',
  'Make it trust the authority: save the certificate and start the container with these lines.':
    'Damit es der Zertifizierungsstelle vertraut, speichern Sie das Zertifikat und starten Sie den Container mit diesen Zeilen.',
  '{} doesn’t support HTTPS for Collabora Online.': '{} unterstützt kein HTTPS für Collabora Online.',
  'Give it the address with http://, or switch HTTPS on.':
    'Geben Sie ihm die Adresse mit http://, oder schalten Sie HTTPS ein.',
  'Collabora Online uses HTTP, but its address for DocTray is {}. Browsers block that mix.':
    'Collabora Online verwendet HTTP, seine Adresse für DocTray ist aber {}. Browser blockieren diese Mischung.',
  'Put an HTTPS proxy in front of Collabora Online and start it with this line, or give it an address with http://.':
    'Setzen Sie einen HTTPS-Proxy vor Collabora Online und starten Sie es mit dieser Zeile, oder geben Sie ihm eine Adresse mit http://.',
  'Or DocTray itself blocks the call: check the allowed addresses.':
    'Oder DocTray selbst blockiert den Aufruf: Bitte die zugelassenen Adressen prüfen.',
  '{} uses {} to reach DocTray, but another server responds there.':
    '{} erreicht DocTray unter {}, aber dort antwortet ein anderer Server.',
  'Correct the public address, or make the proxy there forward to DocTray.':
    'Berichtigen Sie die öffentliche Adresse, oder lassen Sie den Proxy dort zu DocTray weiterleiten.',
  'DocTray doesn’t listen at {}, an address of this computer.':
    'DocTray lauscht nicht unter {}, einer Adresse dieses Computers.',
  'Choose the address again, and DocTray will listen there.':
    'Wird die Adresse noch einmal gewählt, lauscht DocTray dort.',
  '{} didn’t call {} within {} s.': '{} hat {} nicht innerhalb von {} s aufgerufen.',
  'For the editor, that address is the computer it runs on, not this one.':
    'Für den Editor ist diese Adresse der Computer, auf dem er läuft, nicht dieser.',
  'If it runs in a container, {} is the container itself.':
    'Läuft er in einem Container, ist {} der Container selbst.',
  'Check that no firewall blocks it.': 'Bitte prüfen, ob eine Firewall ihn blockiert.',
  'The allowed addresses may block it.': 'Vielleicht blockieren ihn die zugelassenen Adressen.',
  'It must also trust the certificate there (see the help page Network).':
    'Außerdem muss er dem Zertifikat dort vertrauen (siehe Hilfeseite „Network“).',
  'Check its log for that address.': 'Bitte in seinem Protokoll nach dieser Adresse suchen.',
  'Some versions of ONLYOFFICE Docs don’t call private addresses by default.':
    'Manche Versionen von ONLYOFFICE Docs rufen private Adressen nicht ohne Weiteres auf.',
  'If it refuses private addresses, start its container with the first line, or put the second one into local.json.':
    'Lehnt er private Adressen ab, starten Sie seinen Container mit der ersten Zeile, oder fügen Sie die zweite in local.json ein.',
  'Either its list of hosts has {} with another port (these lines have the right one), or a proxy in front of it doesn’t pass on its WebSocket. Its log shows which.':
    'Entweder steht {} in seiner Liste der Hosts mit einem anderen Port (diese Zeilen haben den richtigen), oder ein Proxy davor gibt seinen WebSocket nicht weiter. Sein Protokoll zeigt, was zutrifft.',
  '{} calls DocTray only when its page runs in a browser, and the terminal has none.':
    '{} ruft DocTray nur auf, wenn seine Seite in einem Browser läuft, und das Terminal hat keinen.',
  'Test it in the DocTray window, or open a document.':
    'Testen Sie ihn im DocTray-Fenster, oder öffnen Sie ein Dokument.',
  'It called DocTray from {}, which isn’t an allowed address of {}.':
    'Er hat DocTray von {} aus aufgerufen, keiner zugelassenen Adresse von {}.',
  'Add that address.': 'Diese Adresse lässt sich hinzufügen.',
  'Everyone who can reach the proxy or tunnel in front of DocTray.':
    'Alle, die den Proxy oder Tunnel vor DocTray erreichen.',
  'Editors on this computer, outside containers.': 'Editoren auf diesem Computer, außerhalb von Containern.',
  'Containers on this computer, through {}.': 'Container auf diesem Computer, über {}.',
  'Computers in the network of {}, and containers on this computer.':
    'Computer im Netz von {} und Container auf diesem Computer.',
  'Computers that can resolve the name {}.': 'Computer, die den Namen {} auflösen können.',
  'Docker Desktop containers on this computer.': 'Container von Docker Desktop auf diesem Computer.',
  'Containers on this computer started with --add-host=host.docker.internal:host-gateway.':
    'Container auf diesem Computer, die mit --add-host=host.docker.internal:host-gateway gestartet sind.',
  '{} got no response from {} in time.': '{} hat von {} nicht rechtzeitig eine Antwort erhalten.',
  'A firewall may block the connection.': 'Vielleicht blockiert eine Firewall die Verbindung.',

  // signatures and clocks
  'There was no call with a signature to check.': 'Es gab keinen Aufruf mit einer Signatur zum Prüfen.',
  'Its signature is valid for the address it called ({}).':
    'Seine Signatur gilt für die Adresse, die er aufgerufen hat ({}).',
  'Its signature is valid.': 'Seine Signatur ist gültig.',
  'Its signature wasn’t checked because its clock is too far off.':
    'Seine Signatur wurde nicht geprüft, weil seine Uhr zu weit abweicht.',
  '{} has keys, but didn’t sign its call.': '{} hat Schlüssel, hat den Aufruf aber nicht signiert.',
  'Make it sign its calls, or don’t require signatures.':
    'Er muss seine Aufrufe signieren, oder Signaturen dürfen nicht verlangt sein.',
  'A proxy may have removed the headers X-WOPI-Proof and X-WOPI-TimeStamp.':
    'Vielleicht hat ein Proxy die Header X-WOPI-Proof und X-WOPI-TimeStamp entfernt.',
  '{} doesn’t sign its calls. Its discovery document has no keys.':
    '{} signiert seine Aufrufe nicht. Sein Discovery-Dokument enthält keine Schlüssel.',
  'Signatures are required, but the discovery document of {} has no keys.':
    'Signaturen werden verlangt, aber das Discovery-Dokument von {} enthält keine Schlüssel.',
  'Generate keys for it, or don’t require signatures.':
    'Erzeugen Sie Schlüssel für ihn, oder verlangen Sie keine Signaturen.',
  'The signature is invalid: {} should call {}, and its call arrived for {}.':
    'Die Signatur ist ungültig: {} soll {} aufrufen, der Aufruf kam aber für {} an.',
  'Make the proxy pass on host and path unchanged, or add it to the trusted proxies and correct the public address.':
    'Der Proxy muss Host und Pfad unverändert weitergeben, oder er gehört zu den vertrauten Proxys, mit der richtigen öffentlichen Adresse.',
  'The signature doesn’t match the keys in the discovery document of {}.':
    'Die Signatur passt nicht zu den Schlüsseln im Discovery-Dokument von {}.',
  'Servers behind one address must share their keys, and a server must keep its keys when it restarts.':
    'Server hinter einer Adresse müssen dieselben Schlüssel haben, und ein Server muss seine Schlüssel über Neustarts hinweg behalten.',
  'The signature of {} can’t be read.': 'Die Signatur von {} lässt sich nicht lesen.',
  'A proxy may have changed the headers X-WOPI-Proof, X-WOPI-ProofOld or X-WOPI-TimeStamp.':
    'Vielleicht hat ein Proxy die Header X-WOPI-Proof, X-WOPI-ProofOld oder X-WOPI-TimeStamp geändert.',
  'There was no call with a timestamp.': 'Es gab keinen Aufruf mit einem Zeitstempel.',
  'Its call has no timestamp.': 'Sein Aufruf hat keinen Zeitstempel.',
  'Its clock matches this computer’s.': 'Seine Uhr stimmt mit der dieses Computers überein.',
  'The clock of {} is {} ahead of this computer’s.':
    'Die Uhr von {} geht gegenüber der dieses Computers {} vor.',
  'The clock of {} is {} behind this computer’s.':
    'Die Uhr von {} geht gegenüber der dieses Computers {} nach.',
  'Set both clocks. DocTray refuses signatures if they are 20 min or more apart.':
    'Bitte beide Uhren stellen. Ab 20 min Unterschied lehnt DocTray Signaturen ab.',
  'Set both clocks. If they drift 20 min apart, DocTray refuses signatures.':
    'Bitte beide Uhren stellen. Bei 20 min Unterschied lehnt DocTray Signaturen ab.',

  // the built-in text editor
  'The text editor has the same address as DocTray itself: {}.':
    'Der Texteditor hat dieselbe Adresse wie DocTray selbst: {}.',
  'The text editor calls DocTray from {}, which isn’t an allowed address.':
    'Der Texteditor ruft DocTray von {} aus auf, keiner zugelassenen Adresse.',
  'The text editor can’t start: {}': 'Der Texteditor kann nicht starten: {}',
  'no port is free.': 'Kein Port ist frei.',
  'ports {} to {} are already in use.': 'Die Ports {} bis {} sind bereits belegt.',
  'port {} is DocTray’s own.': 'Port {} verwendet DocTray selbst.',
  'port {} is already in use.': 'Port {} ist bereits belegt.',
  'you don’t have permission to listen on port {}.': 'Für Port {} fehlt die Berechtigung.',
  'the address to listen on doesn’t belong to this computer.':
    'Die Adresse zum Lauschen gehört nicht zu diesem Computer.',
  'its port couldn’t be opened.': 'Sein Port ließ sich nicht öffnen.',
  'Restart DocTray. If that doesn’t help, see its log.':
    'Starten Sie DocTray neu. Hilft das nicht, steht mehr im Protokoll.',
};
