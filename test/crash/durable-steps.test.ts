// The order of the durable steps of a save, read from the system calls of a real host: the body is written and synced, the old
// content is kept, the file renamed, its folder synced, the database synced, and only then the editor answered. The same for what is
// kept elsewhere, and for new names. Without one of these steps these tests fail, but tests that only kill the process would still
// pass: a killed process loses nothing that the operating system has.

import assert from 'node:assert/strict';
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { makeContent } from './content.ts';
import { createHostClient, type Access, type Answer, type HostClient } from './host-client.ts';
import { cli, makeScratch, serve } from './serve-process.ts';

const calls =
  'write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,link,linkat,sendto,sendmsg';

const scratch = makeScratch();
const trace = join(scratch.outside, 'trace');
let client: HostClient;
let end = async (): Promise<void> => undefined;
before(async () => {
  assert.equal(process.platform, 'linux', 'only Linux shows the system calls of a process');
  const tracing = `strace -f -y -s 40 -e trace=${calls} -e signal=none -o`.split(' ');
  const host = await serve({ ...scratch, entering: [...tracing, trace] });
  // strace exits with the traced process, but not vice versa.
  const { pid } = JSON.parse(host.stdout().split('\n')[0] ?? '') as { pid: number };
  end = async () => {
    process.kill(pid, 'SIGKILL');
    await eventually('the host has exited', () => assert.equal(host.isRunning(), false));
  };
  client = createHostClient(() => host.baseUrl);
});
after(async () => {
  await end();
  scratch.remove();
});

const inFolder = (name: string): string => join(scratch.folder, name);

/** Reads and locks a new document. */
async function edit(name: string): Promise<Access> {
  writeFileSync(inFolder(name), makeContent('old', 5_000));
  const access = await client.access(name, await client.signIn());
  assert.equal((await client.getFile(access)).status, 200);
  assert.equal((await client.lock(access, 'the lock')).status, 200);
  return access;
}

const save = (access: Access, headers: Record<string, string> = {}, lockId = 'the lock') =>
  client.putFile(access, lockId, makeContent('new', 6_000), headers);

/** The steps of the host until it answered that call with this status, and a search in them. */
async function stepsOf(call: () => Promise<Answer>, status = 200) {
  // A client may have an answer before strace has written it: the one to this call without a token is the last.
  const rejected = (): string[] => readFileSync(trace, 'utf8').split(`"HTTP/1.1 401`);
  const { length } = rejected();
  assert.equal((await client.list('', {})).status, 401);
  await eventually('earlier answers are in the trace', () => assert.ok(rejected().length > length));
  const start = readFileSync(trace, 'utf8').length;
  assert.equal((await call()).status, status);
  let steps: string[] = [];
  let answer = -1;
  await eventually('the answer is in the trace', () => {
    steps = finished(readFileSync(trace, 'utf8').slice(start));
    answer = steps.findIndex((step) => step.includes(`"HTTP/1.1 ${status}`));
    assert.ok(answer >= 0, steps.join('\n'));
  });
  const shown = `\n${steps.join('\n')}`;
  const at = (what: string, isIt: (step: string) => boolean, after = -1): number => {
    const index = steps.findIndex((step, position) => position > after && isIt(step));
    assert.ok(index >= 0, `${what} is missing, or comes too late${shown}`);
    return index;
  };
  return { steps, answer, at, shown };
}

const isSyncOf = (path: RegExp) => (step: string) => isSync(step) && path.test(step);
const isSyncOfFolder = isSyncOf(/\/folder>/u);

