// When a session saves without having read the current content, that content is kept as a conflict copy.

import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestHost, type TestDocument, type TestHost, type WopiResponse } from './test-host.ts';

type Step = () => Promise<WopiResponse>;

let host: TestHost;
let places = 0;
before(async () => {
  host = await startTestHost();
});
after(() => host.stop());

/** A document in a folder of its own. */
async function start(content = 'as it was') {
  places += 1;
  const place = `${places}/`;
  const folder = join(host.folder, place);
  const path = join(folder, 'a.txt');
  await mkdir(folder);
  await writeFile(path, content);
  return {
    folder,
    /** Opens the document with a new token. */
    open: (lockId = 'L') => host.document(`${place}a.txt`, { lockId }),
    change: (content: string) => writeFile(path, content),
    /** Fails unless these are the document and its conflict copies. */
    async assertContents(document: string, copies: string[]) {
      const names = (await readdir(folder)).filter((name) => name !== 'a.txt');
      const events = host.events.filter(
        (event) => event.event === 'conflict-copy-made' && event.path.startsWith(place),
      );
      assert.equal(events.length, names.length, 'each conflict copy has its event');
      for (const name of names) assert.match(name, /^a \(conflict .+\)\.txt$/);
      const contents = names.map((name) => readFile(join(folder, name), 'utf8'));
      assert.deepEqual([await readFile(path, 'utf8'), await Promise.all(contents)], [document, copies]);
      const recovered = host.host.services.recoveredSaves.list();
      assert.ok(!recovered.some((one) => one.path.startsWith(place)));
    },
  };
}

async function succeed(...steps: Step[]): Promise<void> {
  for (const step of steps) assert.equal((await step()).status, 200);
}

const saving = (session: TestDocument, body: string, headers?: Record<string, string>): Step =>
  session.save.bind(session, body, headers);

test('keeps the current content if an editor replays a rejected save without reading', async () => {
  const { open, assertContents } = await start();
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
  test(`creates no conflict copy after ${order}, even with a restart before the save`, async () => {
    const { open, assertContents } = await start();
    const session = await open();
    await succeed(...steps.map((step) => session[step]));
    await host.restart();
    await succeed(saving(session, 'edited'), saving(session, 'edited again'));
    await assertContents('edited again', []);
  });

  test(`keeps what another program wrote during ${order}`, async () => {
    const { open, change, assertContents } = await start();
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
  test(`keeps what another program wrote if the session has since read ${what}`, async () => {
    const { open, change, assertContents } = await start();
    const session = await open();
    await succeed(session.lock, session.read);
    await change('of another program');
    await host.wopi({ ...session, method, contents: true, headers });
    await succeed(saving(session, 'edited'));
    await assertContents('edited', ['of another program']);
  });
}

test('creates no conflict copy if a second session with the same lock saves without having read', async () => {
  const { open, assertContents } = await start();
  const [ana, bjorn] = [await open(), await open()];
  await succeed(ana.lock, ana.read, bjorn.call, bjorn.lock, bjorn.refresh);
  await succeed(saving(bjorn, 'of both'), saving(ana, 'of both again'));
  await assertContents('of both again', []);
});

test('creates no conflict copy if the first of several sessions with the same lock never read the document', async () => {
  const { open, assertContents } = await start();
  const closed = await open();
  await succeed(closed.lock);
  const [next, third] = [await open(), await open()];
  await succeed(next.lock, next.read, third.lock, saving(third, 'edited'));
  await assertContents('edited', []);
});

test('creates no conflict copy if a second session replaces the lock right after the first has read', async () => {
  const { open, assertContents } = await start();
  const [first, second] = [await open(), await open('of the second session')];
  await succeed(
    first.lock,
    first.read,
    () => second.lock({ 'X-WOPI-OldLock': 'L' }),
    saving(second, 'edited'),
  );
  await assertContents('edited', []);
});

test('creates no conflict copy if a session locks again after its lock lapsed or was released', async () => {
  const { open, assertContents } = await start();
  const session = await open();
  await succeed(session.read, session.lock);
  host.clock.advance(31 * 60_000);
  await succeed(session.lock, saving(session, 'edited'));
  await succeed(session.unlock, session.lock, saving(session, 'edited again'));
  await assertContents('edited again', []);
});

test('creates no conflict copy if another program rewrote the same content', async () => {
  const { open, change, assertContents } = await start();
  const session = await open();
  await succeed(session.read);
  await change('as it was');
  await succeed(session.lock, saving(session, 'edited'));
  await assertContents('edited', []);
});

test('creates no conflict copy of an empty document, or of a template that the session saved before it locked', async () => {
  for (const steps of [[], ['the template']]) {
    const { open, assertContents } = await start('');
    const session = await open();
    await succeed(...steps.map((template) => saving(session, template, { 'X-WOPI-Lock': '' })));
    await succeed(session.lock, saving(session, 'edited'));
    await assertContents('edited', []);
  }
});

test('creates no conflict copy if a copy is saved with the token that PutRelativeFile issued', async () => {
  const { folder, open } = await start();
  const copied = await (await open()).copy('the copy', { 'X-WOPI-SuggestedTarget': 'b.txt' });
  const { Url } = JSON.parse(copied.body.toString()) as { Url: string };
  const post = async (url: string, override: string, body: string) =>
    fetch(url, { method: 'POST', headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'L' }, body });
  assert.equal((await post(Url, 'LOCK', '')).status, 200);
  assert.equal((await post(Url.replace('?', '/contents?'), 'PUT', 'edited')).status, 200);
  assert.deepEqual((await readdir(folder)).toSorted(), ['a.txt', 'b.txt']);
});

test('doesn’t overwrite another program’s change if the editor reports no changes', async () => {
  const { open, change, assertContents } = await start();
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
  const { open, change, assertContents } = await start();
  const session = await open();
  await succeed(session.lock, session.read);
  await rm(session.path);
  // Between the last check, which finds no document, and the creation by the save.
  const { folder } = host.host.services.folders.require();
  const findHeld = folder.findHeld.bind(folder);
  let isCreated = false;
  t.mock.method(folder, 'findHeld', async (id: string) => {
    const seen = await findHeld(id);
    if (seen === undefined && !isCreated) {
      isCreated = true;
      await change('by another program');
    }
    return seen;
  });
  await succeed(saving(session, 'mine'));
  assert.ok(isCreated);
  await assertContents('mine', ['by another program']);
  await succeed(saving(session, 'again'));
  await assertContents('again', ['by another program']);
});
