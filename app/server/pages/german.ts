// The pages that browsers show for signing in and for errors, in German.

import { sharedGerman } from '../../contract/german.ts';
import type { Catalog } from '../../contract/messages.ts';

export const pagesGerman: Catalog = {
  ...sharedGerman,
  'Sign in': 'Anmelden',
  'Sign in to open the document': 'Zum Öffnen des Dokuments anmelden',
  'Use your DocTray user name and password. The owner of this DocTray can add you as a user.':
    'Mit dem Benutzernamen und Passwort für DocTray. Der Besitzer dieses DocTray kann Sie als Benutzer hinzufügen.',
  'User name': 'Benutzername',
  Password: 'Passwort',
  'The document is closed': 'Das Dokument ist geschlossen',
  'You can close this tab.': 'Dieser Tab kann geschlossen werden.',
  'Opening {}…': '{} wird geöffnet…',
  'Not opened yet': 'Noch nicht geöffnet',
  'The page couldn’t be built': 'Die Seite konnte nicht erstellt werden',
  'See the log for the reason, then restart DocTray.':
    'Die Ursache steht im Protokoll. Danach DocTray neu starten.',
  'Its files are missing.': 'Die Dateien der Seite fehlen.',
  'No editor can open this document': 'Kein Editor kann dieses Dokument öffnen',
  Download: 'Herunterladen',
  'This document doesn’t exist': 'Dieses Dokument gibt es nicht',
  'DocTray is paused': 'DocTray ist pausiert',
  'This document can’t be opened': 'Dieses Dokument lässt sich nicht öffnen',
  '{} can only convert this type.': '{} kann diesen Typ nur konvertieren.',
  'On the computer that runs DocTray, open Settings, then Editors, and connect a document server for this type. Then reload this page.':
    'Auf dem Computer mit DocTray lässt sich unter „Einstellungen“ → „Editoren“ ein Dokumentserver für diesen Typ verbinden. Danach diese Seite neu laden.',
  'The document is being edited. Close it in the editor, or ask the owner of this DocTray to force-clear its lock.':
    'Das Dokument wird gerade bearbeitet. Schließen Sie es im Editor, oder bitten Sie den Besitzer von DocTray, die Sperre aufzuheben.',
  'Ask the owner of this DocTray to connect a document server for this type. Then reload this page.':
    'Bitten Sie den Besitzer dieses DocTray, einen Dokumentserver für diesen Typ zu verbinden. Danach diese Seite neu laden.',
  'Switch on the text editor on the computer that runs DocTray: in Settings → Editors, or with the setting textEditor. Or connect a document server for this type there. Then reload this page.':
    'Der Texteditor lässt sich auf dem Computer mit DocTray einschalten: unter „Einstellungen“ → „Editoren“ oder mit der Einstellung textEditor. Auch ein Dokumentserver für diesen Typ lässt sich dort verbinden. Danach diese Seite neu laden.',
  'Ask the owner of this DocTray to switch on the text editor or to connect a document server for this type. Then reload this page.':
    'Bitten Sie den Besitzer dieses DocTray, den Texteditor einzuschalten oder einen Dokumentserver für diesen Typ zu verbinden. Danach diese Seite neu laden.',
  'This page has expired. Open the document again from DocTray, or reload the page to sign in.':
    'Diese Seite ist abgelaufen. Öffnen Sie das Dokument in DocTray noch einmal, oder laden Sie die Seite zum Anmelden neu.',
};
