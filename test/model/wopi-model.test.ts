// That the model is strict where a lax one would hide faults of the host. test/server has the rules themselves.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEvent } from './model-events.ts';
import { lockLifetimeMs, newFile } from './model-state.ts';
import type { Answer, ModelEvent, ModelState, Request } from './model-state.ts';
import { allowed, explain } from './wopi-model.ts';

const hour = 60 * 60_000;

function start(content = 'old'): ModelState {
  const token = { file: 'a', canWrite: true, expiresAtMs: 10 * hour, revoked: false };
  return {
    nowMs: 0,
    files: { a: newFile('a.docx', content), b: newFile('b.docx', 'other') },
    tokens: {
      editor: token,
      other: { ...token, expiresAtMs: 1000 * hour },
      viewer: { ...token, canWrite: false },
    },
    extras: [],
    kept: [],
  };
}

type Partly<T> = T extends Request ? Omit<T, 'file' | 'token' | 'lock'> & Partial<Request> : never;

function ask(request: Partly<Request>): Request {
  return { file: 'a', token: 'editor', lock: '', ...request };
}

const put = (lock: string, content = 'new', oldTimestamp = false): Request =>
  ask({ kind: 'put', lock, content, oldTimestamp });

/** All allowed answers in short form: `200`, `409:current id`. */
function answers(state: ModelState, request: Request): string[] {
  const forms = allowed(state, request).map(
    ({ status, lock }) => `${status}${lock === undefined ? '' : `:${lock}`}`,
  );
  return [...new Set(forms)];
}

/** Applies the steps, each with its first allowed outcome. */
function after(state: ModelState, ...steps: (Request | ModelEvent)[]): ModelState {
  return steps.reduce((now, step) => {
    const next = 'lock' in step ? allowed(now, step).map((outcome) => outcome.next) : applyEvent(now, step);
    assert.ok(next[0] !== undefined);
    return next[0];
  }, state);
}

const lock = (id: string, token = 'editor'): Request => ask({ kind: 'lock', lock: id, token });
const advance = (ms: number): ModelEvent => ({ kind: 'advance', ms });
const outside = (content: string): ModelEvent => ({ kind: 'outside-write', file: 'a', content });

