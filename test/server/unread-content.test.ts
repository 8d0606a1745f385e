// When a session saves without having read the current content, that content is kept as a conflict copy.

import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startTestHost, type TestDocument, type WopiResponse } from './test-host.ts';

type Step = () => Promise<WopiResponse>;

async function start(t: TestContext, content = 'as it was') {
  const host = await startTestHost({ files: { 'a.txt': content } }, t);
  const path = join(host.folder, 'a.txt');
  return {
    host,
    /** Opens the document with a new token. */
    open: (lockId = 'L') => host.document('a.txt', { lockId }),
    change: (content: string) => writeFile(path, content),
    /** Fails unless these are the document and its conflict copies. */
    async assertContents(document: string, copies: string[]) {
      const names = (await readdir(host.folder)).filter((name) => name !== 'a.txt');
      const events = host.events.filter(({ event }) => event === 'conflict-copy-made');
      assert.equal(events.length, names.length, 'each conflict copy has its event');
      for (const name of names) assert.match(name, /^a \(conflict .+\)\.txt$/);
      const contents = names.map((name) => readFile(join(host.folder, name), 'utf8'));
      assert.deepEqual([await readFile(path, 'utf8'), await Promise.all(contents)], [document, copies]);
      assert.deepEqual(host.host.services.recoveredSaves.list(), []);
    },
  };
}

async function succeed(...steps: Step[]): Promise<void> {
  for (const step of steps) assert.equal((await step()).status, 200);
}

const saving = (session: TestDocument, body: string, headers?: Record<string, string>): Step =>
  session.save.bind(session, body, headers);

test('keeps the current content if an editor replays a rejected save without reading', async (t) => {
  const { host, open, assertContents } = await start(t);
  const first = await open();
  await succeed(first.call, first.lock, first.read);
  await host.host.services.locks.forceClear(first.fileId, 'owner');
  assert.equal((await first.save('refused')).status, 409);
  const newer = await open('of another editor');
  await succeed(newer.read, newer.lock, saving(newer, 'newer'), newer.unlock);
  const replay = await open();
  const modified = { 'X-LOOL-WOPI-IsModifiedByUser': 'true' };
  await succeed(replay.call, replay.lock, replay.refresh, saving(replay, 'refused', modified));
  await assertContents('refused', ['newer']);
});

for (const [order, steps] of [
  ['GetFile, Lock', ['read', 'lock']],
  ['Lock, GetFile', ['lock', 'read']],
] as const) {
  test(`creates no conflict copy after ${order}, even with a restart before the save`, async (t) => {
    const { host, open, assertContents } = await start(t);
    const session = await open();
    await succeed(...steps.map((step) => session[step]));
    await host.restart();
    await succeed(saving(session, 'edited'), saving(session, 'edited again'));
    await assertContents('edited again', []);
  });

  test(`keeps what another program wrote during ${order}`, async (t) => {
    const { open, change, assertContents } = await start(t);
    const session = await open();
    for (const step of steps) {
      await succeed(session[step]);
      if (step === 'read') await change('of another program');
    }
    await succeed(saving(session, 'edited'));
    await assertContents('edited', ['of another program']);
  });
}

for (const [what, headers, method] of [
  ['only a range', { Range: 'bytes=0-3' }, 'GET'],
  ['only its headers', {}, 'HEAD'],
  ['nothing, because the document was too large', { 'X-WOPI-MaxExpectedSize': '2' }, 'GET'],
] as [string, Record<string, string>, string][]) {
  test(`keeps what another program wrote if the session has since read ${what}`, async (t) => {
    const { host, open, change, assertContents } = await start(t);
    const session = await open();
    await succeed(session.lock, session.read);
    await change('of another program');
    await host.wopi({ ...session, method, contents: true, headers });
    await succeed(saving(session, 'edited'));
    await assertContents('edited', ['of another program']);
  });
}

test('creates no conflict copy if a second session with the same lock saves without having read', async (t) => {
  const { open, assertContents } = await start(t);
  const [ana, bjorn] = [await open(), await open()];
  await succeed(ana.lock, ana.read, bjorn.call, bjorn.lock, bjorn.refresh);
  await succeed(saving(bjorn, 'of both'), saving(ana, 'of both again'));
  await assertContents('of both again', []);
});

