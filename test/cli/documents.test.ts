// The commands for documents, activity, status and quit: with a running host, then without.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makePlace, type Ended, type Place, type Running } from './processes.ts';

let place: Place;
let host: Running & { baseUrl: string };

before(async () => {
  place = await makePlace(
    { 'letter.md': 'first', 'held.md': 'held', 'old.md': 'old', 'Long.md': 'old', 'sub/notes.md': 'notes' },
    { textEditor: false },
  );
  host = await place.serve();
});
after(async () => {
  await place.remove();
});

function cli(args: string[], cwd = place.folder): Promise<Ended> {
  return place.run([...args, '--data', place.dataDir], { cwd });
}

async function done(args: string[], cwd?: string): Promise<string> {
  const { code, stdout, stderr } = await cli(args, cwd);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

async function refused(args: string[], code: number, sentence: RegExp): Promise<void> {
  const ended = await cli(args);
  assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
  assert.match(ended.stderr, sentence);
}

const exists = (path: string): Promise<boolean> =>
  access(join(place.folder, path)).then(
    () => true,
    () => false,
  );

/** A WOPI call by an editor that opened the document. */
async function editor(file: string) {
  const opened = JSON.parse(await done(['open', file, '--json']));
  return async (override: string, body?: string): Promise<number> => {
    const path = body === undefined ? '' : '/contents';
    const response = await fetch(`${opened.wopiSrc}${path}?access_token=${opened.accessToken}`, {
      method: 'POST',
      headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'lock' },
      ...(body !== undefined && { body }),
    });
    await response.arrayBuffer();
    return response.status;
  };
}

async function temporary(): Promise<string[]> {
  return (await readdir(place.folder)).filter((name) => name.startsWith('.~doctray-'));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 20_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < endMs, 'The condition wasn’t met in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('new creates a blank document by its extension, in the current directory or in --folder', async () => {
  assert.equal(await done(['new', 'Plan.docx']), 'Plan.docx was created.\n');
  assert.equal((await readFile(join(place.folder, 'Plan.docx'))).subarray(0, 2).toString(), 'PK');
  assert.deepEqual(JSON.parse(await done(['new', 'Sums.ods', '--json'], join(place.folder, 'sub'))), {
    path: 'sub/Sums.ods',
  });
  assert.equal(
    await done(['new', 'Talk', '--template', 'pptx', '--folder', 'sub'], place.root),
    'sub/Talk.pptx was created.\n',
  );
  assert.equal(await done(['new', 'Notes.md']), 'Notes.md was created.\n');
  assert.equal(await readFile(join(place.folder, 'Notes.md'), 'utf8'), '');
  await refused(['new', 'Plan.docx'], 1, /The name is taken.*“Plan\.docx”/);
  await refused(['new', 'Plan.xyz'], 2, /Choose one of these types: \.docx/);
  await refused(['new', 'Plan', '--template', 'nothing'], 2, /template doesn’t exist/);
  await refused(['new', 'a.docx', '--folder', '/etc'], 2, /\/etc is outside it/);
  await refused(['new', 'sub/a.docx'], 2, /can’t contain a slash/);
  assert.equal(await exists('sub/a.docx'), false);
});

test('new-folder and duplicate work next to what is there, and never overwrite it', async () => {
  assert.equal(await done(['new-folder', 'Letters']), 'Letters was created.\n');
  assert.equal(await done(['new-folder', 'May', '--folder', 'Letters']), 'Letters/May was created.\n');
  await refused(['new-folder', 'letters'], 1, /The name is taken.*“Letters”/);
  await refused(['new-folder', 'a/b'], 2, /can’t contain a slash/);
  assert.equal(
    await done(['duplicate', 'notes.md'], join(place.folder, 'sub')),
    'sub/notes copy.md was created.\n',
  );
  assert.deepEqual(JSON.parse(await done(['duplicate', 'sub/notes.md', '--json'], place.root)), {
    path: 'sub/notes copy (1).md',
  });
  assert.equal(
    await readFile(join(place.folder, 'sub', 'notes copy (1).md'), 'utf8'),
    await readFile(join(place.folder, 'sub', 'notes.md'), 'utf8'),
  );
  await refused(['duplicate', 'Letters'], 3, /This is a folder, not a document/);
  await refused(['duplicate', '/etc/hostname'], 2, /outside it/);
});

