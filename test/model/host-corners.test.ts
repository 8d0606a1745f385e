// Short sequences that once went wrong, played on a host and on the model as the random ones are. What the page says of
// each is in the model; a sequence is added here when the random ones found a fault with it.

import { after, before, describe, it } from 'node:test';
import type { Choice, RequestChoice } from './choices.ts';
import { openPlace } from './host-driver.ts';
import { play } from './play.ts';

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
/** Takes a few moments of real time, in which the host does what it does after a start. */
const pause: Choice[] = Array.from({ length: 3 }, () => ({ step: 'abort-put', file: 'b' }));

const corners: Record<string, Choice[]> = {
  'a read-only token is told that a deleted document is gone before that it may not write': [
    outsideDelete,
    ask('put', { token: 'viewer' }),
  ],
  'a late save after a force-clear is recovered even when the document went to the trash': [
    ask('lock'),
    { step: 'force-clear', file: 'a' },
    ask('delete', { id: 'none' }),
    ask('put', { id: 'dispossessed' }),
  ],
  'a change the host showed while the lock was held does not end the grace of the lock': [
    ask('lock'),
    outsideWrite('fresh'),
    ask('check-file-info'),
    lapse,
    ask('put'),
  ],
  'a save with a foreign lock id into a deleted document is told that it is gone': [
    ask('lock', { id: 3 }),
    outsideDelete,
    ask('put', { id: 0 }),
  ],
  'a document that another program emptied after the lapse takes a first save': [
    ask('lock'),
    lapse,
    outsideWrite('empty'),
    ask('put'),
  ],
  'a document that was gone for a moment and then moved is found at once': [
    ask('lock'),
    outsideDelete,
    ask('get-file'),
    ask('put'),
    outsideRename,
    ask('lock'),
  ],
  'a save into a document that was gone for a moment and then moved goes where it was moved': [
    ask('lock'),
    outsideDelete,
    ask('get-file'),
    ask('put'),
    outsideRename,
    ask('put'),
  ],
  'the token that swapped the lock counts as the reader, so what it read is no conflict': [
    ask('lock', { token: 'short', id: 1 }),
    ask('relock', { id: 1, oldId: 0 }),
    outsideWrite('fresh'),
    ask('get-file'),
    ask('put'),
  ],
  'a restart does not give the grace back to a lock whose document changed after the lapse': [
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

describe('a host in corners that were once wrong', () => {
  let place: Awaited<ReturnType<typeof openPlace>>;
  let number = 0;
  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  for (const [sentence, choices] of Object.entries(corners)) {
    it(sentence, async () => {
      number += 1;
      await play({ place, number, met: new Map() }, choices);
    });
  }
});
