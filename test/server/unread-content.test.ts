// When a session saves without having read the current content, that content is kept as a conflict copy.

import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

async function start(t: TestContext, content = 'as it was') {
  const host = await startTestHost({ files: { 'a.txt': content } });
  t.after(() => host.stop());
  return host;
}

type Step = (headers?: Record<string, string>) => Promise<number>;

interface Session {
  fileId: string;
  info: Step;
  read: Step;
  lock: Step;
  refresh: Step;
  unlock: Step;
  put: (body: string, headers?: Record<string, string>) => Promise<number>;
}

/** Opens the document with a new access token. */
async function openSession(host: TestHost, lockId = 'L'): Promise<Session> {
  const { fileId, accessToken: token } = await host.access('a.txt');
  const lockStep =
    (override: string): Step =>
    async (headers = {}) =>
      (await host.wopi({ fileId, token, override, headers: { 'X-WOPI-Lock': lockId, ...headers } })).status;
  return {
    fileId,
    info: async () => (await host.wopi({ fileId, token })).status,
    read: async (headers = {}) => (await host.wopi({ fileId, token, contents: true, headers })).status,
    lock: lockStep('LOCK'),
    refresh: lockStep('REFRESH_LOCK'),
    unlock: lockStep('UNLOCK'),
    put: async (body, headers = {}) => {
      const call = { fileId, token, contents: true, override: 'PUT', body };
      return (await host.wopi({ ...call, headers: { 'X-WOPI-Lock': lockId, ...headers } })).status;
    },
  };
}

async function contents(host: TestHost): Promise<{ document: string; copies: string[] }> {
  const names = (await readdir(host.folder)).filter((name) => name !== 'a.txt');
  assert.equal(
    host.events.filter(({ event }) => event === 'conflict-copy-made').length,
    names.length,
    'each conflict copy has its event',
  );
  return {
    document: await readFile(join(host.folder, 'a.txt'), 'utf8'),
    copies: await Promise.all(names.map((name) => readFile(join(host.folder, name), 'utf8'))),
  };
}

async function assertSaved(steps: Promise<number>[]): Promise<void> {
  for (const step of steps) assert.equal(await step, 200);
}

test('keeps the current content if an editor replays a rejected save without reading', async (t) => {
  const host = await start(t);
  const first = await openSession(host);
  for (const step of [first.info, first.lock, first.read]) await assertSaved([step()]);
  await host.host.services.locks.forceClear(first.fileId, 'owner');
  assert.equal(await first.put('refused'), 409);
  const newer = await openSession(host, 'of another editor');
  for (const step of [newer.read, newer.lock]) await assertSaved([step()]);
  assert.equal(await newer.put('newer'), 200);
  assert.equal(await newer.unlock(), 200);

  const replay = await openSession(host);
  for (const step of [replay.info, replay.lock, replay.refresh]) await assertSaved([step()]);
  assert.equal(await replay.put('refused', { 'X-LOOL-WOPI-IsModifiedByUser': 'true' }), 200);
  assert.deepEqual(await contents(host), { document: 'refused', copies: ['newer'] });
});

for (const [order, steps] of [
  ['GetFile, Lock', ['read', 'lock']],
  ['Lock, GetFile', ['lock', 'read']],
] as const) {
  test(`creates no conflict copy after ${order}`, async (t) => {
    const host = await start(t);
    const session = await openSession(host);
    for (const step of steps) assert.equal(await session[step](), 200);
    assert.equal(await session.put('edited'), 200);
    assert.equal(await session.put('edited again'), 200);
    assert.deepEqual(await contents(host), { document: 'edited again', copies: [] });
  });

  test(`creates no conflict copy after ${order} and a restart`, async (t) => {
    const host = await start(t);
    const session = await openSession(host);
    for (const step of steps) assert.equal(await session[step](), 200);
    await host.restart();
    assert.equal(await session.put('edited'), 200);
    assert.deepEqual(await contents(host), { document: 'edited', copies: [] });
  });

  test(`keeps what another program wrote during ${order}`, async (t) => {
    const host = await start(t);
    const session = await openSession(host);
    for (const step of steps) {
      assert.equal(await session[step](), 200);
      if (step === 'read') await writeFile(join(host.folder, 'a.txt'), 'of another program');
    }
    assert.equal(await session.put('edited'), 200);
    assert.deepEqual(await contents(host), { document: 'edited', copies: ['of another program'] });
  });
}

for (const [what, headers] of [
  ['only a range', { Range: 'bytes=0-3' }],
  ['nothing, because the document was too large', { 'X-WOPI-MaxExpectedSize': '2' }],
] as [string, Record<string, string>][]) {
  test(`keeps the current content if the session read ${what}`, async (t) => {
    const host = await start(t);
    const session = await openSession(host);
    assert.equal(await session.lock(), 200);
    await session.read(headers);
    assert.equal(await session.put('edited'), 200);
    assert.deepEqual(await contents(host), { document: 'edited', copies: ['as it was'] });
  });
}

test('creates no conflict copy if a second session with the same lock saves without having read', async (t) => {
  const host = await start(t);
  const ana = await openSession(host);
  const bjorn = await openSession(host);
  for (const step of [ana.lock, ana.read, bjorn.info, bjorn.lock, bjorn.refresh]) await assertSaved([step()]);
  assert.equal(await bjorn.put('of both'), 200);
  assert.equal(await ana.put('of both again'), 200);
  assert.deepEqual(await contents(host), { document: 'of both again', copies: [] });
});

