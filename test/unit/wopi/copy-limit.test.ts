import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copiesAtOnce, createCopyLimit, msPerCopy } from '../../../app/wopi/copy-limit.ts';

const hour = 60 * 60 * 1000;

function openLimit() {
  const time = { nowMs: 1_000_000 };
  const limit = createCopyLimit({ clock: () => time.nowMs, graceMs: 24 * hour });
  const token = (id: string) => ({ id, expiresAtMs: 10 * hour });
  const use = (id: string, times: number): number => {
    let taken = 0;
    for (let turn = 0; turn < times; turn += 1) if (limit.take(token(id)) === 0) taken += 1;
    return taken;
  };
  return { time, limit, use, token };
}

test('a token creates a burst of copies at once, then one at a time', () => {
  const { time, limit, use, token } = openLimit();
  assert.equal(use('a', 600), copiesAtOnce);
  assert.equal(limit.take(token('a')), msPerCopy / 1000);
  time.nowMs += msPerCopy;
  assert.equal(use('a', 600), 1);
  time.nowMs += 24 * hour;
  assert.equal(use('a', 600), copiesAtOnce, 'a pause never saves up more than a burst');
});

test('another token has its own limit, and the token of a copy shares that of its source', () => {
  const { limit, use } = openLimit();
  assert.equal(use('a', 10), 10);
  limit.share('a', 'copy of a');
  limit.share('copy of a', 'copy of that');
  assert.equal(use('copy of that', 600), copiesAtOnce - 10);
  assert.equal(use('a', 1), 0);
  assert.equal(use('b', 600), copiesAtOnce);
});

test('a clock that is set back neither raises the limit nor blocks copies', () => {
  const { time, use } = openLimit();
  use('a', 600);
  time.nowMs -= hour;
  assert.equal(use('a', 600), 0);
  time.nowMs += msPerCopy;
  assert.equal(use('a', 600), 1);
});
