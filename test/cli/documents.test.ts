// The commands for documents, activity, status and quit: with a running host, then without.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../until.ts';
import { commandsOf, isAlive, makePlace, type Place } from './processes.ts';
import type { Running } from './running-process.ts';

let place: Place;
let host: Running;
let commands: ReturnType<typeof commandsOf>;

before(async () => {
  place = await makePlace(
    { 'letter.md': 'first', 'held.md': 'held', 'old.md': 'old', 'Long.md': 'old', 'sub/notes.md': 'notes' },
    { textEditor: false },
  );
  commands = commandsOf(place, place.folder);
  host = await place.serve();
});
after(() => place.remove());

const exists = (path: string): boolean => existsSync(join(place.folder, path));
const contentOf = (path: string): Promise<string> => readFile(join(place.folder, path), 'utf8');

async function temporary(): Promise<string[]> {
  return (await readdir(place.folder)).filter((name) => name.startsWith('.~doctray-'));
}

test('new creates a blank document by its extension, in the current directory or in --folder', async () => {
  const { done, json, refused } = commands;
  assert.equal(await done(['new', 'Plan.docx']), 'Plan.docx was created.\n');
  assert.equal((await contentOf('Plan.docx')).slice(0, 2), 'PK');
  const inSub = { cwd: join(place.folder, 'sub') };
  assert.deepEqual(await json(['new', 'Sums.ods'], inSub), { path: 'sub/Sums.ods' });
  assert.equal(
    await done(['new', 'Talk', '--template', 'pptx', '--folder', 'sub'], { cwd: place.root }),
    'sub/Talk.pptx was created.\n',
  );
  assert.equal(await done(['new', 'Notes.md']), 'Notes.md was created.\n');
  assert.equal(await contentOf('Notes.md'), '');
  await refused(['new', 'Plan.docx'], 1, /The name is taken.*“Plan\.docx”/);
  await refused(['new', 'Plan.xyz'], 2, /Choose one of these types: \.docx/);
  await refused(['new', 'Plan', '--template', 'nothing'], 2, /template doesn’t exist/);
  await refused(['new', 'a.docx', '--folder', '/etc'], 2, /\/etc is outside it/);
  await refused(['new', 'a.docx', '--folder', ''], 2, /^--folder needs a path\.\n$/);
  await refused(['new', 'sub/a.docx'], 2, /can’t contain a slash/);
  assert.equal(exists('sub/a.docx'), false);
});

test('new-folder and duplicate work next to what is there, and never overwrite it', async () => {
  const { done, json, refused } = commands;
  assert.equal(await done(['new-folder', 'Letters']), 'Letters was created.\n');
  assert.equal(await done(['new-folder', 'May', '--folder', 'Letters']), 'Letters/May was created.\n');
  await refused(['new-folder', 'letters'], 1, /The name is taken.*“Letters”/);
  await refused(['new-folder', 'a/b'], 2, /can’t contain a slash/);
  const inSub = { cwd: join(place.folder, 'sub') };
  assert.equal(await done(['duplicate', 'notes.md'], inSub), 'sub/notes copy.md was created.\n');
  const second = await json(['duplicate', 'sub/notes.md'], { cwd: place.root });
  assert.deepEqual(second, { path: 'sub/notes copy (1).md' });
  assert.equal(await contentOf(second.path), await contentOf('sub/notes.md'));
  await refused(['duplicate', 'Letters'], 3, /This is a folder, not a document/);
});

test('move takes documents and folders to another folder, and overwrites nothing', async () => {
  const { done, refused } = commands;
  await writeFile(join(place.folder, 'moving.md'), 'moving');
  await mkdir(join(place.folder, 'archive'));
  await writeFile(join(place.folder, 'archive', 'Moving.md'), 'already there');
  await refused(['move', 'moving.md', '--to', 'archive'], 1, /“Moving\.md” already exists there/);
  assert.equal(
    await done(['move', 'moving.md', '--to', 'archive', '--keep-both']),
    'Moved to archive/moving (1).md.\n',
  );
  assert.equal(await contentOf('archive/Moving.md'), 'already there');
  assert.equal(
    await done(['move', '../archive/Moving.md', '--to', '.'], { cwd: join(place.folder, 'sub') }),
    'Moved to sub/Moving.md.\n',
  );
  const partly = await commands.cli(['move', 'archive', 'missing.md', '--to', 'archive']);
  assert.equal(partly.code, 1);
  assert.match(partly.stderr, /can’t be moved into itself/);
  await refused(['move', 'missing.md', '--to', 'archive'], 3, /^This document doesn’t exist/);
  await refused(['move', 'sub/Moving.md', '--to', '/etc'], 2, /outside it/);
});

