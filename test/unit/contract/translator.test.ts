import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, messageFor } from '../../../app/contract/errors.ts';
import { sharedGerman } from '../../../app/contract/german.ts';
import { chooseLanguage, translated } from '../../../app/contract/messages.ts';
import { createTranslator } from '../../../app/contract/translator.ts';
import { unreachable } from '../../../app/editors/editor-fault.ts';
import { faultOfConnection } from '../../../app/editors/fetch-faults.ts';
import { german as windowGerman } from '../../../renderer/window/german.ts';
import { findSettingFault } from '../../../app/settings/settings-schema.ts';

const german = createTranslator(sharedGerman);

test('translates a sentence with values, in the order of the other language', () => {
  assert.equal(
    german('There is no container called doctray-collabora.'),
    'Es gibt keinen Container namens doctray-collabora.',
  );
  const swapped = createTranslator({ 'Moved {} to {}.': 'Nach {2} kam {1}.' });
  assert.equal(swapped('Moved Budget.xlsx to Reports.'), 'Nach Reports kam Budget.xlsx.');
});

test('translates an error with its detail, and a sentence inside of another one', () => {
  const refused = faultOfConnection(new URL('http://localhost:9980'), { code: 'ECONNREFUSED' }, false);
  assert.equal(
    german(messageFor('window', unreachable(refused))),
    'DocTray kann den Editor nicht erreichen. Unter localhost:9980 lauscht nichts (Verbindung abgelehnt). Bitte den Dokumentserver starten oder den Port prüfen.',
  );
  const { sentence = '' } = findSettingFault({ allowedHosts: ['a.example', 'b c'] }) ?? {};
  assert.equal(
    german(messageFor('window', new AppError('setting-invalid', { detail: sentence }))),
    'Die Einstellung wurde nicht geändert. Hostnamen oder Adressen eingeben, ohne Port. "b c" gehört nicht dazu.',
  );
  const starting = new AppError('host-away', { detail: 'It’s starting. Try again in a moment.' });
  assert.equal(
    german(messageFor('window', starting)),
    'DocTray gibt gerade keinen Ordner frei. Es wird gestartet. Bitte gleich noch einmal versuchen.',
  );
});

test('translates messages with plurals that the host has filled in', () => {
  assert.equal(
    german('2 of 5 files copied. “Plan.odt”: The disk is full.'),
    '2 von 5 Dateien kopiert. “Plan.odt”: Der Datenträger ist voll.',
  );
  assert.equal(german('1 of 1 file copied.'), '1 von 1 Datei kopiert.');
  assert.equal(
    german('2 locks need attention, 1 recovered save. Overview shows more.'),
    '2 Sperren sind zu prüfen, 1 gesicherte Fassung. Die Übersicht zeigt mehr.',
  );
});

test('leaves names alone, whatever they are', () => {
  assert.equal(german('There is no container called Quit.'), 'Es gibt keinen Container namens Quit.');
  assert.equal(german('The folder yesterday doesn’t exist.'), 'Den Ordner yesterday gibt es nicht.');
  assert.equal(
    german('“Settings” already exists there. Rename one of them, then try again.'),
    '“Settings” gibt es dort schon. Nach dem Umbenennen erneut versuchen.',
  );
  assert.equal(
    german('There is no container called a.b. C (*|{}).'),
    'Es gibt keinen Container namens a.b. C (*|{}).',
  );
  assert.equal(
    german('{count, plural, other {x}} didn’t respond in time.'),
    '{count, plural, other {x}} hat nicht rechtzeitig geantwortet.',
  );
});

test('keeps what it doesn’t know, and translates the rest', () => {
  assert.equal(german('A sentence of a newer version.'), 'A sentence of a newer version.');
  assert.equal(
    german('Docker or Podman reported an error. Docker: no such network. Check the address.'),
    'Docker oder Podman meldet einen Fehler. Docker: no such network. Bitte die Adresse prüfen.',
  );
  for (const text of ['', 'constructor', '__proto__', ' ', '.']) assert.equal(german(text), text);
});

test('translates a whole sentence or nothing of it', () => {
  for (const text of [
    'The port is already in use. Choose another in Settings.',
    'Port 8790 is already in use. Choose another with --port.',
    'Your folder can be written to.',
  ])
    assert.equal(german(text), text);
  assert.equal(
    german('0.0.0.0:8790 is already in use. Choose another address in Settings.'),
    '0.0.0.0:8790 ist bereits belegt. Bitte in den Einstellungen eine andere Adresse wählen.',
  );
  assert.equal(german('The plan.docx is already in use.'), 'The plan.docx ist bereits belegt.');
});

test('leaves names and paths alone in text it doesn’t know, also when they look like a message', () => {
  chooseLanguage(['de-DE'], { de: windowGerman }, { de: sharedGerman });
  try {
    assert.equal(translated('“3 of 5 reports” already exists.'), '„3 of 5 reports“ gibt es schon.');
    assert.equal(translated('“1 recovered save” already exists.'), '„1 recovered save“ gibt es schon.');
    for (const text of [
      '/home/ana/List of things was removed by Docker.',
      'container: end of file',
      'a long time ago',
    ])
      assert.equal(translated(text), text);
  } finally {
    chooseLanguage(['en-GB'], {});
  }
});

test('compares a long text of another server with few messages, however many sentences it has', (context) => {
  const starts = context.mock.method(String.prototype, 'startsWith').mock;
  for (const text of ['a. b: c? '.repeat(66), 'The disk is at x. '.repeat(33), 'x'.repeat(100_000)]) {
    starts.resetCalls();
    german(text);
    assert.ok(starts.callCount() < 1000, `${starts.callCount()} comparisons`);
  }
});

test('leaves everything in English without a catalog', () => {
  assert.equal(
    translated('The disk is full. Add that address (`editors change`).'),
    'The disk is full. Add that address (`editors change`).',
  );
});

test('words a detail with values in the language of the process', () => {
  const error = new AppError('file-locked', { detail: 'Kim has it open.' });
  assert.match(messageFor('window', error), / Kim has it open\.$/u);
  chooseLanguage(['de-DE'], { de: sharedGerman });
  try {
    assert.match(messageFor('window', error), / Kim hat es geöffnet\.$/u);
    assert.match(messageFor('terminal', error), / Kim has it open\.$/u);
  } finally {
    chooseLanguage(['en-GB'], {});
  }
});
