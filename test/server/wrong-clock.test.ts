// A computer whose clock is wrong when it starts, jumps ahead or is set back: no permission lasts longer in real time, nobody
// who edits loses a save, and nothing of the user's is deleted.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost, type TestHost } from './test-host.ts';

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

/** Somebody who has a document open and locked. */
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

/** The host follows in the next turn after it noticed. */
async function correctClock(host: TestHost, byMs: number): Promise<void> {
  host.clock.set(byMs);
  host.host.services.clock();
  await wait(10);
  assert.ok(Math.abs(host.host.services.clock() - host.clock.now()) < minute);
}

const versionsOf = (host: TestHost, fileId: string): number =>
  host.host.services.versions.list(fileId).length;

test('loses no version to a clock that is 40 days off at startup, and lets open editors save', async (t) => {
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

test('A clock that is 40 days behind at the start costs none of the versions that are kept until it is corrected', async (t) => {
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

test('A recovered save that was kept while the clock was behind stays when it is corrected', async (t) => {
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

test('Nothing is swept at the start: a wrong clock is corrected before the first sweep', async (t) => {
  const host = await begin(t);
  const editor = await openEditor(host);
  assert.equal(await editor.save('one'), 200);
  host.clock.set(400 * day);
  await host.restart();
  const rows = () => host.host.services.store.db.prepare('SELECT count(*) FROM api_tokens').pluck().get();
  await wait(300);
  assert.equal(rows(), 1, 'expired by this clock, and still there');
});

test('A clock that jumps ahead while the host runs ends no lock and no token', async (t) => {
  const host = await begin(t);
  const editor = await openEditor(host);
  host.clock.set(40 * day);
  assert.equal(editor.isLocked(), true);
  assert.equal(await editor.read(), 200);
  assert.equal(await editor.save('one'), 200);
  assert.equal(
    (await host.access('a.txt')).accessTokenTtl > host.clock.now(),
    true,
    'by the clock editors have',
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

test('A clock that is set back while the host runs lengthens no lock, token or session', async (t) => {
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
  assert.equal(await editor.refresh(), 200, 'its holder regains it');

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
  assert.notEqual(pageSessions.find(cookie), undefined, 'it was used meanwhile');

  host.clock.advance(29 * day);
  host.clock.set(-29 * day);
  assert.notEqual(apiTokens.authenticate(apiToken), undefined);
  host.clock.advance(day);
  assert.equal(apiTokens.authenticate(apiToken), undefined);
});

test('An undo of a force-clear is not possible for longer because the clock was set back', async (t) => {
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

test('After a clock was set back between two starts sessions and tokens have expired, and editors still save', async (t) => {
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

test('However the clock is set, an editor keeps its document and no permission outlives its time', async (t) => {
  const host = await begin(t);
  const happening = fc.oneof(
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
      arbitrary: fc.record({ kind: fc.constantFrom('restart', 'sweep', 'lapse'), ms: fc.constant(0) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('save', 'refresh', 'look'), ms: fc.constant(0) }),
    },
  );
  /** A clock that is corrected between two starts, when the tokens have already expired by a start with it set back. */
  const setBackThenAhead = [
    { kind: 'set' as const, ms: -30 * day },
    { kind: 'restart' as const, ms: 0 as const },
    { kind: 'set' as const, ms: 7 * day },
    { kind: 'restart' as const, ms: 0 as const },
    { kind: 'refresh' as const, ms: 0 as const },
    { kind: 'save' as const, ms: 0 as const },
  ];
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 14 }), async (happenings) => {
      number += 1;
      const path = `property ${number}.txt`;
      await writeFile(join(host.folder, path), 'zero');
      let realMs = 0;
      // What a clock can be wrong by without being noticed, once for each time that it is set.
      let slackMs = minute;
      const savedAt: number[] = [];
      const apiToken = await host.signIn();
      const { fileId, accessToken: token } = await host.access(path, { apiToken });
      const headers = { 'X-WOPI-Lock': path };
      const call = async (override: string): Promise<number> =>
        (await host.wopi({ fileId, token, override, headers })).status;
      assert.equal(await call('LOCK'), 200);
      let refreshedMs = 0;
      for (const { kind, ms } of happenings) {
        if (kind === 'set') {
          host.clock.set(ms);
          slackMs += 2 * minute;
        } else if (kind === 'pass') {
          host.clock.advance(ms);
          realMs += ms;
        } else if (kind === 'restart') await host.restart();
        else if (kind === 'sweep') await sweep(host.host.services);
        else if (kind === 'lapse') await host.host.noteWake();
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
        // The first save replaced version 1, the second version 2. The minute is what the test itself takes.
        const kept = new Set(
          versions.list(fileId).map(({ itemVersion }) => Number.parseInt(itemVersion, 10)),
        );
        const lost = savedAt.flatMap((atMs, index) =>
          realMs - atMs < day - minute && !kept.has(index + 1) ? [index + 1] : [],
        );
        assert.deepEqual(lost, [], 'versions of the last day');
      }
    }),
    { numRuns: Number(process.env['CLOCK_RUNS'] ?? 25), examples: [[setBackThenAhead]] },
  );
});