test('link prints an address where other users sign in, once the pages are open', async () => {
  const { cli, done, refused } = commands;
  const closed = await cli(['link', 'letter.md']);
  assert.equal(closed.code, 1);
  assert.match(closed.stdout, /can’t open documents yet.*settings set networkPages true/);
  await done(['settings', 'set', 'publicUrl', 'https://docs.example/tray']);
  await done(['settings', 'set', 'networkPages', 'true']);
  const [url = '', hint = ''] = (await done(['link', 'letter.md'])).split('\n');
  assert.match(url, /^https:\/\/docs\.example\/tray\/edit\/[\w-]{22}$/);
  assert.match(hint, /^Users sign in there\./);
  await refused(['link', 'missing.md'], 3, /This document doesn’t exist/);
  await done(['settings', 'set', 'publicUrl', 'none']);
  await done(['settings', 'set', 'networkPages', 'false']);
});

test('rename finds the document relative to the current directory or to the folder', async () => {
  const { done, json, refused } = commands;
  const inSub = { cwd: join(place.folder, 'sub') };
  assert.equal(await done(['rename', 'notes.md', 'Ideas'], inSub), 'Renamed to sub/Ideas.md.\n');
  assert.deepEqual(await json(['rename', 'sub', 'Below'], { cwd: place.root }), { path: 'Below' });
  assert.equal(exists('Below/Ideas.md'), true);
  await refused(['rename', 'missing.md', 'x'], 3, /This document doesn’t exist/);
  await refused(['rename', 'letter.md', 'held.md'], 1, /The name is taken/);
  await refused(['rename', '/etc/hostname', 'x'], 2, /outside it/);
  await refused(['rename', 'letter.md', 'sub/x'], 2, /can’t contain a slash/);
});

test('trash asks first, skips a locked document, and moves the rest', async () => {
  const { cli, json, refused, editor } = commands;
  const call = await editor('held.md');
  assert.equal(await call('LOCK'), 200);
  await refused(['trash', 'old.md'], 2, /needs your confirmation.*--yes/);
  assert.equal(exists('old.md'), true);
  const { code, stdout, stderr } = await cli(['trash', 'held.md', 'old.md', 'old.md', '--yes']);
  assert.equal(code, 1);
  assert.equal(stdout, 'old.md was moved to the trash.\n');
  assert.doesNotMatch(stderr, /old\.md/, 'it was given twice');
  assert.match(stderr, /^held\.md: The document is being edited/m);
  assert.deepEqual([exists('held.md'), exists('old.md')], [true, false]);
  assert.equal(await call('UNLOCK'), 200);
  assert.deepEqual((await json(['trash', 'held.md', '--yes'])).done[0].path, 'held.md');
  await refused(['trash', '', '--yes'], 2, /^FILE can’t be empty\.$/m);
  await refused(['trash', 'held.md', '--yes'], 3, /^held\.md doesn’t exist in the hosted folder/);
});

test('import copies files and folders, and reports what it skipped', async () => {
  const { cli, done, json, refused } = commands;
  const from = join(place.root, 'elsewhere');
  await mkdir(join(from, 'pictures'), { recursive: true });
  await writeFile(join(from, 'a.txt'), 'one');
  await writeFile(join(from, 'pictures', 'b.txt'), 'three');
  assert.equal(await done(['import', 'a.txt', 'pictures'], { cwd: from }), '2 files (8 bytes) copied.\n');
  assert.equal(await contentOf('pictures/b.txt'), 'three');
  const job = await json(['import', 'a.txt', '--to', 'Below'], { cwd: from });
  assert.deepEqual([job.state, job.done, job.unit], ['done', 3, 'bytes']);
  assert.equal(exists('Below/a.txt'), true);
  const missing = join(from, 'missing.txt');
  await refused(['import', missing], 1, /“missing\.txt”: It doesn’t exist/);
  const partly = await cli(['import', missing, join(from, 'a.txt')]);
  assert.deepEqual([partly.code, exists('a (1).txt')], [1, true], partly.stdout + partly.stderr);
  assert.match(partly.stdout, /1 file .*copied\. 1 item couldn’t be copied: “missing\.txt”/);
  await refused(['import', ''], 2, /^PATH can’t be empty\.$/m);
  await refused(['import', join(from, 'a.txt'), '--to', 'nowhere'], 3, /This folder doesn’t exist/);
});

