// What is found once and read by callers with several languages is worded when it is read, and logged in English.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownEditorName } from '../../../app/contract/editors.ts';
import { statusFault } from '../../../app/editors/fetch-faults.ts';
import { folderWarning } from '../../../app/files/folder-access.ts';
import { speaking } from '../../../app/languages.ts';
import { editorName } from '../../../app/live-state/state-rows.ts';
import { templates } from '../../../app/templates/templates.ts';
import { CertificateFault } from '../../../app/tls/key-and-certificate.ts';

test('shows an editor by its product, without a version, and an unknown one by its user agent', () => {
  for (const [userAgent, shown] of [
    ['COOLWSD WOPI Agent 24.04.13.2', 'Collabora Online'],
    ['LOOLWSD WOPI Agent 6.4', 'Collabora Online'],
    ['COOLWSD WOPI Agent', 'Collabora Online'],
    ['OnlyOffice/8.2.1', 'ONLYOFFICE Docs'],
    ['Node.js/6.13', 'ONLYOFFICE Docs'],
    ['MSWAC', 'Office Online'],
    ['DocTray text editor', 'Text editor'],
    ['curl/8.1', 'curl/8.1'],
    ['  ', null],
    [null, null],
  ] as const) {
    assert.equal(editorName(userAgent), shown);
  }
});

test('words names and faults for each caller, and logs faults in English', () => {
  const inGerman = <Result>(read: () => Result): Result => speaking(['de-AT'], read);
  const url = new URL('http://127.0.0.1:9');
  const [certificate, editor] = inGerman(() => [
    new CertificateFault('host.tls-expired', { day: new Date(2026, 0, 1) }),
    statusFault(url, 502),
  ]);
  const cases: [read: () => string | undefined, english: string, german: string][] = [
    [() => shownEditorName('Text editor'), 'Text editor', 'Texteditor'],
    [() => shownEditorName('Text editor of the cellar'), ...two('Text editor of the cellar')],
    [() => templates[0]?.title, 'Word document', 'Word-Dokument'],
    [
      () => folderWarning({ list: undefined, save: 'EROFS' }),
      'Documents can be opened but not saved. The disk is read-only.',
      'Dokumente lassen sich öffnen, aber nicht speichern. Der Datenträger ist schreibgeschützt.',
    ],
    [
      () => certificate.sentence,
      'The certificate expired on 1 Jan 2026. Renew it.',
      'Das Zertifikat ist am 1. Jän. 2026 abgelaufen. Erneuern Sie es.',
    ],
    [
      () => editor.sentence,
      'http://127.0.0.1:9 answered 502 instead of its discovery document.',
      'http://127.0.0.1:9 hat mit 502 statt mit dem Discovery-Dokument geantwortet.',
    ],
  ];
  for (const [read, english, german] of cases) assert.deepEqual([read(), inGerman(read)], [english, german]);
  assert.equal(certificate.message, certificate.sentence);
  assert.equal(editor.message, `${editor.sentence} ${editor.remedy}`);
});

function two(text: string): [string, string] {
  return [text, text];
}
