// A wall clock that is wrong at the start, jumps ahead or is set back must not extend a permission in real time, reject saves of
// an open document, or delete a user's data.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost, type TestHost, type WopiResponse } from './test-host.ts';
import { fc } from '../random.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const tokenLife = 10 * hour;
const lockLife = 30 * minute;

const begin = (t: TestContext): Promise<TestHost> => startTestHost({ files: { 'a.txt': 'zero' } }, t);

/** Opens and locks the document. The calls return their status. */
async function openEditor(host: TestHost, apiToken?: string) {
  const document = await host.document('a.txt', apiToken === undefined ? {} : { apiToken });
  const statusOf = async (answer: Promise<WopiResponse>): Promise<number> => (await answer).status;
  assert.equal(await statusOf(document.lock()), 200);
  return {
    fileId: document.fileId,
    refresh: () => statusOf(document.refresh()),
    read: () => statusOf(document.read()),
    save: (body: string) => statusOf(document.save(body)),
    isLocked: () => host.host.services.locks.isHeld(document.fileId),
  };
}

/** The host adopts a changed clock asynchronously, after it noticed the change. */
async function correctClock(host: TestHost, byMs: number): Promise<void> {
  host.clock.set(byMs);
  const isAdopted = () => Math.abs(host.host.services.clock() - host.clock.now()) < minute;
  for (let tries = 0; !isAdopted() && tries < 200; tries += 1) await wait(5);
  assert.ok(isAdopted());
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
  type ClockEvent = readonly ['set' | 'pass' | 'restart' | 'sweep' | 'wake' | 'save' | 'refresh', ms: number];
  const between = (weight: number, kind: 'set' | 'pass', min: number, max: number) => ({
    weight,
    arbitrary: fc.integer({ min, max }).map((ms): ClockEvent => [kind, ms]),
  });
  const oneOf = (weight: number, ...kinds: ClockEvent[0][]) => ({
    weight,
    arbitrary: fc.constantFrom(...kinds).map((kind): ClockEvent => [kind, 0]),
  });
  const clockEvent = fc.oneof(
    between(3, 'set', -60 * day, 60 * day),
    between(2, 'set', -2 * hour, 2 * hour),
    between(3, 'pass', 0, 2 * hour),
    oneOf(1, 'restart', 'sweep', 'wake'),
    oneOf(3, 'save', 'refresh'),
  );
  /** A start with the clock set back expires the tokens; the clock is corrected before the next start. */
  const setBackThenAhead: ClockEvent[] = [
    ['set', -30 * day],
    ['restart', 0],
    ['set', 7 * day],
    ['restart', 0],
    ['refresh', 0],
    ['save', 0],
  ];
  /** The lock lapses shortly before a start with the clock set ahead. */
  const lapsedThenAhead: ClockEvent[] = [
    ['pass', 31 * minute],
    ['set', 5 * day],
    ['restart', 0],
    ['sweep', 0],
    ['save', 0],
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
      const { fileId, lock, refresh, read, save } = await host.document(path, { apiToken, lockId: path });
      assert.equal((await lock()).status, 200);
      let refreshedMs = 0;
      for (const [kind, ms] of clockEvents) {
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
          assert.equal((await save(`save ${savedAt.length}`)).status, 200);
          refreshedMs = realMs;
        } else if (kind === 'refresh') {
          assert.equal((await refresh()).status, 200);
          refreshedMs = realMs;
        }
        const { locks, versions } = host.host.services;
        if (realMs - refreshedMs > lockLife + slackMs) assert.equal(locks.isHeld(fileId), false, 'lock');
        if (realMs > tokenLife + slackMs) assert.equal((await read()).status, 401, 'token');
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