test('Ctrl+C cancels an import and leaves no incomplete file', async () => {
  const large = join(place.root, 'large.bin');
  await writeFile(large, '');
  await truncate(large, 2 * 1024 ** 3);
  const running = place.start(['import', large, '--data', place.dataDir], { cwd: place.root });
  await until('the unfinished file', async () => (await temporary()).length > 0);
  const { code, stderr } = await running.stop('SIGINT');
  assert.equal(code, 130, stderr);
  assert.match(stderr, /^Stopped\. 0 of 1 file copied\.$/m);
  assert.deepEqual(await temporary(), []);
  assert.equal(exists('large.bin'), false);
});

test('conflicts lists conflict copies until they are dismissed; status and doctor count them', async () => {
  const { done, json, refused, editor } = commands;
  assert.equal(await done(['conflicts']), 'No conflict copies.\n');
  assert.match(await done(['status']), /^being edited +-\n\nNothing needs attention\.\n$/m);
  await mkdir(join(place.folder, 'notes'));
  const document = join(place.folder, 'notes', 'letter.md');
  await writeFile(document, 'as it was');
  const call = await editor('notes/letter.md');
  assert.equal(await call('LOCK'), 200);
  await writeFile(document, 'by another program');
  assert.equal(await call('PUT', 'by the editor'), 200);
  const [{ path, copy }] = await json(['conflicts']);
  assert.equal(path, 'notes/letter.md');
  assert.equal(await contentOf(copy), 'by another program');
  assert.match(await done(['conflicts']), /^COPY +DOCUMENT +CREATED\n/);
  const { openDocuments, attention } = await json(['status']);
  assert.deepEqual(openDocuments, ['notes/letter.md']);
  assert.deepEqual(
    attention.map(({ title }: { title: string }) => title),
    ['Two programs changed notes/letter.md'],
  );
  assert.equal(attention[0].remedy, `Compare it with ${copy}, then run \`conflicts dismiss '${copy}'\`.`);
  assert.match(await done(['doctor']), /attention: 1 conflict copy\./);
  assert.match(await done(['conflicts', 'dismiss', copy]), /is no longer listed/);
  await refused(['conflicts', 'dismiss', copy], 3, /This conflict copy isn’t in the list/);
  assert.equal(exists(copy), true);
  assert.equal(await call('UNLOCK'), 200);
});

test('status lists ten of the documents that are being edited, a line each', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `edited-${index}.md`);
  const calls = [];
  for (const name of names) {
    await writeFile(join(place.folder, name), name);
    const call = await commands.editor(name);
    assert.equal(await call('LOCK'), 200);
    calls.push(call);
  }
  assert.match(
    await commands.done(['status']),
    /^being edited  edited-\d+\.md\n(?: {14}edited-\d+\.md\n){9} {14}And 2 more\.\n\n/m,
  );
  for (const call of calls) assert.equal(await call('UNLOCK'), 200);
});