test('move takes documents and folders to another folder, and overwrites nothing', async () => {
  await writeFile(join(place.folder, 'moving.md'), 'moving');
  await mkdir(join(place.folder, 'archive'));
  await writeFile(join(place.folder, 'archive', 'Moving.md'), 'already there');
  await refused(['move', 'moving.md', '--to', 'archive'], 1, /“Moving\.md” already exists there/);
  assert.equal(
    await done(['move', 'moving.md', '--to', 'archive', '--keep-both']),
    'Moved to archive/moving (1).md.\n',
  );
  assert.equal(await readFile(join(place.folder, 'archive', 'Moving.md'), 'utf8'), 'already there');
  assert.equal(
    await done(['move', '../archive/Moving.md', '--to', '.'], join(place.folder, 'sub')),
    'Moved to sub/Moving.md.\n',
  );
  await refused(['move', 'archive', 'missing.md', '--to', 'archive'], 1, /can’t be moved into itself/);
  await refused(['move', 'missing.md', '--to', 'archive'], 3, /^This document doesn’t exist/);
  await refused(['move', 'sub/Moving.md', '--to', '/etc'], 2, /outside it/);
  assert.equal(await done(['move', 'sub/Moving.md', '--to', place.folder]), 'Moved to Moving.md.\n');
});

test('link prints an address where other users sign in, once the pages are open', async () => {
  const closed = await cli(['link', 'letter.md']);
  assert.equal(closed.code, 1);
  assert.match(closed.stdout, /can’t open documents yet.*settings set networkPages true/);
  await done(['settings', 'set', 'publicUrl', 'https://docs.example/tray']);
  await done(['settings', 'set', 'networkPages', 'true']);
  const [url = '', hint] = (await done(['link', 'letter.md'])).split('\n');
  assert.match(url, /^https:\/\/docs\.example\/tray\/edit\/[\w-]{22}$/);
  assert.match(hint ?? '', /^Users sign in there\./);
  await refused(['link', 'missing.md'], 3, /This document doesn’t exist/);
  await done(['settings', 'set', 'publicUrl', 'none']);
  await done(['settings', 'set', 'networkPages', 'false']);
});

test('rename finds the document relative to the current directory or to the folder', async () => {
  assert.equal(
    await done(['rename', 'notes.md', 'Ideas'], join(place.folder, 'sub')),
    'Renamed to sub/Ideas.md.\n',
  );
  assert.deepEqual(JSON.parse(await done(['rename', 'sub', 'Below', '--json'], place.root)), {
    path: 'Below',
  });
  assert.equal(await exists('Below/Ideas.md'), true);
  await refused(['rename', 'missing.md', 'x'], 3, /This document doesn’t exist/);
  await refused(['rename', 'letter.md', 'held.md'], 1, /The name is taken/);
  await refused(['rename', '/etc/hostname', 'x'], 2, /outside it/);
  await refused(['rename', 'letter.md', 'sub/x'], 2, /can’t contain a slash/);
});

test('trash asks first, skips a locked document, and moves the rest', async () => {
  const call = await editor('held.md');
  assert.equal(await call('LOCK'), 200);
  await refused(['trash', 'old.md'], 2, /needs your confirmation.*--yes/);
  assert.equal(await exists('old.md'), true);
  const { code, stdout, stderr } = await cli(['trash', 'held.md', 'old.md', 'old.md', '--yes']);
  assert.equal(code, 1);
  assert.equal(stdout, 'old.md was moved to the trash.\n');
  assert.doesNotMatch(stderr, /old\.md/, 'it was given twice');
  assert.match(stderr, /^held\.md: The document is being edited/m);
  assert.deepEqual([await exists('held.md'), await exists('old.md')], [true, false]);
  assert.equal(await call('UNLOCK'), 200);
  const answer = JSON.parse(await done(['trash', 'held.md', '--yes', '--json']));
  assert.deepEqual(answer.done[0].path, 'held.md');
  await refused(['trash', '', '--yes'], 2, /^FILE can’t be empty\.$/m);
  await refused(['trash', 'held.md', '--yes'], 3, /^held\.md doesn’t exist in the hosted folder/);
});

test('import copies files and folders, and reports what it skipped', async () => {
  const from = join(place.root, 'elsewhere');
  await mkdir(join(from, 'pictures'), { recursive: true });
  await writeFile(join(from, 'a.txt'), 'one');
  await writeFile(join(from, 'pictures', 'b.txt'), 'three');
  assert.equal(await done(['import', 'a.txt', 'pictures'], from), '2 files (8 bytes) copied.\n');
  assert.equal(await readFile(join(place.folder, 'pictures', 'b.txt'), 'utf8'), 'three');
  const job = JSON.parse(await done(['import', 'a.txt', '--to', 'Below', '--json'], from));
  assert.deepEqual([job.state, job.done, job.unit], ['done', 3, 'bytes']);
  assert.equal(await exists('Below/a.txt'), true);
  await refused(['import', join(from, 'missing.txt')], 1, /“missing\.txt”: It doesn’t exist/);
  const partly = await cli(['import', join(from, 'missing.txt'), join(from, 'a.txt')]);
  assert.deepEqual([partly.code, await exists('a (1).txt')], [1, true], partly.stdout + partly.stderr);
  assert.match(partly.stdout, /1 file .*copied\. 1 item couldn’t be copied: “missing\.txt”/);
  await refused(['import', ''], 2, /^PATH can’t be empty\.$/m);
  await refused(['import', join(from, 'a.txt'), '--to', 'nowhere'], 3, /This folder doesn’t exist/);
});

