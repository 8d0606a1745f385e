import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRenewal } from '../../renderer/host-page/renewal.ts';

const minute = 60_000;
const hour = 60 * minute;

function scene(way: 'hand-over' | 'reload', lifeMs = 10 * hour) {
  const clock = { nowMs: 1_000_000_000_000 };
  const can = { reload: true, fetch: true };
  const done: string[] = [];
  let count = 0;
  /** The host's clock is an hour behind. */
  const token = () => {
    const endsAtMs = lifeMs === 0 ? 0 : clock.nowMs + lifeMs;
    const accessTokenTtl = endsAtMs === 0 ? 0 : endsAtMs - hour;
    return { accessToken: `t${count}`, tokenId: `t${count}`, accessTokenTtl, endsAtMs };
  };
  const renewal = createRenewal({
    now: () => clock.nowMs,
    fetchToken: async () => {
      done.push('fetch');
      if (!can.fetch) throw new Error('no answer');
      count += 1;
      return token();
    },
    way: () => way,
    canReload: () => can.reload,
    give: ({ accessToken }) => done.push(`give ${accessToken}`),
    report: (hasEnded) => {
      if (hasEnded) done.push('ended');
    },
  });
  renewal.given(token());
  /** Moves the clock ahead, waits for what that starts, and returns what was done so far. */
  const pass = async (ms: number): Promise<string[]> => {
    clock.nowMs += ms;
    renewal.tick();
    await new Promise(setImmediate);
    return done;
  };
  return { renewal, clock, can, done, pass };
}

describe('the renewal of an access token', () => {
  it('is once: before Collabora would warn its user, ten minutes before it expires if the frame is reloaded, after half of a short life, at once after a sleep, and never without an end', async () => {
    for (const [way, lifeMs, silentMs, renewedMs] of [
      ['hand-over', 10 * hour, 10 * hour - 21 * minute, minute],
      ['reload', 10 * hour, 10 * hour - 11 * minute, minute],
      ['hand-over', 10 * minute, 4 * minute, minute],
      ['hand-over', 10 * hour, 0, 30 * hour],
    ] as const) {
      const { pass } = scene(way, lifeMs);
      assert.deepEqual(await pass(silentMs), []);
      assert.deepEqual(await pass(renewedMs), ['fetch', 'give t1']);
      assert.deepEqual(await pass(minute), ['fetch', 'give t1']);
    }
    assert.deepEqual(await scene('hand-over', 0).pass(1000 * hour), []);
  });

  it('doesn’t reload the frame until nothing can be lost, even after the token expired or while another one is fetched', async () => {
    const { pass, can, clock, renewal, done } = scene('reload');
    can.reload = false;
    assert.deepEqual(await pass(10 * hour - 5 * minute), []);
    assert.deepEqual(await pass(6 * minute), ['ended']);
    can.reload = true;
    clock.nowMs += minute;
    renewal.tick();
    can.reload = false;
    await new Promise(setImmediate);
    assert.deepEqual(done, ['ended', 'fetch']);
    can.reload = true;
    assert.deepEqual(await pass(minute), ['ended', 'fetch', 'fetch', 'give t2']);
  });

  it('is tried every half a minute, whether the host doesn’t respond or its tokens have expired when they arrive', async () => {
    const { pass, can } = scene('hand-over');
    can.fetch = false;
    await pass(10 * hour - 15 * minute);
    assert.deepEqual(await pass(10_000), ['fetch']);
    can.fetch = true;
    assert.deepEqual(await pass(20_000), ['fetch', 'fetch', 'give t1']);
    const late = scene('hand-over', -hour);
    await late.pass(10_000);
    assert.deepEqual(await late.pass(20_000), ['fetch', 'give t1']);
    assert.deepEqual(await late.pass(10_000), ['fetch', 'give t1', 'fetch', 'give t2']);
  });

  it('gives an editor that keeps asking one token in half a minute, and the user one at any time', async () => {
    const { renewal, done, clock } = scene('hand-over');
    const [first, second] = await Promise.all([renewal.fetchNow(), renewal.fetchNow()]);
    assert.equal(first?.accessToken, 't1');
    assert.equal(second, undefined);
    clock.nowMs += 20_000;
    assert.equal(await renewal.fetchNow(), undefined);
    assert.deepEqual(done, ['fetch']);
    assert.equal((await renewal.fetchNow(true))?.accessToken, 't2');
    clock.nowMs += 30_000;
    assert.equal((await renewal.fetchNow())?.accessToken, 't3');
  });
});
