// Both channels between the window and the main process. Only Electron's objects are fakes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebContents } from 'electron';
import { pushChannel } from '../../../app/contract/bridge.ts';
import type { CommandAnswer } from '../../../app/contract/results.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { PushListener } from '../../../app/contract/pushes.ts';
import { isFromOwnPage, openWindowChannels, type SentBy } from '../../../app/desktop/ipc.ts';

const page = { parent: null, frameTreeNodeId: 1, processId: 7, origin: 'app://doctray' };

function createContents(frame: object = {}): {
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

test('accepts messages from the window’s own page in its main frame', () => {
  const { contents } = createContents();
  assert.equal(isFromOwnPage(from(contents), contents), true);
});

test('rejects messages from any other sender', () => {
  const { contents } = createContents();
  const other = createContents().contents;
  const otherSenders: Record<string, SentBy> = {
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
  for (const [who, sender] of Object.entries(otherSenders))
    assert.equal(isFromOwnPage(sender, contents), false, who);
  assert.equal(isFromOwnPage(from(contents), undefined), false, 'no window');
});

test('rejects messages from a disposed frame that throws', () => {
  const { contents } = createContents();
  const senderFrame = {
    get parent(): null {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    },
  };
  assert.equal(isFromOwnPage({ sender: contents, senderFrame } as unknown as SentBy, contents), false);
});

type Handler = (event: SentBy, ...args: unknown[]) => Promise<CommandAnswer<unknown>>;

function open(run: (name: string, args: unknown) => Promise<unknown> = () => Promise.resolve(null)) {
  const { contents, sent, now } = createContents();
  const handlers = new Map<string, Handler>();
  const listeners = new Set<PushListener>();
  const logged: unknown[] = [];
  const note = (fields: object, text: string): void => void logged.push({ ...fields, text });
  const channels = openWindowChannels({
    ipcMain: {
      handle: (channel, handler) => void handlers.set(channel, handler as unknown as Handler),
      removeHandler: (channel) => void handlers.delete(channel),
    },
    contents: () => contents,
    windowHost: {
      run,
      onPush(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    log: { warn: note },
  });
  const handler = handlers.get('doctray:command')!;
  const push: PushListener = (...pushed) => {
    for (const listener of listeners) listener(...pushed);
  };
  /** The page runs a command and gets its result. */
  const ask = async (): Promise<void> => {
    await handler(from(contents), 'state.get', {});
    await nextTurn();
  };
  return { contents, sent, now, handlers, handler, listeners, logged, channels, push, ask };
}

test('close removes the command handler and every listener', () => {
  const { handlers, listeners, channels } = open();
  assert.deepEqual([...handlers.keys()], ['doctray:command']);
  channels.close();
  assert.equal(handlers.size, 0);
  assert.equal(listeners.size, 0);
});

test('runs the page’s command with its arguments and returns the result', async () => {
  const { handler, contents } = open((name, args) => Promise.resolve({ name, args }));
  const answer = await handler(from(contents), 'locks.forceClear', { ids: ['a'] });
  assert.deepEqual(answer, { isDone: true, result: { name: 'locks.forceClear', args: { ids: ['a'] } } });
});

test('doesn’t run a command of another origin, send it pushes or log its content', async () => {
  const ran: string[] = [];
  const { handler, contents, sent, push, logged } = open(async (name) => ran.push(name));
  const answer = await handler(from(contents, { origin: 'https://evil.example' }), 'app.quit', {
    secret: 'x',
  });
  assert.deepEqual(answer, {
    isDone: false,
    error: { code: 'permission-denied', message: 'Your role doesn’t allow this.' },
  });
  await nextTurn();
  push('folder-changed', { path: 'a' });
  assert.deepEqual([ran, sent], [[], []]);
  assert.ok(!JSON.stringify(logged).includes('evil') && !JSON.stringify(logged).includes('secret'));
});

test('rejects a command name that isn’t a string', async () => {
  const ran: unknown[] = [];
  const { handler, contents } = open(async (name) => ran.push(name));
  for (const name of [undefined, null, 1, {}, ['app.quit'], { toString: () => 'app.quit' }]) {
    const answer = await handler(from(contents), name, {});
    assert.equal(answer.isDone, false);
    assert.equal(!answer.isDone && answer.error.code, 'invalid-argument');
  }
  assert.deepEqual(ran, []);
});

test('returns an expected error with its code and message', async () => {
  const { handler, contents, logged } = open(() => Promise.reject(new AppError('file-missing')));
  const answer = await handler(from(contents), 'documents.open', {});
  assert.deepEqual(answer, {
    isDone: false,
    error: { code: 'file-missing', message: 'This document doesn’t exist in the hosted folder.' },
  });
  assert.deepEqual(logged, []);
});

test('returns an unexpected error without its text', async () => {
  const { handler, contents } = open(() => Promise.reject(new Error('/home/ana/secret')));
  const answer = await handler(from(contents), 'documents.open', {});
  assert.equal(!answer.isDone && answer.error.code, 'internal');
  assert.ok(!JSON.stringify(answer).includes('ana'));
});

test('sends pushes only after the page’s first command', async () => {
  const { push, sent, ask } = open();
  push('folder-changed', { path: 'a' });
  assert.deepEqual(sent, []);
  await ask();
  push('folder-changed', { path: 'b' });
  assert.deepEqual(sent, [[pushChannel, 'folder-changed', { path: 'b' }]]);
});

test('sends a push that happens during the page’s first command', async () => {
  const opened = open(async () => {
    opened.push('folder-changed', { path: 'a' });
    return null;
  });
  await opened.ask();
  assert.deepEqual(opened.sent, [[pushChannel, 'folder-changed', { path: 'a' }]]);
});

test('sends the last navigation once the page is ready, also after a crash', async () => {
  const { channels, push, sent, ask } = open();
  push('navigate', { view: 'tokens' });
  push('navigate', { view: 'locks' });
  await ask();
  await ask();
  assert.deepEqual(sent, [[pushChannel, 'navigate', { view: 'locks' }]]);
  channels.onPageGone();
  push('navigate', { view: 'settings' });
  push('folder-changed', { path: 'a' });
  assert.equal(sent.length, 1);
  await ask();
  assert.deepEqual(sent[1], [pushChannel, 'navigate', { view: 'settings' }]);
});

test('sends nothing to a page of another origin', async () => {
  const { push, sent, now, ask } = open();
  await ask();
  for (const url of ['https://evil.example/', 'app://doctray.evil/index.html', '']) {
    now.url = url;
    push('folder-changed', { path: 'secret' });
  }
  assert.deepEqual(sent, []);
});