describe('one save', () => {
  it('is written, synced and renamed, then its folder and the database are synced, and then it’s answered', async () => {
    const access = await edit('letter.docx');
    const { steps, answer, at, shown } = await stepsOf(() => save(access));
    const bodySync = at('the sync of the body', isSyncOf(/\.~doctray-/u));
    const lastWrite = steps.findLastIndex(
      (step) => /^p?writev?(64)?\(/u.test(step) && step.includes('.~doctray-'),
    );
    assert.ok(lastWrite >= 0 && lastWrite < bodySync, `the body is synced after its last write${shown}`);
    const kept = at('the version', (step) => /^link(at)?\(|\/versions\//u.test(step));
    const rename = at('the rename', isRenameTo('letter.docx'), bodySync);
    assert.ok(kept < rename, `the old content is kept before it is replaced${shown}`);
    const folderSync = at('the sync of the folder', isSyncOfFolder, rename);
    const lastRecord = steps.findLastIndex(
      (step, index) => index < answer && step.startsWith('pwrite') && step.includes('doctray.db-wal>'),
    );
    const databaseSync = at('the sync of the database', isSyncOf(/doctray\.db-wal>/u), lastRecord);
    assert.ok(rename < lastRecord, `the save is recorded after it is in the file${shown}`);
    assert.ok(folderSync < answer && databaseSync < answer, `the answer comes after both syncs${shown}`);
    const begin = steps.findIndex((step) => step.includes('.~doctray-'));
    const syncs = steps.slice(begin, answer).filter(isSync);
    assert.equal(syncs.length, 3, `no more syncs than durability needs${shown}`);
  });

  it('of a document with two names copies the old content, and syncs the copy and its name before it replaces it', async () => {
    const access = await edit('linked.docx');
    linkSync(inFolder('linked.docx'), join(scratch.outside, 'another name.docx'));
    const { at, shown } = await stepsOf(() => save(access));
    const copySync = at('the sync of the copy', isSyncOf(/\/versions\/[^/]+\/[^/]+>/u));
    const nameSync = at('the sync of its name', isSyncOf(/\/versions\/[^/]+>/u), copySync);
    const rename = at('the rename', isRenameTo('linked.docx'));
    assert.ok(nameSync < rename, `the old content is kept before it is replaced${shown}`);
  });

  it('that isn’t written, because another program wrote, is synced as a version', async () => {
    const access = await edit('changed.docx');
    writeFileSync(inFolder('changed.docx'), makeContent('by another program', 5_500));
    const { answer, at, shown } = await stepsOf(() =>
      save(access, { 'X-COOL-WOPI-IsModifiedByUser': 'false' }),
    );
    const copySync = at('the sync of the version', isSyncOf(/\/versions\/[^/]+\/[^/]+>/u));
    const nameSync = at('the sync of its name', isSyncOf(/\/versions\/[^/]+>/u), copySync);
    assert.ok(nameSync < answer, `it is kept before the answer${shown}`);
  });

  it('that is rejected is synced as a recovered save', async () => {
    const access = await edit('rejected.docx');
    const { answer, at, shown } = await stepsOf(() => save(access, {}, 'another lock'), 409);
    const bodySync = at('the sync of the body', isSyncOf(/\.~doctray-/u));
    const moved = at('its new name', (step) => step.startsWith('rename') && step.includes('/rescued/'));
    const nameSync = at('the sync of its name', isSyncOf(/\/rescued>/u), moved);
    assert.ok(bodySync < answer && nameSync < answer, `it is kept before the answer${shown}`);
  });
});

for (const [what, override, headers] of [
  ['a copy', 'PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': 'copied.docx' }],
  ['a rename', 'RENAME_FILE', { 'X-WOPI-RequestedName': 'renamed', 'X-WOPI-Lock': 'the lock' }],
] as const)
  it(`${what} syncs the new name before the answer`, async () => {
    const access = await edit(`${override}.docx`);
    const { answer, at, shown } = await stepsOf(() => client.operate(access, override, headers, 'a body'));
    const named = at('the new name', (step) => /^link(at)?\(/u.test(step) && /copied|renamed/u.test(step));
    assert.ok(at('the sync of the folder', isSyncOfFolder, named) < answer, `the answer comes later${shown}`);
  });

it('a move syncs both folders, a new folder the one that it is in, and an import the copy and then its name', async () => {
  for (const folder of ['to', 'chapter']) mkdirSync(inFolder(folder));
  const access = await edit('moved.docx');
  assert.equal((await client.unlock(access, 'the lock')).status, 200);
  const stepsOfCommand = (...args: string[]) =>
    stepsOf(async () => {
      const { code, stderr } = await cli(scratch.dataDir, args);
      assert.equal(code, 0, stderr);
      return client.checkFileInfo(access);
    });
  const isNameOf = (name: string) => (step: string) =>
    /^(?:link|rename)/u.test(step) && step.includes(`${name}"`);
  for (const name of ['moved.docx', 'chapter']) {
    const { at } = await stepsOfCommand('move', name, '--to', 'to');
    const named = at('the new name', isNameOf(name));
    at('the sync of the new folder', isSyncOf(/\/folder\/to>/u), named);
    at('the sync of the old folder', isSyncOfFolder, named);
  }
  const created = await stepsOfCommand('new-folder', 'new');
  created.at('the sync of the folder', isSyncOfFolder);
  const source = join(scratch.outside, 'imported.docx');
  writeFileSync(source, 'imported');
  const { at } = await stepsOfCommand('import', source);
  const copySync = at('the sync of the copy', isSyncOf(/\.~doctray-/u));
  at('the sync of the folder', isSyncOfFolder, at('its name', isNameOf('imported.docx'), copySync));
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

function isRenameTo(name: string): (step: string) => boolean {
  return (step) => step.startsWith('rename') && step.includes(`${name}"`);
}