test('Ctrl+C cancels an import and leaves no incomplete file', async () => {
  const large = join(place.root, 'large.bin');
  await writeFile(large, '');
  await truncate(large, 2 * 1024 ** 3);
  const running = place.start(['import', large, '--data', place.dataDir], { cwd: place.root });
  await until(async () => (await temporary()).length > 0);
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /^Stopped\. 0 of 1 file copied\.$/m);
  assert.deepEqual(await temporary(), []);
  assert.equal(await exists('large.bin'), false);
});

test('conflicts lists conflict copies until they are dismissed; status and doctor count them', async () => {
  assert.equal(await done(['conflicts']), 'No conflict copies.\n');
  assert.match(await done(['status']), /Nothing needs attention\.\n$/);
  await mkdir(join(place.folder, 'notes'));
  await writeFile(join(place.folder, 'notes', 'letter.md'), 'as it was');
  const call = await editor('notes/letter.md');
  assert.equal(await call('LOCK'), 200);
  await writeFile(join(place.folder, 'notes', 'letter.md'), 'by another program');
  assert.equal(await call('PUT', 'by the editor'), 200);
  const [conflict] = JSON.parse(await done(['conflicts', '--json']));
  assert.equal(conflict.path, 'notes/letter.md');
  assert.equal(await readFile(join(place.folder, conflict.copy), 'utf8'), 'by another program');
  assert.match(await done(['conflicts']), /^COPY +DOCUMENT +CREATED\n/);
  const status = JSON.parse(await done(['status', '--json']));
  assert.deepEqual(status.openDocuments, ['notes/letter.md']);
  assert.deepEqual(
    status.attention.map(({ title }: { title: string }) => title),
    ['Two programs changed notes/letter.md'],
  );
  assert.equal(
    status.attention[0].remedy,
    `Compare it with ${conflict.copy}, then run \`conflicts dismiss '${conflict.copy}'\`.`,
  );
  assert.match(await done(['doctor']), /attention: 1 conflict copy\./);
  assert.match(await done(['conflicts', 'dismiss', conflict.copy]), /is no longer listed/);
  await refused(['conflicts', 'dismiss', conflict.copy], 3, /This conflict copy isn’t in the list/);
  assert.equal(await exists(conflict.copy), true);
  assert.equal(await call('UNLOCK'), 200);
});

test('activity shows the latest requests; --follow prints new ones until Ctrl+C', async () => {
  const [last] = JSON.parse(await done(['activity', '--lines', '1', '--json']));
  assert.equal(last.operation, 'Unlock');
  assert.match(
    await done(['activity', '--lines', '1']),
    /^\d{4}-\S+ \S+ {2}200 {2}Unlock +owner +\/wopi\/files\//,
  );
  const running = place.start(['activity', '--follow', '--lines', '1', '--json', '--data', place.dataDir]);
  const operations = (): string[] =>
    running
      .stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).operation);
  await until(async () => operations().length === 1);
  const call = await editor('letter.md');
  await call('LOCK');
  await call('UNLOCK');
  await until(async () => operations().at(-1) === 'Unlock' && operations().length === 3);
  assert.deepEqual(operations(), ['Unlock', 'Lock', 'Unlock']);
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  assert.deepEqual([code, stderr], [0, '']);
});

test('activity FILE shows the requests of one document, and activity clear removes all', async () => {
  await writeFile(join(place.folder, 'busy.md'), 'busy');
  await writeFile(join(place.folder, 'other.md'), 'other');
  const [busy, other] = [await editor('busy.md'), await editor('other.md')];
  for (const call of [busy, other]) {
    assert.equal(await call('LOCK'), 200);
    assert.equal(await call('UNLOCK'), 200);
  }
  const all = JSON.parse(await done(['activity', '--lines', '4', '--json']));
  const [fileId, otherId] = [all[0].fileId, all[2].fileId];
  const ofBusy = JSON.parse(await done(['activity', 'busy.md', '--lines', '2', '--json']));
  assert.deepEqual(
    ofBusy.map((item: { fileId: string; operation: string }) => [item.fileId, item.operation]),
    [
      [fileId, 'Lock'],
      [fileId, 'Unlock'],
    ],
  );
  await refused(['activity', 'missing.md'], 3, /^This document doesn’t exist/);

  const running = place.start(['activity', 'busy.md', '--follow', '--json', '--data', place.dataDir]);
  const followed = (): string[] =>
    running
      .stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).fileId);
  await until(async () => followed().length > 0);
  const before = followed().length;
  await other('LOCK');
  await other('UNLOCK');
  await busy('LOCK');
  await busy('UNLOCK');
  await until(async () => followed().length === before + 2);
  assert.equal(followed().includes(otherId), false);
  running.child.kill('SIGINT');
  await running.ended;

  await refused(['activity', 'clear'], 2, /needs your confirmation.*--yes/);
  assert.notEqual(await done(['activity', '--json']), '[]\n');
  assert.equal(await done(['activity', 'clear', '--yes']), 'The activity was cleared.\n');
  assert.equal(await done(['activity', '--json']), '[]\n');
  assert.equal(await done(['activity', 'clear', '--yes', '--json']), 'null\n');
  assert.equal(await done(['activity', 'busy.md']), 'No activity to show.\n');
});

