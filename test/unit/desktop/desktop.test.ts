import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { BaseWindow, OpenDialogOptions, SaveDialogOptions } from 'electron';
import { AppError } from '../../../app/contract/errors.ts';
import { createAsk, createElectronDesktop, type Question } from '../../../app/desktop/desktop.ts';
import type { Desktop } from '../../../app/commands/desktop.ts';
import { quietLog } from './desktop-fixture.ts';

interface FakeWindow {
  isVisible(): boolean;
  isDestroyed(): boolean;
  show(): void;
}

function fakeWindow(isVisible: boolean, isDestroyed = false): BaseWindow & FakeWindow {
  let isShown = isVisible;
  const window: FakeWindow = {
    isVisible: () => isShown,
    isDestroyed: () => isDestroyed,
    show: () => void (isShown = true),
  };
  return window as BaseWindow & FakeWindow;
}

interface Bench {
  desktop: Desktop;
  done: unknown[];
  options: unknown[];
  self: {
    window: BaseWindow | undefined;
    paths: string[];
    refusal: string;
    /** The index of the button that the user clicks. */
    answer: number;
    openIn: 'browser' | 'window';
    browserFault: Error | undefined;
  };
}

function bench(): Bench {
  const done: unknown[] = [];
  const options: unknown[] = [];
  const self: Bench['self'] = {
    window: undefined,
    paths: [],
    refusal: '',
    answer: 1,
    openIn: 'browser',
    browserFault: undefined,
  };
  const recordDialog = <Options>(args: [BaseWindow, Options] | [Options]): void => {
    done.push(args.length === 2 ? 'over the window' : 'alone');
    options.push(args.at(-1));
  };
  const desktop = createElectronDesktop({
    isAfterFailure: true,
    dialog: {
      async showOpenDialog(...args: [BaseWindow, OpenDialogOptions] | [OpenDialogOptions]) {
        recordDialog(args);
        return { canceled: self.paths.length === 0, filePaths: self.paths };
      },
      async showSaveDialog(...args: [BaseWindow, SaveDialogOptions] | [SaveDialogOptions]) {
        recordDialog(args);
        return { canceled: self.paths.length === 0, filePath: self.paths[0] ?? '' };
      },
    },
    async ask({ message, buttons, defaultId, cancelId }) {
      done.push(`asked ${message} [${buttons.join('|')}] ${defaultId} ${cancelId}`);
      return self.answer;
    },
    clipboard: { writeText: (text) => void done.push(`copied ${text}`) },
    shell: {
      showItemInFolder: (path) => void done.push(`shown ${path}`),
      async openPath(path) {
        done.push(`opened ${path}`);
        return self.refusal;
      },
    },
    app: { getVersion: () => '1.2.3', getPath: (name) => `/home/ana/${name}` },
    window: () => self.window,
    openExternal(url) {
      done.push(`browsed ${url}`);
      return self.browserFault === undefined ? Promise.resolve() : Promise.reject(self.browserFault);
    },
    openWindow: async (url, title) => void done.push(`window ${url} ${title}`),
    openIn: () => self.openIn,
    helpUrl: (page) => `https://example.org/${page}`,
    autostart: { isOn: () => null, set: async (isOn) => void done.push(`at login ${isOn}`) },
    hasTray: () => true,
    quit: () => void done.push('quit'),
    quitAndThen: () => void done.push('quit and then'),
    updates: {
      state: () => null,
      check: async () => void done.push('checked'),
      installAndRestart: () => void done.push('installed'),
    },
    versions: { electron: '45.0.0', chrome: '150.0', node: '24.0.0', v8: 'x' },
  });
  return { desktop, done, options, self };
}

test('chooses a folder in a dialog that is modal to the window only if the window is visible', async () => {
  const { desktop, done, options, self } = bench();
  self.window = fakeWindow(true);
  self.paths = ['/srv/Documents'];
  assert.equal(await desktop.chooseFolder('/srv'), '/srv/Documents');
  self.window = fakeWindow(false);
  self.paths = [];
  assert.equal(await desktop.chooseFolder(null), undefined);
  self.window = fakeWindow(true, true);
  await desktop.chooseFolder(null);
  assert.deepEqual(done, ['over the window', 'alone', 'alone']);
  const [first, second] = options as OpenDialogOptions[];
  assert.equal(first?.defaultPath, '/srv');
  assert.ok(first.properties?.includes('openDirectory'));
  assert.equal(second?.defaultPath, '/home/ana/documents');
});

test('a suggested file name can’t point to another folder', async () => {
  const { desktop, options } = bench();
  assert.equal(await desktop.saveFile('../../.bashrc', 'csv', ''), undefined);
  assert.equal(await desktop.saveFile('a:b\\c.json', 'json', ''), undefined);
  const [first, second] = options as SaveDialogOptions[];
  assert.equal(first?.defaultPath, '/home/ana/downloads/.bashrc');
  assert.deepEqual(first.filters, [{ name: 'CSV', extensions: ['csv'] }]);
  assert.equal(second?.defaultPath, '/home/ana/downloads/a_b_c.json');
});