describe('the model of the protocol', () => {
  it('answers lock, save, rename, delete and copy requests with and without a held lock', () => {
    const held = after(start(), lock('x'));
    const table: [Request, string, string][] = [
      [lock('x'), '200', '200'],
      [lock('y'), '200', '409:x'],
      [ask({ kind: 'refresh-lock', lock: 'x' }), '409:', '200'],
      [ask({ kind: 'refresh-lock', lock: 'y' }), '409:', '409:x'],
      [ask({ kind: 'relock', lock: 'y', oldLock: 'x' }), '409:', '200'],
      [ask({ kind: 'relock', lock: 'x', oldLock: 'y' }), '409:', '409:x'],
      [ask({ kind: 'get-lock' }), '200:', '200:x'],
      [ask({ kind: 'unlock', lock: 'x' }), '409:', '200'],
      [ask({ kind: 'unlock', lock: 'X' }), '409:', '409:x'],
      [lock(''), '400', '400'],
      [lock('é'), '400', '400'],
      [lock('l'.repeat(1025)), '400', '400'],
      [put('x'), '409:', '200'],
      [put('y'), '409:', '409:x'],
      [put(''), '409:', '409:x'],
      [ask({ kind: 'rename', lock: 'x' }), '200', '200'],
      [ask({ kind: 'rename', lock: 'y' }), '200', '409:x'],
      [ask({ kind: 'rename' }), '200', '200'],
      [ask({ kind: 'rename', token: 'other' }), '200', '409:x'],
      [ask({ kind: 'delete', lock: 'x' }), '200', '409:x'],
      [ask({ kind: 'put-relative', content: 'c', wrongSize: false }), '200', '200'],
      [ask({ kind: 'put-relative', content: 'c', wrongSize: false, lock: 'y' }), '200', '409:x'],
      [ask({ kind: 'put-relative', content: 'c', wrongSize: true }), '400', '400'],
    ];
    for (const [request, whenFree, whenHeld] of table) {
      assert.deepEqual(answers(start(), request), [whenFree], `free: ${JSON.stringify(request)}`);
      assert.deepEqual(answers(held, request), [whenHeld], `held: ${JSON.stringify(request)}`);
    }
  });

  it('resumes an expired lock by its id while the bytes are the same and no other lock was taken', () => {
    const lapsed = after(start(), lock('x'), advance(lockLifetimeMs));
    for (const kind of ['refresh-lock', 'unlock'] as const)
      assert.deepEqual(answers(lapsed, ask({ kind, lock: 'x' })), ['200']);
    assert.deepEqual(answers(lapsed, put('x')), ['200']);
    assert.deepEqual(answers(lapsed, put('y')), ['409:']);
    assert.deepEqual(answers(lapsed, ask({ kind: 'relock', lock: 'y', oldLock: 'x' })), ['409:']);
    assert.equal(after(lapsed, put('x')).files['a']?.lock?.id, 'x');
    assert.deepEqual(answers(after(lapsed, outside('theirs')), put('x')), ['409:']);
    assert.deepEqual(answers(after(lapsed, outside('old')), put('x')), ['200', '409:'], 'bytes never hashed');
    const saved = after(start(), lock('x'), put('x', 'saved'), advance(lockLifetimeMs));
    assert.deepEqual(answers(after(saved, outside('saved')), put('x')), ['200'], 'bytes the host saved');
    assert.deepEqual(answers(after(lapsed, lock('y')), put('x')), ['409:y']);
    assert.deepEqual(answers(after(lapsed, lock('y'), ask({ kind: 'unlock', lock: 'y' })), put('x')), [
      '409:',
    ]);
  });

  it('allows a change to be before or after the expiry of a lock until the host has shown it', () => {
    const changed = after(start(), lock('x'), outside('theirs'));
    assert.deepEqual(answers(after(changed, advance(lockLifetimeMs)), put('x')), ['200', '409:']);
    const info = ask({ kind: 'check-file-info' });
    const answer: Answer = {
      status: 200,
      lock: undefined,
      version: 'v2',
      facts: { empty: false, name: 'a.docx', canWrite: true },
    };
    const [seen] = explain(changed, info, answer);
    assert.deepEqual(answers(after(seen!, advance(lockLifetimeMs)), put('x')), ['200']);
  });

  it('requires that rejected saves are recovered', () => {
    const cleared = after(start(), lock('x'), { kind: 'force-clear', file: 'a' });
    assert.deepEqual(answers(cleared, put('x')), ['409:']);
    assert.deepEqual(after(cleared, put('x', 'late')).kept, ['late']);
    const lost = after(start(), lock('x'), advance(lockLifetimeMs), lock('y'));
    assert.deepEqual(after(lost, put('x', 'late')).kept, ['late']);
    const released = after(start(), lock('x'), ask({ kind: 'unlock', lock: 'x' }));
    assert.deepEqual(after(released, put('x', 'late')).kept, ['late']);
    assert.deepEqual(after(cleared, put('x', 'old')).kept, [], 'bytes that are the document already');
  });

  it('keeps replaced bytes, and creates a conflict copy of what another program wrote during the edit', () => {
    assert.deepEqual(after(start(), lock('x'), put('x')).kept, ['old']);
    assert.deepEqual(after(start(), lock('x'), put('x', 'old')).kept, []);
    const changed = after(start(), lock('x'), outside('theirs'));
    const saves = allowed(changed, put('x'));
    assert.deepEqual(
      saves.map(({ next }) => [next.kept, next.extras]),
      [[['theirs'], ['theirs']]],
    );
    const reread = after(changed, ask({ kind: 'get-file' }));
    assert.deepEqual(after(reread, put('x')).extras, []);
    assert.deepEqual(answers(changed, put('x', 'new', true)), ['409:x']);
    assert.deepEqual(answers(reread, put('x', 'new', true)), ['200']);
  });

  it('requires a version that stays with the content, changes with every save, and is never reused', () => {
    const saved = (state: ModelState, version: string, content: string): ModelState[] =>
      explain(state, put('x', content), { status: 200, lock: undefined, version, facts: {} });
    const read = (state: ModelState, version: string): ModelState[] =>
      explain(state, lock('x'), { status: 200, lock: undefined, version, facts: {} });
    const [first] = read(start(), 'v1');
    assert.equal(read(first!, 'v2').length, 0);
    assert.equal(read(first!, 'v1').length, 1);
    assert.equal(saved(first!, 'v1', 'old').length, 0);
    const [second] = saved(first!, 'v2', 'old');
    assert.equal(saved(second!, 'v1', 'new').length, 0);
    const changed = after(second!, outside('theirs'));
    assert.equal(read(changed, 'v2').length, 0);
    assert.equal(read(changed, 'v3').length, 1);
    const touched = applyEvent(second!, outside('old'));
    assert.deepEqual(
      ['v1', 'v2', 'v3'].map((version) => touched.flatMap((state) => read(state, version)).length),
      [0, 1, 1],
    );
  });
});
