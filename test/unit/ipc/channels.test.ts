// Both channels between window and main process, with doubles for Electron's own objects alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebContents } from 'electron';
import { pushChannel } from '../../../app/contract/bridge.ts';
import type { CommandAnswer } from '../../../app/contract/results.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { PushName, Pushes } from '../../../app/contract/pushes.ts';
import { openCommandChannel } from '../../../app/ipc/command-channel.ts';
import { openPushChannel } from '../../../app/ipc/push-channel.ts';
import { isFromOwnPage, type SentBy } from '../../../app/ipc/sender.ts';
import { openWindowChannels } from '../../../app/ipc/window-channels.ts';

const page = { parent: null, frameTreeNodeId: 1, processId: 7, origin: 'app://doctray' };

function makeContents(frame: object = {}): {
  contents: WebContents;
  sent: unknown[][];
  now: { url: string };
} {
  const sent: unknown[][] = [];
  const now = { url: 'app://doctray/index.html', isDestroyed: false };
  const contents = {
    mainFrame: { ...page, url: now.url, ...frame },
    isDestroyed: () => now.isDestroyed,
    isCrashed: () => false,
    getURL: () => now.url,
    send: (...message: unknown[]) => void sent.push(message),
  };
  return { contents: contents as unknown as WebContents, sent, now };
}

function from(sender: WebContents, frame: object | null = {}): SentBy {
  const senderFrame = frame === null ? null : { ...page, url: 'app://doctray/index.html', ...frame };
  return { sender, senderFrame } as unknown as SentBy;
}

test('the window’s own page in its main frame is heard', () => {
  const { contents } = makeContents();
  assert.equal(isFromOwnPage(from(contents), contents), true);
});

test('nobody else is heard', () => {
  const { contents } = makeContents();
  const other = makeContents().contents;
  const strangers: Record<string, SentBy> = {
    'another web contents': from(other),
    'a frame that is gone': from(contents, null),
    'a frame inside the page': from(contents, { parent: page, frameTreeNodeId: 2 }),
    'a frame with the page’s number': from(contents, { parent: page }),
    'a frame of another tree': from(contents, { frameTreeNodeId: 2 }),
    'the frame’s former process': from(contents, { processId: 8 }),
    'another origin': from(contents, { origin: 'https://doctray' }),
    'another host of the scheme': from(contents, {
      origin: 'app://doctray.evil',
      url: 'app://doctray.evil/',
    }),
    'an opaque origin': from(contents, { origin: 'null' }),
    'another address': from(contents, { url: 'about:blank' }),
    'an address that only begins alike': from(contents, { url: 'app://doctray.evil/' }),
  };
  for (const [who, sender] of Object.entries(strangers))
    assert.equal(isFromOwnPage(sender, contents), false, who);
  assert.equal(isFromOwnPage(from(contents), undefined), false, 'no window');
});

test('a frame that throws when it is asked is not heard', () => {
  const { contents } = makeContents();
  const senderFrame = {
    get parent(): null {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    },
  };
  assert.equal(isFromOwnPage({ sender: contents, senderFrame } as unknown as SentBy, contents), false);
});

type Handler = (event: SentBy, ...args: unknown[]) => Promise<CommandAnswer<unknown>>;

function openCommands(run: (name: string, args: unknown) => Promise<unknown>) {
  const { contents } = makeContents();
  const handlers = new Map<string, Handler>();
  const logged: unknown[] = [];
  const note = (fields: object, text: string): void => void logged.push({ ...fields, text });
  let answered = 0;
  const close = openCommandChannel({
    ipcMain: {
      handle: (channel, handler) => void handlers.set(channel, handler as unknown as Handler),
      removeHandler: (channel) => void handlers.delete(channel),
    },
    contents: () => contents,
    run,
    onAsked: () => undefined,
    onAnswered: () => (answered += 1),
    log: {
      debug: note,
      info: note,
      warn: note,
      error: note,
      request: () => undefined,
      flush: () => undefined,
    },
  });
  const handler = handlers.get('doctray:command')!;
  return { contents, handlers, handler, logged, close, answered: () => answered };
}

test('there is one channel, and closing takes it away', () => {
  const { handlers, close } = openCommands(() => Promise.resolve(null));
  assert.deepEqual([...handlers.keys()], ['doctray:command']);
  close();
  assert.equal(handlers.size, 0);
});

test('a command of the page runs with its arguments, and its result is the answer', async () => {
  const { handler, contents, answered } = openCommands((name, args) => Promise.resolve({ name, args }));
  const answer = await handler(from(contents), 'locks.forceClear', { ids: ['a'] });
  assert.deepEqual(answer, { isDone: true, result: { name: 'locks.forceClear', args: { ids: ['a'] } } });
  await nextTurn();
  assert.equal(answered(), 1);
});