test('opens only folders, since opening a file could run it', async () => {
  const { desktop, done, self } = bench();
  const folder = await mkdtemp(join(tmpdir(), 'doctray-desktop-'));
  try {
    const file = join(folder, 'run.sh');
    await writeFile(file, '');
    await desktop.openFolder(folder);
    await assert.rejects(desktop.openFolder(file), { code: 'disk-refused' });
    await assert.rejects(desktop.openFolder(join(folder, 'gone')), { code: 'disk-refused' });
    assert.deepEqual(done, [`opened ${folder}`]);
    self.refusal = `Failed to open ${folder}`;
    await assert.rejects(desktop.openFolder(folder), (error: Error) => !error.message.includes(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('passes copying, revealing, help, start at login and quitting to Electron', async () => {
  const { desktop, done } = bench();
  desktop.copyText('x');
  desktop.reveal('/a');
  await desktop.openHelp('onlyoffice');
  await desktop.setStartsAtLogin(true);
  desktop.quit();
  assert.deepEqual(done, [
    'copied x',
    'shown /a',
    'browsed https://example.org/onlyoffice',
    'at login true',
    'quit',
  ]);
  assert.equal(desktop.startsAtLogin(), null);
  assert.equal(desktop.hasTray(), true);
  assert.equal(desktop.appVersion, '1.2.3');
  assert.deepEqual(desktop.versions, { Electron: '45.0.0', Chromium: '150.0', Node: '24.0.0' });
});

const question: Question = {
  type: 'question',
  message: 'Sure?',
  buttons: ['Yes', 'No'],
  defaultId: 1,
  cancelId: 1,
};

async function ask(window: BaseWindow | undefined, platform: NodeJS.Platform): Promise<unknown[]> {
  const calls: unknown[] = [];
  const answer = await createAsk({
    log: quietLog(),
    dialog: {
      async showMessageBox(...args: unknown[]) {
        calls.push(args.length === 2 ? 'over the window' : 'alone', args.at(-1));
        return { response: 0, checkboxChecked: false };
      },
    },
    window: () => window,
    platform,
  })(question);
  assert.equal(answer, 0);
  return calls;
}

test('a question is modal to the window only if the window is visible', async () => {
  const [where, options] = await ask(fakeWindow(true), 'linux');
  assert.equal(where, 'over the window');
  assert.deepEqual(options, { ...question, title: 'DocTray', noLink: true });
  assert.equal((await ask(fakeWindow(false), 'linux'))[0], 'alone');
  assert.equal((await ask(fakeWindow(true, true), 'linux'))[0], 'alone');
  assert.equal((await ask(undefined, 'win32'))[0], 'alone');
});

test('on macOS, a question is always modal to the window, since a separate dialog would block every save', async () => {
  assert.equal((await ask(fakeWindow(false), 'darwin'))[0], 'over the window');
});

test('a question that can’t be shown has the answer that changes nothing', async () => {
  const log = quietLog();
  const dialog = { showMessageBox: () => Promise.reject(new Error('no display')) };
  const answer = await createAsk({ dialog, window: () => undefined, platform: 'linux', log })(question);
  assert.equal(answer, question.cancelId);
  assert.deepEqual(log.lines, ['A dialog couldn’t be shown.']);
});

test('opens a document in the browser or in a window, depending on the setting', async () => {
  const { desktop, done, self } = bench();
  const url = 'http://127.0.0.1:8790/edit/id?ticket=secret';
  assert.equal(await desktop.openDocumentPage(url, 'a.odt'), 'browser');
  self.openIn = 'window';
  assert.equal(await desktop.openDocumentPage(url, 'a.odt'), 'window');
  assert.deepEqual(done, [`browsed ${url}`, `window ${url} a.odt`]);
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

test('saves a certificate with the certificate file type, and reports a failed write', async (context) => {
  const { desktop, options, self } = bench();
  const folder = await mkdtemp(join(tmpdir(), 'doctray-desktop-'));
  context.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a.crt');
  self.paths = [path];
  assert.equal(await desktop.saveFile('DocTray authority.crt', 'crt', 'the certificate'), path);
  assert.equal(await readFile(path, 'utf8'), 'the certificate');
  assert.deepEqual((options[0] as SaveDialogOptions).filters, [{ name: 'Certificate', extensions: ['crt'] }]);
  self.paths = [join(folder, 'missing', 'a.crt')];
  await assert.rejects(desktop.saveFile('a.crt', 'crt', ''), {
    code: 'disk-refused',
    message: /another folder/,
  });
});
