// The order of the durable steps of one save, read from the system calls of a real host: the body is written and synced, the old
// content is kept, the file renamed, its folder synced, the database synced, and only then the editor answered. Without one of these
// steps this test fails, but tests that only kill the process would still pass: a killed process loses nothing that the operating
// system has.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { makeContent } from './content.ts';
import { createHostClient } from './host-client.ts';
import { makeScratch, serve } from './serve-process.ts';

const calls =
  'write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,link,linkat,sendto,sendmsg';

describe('one save', () => {
  it('is written, synced and renamed, then its folder and the database are synced, and then it’s answered', async (t) => {
    assert.equal(process.platform, 'linux', 'only Linux shows the system calls of a process');
    const scratch = makeScratch();
    const trace = join(scratch.outside, 'trace');
    const tracing = `strace -f -y -s 40 -e trace=${calls} -e signal=none -o`.split(' ');
    const host = await serve({ ...scratch, entering: [...tracing, trace] });
    // strace exits with the traced process, but not vice versa.
    const { pid } = JSON.parse(host.stdout().split('\n')[0] ?? '') as { pid: number };
    t.after(async () => {
      process.kill(pid, 'SIGKILL');
      await eventually('the host has exited', () => assert.equal(host.isRunning(), false));
      scratch.remove();
    });
    const client = createHostClient(() => host.baseUrl);
    writeFileSync(join(scratch.folder, 'letter.docx'), makeContent('old', 5_000));
    const access = await client.access('letter.docx', await client.signIn());
    assert.equal((await client.getFile(access)).status, 200);
    assert.equal((await client.lock(access, 'the lock')).status, 200);

    const before = readFileSync(trace, 'utf8').length;
    assert.equal((await client.putFile(access, 'the lock', makeContent('new', 6_000))).status, 200);
    let steps: string[] = [];
    await eventually('the answer is in the trace', () => {
      steps = finished(readFileSync(trace, 'utf8').slice(before));
      assert.ok(steps.some(isAnswer), steps.join('\n'));
    });
    const shown = `\n${steps.join('\n')}`;
    const at = (what: string, isIt: (step: string) => boolean, after = -1): number => {
      const index = steps.findIndex((step, position) => position > after && isIt(step));
      assert.ok(index >= 0, `${what} is missing, or comes too late${shown}`);
      return index;
    };
    const bodySync = at('the sync of the body', (step) => isSync(step) && step.includes('.~doctray-'));
    const lastWrite = steps.findLastIndex(
      (step) => /^p?writev?(64)?\(/u.test(step) && step.includes('.~doctray-'),
    );
    assert.ok(lastWrite >= 0 && lastWrite < bodySync, `the body is synced after its last write${shown}`);
    const kept = at('the version', (step) => /^link(at)?\(|\/versions\//u.test(step));
    const rename = at(
      'the rename',
      (step) => step.startsWith('rename') && step.includes('letter.docx"'),
      bodySync,
    );
    assert.ok(kept < rename, `the old content is kept before it is replaced${shown}`);
    const folderSync = at(
      'the sync of the folder',
      (step) => isSync(step) && step.includes('/folder>'),
      rename,
    );
    const answer = at('the answer', isAnswer);
    const lastRecord = steps.findLastIndex(
      (step, index) => index < answer && step.startsWith('pwrite') && step.includes('doctray.db-wal>'),
    );
    const databaseSync = at(
      'the sync of the database',
      (step) => isSync(step) && step.includes('doctray.db-wal>'),
      lastRecord,
    );
    assert.ok(rename < lastRecord, `the save is recorded after it is in the file${shown}`);
    assert.ok(folderSync < answer && databaseSync < answer, `the answer comes after both syncs${shown}`);
    const begin = steps.findIndex((step) => step.includes('.~doctray-'));
    const syncs = steps.slice(begin, answer).filter(isSync);
    assert.equal(syncs.length, 3, `no more syncs than durability needs${shown}`);
  });
});

/** System calls in the order in which they finished: one that strace shows as unfinished counts where it's resumed. */
function finished(trace: string): string[] {
  const begun = new Map<string, string>();
  const steps: string[] = [];
  for (const line of trace.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/u.exec(line) ?? [];
    const unfinished = / <unfinished \.\.\.>$/u;
    if (unfinished.test(text)) begun.set(thread, text.replace(unfinished, ''));
    else if (text.startsWith('<... '))
      steps.push(`${begun.get(thread) ?? ''}${text.replace(/^<[^>]*>/u, '')}`);
    else if (text !== '') steps.push(text);
  }
  return steps;
}

function isSync(step: string): boolean {
  return /^f(data)?sync\(.* = 0$/u.test(step);
}

function isAnswer(step: string): boolean {
  return step.includes('"HTTP/1.1 200');
}
