// What dialogs, files and the browser do when a window is hidden, a name is hostile or the system refuses. test/e2e presses the rest.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { BaseWindow } from 'electron';
import { AppError } from '../../../app/contract/errors.ts';
import { createAsk, createElectronDesktop } from '../../../app/desktop/desktop.ts';
import type { ElectronDesktopDeps, Question } from '../../../app/desktop/desktop.ts';
import { quietLog } from './desktop-fixture.ts';

function windowThat(change: { isVisible?: boolean; isDestroyed?: boolean }): BaseWindow {
  let { isVisible = true } = change;
  return {
    isVisible: () => isVisible,
    isDestroyed: () => change.isDestroyed ?? false,
    show: () => void (isVisible = true),
  } as BaseWindow;
}

function bench(window?: BaseWindow) {
  const shown: { isOverWindow: boolean; defaultPath?: string }[] = [];
  const dialog = (...args: unknown[]) => {
    const { defaultPath } = args.at(-1) as { defaultPath: string };
    shown.push({ isOverWindow: args.length === 2, defaultPath });
    return Promise.resolve({ canceled: self.path === '', filePaths: [self.path], filePath: self.path });
  };
  const opened: string[] = [];
  const self = { path: '', refusal: '', browserFault: undefined as Error | undefined };
  const desktop = createElectronDesktop({
    dialog: { showOpenDialog: dialog, showSaveDialog: dialog },
    shell: {
      openPath: async (path: string) => {
        opened.push(path);
        return self.refusal;
      },
    },
    app: { getVersion: () => '1.2.3', getPath: (name: string) => `/home/ana/${name}` },
    window: () => window,
    openExternal: () =>
      self.browserFault === undefined ? Promise.resolve() : Promise.reject(self.browserFault),
    openIn: () => 'browser',
    updates: { state: () => null },
    versions: {},
  } as unknown as ElectronDesktopDeps);
  return { desktop, shown, opened, self };
}

test('a dialog is modal to the window only if the window is visible', async () => {
  for (const [isOverWindow, window] of [
    [true, windowThat({})],
    [false, windowThat({ isVisible: false })],
    [false, windowThat({ isDestroyed: true })],
    [false, undefined],
  ] as const) {
    const { desktop, shown } = bench(window);
    assert.equal(await desktop.chooseFolder(null), undefined);
    assert.deepEqual(shown, [{ isOverWindow, defaultPath: '/home/ana/documents' }]);
  }
});

test('a suggested file name can’t point to another folder, and a failed write suggests one', async () => {
  const { desktop, shown, self } = bench();
  assert.equal(await desktop.saveFile('../../.bashrc', 'csv', ''), undefined);
  assert.equal(await desktop.saveFile('a:b\\c.json', 'json', ''), undefined);
  assert.deepEqual(
    shown.map(({ defaultPath }) => defaultPath),
    ['/home/ana/downloads/.bashrc', '/home/ana/downloads/a_b_c.json'],
  );
  self.path = '/nowhere/a.crt';
  const failure = { code: 'disk-refused', message: /another folder/ };
  await assert.rejects(desktop.saveFile('a.crt', 'crt', ''), failure);
});

test('opens only folders, since opening a file could run it', async (t) => {
  const { desktop, opened, self } = bench();
  const folder = await mkdtemp(join(tmpdir(), 'doctray-desktop-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'run.sh'), '');
  await desktop.openFolder(folder);
  for (const other of ['run.sh', 'gone'])
    await assert.rejects(desktop.openFolder(join(folder, other)), { code: 'disk-refused' });
  assert.deepEqual(opened, [folder]);
  self.refusal = `Failed to open ${folder}`;
  await assert.rejects(desktop.openFolder(folder), (error: Error) => !error.message.includes(folder));
});

test('reports a browser that doesn’t start without the URL, and a URL that isn’t allowed as permission-denied', async () => {
  const { desktop, self } = bench();
  const url = 'http://127.0.0.1:8790/edit/id?ticket=secret';
  self.browserFault = new Error(`xdg-open ${url}: no such program`);
  await assert.rejects(desktop.openDocumentPage(url, 'a.odt'), (error: AppError) => {
    assert.equal(error.code, 'browser-refused');
    assert.doesNotMatch(inspect(error, { depth: 5 }), /secret/);
    return true;
  });
  self.browserFault = new AppError('permission-denied');
  await assert.rejects(desktop.openDocumentPage(url, 'a.odt'), { code: 'permission-denied' });
});

const buttons = ['Yes', 'No'];
const question: Question = { type: 'question', message: 'Sure?', buttons, defaultId: 1, cancelId: 1 };

test('on macOS, a question shows the window first, since a separate dialog would block every save', async () => {
  for (const [platform, isOverWindow] of [
    ['darwin', true],
    ['linux', false],
  ] as const) {
    const ask = createAsk({
      dialog: {
        showMessageBox: async (...args: unknown[]) => {
          assert.equal(args.length === 2, isOverWindow, platform);
          return { response: 0, checkboxChecked: false };
        },
      },
      window: () => windowThat({ isVisible: false }),
      platform,
      log: quietLog(),
    });
    assert.equal(await ask(question), 0);
  }
});

test('a question that can’t be shown has the answer that changes nothing', async () => {
  const log = quietLog();
  const dialog = { showMessageBox: () => Promise.reject(new Error('no display')) };
  const answer = await createAsk({ dialog, window: () => undefined, platform: 'linux', log })(question);
  assert.equal(answer, question.cancelId);
  assert.deepEqual(log.lines, ['A dialog couldn’t be shown.']);
});
