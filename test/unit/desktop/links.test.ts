import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { App } from 'electron';
import { AppError } from '../../../app/contract/errors.ts';
import { viewNames } from '../../../app/contract/pushes.ts';
import {
  createLinks,
  linkRequests,
  parseLink,
  registerLinks,
  type Links,
} from '../../../app/desktop/links.ts';
import { editor, questions, quietLog, stateOf } from './desktop-fixture.ts';
import { fc } from '../../random.ts';

interface Bench {
  links: Links;
  app: EventEmitter;
  folder: string;
  outside: string;
  done: unknown[];
  asked: ReturnType<typeof questions>;
  log: ReturnType<typeof quietLog>;
  /** Polls until the check passes. */
  until(check: () => boolean): Promise<void>;
}

async function bench(
  t: TestContext,
  choice: { hasFolder?: boolean; refuses?: Error; startingFor?: number; hasEditor?: boolean } = {},
): Promise<Bench> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'doctray-links-')));
  t.after(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'Documents');
  const outside = join(base, 'outside');
  await mkdir(join(folder, 'x'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(folder, 'x', 'a.odt'), 'a');
  await writeFile(join(outside, 'b.odt'), 'b');
  await writeFile(join(outside, 'c.odt'), 'c');
  const done: unknown[] = [];
  const asked = questions();
  const log = quietLog();
  const isChosen = choice.hasFolder ?? true;
  let starting = choice.startingFor ?? 0;
  const links = createLinks({
    state() {
      starting -= 1;
      if (starting >= 0) return stateOf({ host: { status: 'starting', folder: null, folderName: null } });
      return stateOf({
        host: isChosen ? { folder } : { folder: null, folderName: null },
        editors: choice.hasEditor === true ? [editor('Collabora')] : [],
      });
    },
    run(name, args) {
      done.push([name, args]);
      return choice.refuses === undefined ? Promise.resolve({ jobId: '1' }) : Promise.reject(choice.refuses);
    },
    show(to) {
      done.push('show');
      if (to !== undefined) done.push(to);
    },
    ask: asked.ask,
    showError: (problem) => void done.push(problem.code),
    log,
  });
  const app = new EventEmitter();
  links.attach(app as unknown as App);
  return {
    links,
    app,
    folder,
    outside,
    done,
    asked,
    log,
    async until(check) {
      const signal = AbortSignal.timeout(5000);
      while (!check()) {
        signal.throwIfAborted();
        await new Promise((resolve) => void setTimeout(resolve, 5));
      }
    },
  };
}

const macEvent = { preventDefault: () => undefined };

test('a second launch without targets shows the window, unless it is hidden', async (t) => {
  const { links, app, done } = await bench(t);
  links.start();
  app.emit('second-instance', {}, ['electron', '/etc/passwd'], '/', {
    targets: [],
    cwd: '/',
    isHidden: true,
  });
  assert.deepEqual(done, []);
  app.emit('second-instance', {}, [], '/', { targets: [], cwd: '/', isHidden: false });
  assert.deepEqual(done, ['show']);
});

test('follows requests from before the start when it starts', async (t) => {
  const { links, app, done, folder, until } = await bench(t);
  assert.equal(links.hasRequests(), false);
  links.launched({ targets: [], cwd: '/' });
  assert.equal(links.hasRequests(), false);
  app.emit('open-file', macEvent, join(folder, 'x', 'a.odt'));
  assert.equal(links.hasRequests(), true);
  assert.deepEqual(done, []);
  links.start();
  await until(() => done.length === 2);
  assert.deepEqual(done, ['show', { view: 'documents', path: 'x/a.odt' }]);
});

test('a document of the first launch waits until the host knows its folder', async (t) => {
  const { links, done, folder, until } = await bench(t, { startingFor: 2 });
  links.launched({ targets: [join(folder, 'x', 'a.odt')], cwd: '/' });
  links.start();
  await until(() => done.length === 2);
  assert.deepEqual(done, ['show', { view: 'documents', path: 'x/a.odt' }]);
});

test('shows a document in the folder by link, by path and through a symbolic link', async (t) => {
  const { links, done, folder, outside, until } = await bench(t);
  await symlink(join(folder, 'x', 'a.odt'), join(outside, 'link.odt'));
  links.start();
  links.launched({ targets: ['doctray://open?path=x/a.odt'], cwd: '/' });
  links.launched({ targets: ['a.odt'], cwd: join(folder, 'x') });
  links.launched({ targets: [join(outside, 'link.odt')], cwd: '/' });
  links.launched({ targets: [folder], cwd: '/' });
  await until(() => done.length === 8);
  assert.deepEqual(
    done.filter((what) => what !== 'show'),
    [
      { view: 'documents', path: 'x/a.odt' },
      { view: 'documents', path: 'x/a.odt' },
      { view: 'documents', path: 'x/a.odt' },
      { view: 'documents' },
    ],
  );
});

