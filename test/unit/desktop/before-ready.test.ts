// The sentences of a start that fails, and of an error that nothing caught.

import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../app/contract/errors.ts';
import { failStart } from '../../../app/desktop/before-ready.ts';
import { UsageError } from '../../../app/terminal/exit-code.ts';

function endings() {
  const told: string[] = [];
  const codes: (number | undefined)[] = [];
  const paths: string[] = [];
  const app = {
    setPath: (_name: string, path: string) => void paths.push(path),
    whenReady: () => Promise.resolve(),
    exit: (code?: number) => void codes.push(code),
  };
  const dialog = { showErrorBox: (title: string, text: string) => void told.push(`${title}: ${text}`) };
  const stderr = { write: (text: string) => told.push(text) > 0 };
  return { app, dialog, stderr, told, codes, paths };
}

for (const [error, sentence, code] of [
  [new UsageError('--port takes a number.'), '--port takes a number.', 2],
  [new AppError('data-folder-invalid', { detail: 'x' }), 'DocTray can’t use the data folder. x', 1],
  [new AppError('folder-invalid'), 'DocTray can’t serve this folder.', 2],
  [new Error('/home/ana/secret'), 'Something went wrong in DocTray. See its log for details.', 1],
] as const) {
  test(`a start that fails (${sentence}) says so to both kinds of people and ends with ${code}`, async () => {
    const { app, dialog, stderr, told, codes, paths } = endings();
    failStart(error, { app, dialog, stderr });
    await nextTurn();
    assert.deepEqual(told, [`${sentence}\n`, `DocTray couldn’t start: ${sentence}`]);
    assert.deepEqual(codes, [code]);
    assert.equal(paths.length, 1);
    await assert.rejects(stat(paths[0]!));
  });
}