test('creates no conflict copy if the first of several sessions with the same lock never read the document', async (t) => {
  const { open, assertContents } = await start(t);
  const closed = await open();
  await succeed(closed.lock);
  const [next, third] = [await open(), await open()];
  await succeed(next.lock, next.read, third.lock, saving(third, 'edited'));
  await assertContents('edited', []);
});

test('creates no conflict copy if a second session replaces the lock right after the first has read', async (t) => {
  const { open, assertContents } = await start(t);
  const [first, second] = [await open(), await open('of the second session')];
  await succeed(
    first.lock,
    first.read,
    () => second.lock({ 'X-WOPI-OldLock': 'L' }),
    saving(second, 'edited'),
  );
  await assertContents('edited', []);
});

test('creates no conflict copy if a session locks again after its lock lapsed or was released', async (t) => {
  const { host, open, assertContents } = await start(t);
  const session = await open();
  await succeed(session.read, session.lock);
  host.clock.advance(31 * 60_000);
  await succeed(session.lock, saving(session, 'edited'));
  await succeed(session.unlock, session.lock, saving(session, 'edited again'));
  await assertContents('edited again', []);
});

test('creates no conflict copy if another program rewrote the same content', async (t) => {
  const { open, change, assertContents } = await start(t);
  const session = await open();
  await succeed(session.read);
  await change('as it was');
  await succeed(session.lock, saving(session, 'edited'));
  await assertContents('edited', []);
});

test('creates no conflict copy of an empty document, or of a template that the session saved before it locked', async (t) => {
  for (const steps of [[], ['the template']]) {
    const { open, assertContents } = await start(t, '');
    const session = await open();
    await succeed(...steps.map((template) => saving(session, template, { 'X-WOPI-Lock': '' })));
    await succeed(session.lock, saving(session, 'edited'));
    await assertContents('edited', []);
  }
});

test('creates no conflict copy if a copy is saved with the token that PutRelativeFile issued', async (t) => {
  const { host, open } = await start(t);
  const copied = await (await open()).copy('the copy', { 'X-WOPI-SuggestedTarget': 'b.txt' });
  const { Url } = JSON.parse(copied.body.toString()) as { Url: string };
  const post = async (url: string, override: string, body: string) =>
    fetch(url, { method: 'POST', headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'L' }, body });
  assert.equal((await post(Url, 'LOCK', '')).status, 200);
  assert.equal((await post(Url.replace('?', '/contents?'), 'PUT', 'edited')).status, 200);
  assert.deepEqual((await readdir(host.folder)).toSorted(), ['a.txt', 'b.txt']);
});

test('doesn’t overwrite another program’s change if the editor reports no changes', async (t) => {
  const { open, change, assertContents } = await start(t);
  const session = await open();
  await succeed(session.read, session.lock);
  const save = (body: string, isModified: string) =>
    session.save(body, {
      'X-COOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z',
      'X-EXT-WOPI-IsModifiedByUser': isModified,
    });
  assert.equal((await save('saved', 'false')).status, 200, 'saved, because nothing else changed it');
  await change('of another program');
  const unmodified = await save('serialized again', 'false');
  assert.equal(unmodified.status, 200);
  assert.equal(unmodified.headers.get('X-WOPI-ItemVersion'), (await session.info())['Version']);
  await assertContents('of another program', []);
  assert.equal((await save('edited', 'true')).status, 409, 'the editor hasn’t read the change');
});

test('keeps both contents if another program recreates a deleted document during a save', async (t) => {
  const { host, open, change, assertContents } = await start(t);
  const session = await open();
  await succeed(session.lock, session.read);
  await rm(session.path);
  // Between the last check, which finds no document, and the creation by the save.
  const { folder } = host.host.services.folders.require();
  const findHeld = folder.findHeld.bind(folder);
  let isCreated = false;
  folder.findHeld = async (id) => {
    const seen = await findHeld(id);
    if (seen === undefined && !isCreated) {
      isCreated = true;
      await change('by another program');
    }
    return seen;
  };
  await succeed(saving(session, 'mine'));
  assert.ok(isCreated);
  await assertContents('mine', ['by another program']);
  await succeed(saving(session, 'again'));
  await assertContents('again', ['by another program']);
});