test('versions usage shows what all versions take, and versions clean-up removes those beyond the limits', async () => {
  const usage = async () => JSON.parse(await done(['versions', 'usage', '--json']));
  await done(['new', 'kept.md']);
  const start = await usage();
  const call = await editor('kept.md');
  assert.equal(await call('LOCK'), 200);
  for (const text of ['one', 'two more', 'three']) assert.equal(await call('PUT', text), 200);
  assert.equal(await call('UNLOCK'), 200);
  const after = await usage();
  assert.equal(after.count, start.count + 3);
  assert.ok(after.bytes > start.bytes);
  assert.match(await done(['versions', 'usage']), /^\d+ versions of all documents: \d+ bytes\.\n$/);
  assert.equal(await done(['versions', 'clean-up']), 'There was nothing to remove.\n');
  await done(['settings', 'set', 'versionCount', '1']);
  const job = JSON.parse(await done(['versions', 'clean-up', '--json']));
  assert.deepEqual([job.state, job.unit], ['done', 'files']);
  assert.match(job.sentence, /^2 versions \(\d+ bytes\) removed\.$/);
  assert.equal((await usage()).count, after.count - 2);
  await done(['settings', 'set', 'versionCount', '100']);
});

test('quit asks while a document is being edited, then stops the host', async () => {
  const call = await editor('letter.md');
  await call('LOCK');
  await refused(['quit'], 2, /needs your confirmation/);
  assert.equal(await done(['quit', '--yes']), 'DocTray was stopped.\n');
  assert.equal((await host.ended).code, 0);
});

test('quit waits until the process has exited, so that DocTray can start again at once', async () => {
  host = await place.serve();
  const { wopiSrc, accessToken } = JSON.parse(await done(['open', 'Long.md', '--json']));
  const lock = { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': 'lock' };
  const url = `${wopiSrc}/contents?access_token=${accessToken}`;
  assert.equal(await (await fetch(url)).text(), 'old');
  const locked = await fetch(`${wopiSrc}?access_token=${accessToken}`, { method: 'POST', headers: lock });
  assert.equal(locked.status, 200);
  const part = Buffer.alloc(1 << 20);
  const headers = { ...lock, 'X-WOPI-Override': 'PUT', 'Content-Length': String(2 * part.length) };
  const save = request(url, { method: 'POST', headers });
  const answer = once(save, 'response');
  save.write(part);
  await until(async () => (await temporary()).length > 0);
  const quit = cli(['quit', '--yes']);
  const first = await Promise.race([quit, new Promise((resolve) => setTimeout(resolve, 1500))]);
  assert.equal(first, undefined, 'The save is still running.');
  save.end(part);
  const [response] = (await answer) as [IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 200);
  assert.deepEqual(await quit, { code: 0, signal: null, stdout: 'DocTray was stopped.\n', stderr: '' });
  assert.equal((await readFile(join(place.folder, 'Long.md'))).length, 2 * part.length);
  host = await place.serve();
  host.child.kill('SIGTERM');
  assert.equal((await host.ended).code, 0);
});

test('without a host, new, rename and trash work; the other commands say what to do', async () => {
  assert.equal(await done(['new', 'Later.docx']), 'Later.docx was created.\n');
  assert.equal(await done(['rename', 'Later.docx', 'Soon']), 'Renamed to Soon.docx.\n');
  assert.equal(await done(['trash', 'Soon.docx', '--yes']), 'Soon.docx was moved to the trash.\n');
  assert.equal(await done(['conflicts']), 'No conflict copies.\n');
  for (const args of [
    ['import', 'letter.md'],
    ['activity'],
    ['activity', '--follow'],
    ['activity', 'clear', '--yes'],
    ['versions', 'clean-up'],
    ['status'],
    ['quit'],
  ]) {
    await refused(
      args,
      1,
      /DocTray isn’t running with this data folder\. Start it with `.*serve --data \S+`\./,
    );
  }
});
