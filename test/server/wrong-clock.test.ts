// A wall clock that is wrong at the start, jumps ahead or is set back must not extend a permission in real time, reject saves of
// an open document, or delete a user's data.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost, type TestHost } from './test-host.ts';
import { fc } from '../random.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const tokenLife = 10 * hour;
const lockLife = 30 * minute;

async function begin(t: TestContext): Promise<TestHost> {
  const host = await startTestHost({ files: { 'a.txt': 'zero' } });
  t.after(() => host.stop());
  return host;
}

/** Opens and locks the document, as an editor does. */
async function openEditor(host: TestHost, apiToken?: string) {
  const { fileId, accessToken: token } = await host.access(
    'a.txt',
    apiToken === undefined ? {} : { apiToken },
  );
  const headers = { 'X-WOPI-Lock': 'lock' };
  const call = async (override: string): Promise<number> =>
    (await host.wopi({ fileId, token, override, headers })).status;
  assert.equal(await call('LOCK'), 200);
  return {
    fileId,
    lock: () => call('LOCK'),
    refresh: () => call('REFRESH_LOCK'),
    read: async () => (await host.wopi({ fileId, token, contents: true })).status,
    save: async (body: string) =>
      (await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body })).status,
    isLocked: () => host.host.services.locks.isHeld(fileId),
  };
}

/** The host adopts a changed clock asynchronously, after it noticed the change. */
async function correctClock(host: TestHost, byMs: number): Promise<void> {
  host.clock.set(byMs);
  host.host.services.clock();
  await wait(10);
  assert.ok(Math.abs(host.host.services.clock() - host.clock.now()) < minute);
}

const versionsOf = (host: TestHost, fileId: string): number =>
  host.host.services.versions.list(fileId).length;

test('keeps all versions when the clock is 40 days off at the start, and accepts saves of open documents', async (t) => {
  const host = await begin(t);
  const editor = await openEditor(host);
  for (const body of ['one', 'two', 'three']) assert.equal(await editor.save(body), 200);
  host.clock.set(40 * day);
  await host.restart();
  await sweep(host.host.services);
  assert.equal(versionsOf(host, editor.fileId), 3);
  assert.equal(await editor.refresh(), 200);
  assert.equal(await editor.save('four'), 200);
  await sweep(host.host.services);
  assert.equal(versionsOf(host, editor.fileId), 4);

  host.clock.set(-40 * day);
  assert.equal(await editor.save('five'), 200);
  await sweep(host.host.services);
  assert.equal(versionsOf(host, editor.fileId), 5);
  await host.restart();
  await sweep(host.host.services);
  assert.equal(await editor.save('six'), 200);
  assert.equal(versionsOf(host, editor.fileId), 6);
});

test('keeps versions saved while the clock was 40 days behind, after it is corrected', async (t) => {
  const host = await begin(t);
  const before = await openEditor(host);
  assert.equal(await before.save('one'), 200);
  host.clock.advance(2 * day);
  const editor = await openEditor(host);
  host.clock.set(-40 * day);
  await host.restart();
  for (const body of ['two', 'three', 'four']) assert.equal(await editor.save(body), 200);
  await sweep(host.host.services);
  await correctClock(host, 40 * day);
  await sweep(host.host.services);
  assert.equal(versionsOf(host, editor.fileId), 4);
});

test('keeps a save recovered while the clock was behind, after it is corrected', async (t) => {
  const host = await begin(t);
  const before = await openEditor(host);
  assert.equal(await before.save('one'), 200);
  host.clock.advance(2 * day);
  host.clock.set(-40 * day);
  await host.restart();
  const { locks, recoveredSaves } = host.host.services;
  const editor = await openEditor(host, await host.signIn());
  await locks.forceClear(editor.fileId, 'test');
  assert.equal(await editor.save('two'), 409);
  await correctClock(host, 40 * day);
  await sweep(host.host.services);
  assert.equal(recoveredSaves.list().length, 1);
});