const opened = (path: string, mode: 'edit' | 'view' = 'edit') => [
  'documents.openInEditor',
  { path, mode, editorId: null },
];

test('opens a document in a connected editor without showing the window', async (t) => {
  const { links, done, folder, until } = await bench(t, { hasEditor: true });
  links.start();
  links.launched({ targets: ['doctray://open?path=x/a.odt&mode=view'], cwd: '/' });
  links.launched({ targets: [join(folder, 'x', 'a.odt'), 'doctray://open?path=x/b.odt'], cwd: '/' });
  await until(() => done.length === 3);
  assert.deepEqual(done, [opened('x/a.odt', 'view'), opened('x/a.odt'), opened('x/b.odt')]);
});

test('shows a folder, or a document that no editor opens, in the window', async (t) => {
  const { links, done, folder, until } = await bench(t, { hasEditor: true });
  links.start();
  links.launched({ targets: ['doctray://open?path=x/a.xyz'], cwd: '/' });
  links.launched({ targets: [join(folder, 'x')], cwd: '/' });
  await until(() => done.length === 4);
  assert.deepEqual(done, [
    'show',
    { view: 'documents', path: 'x/a.xyz' },
    'show',
    { view: 'documents', path: 'x' },
  ]);
});

test('reports a document that couldn’t be opened, and shows it in the window', async (t) => {
  const { links, done, until } = await bench(t, { hasEditor: true, refuses: new AppError('file-missing') });
  links.start();
  links.launched({ targets: ['doctray://open?path=x/gone.odt'], cwd: '/' });
  await until(() => done.length === 4);
  assert.deepEqual(done, [
    opened('x/gone.odt'),
    'file-missing',
    'show',
    { view: 'documents', path: 'x/gone.odt' },
  ]);
});

test('opens at most ten documents of a launch, and shows the last one in the window', async (t) => {
  const { links, done, until } = await bench(t, { hasEditor: true });
  links.start();
  const targets = Array.from({ length: 50 }, (_, index) => `doctray://open?path=${index}.odt`);
  links.launched({ targets, cwd: '/' });
  await until(() => done.some((what) => typeof what === 'object' && what !== null && 'view' in what));
  assert.equal(done.filter((what) => Array.isArray(what)).length, 10);
  assert.deepEqual(done.slice(10), ['show', { view: 'documents', path: '49.odt' }]);
});

test('a document of the first launch opens in its editor once the host serves', async (t) => {
  const { links, done, until } = await bench(t, { hasEditor: true, startingFor: 2 });
  links.launched({ targets: ['doctray://open?path=x/a.odt'], cwd: '/' });
  links.start();
  await until(() => done.length === 1);
  assert.deepEqual(done, [opened('x/a.odt')]);
});

test('copies a file from outside the folder only after a confirmation', async (t) => {
  const { links, done, outside, asked, until } = await bench(t);
  links.start();
  links.launched({ targets: ['b.odt'], cwd: outside });
  await until(() => asked.open.length === 1);
  assert.equal(asked.open[0]?.message, 'b.odt isn’t in the folder Documents.');
  assert.deepEqual(asked.open[0].buttons, ['Copy into the folder', 'Cancel']);
  assert.deepEqual([asked.open[0].defaultId, asked.open[0].cancelId], [1, 1]);
  await asked.answer(1);
  links.launched({ targets: ['b.odt', 'c.odt'], cwd: outside });
  await until(() => asked.open.length === 1);
  assert.equal(asked.open[0].message, 'b.odt and c.odt aren’t in the folder Documents.');
  assert.deepEqual(done, ['show', 'show']);
  await asked.answer(0);
  await until(() => done.length === 5);
  assert.deepEqual(done.slice(2), [
    ['documents.import', { folderPath: '', sources: [join(outside, 'b.odt'), join(outside, 'c.odt')] }],
    'show',
    { view: 'documents' },
  ]);
});

test('treats a symbolic link that points outside the folder as a file from outside', async (t) => {
  const { links, folder, outside, asked, until } = await bench(t);
  await symlink(join(outside, 'b.odt'), join(folder, 'out.odt'));
  links.start();
  links.launched({ targets: [join(folder, 'out.odt')], cwd: '/' });
  await until(() => asked.open.length === 1);
  assert.equal(asked.open[0]?.message, 'out.odt isn’t in the folder Documents.');
});