test('activity shows the latest requests, of all documents or of one, follows new ones until Ctrl+C, and can be cleared', async () => {
  const { done, json, refused, editor } = commands;
  for (const name of ['busy.md', 'other.md']) await writeFile(join(place.folder, name), name);
  const [busy, other] = [await editor('busy.md'), await editor('other.md')];
  const edit = async (call: typeof busy): Promise<void> => {
    assert.equal(await call('LOCK'), 200);
    assert.equal(await call('UNLOCK'), 200);
  };
  await edit(busy);
  await edit(other);
  assert.match(
    await done(['activity', '--lines', '1']),
    /^\d{4}-\S+ \S+ {2}200 {2}Unlock +owner +\/wopi\/files\//,
  );
  const all: { fileId: string; operation: string }[] = await json(['activity', '--lines', '4']);
  assert.deepEqual(
    all.map(({ operation }) => operation),
    ['Lock', 'Unlock', 'Lock', 'Unlock'],
  );
  const ofBusy: typeof all = await json(['activity', 'busy.md', '--lines', '2']);
  assert.deepEqual(
    ofBusy.map(({ fileId, operation }) => [fileId, operation]),
    all.slice(0, 2).map(({ fileId, operation }) => [fileId, operation]),
  );
  await refused(['activity', 'missing.md'], 3, /^This document doesn’t exist/);

  const follow = ['activity', 'busy.md', '--follow', '--lines', '1', '--json', '--data', place.dataDir];
  const running = place.start(follow);
  const followed = (): string[] => running.stdout().match(/(?<="operation":")\w+/g) ?? [];
  await until('the first line', () => followed().length === 1);
  await edit(other);
  await edit(busy);
  await until('three lines', () => followed().length === 3);
  assert.deepEqual(followed(), ['Unlock', 'Lock', 'Unlock']);
  const { code, stderr } = await running.stop('SIGINT');
  assert.deepEqual([code, stderr], [0, '']);

  await refused(['activity', 'clear'], 2, /needs your confirmation.*--yes/);
  assert.notDeepEqual(await json(['activity']), []);
  assert.equal(await done(['activity', 'clear', '--yes']), 'The activity was cleared.\n');
  assert.deepEqual(await json(['activity']), []);
  assert.equal(await done(['activity', 'busy.md']), 'No activity to show.\n');
});

test('versions usage shows what all versions take, and versions clean-up removes those beyond the limits', async () => {
  const { done, json, editor } = commands;
  const usage = async (): Promise<{ count: number; bytes: number }> => json(['versions', 'usage']);
  await done(['new', 'kept.md']);
  const start = await usage();
  const call = await editor('kept.md');
  assert.equal(await call('LOCK'), 200);
  for (const text of ['one', 'two more', 'three']) assert.equal(await call('PUT', text), 200);
  assert.equal(await call('UNLOCK'), 200);
  const { count, bytes } = await usage();
  assert.equal(count, start.count + 3);
  assert.ok(bytes > start.bytes);
  assert.match(await done(['versions', 'usage']), /^\d+ versions of all documents: \d+ bytes\.\n$/);
  assert.equal(await done(['versions', 'clean-up']), 'There was nothing to remove.\n');
  await done(['settings', 'set', 'versionCount', '1']);
  const job = await json(['versions', 'clean-up']);
  assert.deepEqual([job.state, job.unit], ['done', 'files']);
  assert.match(job.sentence, /^2 versions \(\d+ bytes\) removed\.$/);
  assert.equal((await usage()).count, count - 2);
});

test('quit asks while a document is being edited, and waits until a running save is written and the process has exited', async () => {
  const { cli, json, refused, editor } = commands;
  const call = await editor('Long.md');
  assert.equal(await call('LOCK'), 200);
  await refused(['quit'], 2, /needs your confirmation/);
  const { wopiSrc, accessToken } = await json(['open', 'Long.md']);
  const url = `${wopiSrc}/contents?access_token=${accessToken}`;
  assert.equal(await (await fetch(url)).text(), 'old');
  const part = Buffer.alloc(1 << 20);
  const headers = { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'lock', 'Content-Length': 2 * part.length };
  const save = request(url, { method: 'POST', headers });
  const answer = once(save, 'response');
  save.write(part);
  await until('the unfinished file', async () => (await temporary()).length > 0);
  let isOver = false;
  const quit = cli(['quit', '--yes']).finally(() => (isOver = true));
  await host.event('stopping');
  await sleep(300);
  assert.equal(isOver, false, 'the save is still running');
  save.end(part);
  const [response] = (await answer) as [IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 200);
  assert.deepEqual(await quit, { code: 0, signal: null, stdout: 'DocTray was stopped.\n', stderr: '' });
  assert.equal((await contentOf('Long.md')).length, 2 * part.length);
  assert.equal(isAlive(host.child.pid ?? 0), false);
  assert.equal((await host.ended).code, 0);
});

test('without a host, new, rename and trash work; the other commands say what to do', async () => {
  const { done, refused } = commands;
  assert.equal(await done(['new', 'Later.docx']), 'Later.docx was created.\n');
  assert.equal(await done(['rename', 'Later.docx', 'Soon']), 'Renamed to Soon.docx.\n');
  assert.equal(await done(['trash', 'Soon.docx', '--yes']), 'Soon.docx was moved to the trash.\n');
  for (const args of [
    ['import', 'letter.md'],
    ['activity', '--follow'],
    ['activity', 'clear', '--yes'],
    ['versions', 'clean-up'],
    ['status'],
    ['quit'],
  ])
    await refused(
      args,
      1,
      /DocTray isn’t running with this data folder\. Start it with `.*serve --data \S+`\./,
    );
});
