// Links and files from outside: what is understood, and what it makes the app do. test/e2e sends them by second launches.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { App } from 'electron';
import { AppError } from '../../../app/contract/errors.ts';
import { viewNames } from '../../../app/contract/pushes.ts';
import { createLinks, linkRequests, parseLink, registerLinks } from '../../../app/desktop/links.ts';
import type { LinksDeps } from '../../../app/desktop/links.ts';
import { editor, questions, quietLog, stateOf, type StateChoice } from './desktop-fixture.ts';

interface Choice {
  /** Of every command. */
  refuses?: Error;
  /** How often the host is asked before it has started. */
  startingFor?: number;
  hasEditor?: boolean;
  deps?: Partial<LinksDeps>;
}

/** Collects in `done` what the app does, in short: 'show', 'open x/a.odt edit', 'documents x', … */
function linksTo(folder: string | null, { refuses, startingFor = 0, hasEditor, deps }: Choice = {}) {
  const done: string[] = [];
  const asked = questions();
  const log = quietLog();
  let starting = startingFor;
  const links = createLinks({
    state() {
      starting -= 1;
      const host: StateChoice['host'] =
        starting >= 0 ? { status: 'starting', folder: null } : { folder, folderName: folder && 'Documents' };
      return stateOf({ host, editors: hasEditor === true ? [editor('Collabora')] : [] });
    },
    run(name, args) {
      const { path, mode, sources } = args as { path?: string; mode?: string; sources?: string[] };
      done.push(name === 'documents.import' ? `import ${sources?.join()}` : `open ${path} ${mode}`);
      return refuses === undefined ? Promise.resolve({ jobId: '1' }) : Promise.reject(refuses);
    },
    show: (to) => void done.push(to === undefined ? 'show' : [to.view, to.path].join(' ').trim()),
    ask: asked.ask,
    showError: ({ code }) => void done.push(code),
    log,
    ...deps,
  });
  const launch = (target: string | string[], cwd = '/'): void =>
    links.launched({ targets: [target].flat(), cwd });
  const until = async (isSo: () => boolean): Promise<void> => {
    const signal = AbortSignal.timeout(5000);
    for (; !isSo(); signal.throwIfAborted()) await new Promise((resolve) => void setTimeout(resolve, 5));
  };
  /** Waits until the app has done this, and nothing else. */
  const does = async (...expected: string[]): Promise<void> => {
    await until(() => done.length >= expected.length);
    assert.deepEqual(done.splice(0), expected);
  };
  /** Answers the next question. @returns its message */
  const answer = async (index: number): Promise<string | undefined> => {
    await until(() => asked.open.length > 0);
    const message = asked.open[0]?.message;
    await asked.answer(index);
    return message;
  };
  return { links, launch, does, answer, done, asked, log };
}

/** `Documents` with x/a.odt in it, and beside it `outside` with b.odt and c.odt. */
async function onDisk(t: TestContext, choice: Choice = {}) {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'doctray-links-')));
  t.after(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'Documents');
  const outside = join(base, 'outside');
  await mkdir(join(folder, 'x'), { recursive: true });
  await mkdir(outside);
  for (const path of ['Documents/x/a.odt', 'outside/b.odt', 'outside/c.odt'])
    await writeFile(join(base, path), path);
  return { folder, outside, ...linksTo(folder, choice) };
}

test('a hidden second launch does nothing, and requests from before the start are followed at the start', async (t) => {
  const { links, folder, does, done, log } = await onDisk(t);
  const app = new EventEmitter();
  links.attach(app as unknown as App);
  const event = { preventDefault: () => undefined };
  links.launched({ targets: [], cwd: '/' });
  assert.equal(links.hasRequests(), false);
  app.emit('open-file', event, join(folder, 'x', 'a.odt'));
  assert.equal(links.hasRequests(), true);
  assert.deepEqual(done, []);
  links.start();
  await does('documents x/a.odt');
  const launch = { targets: [], cwd: '/' };
  app.emit('second-instance', {}, ['electron', '/etc/passwd'], '/', { ...launch, isHidden: true });
  app.emit('open-url', event, 'doctray://run?path=secret');
  assert.deepEqual([done, log.lines], [[], []]);
  app.emit('second-instance', {}, [], '/', { ...launch, isHidden: false });
  app.emit('open-url', event, 'doctray://locks');
  await does('show', 'locks');
});

