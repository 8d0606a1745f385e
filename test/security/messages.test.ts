// Messages to the main process from another window, and with invalid commands and arguments. unit/desktop/ipc has the other senders.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commands, type CommandName } from '../../app/commands/commands.ts';
import { projectRoot } from '../cli/built-program.ts';
import { startSecuredApp, type SecuredApp } from './secured-app.ts';

let secured: SecuredApp;
before(async () => {
  secured = await startSecuredApp();
});
after(() => secured.close());

interface Answer {
  isDone: boolean;
  error?: { code: string; message: string };
}

/** Calls a command from the page. `args` is a JavaScript expression. */
function call(name: unknown, args: string): Promise<Answer> {
  return secured.page.evaluate(`window.doctray.call(${JSON.stringify(name) ?? 'undefined'}, ${args})`);
}

test('rejects calls of another window with the same preload script', async () => {
  const preload = join(projectRoot, 'out', 'preload', 'preload.cjs');
  const answers = await secured.app.evaluate(async ({ BrowserWindow, session }, preload) => {
    const found: unknown[] = [];
    for (const url of ['app://doctray/index.html', 'about:blank', 'data:text/html,x']) {
      const other = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, session: session.fromPartition('persist:window') },
      });
      await other.loadURL(url).catch(() => undefined);
      found.push(await other.webContents.executeJavaScript(`window.doctray.call('state.get', {})`));
      other.destroy();
    }
    return found;
  }, preload);
  for (const answer of answers as Answer[]) assert.equal(answer.error?.code, 'permission-denied');
  assert.equal(answers.length, 3);
});

const strangeNames: unknown[] = [
  ...'STATE.GET state state.get.x __proto__ constructor prototype hasOwnProperty toString __defineGetter__ then'.split(
    ' ',
  ),
  '',
  ' state.get',
  'state.get ',
  'x'.repeat(100_000),
  null,
  1,
  true,
  {},
  ['state.get'],
  { name: 'state.get' },
];

const windowCommands = (Object.keys(commands) as CommandName[]).filter(
  (name) => commands[name].from !== 'terminal',
);

test('commands for the terminal only don’t exist for a page', async () => {
  const others = Object.keys(commands).filter((name) => !windowCommands.some((own) => own === name));
  assert.ok(others.includes('editors.link') && others.includes('editors.access'));
  for (const name of others) assert.equal((await call(name, '{}')).error?.code, 'not-found', name);
});

test('rejects unknown and malformed command names', async () => {
  for (const name of strangeNames) {
    const answer = await call(name, '{}');
    const code = typeof name === 'string' ? 'not-found' : 'invalid-argument';
    assert.equal(answer.error?.code, code, JSON.stringify(name)?.slice(0, 40));
  }
  for (const text of ['window.doctray.call(undefined, {})', 'window.doctray.call()']) {
    const answer: Answer = await secured.page.evaluate(text);
    assert.equal(answer.isDone, false);
  }
});

test('every command rejects arguments that aren’t valid objects', async () => {
  const strangeArguments = [
    ...'undefined null 1 "text" [] true {surplus:1}'.split(' '),
    'new Uint8Array(3)',
    '{ constructor: { prototype: { isAdmin: true } } }',
  ];
  // These are empty objects, or become empty when they are cloned.
  const emptyArguments = [
    'new Date(0)',
    'new Map([["path", "a"]])',
    'JSON.parse(\'{"__proto__": {"isAdmin": true}}\')',
  ];
  const given = windowCommands
    // The page can't call it this way.
    .filter((name) => name !== 'documents.import')
    .map((name): [name: CommandName, args: string[]] => {
      const takesNothing = commands[name].args.safeParse({}).success;
      return [name, [...strangeArguments, ...(takesNothing ? [] : emptyArguments)]];
    });
  // All in one task of the page, since a task for each takes longer than the calls.
  const calls = given.map(
    ([name, all]) =>
      `[${all.map((args) => `window.doctray.call(${JSON.stringify(name)}, ${args})`).join(', ')}]`,
  );
  const answers: Answer[][] = await secured.page.evaluate(
    `Promise.all([${calls.map((list) => `Promise.all(${list})`).join(', ')}])`,
  );
  for (const [index, [name, all]] of given.entries())
    for (const [at, args] of all.entries())
      assert.equal(answers[index]?.[at]?.error?.code, 'invalid-argument', `${name}(${args})`);
});

