// What a failed start shows and prints.

import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../app/contract/errors.ts';
import { failStart } from '../../../app/desktop/before-ready.ts';
import { UsageError } from '../../../app/terminal/exit-code.ts';

function fakeElectron() {
  const shown: string[] = [];
  const codes: (number | undefined)[] = [];
  const paths: string[] = [];
  const app = {
    setPath: (_name: string, path: string) => void paths.push(path),
    whenReady: () => Promise.resolve(),
    exit: (code?: number) => void codes.push(code),
  };
  const dialog = { showErrorBox: (title: string, text: string) => void shown.push(`${title}: ${text}`) };
  const stderr = { write: (text: string) => shown.push(text) > 0 };
  return { app, dialog, stderr, shown, codes, paths };
}

for (const [error, sentence, code] of [
  [new UsageError('--port takes a number.'), '--port takes a number.', 2],
  [new AppError('data-folder-invalid', { detail: 'x' }), 'DocTray can’t use the data folder. x', 1],
  [new AppError('folder-invalid'), 'DocTray can’t serve this folder.', 2],
  [new Error('/home/ana/secret'), 'Something went wrong in DocTray. See its log for details.', 1],
] as const) {
  test(`reports a failed start in a dialog and on standard error, and exits with ${code}: ${sentence}`, async () => {
    const { app, dialog, stderr, shown, codes, paths } = fakeElectron();
    failStart(error, { app, dialog, stderr });
    await nextTurn();
    assert.deepEqual(shown, [`${sentence}\n`, `DocTray couldn’t start: ${sentence}`]);
    assert.deepEqual(codes, [code]);
    assert.equal(paths.length, 1);
    await assert.rejects(stat(paths[0]!));
  });
}