test('shows a document in the folder by link, by path and through a symbolic link, once the host knows its folder', async (t) => {
  const { links, launch, does, folder, outside } = await onDisk(t, { startingFor: 2 });
  await symlink(join(folder, 'x', 'a.odt'), join(outside, 'link.odt'));
  launch('doctray://open?path=x/a.odt');
  links.start();
  launch('a.odt', join(folder, 'x'));
  launch(join(outside, 'link.odt'));
  launch(folder);
  await does('documents x/a.odt', 'documents x/a.odt', 'documents x/a.odt', 'documents');
  const without = linksTo(null);
  without.links.start();
  without.launch(['b.odt', 'doctray://locks']);
  await without.does('show');
});

test('opens documents in their editor, at most ten of a launch; the window shows the last one, a folder, or what no editor opens', async (t) => {
  const { links, launch, does, folder } = await onDisk(t, { hasEditor: true });
  links.start();
  launch([join(folder, 'x', 'a.odt'), 'doctray://open?path=x/b.odt&mode=view']);
  launch('doctray://open?path=x/a.xyz');
  launch(join(folder, 'x'));
  await does('open x/a.odt edit', 'open x/b.odt view', 'documents x/a.xyz', 'documents x');
  launch(Array.from({ length: 50 }, (_, index) => `doctray://open?path=${index}.odt`));
  const opened = Array.from({ length: 10 }, (_, index) => `open ${index}.odt edit`);
  await does(...opened, 'documents 49.odt');
});

test('reports a document that couldn’t be opened, and a copy that failed', async (t) => {
  const refuses = new AppError('file-missing');
  const { links, launch, does, answer, outside } = await onDisk(t, { hasEditor: true, refuses });
  links.start();
  launch('doctray://open?path=x/gone.odt');
  await does('open x/gone.odt edit', 'file-missing', 'documents x/gone.odt');
  launch('b.odt', outside);
  await answer(0);
  await does('show', `import ${join(outside, 'b.odt')}`, 'show', 'file-missing');
});

test('copies files from outside the folder only after a confirmation, and neither folders nor missing ones', async (t) => {
  const { links, launch, does, answer, asked, folder, outside } = await onDisk(t);
  await symlink(join(outside, 'b.odt'), join(folder, 'out.odt'));
  links.start();
  launch(join(folder, 'out.odt'));
  assert.equal(await answer(1), 'out.odt isn’t in the folder Documents.');
  await does('show');
  launch(['b.odt', 'c.odt'], outside);
  assert.equal(await answer(0), 'b.odt and c.odt aren’t in the folder Documents.');
  await does('show', `import ${join(outside, 'b.odt')},${join(outside, 'c.odt')}`, 'documents');
  launch([outside, join(outside, 'gone.odt')]);
  assert.match((await answer(0)) ?? '', /^DocTray can’t open .+\.$/u);
  await does('show');
  assert.deepEqual(asked.open, []);
});

test('on Windows, never contacts a computer that a launch names, unless it has the served folder', async () => {
  const accessed: string[] = [];
  const record = (path: unknown): Promise<never> => {
    accessed.push(String(path));
    return Promise.reject(new Error('unreachable'));
  };
  const deps: Partial<LinksDeps> = { platform: 'win32', files: { realpath: record, stat: record } };
  const local = linksTo('C:\\Users\\ana\\Documents', { deps });
  local.links.start();
  for (const [target, cwd] of [
    ['\\\\server\\share\\a.docx', 'C:\\'],
    ['//server/share/a.docx', 'C:\\'],
    ['\\\\?\\UNC\\server\\share\\a.docx', 'C:\\'],
    ['\\\\.\\pipe\\a', 'C:\\'],
    ['a.docx', '\\\\server\\share'],
    ['\\a.docx', '\\\\server\\share'],
  ] as const) {
    local.launch(target, cwd);
    assert.match((await local.answer(0)) ?? '', /^DocTray can’t open .+\.$/u, target);
    assert.deepEqual(accessed, [], target);
  }
  const folder = '\\\\Server\\share\\docs';
  const remote = linksTo(folder, { deps });
  remote.links.start();
  remote.launch('\\\\server\\share\\docs-2\\a.docx', 'C:\\');
  await remote.answer(0);
  assert.deepEqual(accessed, []);
  const inside = '\\\\server\\share\\docs\\x\\a.docx';
  remote.launch(inside, 'C:\\');
  await remote.answer(0);
  assert.deepEqual(accessed.slice(0, 2), [folder, inside]);
});