test('doesn’t offer to copy a folder from outside or a missing file', async (t) => {
  const { links, done, outside, asked, until } = await bench(t);
  links.start();
  links.launched({ targets: [outside, join(outside, 'gone.odt')], cwd: '/' });
  await until(() => asked.open.length === 1);
  assert.equal(asked.open[0]?.message, 'DocTray can’t open outside and gone.odt.');
  await asked.answer(0);
  assert.deepEqual(done, ['show']);
});

test('on Windows, never contacts a computer that a launch names, unless it has the served folder', async () => {
  const accessed: string[] = [];
  const record = (path: unknown): Promise<never> => {
    accessed.push(String(path));
    return Promise.reject(new Error('unreachable'));
  };
  const asked = questions();
  const places: unknown[] = [];
  let folder = 'C:\\Users\\ana\\Documents';
  const links = createLinks({
    state: () => stateOf({ host: { folder } }),
    run: () => Promise.resolve(undefined),
    show: (to) => void (to !== undefined && places.push(to)),
    ask: asked.ask,
    showError: () => undefined,
    log: quietLog(),
    platform: 'win32',
    files: { realpath: record, stat: record },
  });
  links.start();
  for (const [target, cwd] of [
    ['\\\\server\\share\\a.docx', 'C:\\'],
    ['//server/share/a.docx', 'C:\\'],
    ['\\\\?\\UNC\\server\\share\\a.docx', 'C:\\'],
    ['\\\\.\\pipe\\a', 'C:\\'],
    ['a.docx', '\\\\server\\share'],
    ['\\a.docx', '\\\\server\\share'],
  ] as const) {
    links.launched({ targets: [target], cwd });
    for (let turn = 0; asked.open.length === 0 && turn < 100; turn += 1)
      await new Promise((resolve) => void setImmediate(resolve));
    assert.match(asked.open[0]?.message ?? '', /^DocTray can’t open .+\.$/u, target);
    await asked.answer(0);
    assert.deepEqual(accessed, [], target);
  }

  folder = '\\\\Server\\share\\docs';
  links.launched({ targets: ['\\\\server\\share\\docs-2\\a.docx'], cwd: 'C:\\' });
  for (let turn = 0; asked.open.length === 0 && turn < 100; turn += 1)
    await new Promise((resolve) => void setImmediate(resolve));
  await asked.answer(0);
  assert.deepEqual(accessed, []);
  links.launched({ targets: ['\\\\server\\share\\docs\\x\\a.docx'], cwd: 'C:\\' });
  for (let turn = 0; accessed.length < 2 && turn < 100; turn += 1)
    await new Promise((resolve) => void setImmediate(resolve));
  assert.deepEqual(accessed.slice(0, 2), [folder, '\\\\server\\share\\docs\\x\\a.docx']);
});

test('reports a copy that failed', async (t) => {
  const { links, done, outside, asked, until } = await bench(t, { refuses: new AppError('folder-missing') });
  links.start();
  links.launched({ targets: ['b.odt'], cwd: outside });
  await until(() => asked.open.length === 1);
  await asked.answer(0);
  await until(() => done.includes('folder-missing'));
});

test('without a hosted folder, only shows the window', async (t) => {
  const { links, done, outside, asked } = await bench(t, { hasFolder: false });
  links.start();
  links.launched({ targets: ['b.odt', 'doctray://locks'], cwd: outside });
  await new Promise((resolve) => void setTimeout(resolve, 50));
  assert.deepEqual(done, ['show']);
  assert.deepEqual(asked.open, []);
});

test('ignores an invalid link on macOS, and doesn’t log it', async (t) => {
  const { links, app, done, log, until } = await bench(t);
  links.start();
  app.emit('open-url', macEvent, 'doctray://run?path=secret');
  assert.deepEqual(done, []);
  assert.deepEqual(log.lines, []);
  app.emit('open-url', macEvent, 'doctray://locks');
  await until(() => done.length === 2);
  assert.deepEqual(done, ['show', { view: 'locks' }]);
});

test('registers the link scheme on Windows, and on macOS if packaged', () => {
  const register = (platform: NodeJS.Platform, isPackaged: boolean): unknown[] => {
    const calls: unknown[] = [];
    registerLinks({
      platform,
      execPath: '/electron',
      app: {
        isPackaged,
        getAppPath: () => '/src',
        setAsDefaultProtocolClient: (...args) => calls.push(args) > 0,
      },
    });
    return calls;
  };
  assert.deepEqual(register('darwin', true), [['doctray']]);
  assert.deepEqual(register('win32', true), [['doctray']]);
  assert.deepEqual(register('win32', false), [['doctray', '/electron', ['/src']]]);
  assert.deepEqual(register('darwin', false), []);
  assert.deepEqual(register('linux', true), []);
});