test('rejects arguments of the wrong type', async () => {
  for (const [name, args] of [
    ['documents.open', '{ path: 1, mode: "edit" }'],
    ['documents.open', '{ path: "a.docx", mode: "destroy" }'],
    ['documents.open', '{ path: "a.docx", mode: ["edit"] }'],
    ['documents.open', '{ path: { toString: 1 }, mode: "edit" }'],
    ['documents.list', '{ path: "", startIndex: -1, count: 10 }'],
    ['documents.list', '{ path: "", startIndex: 0, count: 1e9 }'],
    ['documents.list', '{ path: "", startIndex: 0.5, count: 10 }'],
    ['documents.list', '{ path: "", startIndex: 0, count: NaN }'],
    ['documents.list', '{ path: "", startIndex: 0, count: 10, more: 1 }'],
    ['locks.forceClear', '{ ids: [] }'],
    ['locks.forceClear', '{ ids: "all" }'],
    ['locks.forceClear', '{ ids: [1] }'],
    ['host.pause', '{ minutes: Infinity }'],
    ['host.pause', '{ minutes: "5" }'],
    ['app.openHelp', '{ page: "https://evil.example" }'],
    ['users.add', '{ login: "eve", displayName: "", role: "owner", password: "long enough" }'],
    ['settings.set', '{ key: "__proto__", value: { isAdmin: true } }'],
  ] as const) {
    const answer = await call(name, args);
    assert.equal(answer.isDone, false, `${name}(${args})`);
    assert.match(answer.error?.code ?? '', /invalid|setting-unknown/, `${name}(${args})`);
  }
});

test('the page can’t choose the image of a container', async () => {
  const answer = await call('documentServers.start', '{ product: "collabora", engine: null, image: "evil" }');
  assert.equal(answer.error?.code, 'permission-denied');
});

test('rejects paths outside the folder', async () => {
  for (const path of [
    '../data/secrets.json',
    '/etc/passwd',
    'a/../../x',
    '..',
    'C:\\Windows',
    '\0',
    './../x',
  ]) {
    for (const [name, args] of [
      ['documents.open', { path, mode: 'edit' }],
      ['versions.list', { path }],
      ['documents.rename', { path, name: 'x.docx' }],
    ] as const) {
      const answer = await call(name, JSON.stringify(args));
      assert.equal(answer.isDone, false, `${name} ${path}`);
    }
  }
});

test('rejects arguments that can’t be cloned, and keeps working', async () => {
  for (const args of ['{ f() {} }', 'Symbol("x")', 'window', 'Promise.resolve()', 'new WeakMap()']) {
    const outcome = (await secured.page.evaluate(
      `Promise.resolve().then(() => window.doctray.call('state.get', ${args})).then((answer) => answer.isDone, () => 'refused')`,
    )) as boolean | string;
    // The bridge throws if it can't clone a value.
    assert.ok(outcome === false || outcome === 'refused', `${args}: ${outcome}`);
  }
  assert.equal((await call('state.get', '{}')).isDone, true);
});

test('no attack has polluted Object.prototype in the main process', async () => {
  const left = await secured.app.evaluate(() => {
    const found: string[] = [];
    for (const name in {}) found.push(name);
    return [found, 'isAdmin' in {}, Object.keys(Object.prototype).length];
  });
  assert.deepEqual(left, [[], false, 0]);
});

test('an error doesn’t reveal the path of the data folder', async () => {
  const answer = await call('documents.open', '{ path: "no such.docx", mode: "view" }');
  assert.equal(answer.error?.code, 'file-missing');
  assert.ok(!JSON.stringify(answer).includes(secured.dataDir));
});