test('doesn’t sweep at the start, when the clock may still be wrong', async (t) => {
  const host = await begin(t);
  const editor = await openEditor(host);
  assert.equal(await editor.save('one'), 200);
  host.clock.set(400 * day);
  await host.restart();
  const rows = () => host.host.services.store.db.prepare('SELECT count(*) FROM api_tokens').pluck().get();
  await wait(300);
  assert.equal(rows(), 1, 'the expired token isn’t deleted yet');
});

test('a clock that jumps ahead while the host runs expires no lock and no token', async (t) => {
  const host = await begin(t);
  const editor = await openEditor(host);
  host.clock.set(40 * day);
  assert.equal(editor.isLocked(), true);
  assert.equal(await editor.read(), 200);
  assert.equal(await editor.save('one'), 200);
  assert.equal(
    (await host.access('a.txt')).accessTokenTtl > host.clock.now(),
    true,
    'expires in the future by the wall clock',
  );
  await sweep(host.host.services);
  assert.equal(versionsOf(host, editor.fileId), 1);
  assert.deepEqual(
    host.host.services.locks
      .list()
      .map(({ refreshedAtMs, state }) => [host.clock.now() - refreshedAtMs < minute, state]),
    [[true, 'held']],
  );
});

test('a clock that is set back while the host runs extends no lock, token, ticket or session', async (t) => {
  const host = await begin(t);
  const editor = await openEditor(host);
  const apiToken = await host.signIn();
  const { tickets, pageSessions, apiTokens, users } = host.host.services;
  const userId = users.list()[0]?.id ?? '';
  const grant = { userId, fileId: editor.fileId, mode: 'edit', editorId: null } as const;
  const ticket = tickets.issue(grant);
  const { cookie } = pageSessions.begin(grant);
  const unused = pageSessions.begin(grant).cookie;
  host.clock.advance(40_000);
  host.clock.set(-35_000);
  host.clock.advance(21_000);
  assert.equal(tickets.redeem(ticket), undefined);

  host.clock.advance(lockLife - 2 * minute);
  host.clock.set(-8 * hour);
  assert.equal(editor.isLocked(), true);
  host.clock.advance(2 * minute);
  assert.equal(editor.isLocked(), false);
  assert.equal(await editor.refresh(), 200, 'its editor can refresh it');

  host.clock.advance(tokenLife - lockLife - 2 * minute);
  host.clock.set(-9 * hour);
  assert.equal(await editor.read(), 200);
  host.clock.advance(2 * minute);
  assert.equal(await editor.read(), 401);
  assert.equal(await editor.save('one'), 200, 'an expired token still saves');

  assert.notEqual(pageSessions.find(cookie), undefined);
  host.clock.advance(2 * hour);
  host.clock.set(-11 * hour);
  assert.equal(pageSessions.find(unused), undefined);
  assert.notEqual(pageSessions.find(cookie), undefined, 'it was used since');

  host.clock.advance(29 * day);
  host.clock.set(-29 * day);
  assert.notEqual(apiTokens.authenticate(apiToken), undefined);
  host.clock.advance(day);
  assert.equal(apiTokens.authenticate(apiToken), undefined);
});

test('setting the clock back doesn’t extend the time to undo a force-clear', async (t) => {
  const host = await begin(t);
  const { fileId } = await openEditor(host);
  const { locks } = host.host.services;
  await locks.forceClear(fileId, 'test');
  host.clock.advance(5000);
  host.clock.set(-hour);
  host.clock.advance(6000);
  await host.host.noteWake();
  assert.equal(await locks.undoForceClear(fileId, 'test'), 'too-late');
});

test('after the clock was set back while stopped, tokens have expired but open documents can be saved', async (t) => {
  const host = await begin(t);
  const editor = await openEditor(host);
  assert.equal(await editor.save('one'), 200);
  const apiToken = await host.signIn();
  host.clock.advance(5 * hour);
  await host.host.stop();
  host.clock.set(-4 * hour);
  await host.restart();
  assert.equal(editor.isLocked(), false);
  assert.equal(await editor.read(), 401);
  assert.equal(host.host.services.apiTokens.authenticate(apiToken), undefined);
  assert.equal(await editor.refresh(), 200);
  assert.equal(await editor.save('two'), 200);
  assert.equal(versionsOf(host, editor.fileId), 2);
});

