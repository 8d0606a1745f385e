import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActivityHours, hourMs } from '../../../app/log/activity-hours.ts';

const startMs = Date.UTC(2026, 2, 4, 12, 0, 0);

function createDay(stored?: string) {
  let nowMs = startMs;
  let saved = stored;
  const hours = createActivityHours({
    clock: () => nowMs,
    stored,
    save: (text) => {
      saved = text;
    },
  });
  return {
    hours,
    wait: (ms: number) => void (nowMs += ms),
    saved: () => saved,
    note: (operation: string, status: number, fileId?: string, { method = 'POST', code = '' } = {}) =>
      hours.note({ atMs: nowMs, operation, method, status, code, fileId }),
    now: () => hours.list().at(-1),
  };
}

test('counts saves, errors and different documents of an hour', () => {
  const day = createDay();
  day.note('PutFile', 200, 'a');
  day.note('PutFile', 200, 'a');
  day.note('PutRelativeFile', 200, 'b');
  day.note('PutFile', 409, 'b');
  day.note('GetFile', 200, 'c');
  day.note('SignIn', 401);
  assert.deepEqual(day.now(), { startMs, saves: 3, documents: 3, errors: 2 });
});

test('leaves out what a user did in the window, unless it failed', () => {
  const day = createDay();
  day.note('Rename', 200, 'a', { method: '' });
  assert.deepEqual(day.now(), { startMs, saves: 0, documents: 0, errors: 0 });
  day.note('Rename', 409, 'a', { method: '' });
  assert.deepEqual(day.now(), { startMs, saves: 0, documents: 0, errors: 1 });
});

test('counts no refusal that an editor or page expects as an error, except of a save', () => {
  const day = createDay();
  for (const operation of ['Lock', 'RefreshLock', 'Unlock', 'UnlockAndRelock']) day.note(operation, 409, 'a');
  day.note('HostPageRestoreVersion', 409, 'a', { code: 'file-locked' });
  day.note('CheckFileInfo', 401, 'a', { code: 'session-over' });
  day.note('HostPage', 401, 'a');
  assert.equal(day.now()?.errors, 0);
  day.note('PutFile', 409, 'a');
  day.note('PutFile', 401, 'a', { code: 'session-over' });
  day.note('HostPageRestoreVersion', 409, 'a', { code: 'version-damaged' });
  for (const operation of ['HostPageRename', 'RenameFile', 'DeleteFile'])
    day.note(operation, 409, 'a', { code: 'file-locked' });
  day.note('CheckFileInfo', 401, 'a');
  day.note('RefreshLock', 500, 'a');
  assert.equal(day.now()?.errors, 8);
});

test('always lists 24 hours, and forgets older ones', () => {
  const day = createDay();
  day.note('PutFile', 200, 'a');
  day.wait(23 * hourMs);
  assert.deepEqual(day.hours.list()[0], { startMs, saves: 1, documents: 1, errors: 0 });
  day.wait(hourMs);
  assert.equal(day.hours.list().length, 24);
  assert.ok(day.hours.list().every(({ saves }) => saves === 0));
  day.note('PutFile', 200, 'a');
  day.hours.flush();
  assert.equal((JSON.parse(day.saved() ?? '') as unknown[]).length, 1, 'what is stored doesn’t grow');
});

test('continues after a restart, with each document counted once', () => {
  const before = createDay();
  before.note('PutFile', 200, 'a');
  before.hours.flush();
  const day = createDay(before.saved());
  day.note('PutFile', 200, 'a');
  assert.deepEqual(day.now(), { startMs, saves: 2, documents: 1, errors: 0 });
});

test('writes only what changed, and starts empty when the stored text can’t be read', () => {
  const day = createDay('not JSON');
  day.hours.flush();
  assert.equal(day.saved(), 'not JSON');
  assert.equal(day.now()?.saves, 0);
});
