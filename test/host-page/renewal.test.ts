import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageToken } from '../../renderer/host-page/host-api.ts';
import { createRenewal, type Renewal } from '../../renderer/host-page/renewal.ts';

const minute = 60_000;
const hour = 60 * minute;

interface Scene {
  renewal: Renewal;
  clock: { nowMs: number };
  can: { reload: boolean };
  done: string[];
  fetching: { fails: unknown };
  /** Moves the clock ahead and waits for what that starts. */
  pass(ms: number): Promise<void>;
}

/** The host's clock is an hour behind. */
function tokenOf(accessToken: string, endsAtMs: number): PageToken {
  return {
    accessToken,
    accessTokenTtl: endsAtMs === 0 ? 0 : endsAtMs - hour,
    tokenId: accessToken,
    endsAtMs,
  };
}

function scene(way: 'hand-over' | 'reload', lifeMs = 10 * hour): Scene {
  const clock = { nowMs: 1_000_000_000_000 };
  const can = { reload: true };
  const fetching: { fails: unknown } = { fails: undefined };
  const done: string[] = [];
  let count = 0;
  const renewal = createRenewal({
    now: () => clock.nowMs,
    fetchToken: async () => {
      done.push('fetch');
      if (fetching.fails !== undefined) throw fetching.fails as Error;
      count += 1;
      return tokenOf(`t${count}`, clock.nowMs + lifeMs);
    },
    way: () => way,
    handOver: ({ accessToken }) => done.push(`hand over ${accessToken}`),
    canReload: () => can.reload,
    reload: ({ accessToken }) => done.push(`reload ${accessToken}`),
    report: (problem) => {
      if (problem !== null) done.push(problem.hasEnded ? 'ended' : 'not renewed');
    },
  });
  renewal.given(tokenOf('t0', clock.nowMs + lifeMs));
  const pass = async (ms: number): Promise<void> => {
    clock.nowMs += ms;
    renewal.tick();
    await new Promise(setImmediate);
  };
  return { renewal, clock, can, done, fetching, pass };
}

describe('the renewal of an access token', () => {
  it('passes a new token to Collabora before Collabora would warn its user', async () => {
    const { pass, done } = scene('hand-over');
    await pass(10 * hour - 21 * minute);
    assert.deepEqual(done, []);
    await pass(minute);
    assert.deepEqual(done, ['fetch', 'hand over t1']);
    await pass(minute);
    assert.equal(done.length, 2);
  });

  it('reloads the frame ten minutes before the token expires if that is the only way', async () => {
    const { pass, done } = scene('reload');
    await pass(10 * hour - 11 * minute);
    assert.deepEqual(done, []);
    await pass(minute);
    assert.deepEqual(done, ['fetch', 'reload t1']);
  });

  it('doesn’t reload the frame until nothing can be lost, even after the token expired', async () => {
    const { pass, done, can } = scene('reload');
    can.reload = false;
    await pass(10 * hour - 5 * minute);
    assert.deepEqual(done, []);
    await pass(6 * minute);
    assert.deepEqual(done, ['ended']);
    can.reload = true;
    await pass(minute);
    assert.deepEqual(done, ['ended', 'fetch', 'reload t1']);
  });

  it('doesn’t reload the frame if the user started to type while the token was fetched', async () => {
    const { clock, renewal, done, can } = scene('reload');
    clock.nowMs += 10 * hour;
    renewal.tick();
    can.reload = false;
    await new Promise(setImmediate);
    assert.deepEqual(done, ['fetch']);
  });

  it('happens at once when a laptop wakes up after the token expired', async () => {
    const { pass, done } = scene('hand-over');
    await pass(30 * hour);
    assert.deepEqual(done, ['fetch', 'hand over t1']);
  });

  it('tries again after half a minute if the host doesn’t respond', async () => {
    const { pass, done, fetching } = scene('hand-over');
    fetching.fails = new Error('no answer');
    await pass(10 * hour - 15 * minute);
    await pass(10_000);
    assert.deepEqual(done, ['fetch', 'not renewed']);
    fetching.fails = undefined;
    await pass(20_000);
    assert.deepEqual(done, ['fetch', 'not renewed', 'fetch', 'hand over t1']);
  });

  it('doesn’t renew a token that never expires', async () => {
    const { renewal, pass, done } = scene('hand-over');
    renewal.given(tokenOf('t0', 0));
    await pass(1000 * hour);
    assert.deepEqual(done, []);
  });

  it('renews a short-lived token after half its lifetime, not all the time', async () => {
    const { pass, done } = scene('hand-over', 10 * minute);
    await pass(4 * minute);
    assert.deepEqual(done, []);
    await pass(minute);
    assert.deepEqual(done, ['fetch', 'hand over t1']);
    await pass(minute);
    assert.equal(done.length, 2);
  });

  it('fetches one token when the editor asks twice', async () => {
    const { renewal, done } = scene('hand-over');
    const [first, second] = await Promise.all([renewal.fetchNow(), renewal.fetchNow()]);
    assert.deepEqual(done, ['fetch']);
    assert.equal(first, second);
  });

  it('gives an editor at most one token in half a minute', async () => {
    const { renewal, done, clock } = scene('hand-over');
    assert.ok((await renewal.fetchNow()) !== undefined);
    clock.nowMs += 20_000;
    assert.equal(await renewal.fetchNow(), undefined);
    clock.nowMs += 10_000;
    assert.ok((await renewal.fetchNow()) !== undefined);
    assert.deepEqual(done, ['fetch', 'fetch']);
  });

  it('pauses between tokens that have already expired when they arrive', async () => {
    const { pass, done } = scene('hand-over', -hour);
    await pass(10_000);
    assert.deepEqual(done, []);
    await pass(20_000);
    await pass(10_000);
    assert.deepEqual(done, ['fetch', 'hand over t1']);
  });
});