test('a stranger’s command does not run', async () => {
  const ran: string[] = [];
  const { handler, contents, answered, logged } = openCommands(async (name) => ran.push(name));
  const answer = await handler(from(contents, { origin: 'https://evil.example' }), 'app.quit', {
    secret: 'x',
  });
  assert.deepEqual(answer, {
    isDone: false,
    error: { code: 'permission-denied', message: 'Your role doesn’t allow this.' },
  });
  await nextTurn();
  assert.deepEqual([ran, answered()], [[], 0]);
  assert.ok(!JSON.stringify(logged).includes('evil') && !JSON.stringify(logged).includes('secret'));
});

test('a name that is no text does not run', async () => {
  const ran: unknown[] = [];
  const { handler, contents } = openCommands(async (name) => ran.push(name));
  for (const name of [undefined, null, 1, {}, ['app.quit'], { toString: () => 'app.quit' }]) {
    const answer = await handler(from(contents), name, {});
    assert.equal(answer.isDone, false);
    assert.equal(!answer.isDone && answer.error.code, 'invalid-argument');
  }
  assert.deepEqual(ran, []);
});

test('an expected error crosses as its code and sentence', async () => {
  const { handler, contents, logged } = openCommands(() => Promise.reject(new AppError('file-missing')));
  const answer = await handler(from(contents), 'documents.open', {});
  assert.deepEqual(answer, {
    isDone: false,
    error: { code: 'file-missing', message: 'This document doesn’t exist in the hosted folder.' },
  });
  assert.deepEqual(logged, []);
});

test('a surprise crosses without its text, which is for the log', async () => {
  const { handler, contents, logged } = openCommands(() => Promise.reject(new Error('/home/ana/secret')));
  const answer = await handler(from(contents), 'documents.open', {});
  assert.equal(!answer.isDone && answer.error.code, 'internal');
  assert.ok(!JSON.stringify(answer).includes('ana'));
  assert.equal(logged.length, 1);
});

function openPushes() {
  const { contents, sent, now } = makeContents();
  const listeners = new Map<PushName, Set<(push: never) => void>>();
  const channel = openPushChannel({
    contents: () => contents,
    onPush(name, listener) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => void own.delete(listener);
    },
  });
  const push = <Name extends PushName>(name: Name, value: Pushes[Name]): void => {
    for (const listener of listeners.get(name) ?? []) listener(value as never);
  };
  return { channel, push, sent, now, listeners };
}

test('the page is told once it has asked for something, and nothing before', () => {
  const { channel, push, sent } = openPushes();
  push('folder-changed', { path: 'a' });
  assert.deepEqual(sent, []);
  channel.onAsked();
  push('folder-changed', { path: 'b' });
  assert.deepEqual(sent, [[pushChannel, 'folder-changed', { path: 'b' }]]);
});

test('a change that comes while the first question is being answered reaches the page', async () => {
  const { contents, sent } = makeContents();
  const handlers = new Map<string, Handler>();
  const listeners = new Set<(push: never) => void>();
  const nobody = (): void => undefined;
  openWindowChannels({
    ipcMain: {
      handle: (channel, handler) => void handlers.set(channel, handler as unknown as Handler),
      removeHandler: nobody,
    },
    contents: () => contents,
    windowHost: {
      async run() {
        const state = { revision: 1 };
        await nextTurn();
        for (const listener of listeners) listener({ revision: 2 } as never);
        return state;
      },
      onPush(name, listener) {
        if (name === 'state-changed') listeners.add(listener);
        return nobody;
      },
    },
    log: { debug: nobody, info: nobody, warn: nobody, error: nobody, request: nobody, flush: nobody },
  });
  await handlers.get('doctray:command')!(from(contents), 'state.get', {});
  assert.deepEqual(sent, [[pushChannel, 'state-changed', { revision: 2 }]]);
});

test('the last place to be led to waits for the page, also for the one loaded after a crash', () => {
  const { channel, push, sent } = openPushes();
  push('navigate', { view: 'tokens' });
  push('navigate', { view: 'locks' });
  channel.onAnswered();
  channel.onAnswered();
  assert.deepEqual(sent, [[pushChannel, 'navigate', { view: 'locks' }]]);
  channel.onPageGone();
  push('navigate', { view: 'settings' });
  assert.equal(sent.length, 1);
  channel.onAnswered();
  assert.deepEqual(sent[1], [pushChannel, 'navigate', { view: 'settings' }]);
});

test('a page that is not ours is told nothing', () => {
  const { channel, push, sent, now } = openPushes();
  channel.onAsked();
  for (const url of ['https://evil.example/', 'app://doctray.evil/index.html', '']) {
    now.url = url;
    push('folder-changed', { path: 'secret' });
  }
  assert.deepEqual(sent, []);
});

test('closing ends all listening', () => {
  const { channel, listeners } = openPushes();
  channel.close();
  assert.ok([...listeners.values()].every((own) => own.size === 0));
});
