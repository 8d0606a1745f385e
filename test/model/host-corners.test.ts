// Short sequences that once failed, run on a host and on the model like the random ones. The model knows what docs/protocol.md
// says about each. When a random sequence finds a bug, it's added here.

import { after, before, describe, it } from 'node:test';
import type { Choice, RequestChoice } from './choices.ts';
import { openSharedHost } from './host-driver.ts';
import { runSequence } from './run-sequence.ts';

function ask(kind: RequestChoice['kind'], change: Partial<RequestChoice> = {}): Choice {
  const rest = { oldId: 0, content: 'fresh', flag: false, over: false } as const;
  return { step: 'request', kind, file: 'a', token: 'long', id: 'current', ...rest, ...change };
}
const lapse: Choice = { step: 'advance', by: 'past a lapse' };
const outsideWrite = (content: 'fresh' | 'empty'): Choice => ({
  step: 'outside-write',
  file: 'a',
  content,
  inPlace: false,
});
const outsideDelete: Choice = { step: 'outside-delete', file: 'a' };
const outsideRename: Choice = { step: 'outside-rename', file: 'a' };
/** Takes some real time, in which the host finishes its start. */
const pause: Choice[] = Array.from({ length: 3 }, () => ({ step: 'abort-put', file: 'b' }));

const sequences: Record<string, Choice[]> = {
  'a save with a read-only token into a deleted document is a 404, not a 401': [
    outsideDelete,
    ask('put', { token: 'viewer' }),
  ],
  'a late save after a force-clear is recovered even if the document was trashed': [
    ask('lock'),
    { step: 'force-clear', file: 'a' },
    ask('delete', { id: 'none' }),
    ask('put', { id: 'dispossessed' }),
  ],
  'an expired lock can be resumed after a change that the host showed while the lock was held': [
    ask('lock'),
    outsideWrite('fresh'),
    ask('check-file-info'),
    lapse,
    ask('put'),
  ],
  'a save with another lock id into a deleted document is a 404': [
    ask('lock', { id: 3 }),
    outsideDelete,
    ask('put', { id: 0 }),
  ],
  'a document that another program emptied after its lock expired accepts a first save': [
    ask('lock'),
    lapse,
    outsideWrite('empty'),
    ask('put'),
  ],
  'a document that was recreated and then moved is found immediately': [
    ask('lock'),
    outsideDelete,
    ask('get-file'),
    ask('put'),
    outsideRename,
    ask('lock'),
  ],
  'a save into a document that was recreated and then moved goes to its new path': [
    ask('lock'),
    outsideDelete,
    ask('get-file'),
    ask('put'),
    outsideRename,
    ask('put'),
  ],
  'what the token that swapped the lock id has read is no conflict': [
    ask('lock', { token: 'short', id: 1 }),
    ask('relock', { id: 1, oldId: 0 }),
    outsideWrite('fresh'),
    ask('get-file'),
    ask('put'),
  ],
  'an expired lock whose document changed can’t be resumed after a restart': [
    ask('lock'),
    lapse,
    outsideWrite('fresh'),
    ask('get-file'),
    { step: 'restart' },
    ...pause,
    ask('put', { id: 1 }),
    ask('put'),
  ],
};

describe('a host under sequences that once failed', () => {
  let shared: Awaited<ReturnType<typeof openSharedHost>>;
  let number = 0;
  before(async () => {
    shared = await openSharedHost();
  });
  after(() => shared.close());

  for (const [title, choices] of Object.entries(sequences)) {
    it(title, async () => {
      number += 1;
      await runSequence({ shared, number, met: new Map() }, choices);
    });
  }
});