test('creates no conflict copy if the first of several sessions with the same lock never read the document', async (t) => {
  const host = await start(t);
  const closed = await openSession(host);
  assert.equal(await closed.lock(), 200);
  const next = await openSession(host);
  const third = await openSession(host);
  for (const step of [next.lock, next.read, third.lock]) await assertSaved([step()]);
  assert.equal(await third.put('edited'), 200);
  assert.deepEqual(await contents(host), { document: 'edited', copies: [] });
});

test('creates no conflict copy if a second session replaces the lock right after the first has read', async (t) => {
  const host = await start(t);
  const first = await openSession(host);
  for (const step of [first.lock, first.read]) assert.equal(await step(), 200);
  const second = await openSession(host, 'of the second session');
  assert.equal(await second.lock({ 'X-WOPI-OldLock': 'L' }), 200);
  assert.equal(await second.put('edited'), 200);
  assert.deepEqual(await contents(host), { document: 'edited', copies: [] });
});

test('creates no conflict copy if a session locks again after its lock lapsed or was released', async (t) => {
  const host = await start(t);
  const session = await openSession(host);
  for (const step of [session.read, session.lock]) await assertSaved([step()]);
  host.clock.advance(31 * 60_000);
  for (const step of [session.lock]) await assertSaved([step()]);
  assert.equal(await session.put('edited'), 200);
  for (const step of [session.unlock, session.lock]) await assertSaved([step()]);
  assert.equal(await session.put('edited again'), 200);
  assert.deepEqual(await contents(host), { document: 'edited again', copies: [] });
});

test('creates no conflict copy if another program rewrote the same content', async (t) => {
  const host = await start(t);
  const session = await openSession(host);
  assert.equal(await session.read(), 200);
  await writeFile(join(host.folder, 'a.txt'), 'as it was');
  assert.equal(await session.lock(), 200);
  assert.equal(await session.put('edited'), 200);
  assert.deepEqual(await contents(host), { document: 'edited', copies: [] });
});

test('creates no conflict copy of an empty document', async (t) => {
  const host = await start(t, '');
  const session = await openSession(host);
  assert.equal(await session.lock(), 200);
  assert.equal(await session.put('edited'), 200);
  assert.deepEqual(await contents(host), { document: 'edited', copies: [] });
});

test('creates no conflict copy of a template that the session saved before it locked', async (t) => {
  const host = await start(t, '');
  const session = await openSession(host);
  assert.equal(await session.put('the template', { 'X-WOPI-Lock': '' }), 200);
  assert.equal(await session.lock(), 200);
  assert.equal(await session.put('edited'), 200);
  assert.deepEqual(await contents(host), { document: 'edited', copies: [] });
});

test('creates no conflict copy if a copy is saved with the token that PutRelativeFile issued', async (t) => {
  const host = await start(t);
  const { fileId, accessToken: token } = await host.access('a.txt');
  const headers = { 'X-WOPI-SuggestedTarget': 'b.txt' };
  const copied = await host.wopi({ fileId, token, override: 'PUT_RELATIVE', headers, body: 'the copy' });
  const { Url } = JSON.parse(copied.body.toString()) as { Url: string };
  const post = async (url: string, override: string, body: string) =>
    fetch(url, { method: 'POST', headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'L' }, body });
  assert.equal((await post(Url, 'LOCK', '')).status, 200);
  assert.equal((await post(Url.replace('?', '/contents?'), 'PUT', 'edited')).status, 200);
  assert.deepEqual((await readdir(host.folder)).toSorted(), ['a.txt', 'b.txt']);
});

for (const prefix of ['X-EXT', 'X-LOOL', 'X-COOL']) {
  test(`doesn’t overwrite another program’s change if ${prefix}-WOPI-IsModifiedByUser is false`, async (t) => {
    const host = await start(t);
    const { fileId, accessToken: token } = await host.access('a.txt');
    const headers = { 'X-WOPI-Lock': 'L', 'X-COOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z' };
    const put = async (body: string, isModified: string) => {
      const flag = { [`${prefix}-WOPI-IsModifiedByUser`]: isModified };
      const call = { fileId, token, contents: true, override: 'PUT', body };
      return host.wopi({ ...call, headers: { ...headers, ...flag } });
    };
    await host.wopi({ fileId, token, contents: true });
    await host.wopi({ fileId, token, override: 'LOCK', headers });
    assert.equal((await put('saved', 'false')).status, 200, 'saved, because nothing else changed it');
    await writeFile(join(host.folder, 'a.txt'), 'of another program');
    const unmodified = await put('serialized again', 'false');
    assert.equal(unmodified.status, 200);
    const info = JSON.parse((await host.wopi({ fileId, token })).body.toString()) as { Version: string };
    assert.equal(unmodified.headers.get('X-WOPI-ItemVersion'), info.Version);
    assert.deepEqual(await contents(host), { document: 'of another program', copies: [] });
    assert.deepEqual(host.host.services.recoveredSaves.list(), []);
    assert.equal((await put('edited', 'true')).status, 409, 'the editor hasn’t read the change');
  });
}