test('registers the link scheme on Windows, and on macOS if packaged', () => {
  for (const [platform, isPackaged, expected] of [
    ['darwin', true, [['doctray']]],
    ['win32', true, [['doctray']]],
    ['win32', false, [['doctray', '/electron', ['/src']]]],
    ['darwin', false, []],
    ['linux', true, []],
  ] as const) {
    const calls: unknown[] = [];
    const setAsDefaultProtocolClient = (...args: unknown[]): boolean => calls.push(args) > 0;
    const app = { isPackaged, getAppPath: () => '/src', setAsDefaultProtocolClient };
    registerLinks({ platform, execPath: '/electron', app });
    assert.deepEqual(calls, expected);
  }
});

test('parses links to a view or a document', () => {
  for (const view of viewNames) assert.deepEqual(parseLink(`doctray://${view}`), { to: 'view', view });
  assert.deepEqual(parseLink('DOCTRAY://locks/'), { to: 'view', view: 'locks' });
  for (const [link, path, mode] of [
    ['doctray://open?path=Reports/Q%26A%202026.odt&mode=view', 'Reports/Q&A 2026.odt', 'view'],
    ['doctray://open?path=Notes%2010:30.odt', 'Notes 10:30.odt', 'edit'],
  ])
    assert.deepEqual(parseLink(link!), { to: 'document', path, mode });
});

const invalid = `
  doctray: doctray:locks doctray:// doctray://shell doctray://open doctray://open?path= doctray://open?path=/etc/passwd
  doctray://open?path=../x.odt doctray://open?path=a/%2e%2e/b doctray://open?path=a//b doctray://open?path=./b
  doctray://open?path=C:/x.odt doctray://open?path=C%3Ax doctray://open?path=%5C%5Cserver%5Cshare doctray://open?path=a%00b
  doctray://open?path=a%0Ab doctray://open?path=a&mode=run doctray://open?path=a&path=b doctray://open?path=a&then=quit
  doctray://open/x?path=a doctray://ana:secret@locks doctray://locks:80 doctray://locks#x doctray://locks?x=1 doctray://locks/x
  https://locks file:///etc/passwd javascript:alert(1) locks`;

test('rejects invalid links', () => {
  for (const link of [...invalid.trim().split(/\s+/u), '', `doctray://open?path=${'a'.repeat(5000)}`])
    assert.equal(parseLink(link), undefined, link);
});

test('accepts paths, file URLs and links as targets, at most 1000; ignores files on other computers', () => {
  const files: Record<string, string> = {
    'Documents/a.odt': '/home/ana/Documents/a.odt',
    '/srv/b.odt': '/srv/b.odt',
    'file:///home/ana/c%20d.odt': '/home/ana/c d.odt',
    'file://localhost/e.odt': '/e.odt',
  };
  const urls =
    'https://example.org/a.odt file://server/share/a.odt file:////server/share/a.odt file:///a%2Fb file:///a%00b doctray://run?path=x';
  const ignored = ['', 'a\0b', 'x'.repeat(9000), ...urls.split(' ')];
  const cwd = '/home/ana';
  assert.deepEqual(linkRequests({ cwd, targets: [...ignored, ...Object.keys(files), 'doctray://locks'] }), [
    ...Object.values(files).map((absolute) => ({ to: 'file', absolute })),
    { to: 'view', view: 'locks' },
  ]);
  const many = Array.from({ length: 5000 }, (_, index) => `${index}`);
  assert.equal(linkRequests({ cwd, targets: many }).length, 1000);
});
