// How the app ends without a tray: what closing and quitting ask, what quitting waits for, and what signals and errors do.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createEditor, type EditorTab } from '../editors/scripted-editor.ts';
import { createWire } from '../editors/wire.ts';
import { readTray } from '../stand-in/press.ts';
import { startDeskApp, type Access, type DeskApp } from './desk-app.ts';
import { launchSecond } from './second-launch.ts';
import { showFailures } from './show-failure.ts';
import { closeWindow, lookAtWindow, windowWhere } from './window-of.ts';

let desk: DeskApp;
let tab: EditorTab;
before(async () => {
  desk = await startDeskApp({ hasTray: false, files: { 'letter.docx': 'as it was', 'video.odp': 'small' } });
});
after(() => desk.close());
showFailures(() => desk);

const quit = (): Promise<void> => desk.app.evaluate(({ app }) => app.quit());

test('Closing the window asks when there is no tray; a second launch shows it again', async () => {
  await closeWindow(desk.app);
  const question = await desk.dialogs.press('Cancel');
  assert.equal(question.message, 'Keep DocTray running without its window?');
  assert.deepEqual(question.buttons, ['Keep running', 'Quit', 'Cancel']);
  assert.equal((await lookAtWindow(desk.app)).isVisible, true);

  await closeWindow(desk.app);
  await desk.dialogs.press('Keep running');
  await windowWhere(desk.app, ({ isVisible }) => !isVisible, 'the window is hidden');
  assert.equal((await fetch(`${await desk.baseUrl()}/help`)).status, 200);
  await launchSecond(desk);
  await windowWhere(desk.app, ({ isVisible }) => isVisible, 'the window is shown');
});

test('Quitting while a document is open names it, and “Keep running” cancels the quit', async () => {
  tab = await createEditor('onlyoffice').open(await desk.access('letter.docx'));
  await desk.stateWhere(({ locks }) => locks.length === 1, 'the lock is known');
  await closeWindow(desk.app);
  await desk.dialogs.press('Quit');
  const question = await desk.dialogs.press('Keep running');
  assert.equal(question.message, 'Quit while letter.docx is still open?');
  assert.equal(question.buttons[question.defaultId], 'Keep running');
  assert.equal(question.buttons[question.cancelId], 'Keep running');
  tab.edit(Buffer.from('kept running'));
  assert.equal((await tab.save())?.status, 200);
  assert.equal(await readFile(join(desk.folder, 'letter.docx'), 'utf8'), 'kept running');
});

test('After a crash, the locks are there again', async () => {
  const crashed = once(desk.app.process(), 'exit');
  desk.app.process().kill('SIGKILL');
  await crashed;
  await desk.start();
  const { locks } = await desk.stateWhere(({ host }) => host.baseUrl !== null, 'the host serves');
  assert.deepEqual(
    locks.map(({ path }) => path),
    ['letter.docx'],
  );
});

test('Quitting during a save of 40 MiB waits until the file is complete', async () => {
  const block = randomBytes(1024 * 1024);
  const blocks = 40;
  const access = await desk.access('video.odp');
  const locked = await createWire().call({
    operation: 'Lock',
    access,
    headers: { 'X-WOPI-Lock': 'a long save' },
  });
  assert.equal(locked.status, 200);
  await desk.stateWhere(
    ({ locks }) => locks.some(({ path }) => path === 'video.odp'),
    'the window has the lock',
  );

  const upload = startPut(access, 'a long save', blocks * block.length);
  const hash = createHash('sha256');
  const send = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) {
      // all blocks differ
      block.writeUInt32LE(sent + count, 0);
      hash.update(block);
      await upload.write(Buffer.from(block));
    }
  };
  await send(blocks / 2);
  await quit();
  const question = await desk.dialogs.press('Quit anyway');
  assert.match(question.message, /^Quit while letter\.docx and video\.odp are still open\?$/);
  assert.match(question.detail, /DocTray finishes 1 running save first\./);
  await windowWhere(
    desk.app,
    ({ title }) => /finishing 1 save/.test(title),
    'the title says what the app is waiting for',
  );
  assert.equal((await readTray(desk.app))?.toolTip, 'DocTray: Finishing 1 save…');
  await assert.rejects(fetch(new URL('/', access.wopiSrc)), 'new requests are refused');
  // Quitting again asks whether to wait, while the save continues.
  await quit();
  const again = await desk.dialogs.press('Wait longer');
  assert.equal(again.message, 'DocTray is finishing 1 save.');

  block.fill(7);
  await send(blocks / 2);
  assert.equal((await upload.end()).statusCode, 200);
  assert.equal(await desk.ended(), 0, desk.log());

  const onDisk = createHash('sha256');
  for await (const chunk of createReadStream(join(desk.folder, 'video.odp'))) onDisk.update(chunk as Buffer);
  assert.equal(onDisk.digest('hex'), hash.digest('hex'));
});

const isClosed = async (): Promise<boolean> =>
  !(await readdir(desk.dataDir)).some((name) => /-wal$|-shm$/.test(name));

test('SIGTERM quits without asking, even with open documents, and closes the database', async () => {
  const logged = desk.log().length;
  await desk.start();
  await desk.stateWhere(({ locks }) => locks.length === 2, 'documents are open');
  desk.app.process().kill('SIGTERM');
  assert.equal(await desk.ended(), 0, desk.log());
  assert.ok(await isClosed());
  assert.doesNotMatch(desk.log().slice(logged), /"level":"(error|fatal)"/);
});

test('An uncaught error finishes the running save, closes the database and shows what happened', async () => {
  await desk.start();
  const access = await desk.access('video.odp');
  const body = randomBytes(4 * 1024 * 1024);
  const upload = startPut(access, 'a long save', body.length);
  await upload.write(body.subarray(0, body.length / 2));
  await desk.stateWhere(({ locks }) => locks.length === 2, 'the host serves');
  await desk.app.evaluate(() => void setTimeout(() => Promise.reject(new Error('a fault of the test'))));
  await assert.rejects(async () => {
    for (;;) await fetch(new URL('/', access.wopiSrc));
  }, 'new requests are refused');
  await upload.write(body.subarray(body.length / 2));
  assert.equal((await upload.end()).statusCode, 200);
  assert.equal(await desk.ended(), 1, desk.log());
  assert.ok(body.equals(await readFile(join(desk.folder, 'video.odp'))));
  assert.match(desk.log(), /DocTray closed because of an error: Everything that was saved is safe/);
  assert.ok(await isClosed());
});

interface Put {
  write(chunk: Buffer): Promise<void>;
  end(): Promise<IncomingMessage>;
}

/** A PutFile whose body is sent in pieces. */
function startPut({ wopiSrc, accessToken }: Access, lock: string, length: number): Put {
  const request = httpRequest(`${wopiSrc}/contents?access_token=${encodeURIComponent(accessToken)}`, {
    method: 'POST',
    agent: false,
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': lock, 'Content-Length': length },
  });
  const answer = once(request, 'response') as Promise<[IncomingMessage]>;
  answer.catch(() => undefined);
  return {
    async write(chunk) {
      if (!request.write(chunk)) await once(request, 'drain');
    },
    async end() {
      request.end();
      const [response] = await answer;
      response.resume();
      return response;
    },
  };
}