test('with random clock changes, open documents can be saved and no permission lasts too long', async (t) => {
  const host = await begin(t);
  const clockEvent = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('set' as const),
        ms: fc.integer({ min: -60 * day, max: 60 * day }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('set' as const),
        ms: fc.integer({ min: -2 * hour, max: 2 * hour }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 2 * hour }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('restart', 'sweep', 'wake'), ms: fc.constant(0) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('save', 'refresh'), ms: fc.constant(0) }),
    },
  );
  /** A start with the clock set back expires the tokens; the clock is corrected before the next start. */
  const setBackThenAhead = [
    { kind: 'set' as const, ms: -30 * day },
    { kind: 'restart' as const, ms: 0 as const },
    { kind: 'set' as const, ms: 7 * day },
    { kind: 'restart' as const, ms: 0 as const },
    { kind: 'refresh' as const, ms: 0 as const },
    { kind: 'save' as const, ms: 0 as const },
  ];
  /** The lock lapses shortly before a start with the clock set ahead. */
  const lapsedThenAhead = [
    { kind: 'pass' as const, ms: 31 * minute },
    { kind: 'set' as const, ms: 5 * day },
    { kind: 'restart' as const, ms: 0 as const },
    { kind: 'sweep' as const, ms: 0 as const },
    { kind: 'save' as const, ms: 0 as const },
  ];
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(clockEvent, { minLength: 3, maxLength: 14 }), async (clockEvents) => {
      number += 1;
      const path = `property ${number}.txt`;
      await writeFile(join(host.folder, path), 'zero');
      let realMs = 0;
      // By how much the clock can be wrong without being noticed. It adds up with every change.
      let slackMs = minute;
      const savedAt: number[] = [];
      const apiToken = await host.signIn();
      const { fileId, accessToken: token } = await host.access(path, { apiToken });
      const headers = { 'X-WOPI-Lock': path };
      const call = async (override: string): Promise<number> =>
        (await host.wopi({ fileId, token, override, headers })).status;
      assert.equal(await call('LOCK'), 200);
      let refreshedMs = 0;
      for (const { kind, ms } of clockEvents) {
        if (kind === 'set') {
          host.clock.set(ms);
          slackMs += 2 * minute;
        } else if (kind === 'pass') {
          host.clock.advance(ms);
          realMs += ms;
        } else if (kind === 'restart') await host.restart();
        else if (kind === 'sweep') await sweep(host.host.services);
        else if (kind === 'wake') await host.host.noteWake();
        else if (kind === 'save') {
          savedAt.push(realMs);
          const body = `save ${savedAt.length}`;
          assert.equal(
            (await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body })).status,
            200,
          );
          refreshedMs = realMs;
        } else if (kind === 'refresh') {
          assert.equal(await call('REFRESH_LOCK'), 200);
          refreshedMs = realMs;
        }
        const { locks, versions } = host.host.services;
        if (realMs - refreshedMs > lockLife + slackMs) assert.equal(locks.isHeld(fileId), false, 'lock');
        if (realMs > tokenLife + slackMs) {
          assert.equal((await host.wopi({ fileId, token, contents: true })).status, 401, 'token');
        }
        // The first save replaced version 1, the second version 2. The minute allows for the duration of the test.
        const kept = new Set(
          versions.list(fileId).map(({ itemVersion }) => Number.parseInt(itemVersion, 10)),
        );
        const lost = savedAt.flatMap((atMs, index) =>
          realMs - atMs < day - minute && !kept.has(index + 1) ? [index + 1] : [],
        );
        assert.deepEqual(lost, [], 'versions of the last day');
      }
    }),
    { numRuns: Number(process.env['CLOCK_RUNS'] ?? 25), examples: [[setBackThenAhead], [lapsedThenAhead]] },
  );
});
