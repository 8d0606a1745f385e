// Every operation in every state of the lock: the answer, the lock that is held afterwards, and how long it is held. The session's
// lock id is always `mine`.

import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestHost, type TestDocument, type TestHost, type WopiResponse } from './test-host.ts';

const minute = 60_000;

let host: TestHost;
let count = 0;
before(async () => {
  host = await startTestHost();
});
after(() => host.stop());

/** Opens a new document, alone in its folder. */
async function open(): Promise<TestDocument> {
  count += 1;
  const path = `${count}/a.docx`;
  await mkdir(join(host.folder, String(count)));
  await writeFile(join(host.folder, path), 'as it was');
  return host.document(path, { lockId: 'mine' });
}

type Call = (document: TestDocument) => Promise<WopiResponse>;

const withId = (id: string) => ({ 'X-WOPI-Lock': id });
const target = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
const name = { 'X-WOPI-RequestedName': 'renamed' };
const relock: Call = ({ lock }) => lock({ ...withId('next'), 'X-WOPI-OldLock': 'mine' });
const lapse = (): void => host.clock.advance(30 * minute + 1000);

/** [what must have happened, the column of the table] */
const states: Record<string, [reach: (document: TestDocument) => Promise<unknown>, column: number]> = {
  unlocked: [async () => undefined, 0],
  'locked with its id': [({ lock }) => lock(), 1],
  'locked with another id': [({ lock }) => lock(withId('theirs')), 2],
  'its lock has lapsed': [({ lock }) => lock().then(lapse), 3],
  'another lock has lapsed': [({ lock }) => lock(withId('theirs')).then(lapse), 4],
  'its lock was released': [({ lock, unlock }) => lock().then(() => unlock()), 0],
  'its lock has lapsed, and another one was released': [
    async ({ lock, unlock }) => {
      await lock().then(lapse);
      await lock(withId('theirs'));
      await unlock(withId('theirs'));
    },
    0,
  ],
  'its lock has lapsed, and another program wrote the document': [
    async ({ lock, path }) => {
      await lock().then(lapse);
      await writeFile(path, 'by another program');
    },
    0,
  ],
};

/** By column, the id of the lock that is held after a success, or `none`; `no`: a 409 with the lock that is held; `-`: not tested. */
const table: [operation: string, call: Call, held: string][] = [
  ['Lock', ({ lock }) => lock(), 'mine mine no mine mine'],
  ['RefreshLock', ({ refresh }) => refresh(), 'no mine no mine no'],
  ['UnlockAndRelock', relock, 'no next no - no'],
  ['GetLock', ({ call }) => call('GET_LOCK'), 'none mine theirs none none'],
  ['Unlock', ({ unlock }) => unlock(), 'no none no none no'],
  ['PutFile', ({ save }) => save('edited'), 'no mine no mine no'],
  ['PutFile without a lock id', ({ call }) => call('PUT', {}, 'edited'), 'no no no no no'],
  [
    'PutRelativeFile',
    ({ copy }) => copy('a copy', { ...target, ...withId('mine') }),
    'none mine no none none',
  ],
  ['PutRelativeFile without a lock id', ({ copy }) => copy('a copy', target), 'none mine theirs none none'],
  ['RenameFile', ({ call }) => call('RENAME_FILE', { ...name, ...withId('mine') }), 'none mine no none none'],
  // This very session took the lock.
  ['RenameFile without a lock id', ({ call }) => call('RENAME_FILE', name), 'none mine theirs none none'],
  ['DeleteFile', ({ call }) => call('DELETE'), '- no no - -'],
];

/** Their successes have `X-WOPI-ItemVersion`. */
const versioned = ['Lock', 'Unlock', 'PutFile'];

for (const [operation, call, held] of table)
  for (const [state, [reach, column]] of Object.entries(states)) {
    const outcome = held.split(' ')[column] ?? '-';
    if (outcome === '-') continue;
    const isRefused = outcome === 'no';
    const heldBefore = ['', 'mine', 'theirs', '', ''][column] ?? '';
    const heldAfter = isRefused ? heldBefore : outcome.replace('none', '');
    it(`${operation}, ${state}: ${isRefused ? 409 : 200}, “${heldAfter}” is held afterwards`, async () => {
      const document = await open();
      await reach(document);
      const content = await document.content();
      // A refused call must not depend on a CheckFileInfo that showed the change.
      const version = isRefused ? undefined : (await document.info())['Version'];
      const { status, headers } = await call(document);
      assert.equal(status, isRefused ? 409 : 200);
      const lockHeader = headers.get('X-WOPI-Lock');
      assert.equal(lockHeader, isRefused || operation === 'GetLock' ? heldAfter : null);
      if (isRefused) {
        assert.deepEqual(await readdir(dirname(document.path)), ['a.docx']);
        assert.equal(await document.content(), content);
      } else if (versioned.includes(operation))
        assert.equal(headers.get('X-WOPI-ItemVersion') === version, operation !== 'PutFile');
      const { code } = host.host.services.journal.newest(1)[0] ?? assert.fail();
      assert.equal(code, isRefused && heldBefore !== '' ? 'file-locked' : undefined);
      assert.equal(await document.lockId(), heldAfter);
    });
  }

/** Ids that only resemble `mine`. */
for (const id of ['mine too', 'min', 'Mine'])
  for (const isHeld of [true, false])
    it(`nothing that needs the ${isHeld ? 'held' : 'lapsed'} lock “${id}” is done under the id “mine”`, async () => {
      const heldId = isHeld ? id : '';
      for (const [operation, call, held] of table) {
        if (held.split(' ')[isHeld ? 2 : 4] !== 'no') continue;
        const document = await open();
        await document.lock(withId(id));
        if (!isHeld) lapse();
        const { status, headers } = await call(document);
        assert.deepEqual([status, headers.get('X-WOPI-Lock')], [409, heldId], operation);
        const after = [await document.lockId(), await document.content()];
        assert.deepEqual(after, [heldId, 'as it was'], operation);
        assert.deepEqual(await readdir(dirname(document.path)), ['a.docx'], operation);
      }
    });

const calls: [what: string, call: Call, renews: boolean][] = [
  ['Lock', ({ lock }) => lock(), true],
  ['RefreshLock', ({ refresh }) => refresh(), true],
  ['UnlockAndRelock', relock, true],
  ['a matching PutFile', ({ save }) => save('edited'), true],
  ['GetLock', ({ call }) => call('GET_LOCK'), false],
  ['CheckFileInfo', ({ call }) => call(), false],
  ['GetFile', ({ read }) => read(), false],
  ['a refused Lock', ({ lock }) => lock(withId('theirs')), false],
  ['a refused PutFile', ({ save }) => save('edited', withId('theirs')), false],
];

describe('a lock is held for 30 minutes', () => {
  for (const [what, call, renews] of calls)
    it(`and ${what} ${renews ? 'renews it' : 'doesn’t renew it'}`, async () => {
      const document = await open();
      await document.lock();
      host.clock.advance(29 * minute);
      await call(document);
      host.clock.advance(29 * minute);
      assert.equal((await document.lockId()) !== '', renews);
      host.clock.advance(minute + 1000);
      assert.equal(await document.lockId(), '');
    });
});
