// Who may send messages, and when pushes reach the page. test/security/messages.test.ts sends commands from pages and frames.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WebContents } from 'electron';
import type { PushListener } from '../../../app/contract/pushes.ts';
import { isFromOwnPage, openWindowChannels, type SentBy } from '../../../app/desktop/ipc.ts';

const page = { parent: null, frameTreeNodeId: 1, processId: 7, origin: 'app://doctray' };
const url = 'app://doctray/index.html';

function createContents() {
  const sent: unknown[][] = [];
  const now = { url };
  const contents = {
    mainFrame: { ...page, url },
    isDestroyed: () => false,
    isCrashed: () => false,
    getURL: () => now.url,
    send: (_channel: string, ...push: unknown[]) => void sent.push(push),
  };
  return { contents: contents as unknown as WebContents, sent, now };
}

function from(sender: WebContents, frame: object | null = {}): SentBy {
  return { sender, senderFrame: frame && { ...page, url, ...frame } } as unknown as SentBy;
}

test('accepts messages only from the window’s own page in its main frame', () => {
  const { contents } = createContents();
  assert.equal(isFromOwnPage(from(contents), contents), true);
  const disposed = {
    get parent(): null {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    },
  };
  const others: Record<string, SentBy> = {
    'another web contents': from(createContents().contents),
    'a frame that is gone': from(contents, null),
    'a disposed frame': { sender: contents, senderFrame: disposed } as unknown as SentBy,
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
  for (const [who, sender] of Object.entries(others))
    assert.equal(isFromOwnPage(sender, contents), false, who);
  assert.equal(isFromOwnPage(from(contents), undefined), false, 'no window');
});

type Handler = (event: SentBy, ...args: unknown[]) => Promise<unknown>;

function open(run: (name: string) => Promise<unknown> = () => Promise.resolve(null)) {
  const { contents, sent, now } = createContents();
  let handler: Handler | undefined;
  let push: PushListener = () => undefined;
  const channels = openWindowChannels({
    ipcMain: {
      handle: (_channel, given) => void (handler = given as unknown as Handler),
      removeHandler: () => undefined,
    },
    contents: () => contents,
    windowHost: {
      run,
      onPush(listener) {
        push = listener;
        return () => undefined;
      },
    },
    log: { warn: () => undefined },
  });
  /** A command of the page, and time for what follows its answer. */
  const ask = async (): Promise<void> => {
    await handler!(from(contents), 'state.get', {});
    await nextTurn();
  };
  return { sent, now, channels, ask, push: (...pushed: Parameters<PushListener>) => push(...pushed) };
}

test('sends the last navigation once the page is ready, also after a crash', async () => {
  const { channels, push, sent, ask } = open();
  push('navigate', { view: 'tokens' });
  push('navigate', { view: 'locks' });
  await ask();
  await ask();
  assert.deepEqual(sent.splice(0), [['navigate', { view: 'locks' }]]);
  channels.onPageGone();
  push('navigate', { view: 'settings' });
  push('folder-changed', { path: 'a' });
  assert.deepEqual(sent, []);
  await ask();
  assert.deepEqual(sent, [['navigate', { view: 'settings' }]]);
});

test('sends nothing to a page of another origin', async () => {
  const { push, sent, now, ask } = open();
  await ask();
  for (const other of ['https://evil.example/', 'app://doctray.evil/index.html', '']) {
    now.url = other;
    push('folder-changed', { path: 'secret' });
  }
  assert.deepEqual(sent, []);
});
