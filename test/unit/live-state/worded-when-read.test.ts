// What is found once and read by callers with several languages is worded when it is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownEditorName } from '../../../app/contract/editors.ts';
import { statusFault } from '../../../app/editors/fetch-faults.ts';
import { folderWarning } from '../../../app/files/folder-access.ts';
import { speaking } from '../../../app/languages.ts';
import { editorName } from '../../../app/live-state/state-rows.ts';
import { templates } from '../../../app/templates/templates.ts';
import { CertificateFault } from '../../../app/tls/key-and-certificate.ts';

function inGerman<Result>(read: () => Result): Result {
  return speaking(['de-AT'], read);
}

test('the built-in text editor has one name in each language, and other editors keep theirs', () => {
  assert.equal(shownEditorName('Text editor'), 'Text editor');
  assert.equal(
    inGerman(() => shownEditorName('Text editor')),
    'Texteditor',
  );
  assert.equal(
    inGerman(() => editorName('DocTray text editor')),
    'Texteditor',
  );
  assert.equal(
    inGerman(() => shownEditorName('Text editor of the cellar')),
    'Text editor of the cellar',
  );
});

test('words a problem with the folder for each caller', () => {
  const faults = { list: undefined, save: 'EROFS' };
  assert.equal(folderWarning(faults), 'Documents can be opened but not saved. The disk is read-only.');
  assert.equal(
    inGerman(() => folderWarning(faults)),
    'Dokumente lassen sich öffnen, aber nicht speichern. Der Datenträger ist schreibgeschützt.',
  );
});

test('words a certificate’s fault for each caller, and logs it in English', () => {
  const { fault, message } = inGerman(() => {
    const found = new CertificateFault('host.tls-expired', { day: '2026-01-01' });
    return { fault: found, message: found.message };
  });
  assert.equal(message, 'The certificate expired on 2026-01-01. Renew it.');
  assert.equal(fault.sentence, message);
  assert.equal(
    inGerman(() => fault.sentence),
    'Das Zertifikat ist am 2026-01-01 abgelaufen. Erneuern Sie es.',
  );
});

test('words an editor’s fault for each caller, and logs it in English', () => {
  const fault = inGerman(() => statusFault(new URL('http://127.0.0.1:9'), 502));
  const english = 'http://127.0.0.1:9 answered 502 instead of its discovery document.';
  assert.equal(fault.message, `${english} ${fault.remedy}`);
  assert.equal(fault.sentence, english);
  assert.equal(
    inGerman(() => fault.sentence),
    'http://127.0.0.1:9 hat mit 502 statt mit dem Discovery-Dokument geantwortet.',
  );
});

test('words the templates’ titles for each caller', () => {
  assert.deepEqual({ ...templates[0] }, { id: 'docx', title: 'Word document', extension: 'docx' });
  assert.equal(
    inGerman(() => templates[0]?.title),
    'Word-Dokument',
  );
});