test('parses links to a view or a document', () => {
  for (const view of viewNames) assert.deepEqual(parseLink(`doctray://${view}`), { to: 'view', view });
  assert.deepEqual(parseLink('DOCTRAY://locks/'), { to: 'view', view: 'locks' });
  assert.deepEqual(parseLink('doctray://open?path=Reports/Q%26A%202026.odt&mode=view'), {
    to: 'document',
    path: 'Reports/Q&A 2026.odt',
    mode: 'view',
  });
  assert.deepEqual(parseLink('doctray://open?path=Notes%2010:30.odt'), {
    to: 'document',
    path: 'Notes 10:30.odt',
    mode: 'edit',
  });
});

const refused = [
  'doctray:',
  'doctray:locks',
  'doctray://',
  'doctray://shell',
  'doctray://open',
  'doctray://open?path=',
  'doctray://open?path=/etc/passwd',
  'doctray://open?path=../x.odt',
  'doctray://open?path=a/%2e%2e/b',
  'doctray://open?path=a//b',
  'doctray://open?path=./b',
  'doctray://open?path=C:/x.odt',
  'doctray://open?path=C%3Ax',
  'doctray://open?path=%5C%5Cserver%5Cshare',
  'doctray://open?path=a%00b',
  'doctray://open?path=a%0Ab',
  'doctray://open?path=a&mode=run',
  'doctray://open?path=a&path=b',
  'doctray://open?path=a&then=quit',
  'doctray://open/x?path=a',
  'doctray://ana:secret@locks',
  'doctray://locks:80',
  'doctray://locks#x',
  'doctray://locks?x=1',
  'doctray://locks/x',
  `doctray://open?path=${'a'.repeat(5000)}`,
  'https://locks',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'locks',
  '',
];

for (const link of refused) {
  test(`rejects an invalid link: ${link.slice(0, 60)}`, () => {
    assert.equal(parseLink(link), undefined);
  });
}

test('parses any link to a known view, to a path inside the folder, or to nothing', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withQueryParameters: true }).map((url) => url.replace(/^https?:/u, 'doctray:')),
    fc.string({ unit: 'binary' }).map((path) => {
      return `doctray://open?path=${encodeURIComponent(path.toWellFormed())}`;
    }),
    fc
      .array(
        fc.constantFrom(
          'doctray:',
          '//',
          'open',
          'locks',
          '?',
          'path=',
          'a',
          '..',
          '/',
          '%2e',
          '&',
          '\\',
          '#',
        ),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (link) => {
      const request = parseLink(link);
      if (request === undefined) return;
      assert.notEqual(request.to, 'file');
      if (request.to === 'view') assert.ok(viewNames.includes(request.view));
      if (request.to !== 'document') return;
      assert.ok(!request.path.startsWith('/') && !request.path.includes('\\'));
      assert.ok(request.path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'));
    }),
    { numRuns: 500 },
  );
});

test('accepts paths, file URLs and links as targets of a launch', () => {
  const requests = linkRequests({
    cwd: '/home/ana',
    targets: [
      'Documents/a.odt',
      '/srv/b.odt',
      'file:///home/ana/c%20d.odt',
      'file://localhost/e.odt',
      'doctray://locks',
    ],
  });
  assert.deepEqual(requests, [
    { to: 'file', absolute: '/home/ana/Documents/a.odt' },
    { to: 'file', absolute: '/srv/b.odt' },
    { to: 'file', absolute: '/home/ana/c d.odt' },
    { to: 'file', absolute: '/e.odt' },
    { to: 'view', view: 'locks' },
  ]);
});

test('ignores invalid targets and files on other computers', () => {
  const targets = [
    '',
    'a\0b',
    'x'.repeat(9000),
    'https://example.org/a.odt',
    'file://server/share/a.odt',
    'file:////server/share/a.odt',
    'file:///a%2Fb',
    'file:///a%00b',
    'doctray://run?path=x',
  ];
  assert.deepEqual(linkRequests({ cwd: '/', targets }), []);
});

test('accepts at most 1000 targets', () => {
  const targets = Array.from({ length: 5000 }, (_, index) => `${index}`);
  assert.equal(linkRequests({ cwd: '/', targets }).length, 1000);
});
