// The terminal's commands for locks, versions, tokens, users and settings: against a running host, and against the database when no
// host is running.

import assert from 'node:assert/strict';
import { readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commandsOf, makePlace, ownerPassword, signIn, type Place } from './processes.ts';
import type { Running } from './running-process.ts';

let place: Place;
let host: Running & { baseUrl: string };
let commands: ReturnType<typeof commandsOf>;

before(async () => {
  place = await makePlace({ 'letter.docx': 'first', 'sub/sheet.xlsx': 'a sheet' }, { textEditor: false });
  commands = commandsOf(place);
  host = await place.serve();
});
after(() => place.remove());

test('open prints a token and addresses that work', async () => {
  // Not in `printed`, because they are secrets.
  const open = (...args: string[]) =>
    place.runProcess(['open', 'sub/sheet.xlsx', ...args, '--data', place.dataDir]);
  const { code, stdout, stderr } = await open('--mode', 'view', '--print');
  assert.equal(code, 0, stderr);
  for (const name of ['document', 'edit page', 'view page', 'WOPI source', 'access token', 'until'])
    assert.match(stdout, new RegExp(`^${name} +\\S`, 'm'));
  assert.match(stdout, /^for +viewing$/m);
  const access = JSON.parse((await open('--json')).stdout);
  const info = await fetch(`${access.wopiSrc}?access_token=${access.accessToken}`);
  assert.equal(((await info.json()) as { BaseFileName: string }).BaseFileName, 'sheet.xlsx');
});

test('accepts a document’s id, and its path relative to the current directory, absolute, or relative to the folder', async () => {
  const { json, refused } = commands;
  await symlink(place.folder, join(place.root, 'way in'));
  const { fileId } = await json(['versions', 'sub/sheet.xlsx']);
  const ways: [string, string][] = [
    ['sheet.xlsx', join(place.folder, 'sub')],
    [join(place.folder, 'sub', 'sheet.xlsx'), place.root],
    ['documents/sub/sheet.xlsx', place.root],
    ['./sub/../sub/sheet.xlsx', place.folder],
    [join(place.root, 'way in', 'sub', 'sheet.xlsx'), '/'],
    ['sub/sheet.xlsx', '/'],
    [fileId, '/'],
  ];
  for (const [file, cwd] of ways) {
    const { stdout } = await place.run(['open', file, '--json', '--data', place.dataDir], { cwd });
    assert.equal(JSON.parse(stdout).path, 'sub/sheet.xlsx', file);
  }
  await refused(['open', 'nothing.docx'], 3, /^This document doesn’t exist/);
  for (const outside of ['/etc/hostname', '../../x'])
    await refused(['open', outside], 2, /^The path must be inside the hosted folder/);
  await refused(['open', 'letter.docx', '--mode', 'write'], 2, /Allowed choices are edit, view; see --help/);
});

test('lists a lock, and force-clears it only with --yes, also of a document that was deleted', async () => {
  const { done, json, refused, editor } = commands;
  assert.equal(await done(['locks']), 'No document is locked.\n');
  const call = await editor('letter.docx');
  assert.equal(await call('LOCK'), 200);
  const [lock] = await json(['locks']);
  assert.deepEqual([lock.path, lock.user], ['letter.docx', 'owner']);
  assert.match(await done(['locks']), /^DOCUMENT +USER .*\nletter\.docx +owner /);
  assert.match(await done(['sessions']), /^DOCUMENT .*\n(.*\n)*letter\.docx +owner +edit/);

  await refused(['unlock', 'letter.docx'], 2, /add --yes/);
  assert.equal((await json(['locks'])).length, 1);
  assert.equal(await done(['unlock', 'letter.docx', '--yes']), 'The lock on letter.docx was cleared.\n');
  assert.deepEqual(await json(['locks']), []);
  assert.equal((await host.event('lock-force-cleared'))['path'], 'letter.docx');
  await refused(['unlock', 'letter.docx', '--yes'], 3, /^The document isn’t locked\.\n$/);
  await refused(['unlock', 'nothing.docx', '--yes'], 3, /^This document doesn’t exist/);

  const gone = join(place.folder, 'gone.docx');
  await writeFile(gone, 'x');
  assert.equal(await (await editor('gone.docx'))('LOCK'), 200);
  await rm(gone);
  assert.equal(await done(['unlock', gone, '--yes']), 'The lock on gone.docx was cleared.\n');
});

test('saves what isn’t a readable document anyway only with --yes, and shows a save that wasn’t written', async () => {
  const { done, json, refused, editor } = commands;
  const { path } = await json(['new', 'report.docx']);
  const document = join(place.folder, path);
  const good = await readFile(document);
  const call = await editor(path);
  assert.equal(await call('LOCK'), 200);
  assert.equal(await call('PUT', 'conversion failed'), 500);
  const [{ id }] = await json(['recovered']);
  assert.match(await done(['recovered']), /report\.docx .* It isn’t a readable document\.\n/);
  await refused(['recovered', 'save', id], 2, /add --yes/);
  assert.deepEqual(await readFile(document), good);
  assert.match(await done(['recovered', 'save', id, '--yes']), /^Saved report\.docx\. .* version\.\n$/);
  assert.equal(await readFile(document, 'utf8'), 'conversion failed');
  assert.equal((await json(['versions', path])).versions.length, 1);
  await writeFile(document, 'by another program');
  const unmodified = { 'X-LOOL-WOPI-IsModifiedByUser': 'false' };
  assert.equal(await call('PUT', 'typed too late', unmodified), 200);
  assert.match(await done(['versions', path]), / not written: the editor reported no changes /);
  assert.equal(await call('UNLOCK'), 200);
});

test('keeps a save whose lock was cleared; restores it as a new document, or discards it', async () => {
  const { done, json, refused, editor } = commands;
  const call = await editor('letter.docx');
  for (const text of ['late one', 'late two']) {
    assert.equal(await call('LOCK'), 200);
    await json(['unlock', 'letter.docx', '--yes']);
    assert.equal(await call('PUT', text), 409);
  }
  const saves = await json(['recovered']);
  assert.equal(saves.length, 2);
  const { path } = await json(['recovered', 'restore', saves[0].id]);
  assert.equal(await readFile(join(place.folder, path), 'utf8'), 'late two');
  await refused(['recovered', 'discard', saves[1].id], 2, /add --yes/);
  await json(['recovered', 'discard', saves[1].id, '--yes']);
  assert.equal(await done(['recovered']), 'No recovered saves.\n');
  await refused(['recovered', 'restore', 'none'], 3, /recovered save doesn’t exist/);
  assert.equal(await readFile(join(place.folder, 'letter.docx'), 'utf8'), 'first');
});

test('lists and restores the version that a save replaced, or copies it', async () => {
  const { done, json, refused, editor } = commands;
  const call = await editor('letter.docx');
  assert.match(await done(['versions', 'letter.docx']), /no earlier versions\.\n$/);
  assert.equal(await call('LOCK'), 200);
  assert.equal(await call('PUT', 'second'), 200);
  const { versions } = await json(['versions', 'letter.docx']);
  assert.equal(versions.length, 1);
  const [{ id }] = versions;
  assert.match(await done(['versions', 'letter.docx']), /^ID +VERSION +SAVED/);
  await refused(['restore', 'letter.docx', id], 1, /^The document is being edited/);
  assert.equal(await call('UNLOCK'), 200);
  await refused(['restore', 'letter.docx', 'none'], 3, /^This version doesn’t exist/);
  const copy = await json(['copy-version', 'letter.docx', id, '--name', 'draft']);
  assert.equal(await readFile(join(place.folder, copy.path), 'utf8'), 'first');
  assert.match(await done(['restore', 'letter.docx', id]), /^letter\.docx was restored/);
  assert.equal(await readFile(join(place.folder, 'letter.docx'), 'utf8'), 'first');
});

test('lists tokens without their secrets, creates and revokes them', async () => {
  const { done, json, refused, printed } = commands;
  const token = await signIn(host.baseUrl);
  const { apiTokens, accessTokens } = await json(['tokens']);
  assert.ok(apiTokens.length > 0 && accessTokens.length > 0);
  const listed = await done(['tokens', 'list']);
  assert.match(listed, /^ID +KIND +USER/);
  assert.match(listed, /^\S+ +access .*(?:just now|ago)$/m);
  for (const { id } of apiTokens) await json(['tokens', 'revoke', id, '--yes']);
  const headers = { authorization: token };
  assert.equal((await fetch(`${host.baseUrl}/api/2.0/people/@self.json`, { headers })).status, 401);
  const create = ['tokens', 'create', 'owner', '--name', 'Backup', '--days', '2', '--data', place.dataDir];
  assert.match((await place.run(create)).stdout, /^[\w-]{43}\n$/);
  const [created] = (await json(['tokens'])).apiTokens;
  assert.equal(created.expiresAtMs - created.createdAtMs, 2 * 24 * 60 * 60 * 1000);
  assert.match(await done(['tokens']), /^\S+ +API +owner +Backup /m);
  await refused(['tokens', 'create', 'nobody'], 3, /^No user has this name/);
  await refused(['tokens', 'create', 'owner', '--days', 'x'], 2, /days/);
  await refused(['tokens', 'revoke', 'none'], 3, /^This token doesn’t exist/);
  await refused(['tokens', 'revoke'], 2, /^Missing required argument “id”; see --help\.\n$/);
  assert.ok(!printed.join('').includes(token));
});

test('adds users, reads their passwords from standard input, and removes them', async () => {
  const { done, refused, printed } = commands;
  const add = ['users', 'add', 'eva', '--name', 'Eva Lind', '--role', 'viewer'];
  const piped = [...add, '--password-stdin'];
  await refused(add, 2, /Pipe it in with --password-stdin/);
  await refused(piped, 2, /Standard input contains no password/);
  await refused(piped, 2, /^A password needs at least 8/, 'short\n');
  assert.match(await done(piped, { input: 'eva likes trays\n' }), /^eva was added as viewer/);
  await refused(piped, 1, /^A user with this name already exists/, 'eva likes trays\n');
  const owner = ['users', 'add', 'x', '--role', 'owner', '--password-stdin'];
  await refused(owner, 2, /Allowed choices are editor, viewer/);
  assert.match(await done(['users']), /^LOGIN +NAME +ROLE +SINCE\neva +Eva Lind +viewer .*\nowner /);
  assert.match(await signIn(host.baseUrl, 'eva', 'eva likes trays'), /^[\w-]{43}$/);

  await done(['users', 'password', 'eva', '--password-stdin'], { input: 'eva changed her mind\r\n' });
  assert.equal(await signIn(host.baseUrl, 'eva', 'eva likes trays'), 'refused with 401');
  assert.match(await signIn(host.baseUrl, 'eva', 'eva changed her mind'), /^[\w-]{43}$/);
  assert.match(await done(['users', 'role', 'eva', 'editor']), /^eva is now an editor\.\n$/);

  assert.match(await done(['--yes', 'users', 'remove', 'eva']), /^eva was removed/);
  await refused(['users', 'remove', 'eva'], 3, /^No user has this name/);
  await refused(['users', 'remove', 'owner'], 1, /^The owner can’t be removed/);
  assert.ok(!printed.join('').includes('trays') && !printed.join('').includes('mind'));
});

test('shows settings, changes them in the running host, and rejects invalid ones with a reason', async () => {
  const { done, json, refused, editor } = commands;
  assert.match(
    await done(['settings']),
    /^Setting +Value +Default +Name in the window\nfolder +\/.* {2}none +Folder\nhost +127\.0\.0\.1 +127\.0\.0\.1 +Bind address\n(.*\n)*windowFirstRunDone +false +false +-\n$/,
  );
  assert.equal(await done(['settings', 'get', 'maxUploadMB']), '4000\n');
  assert.equal(await done(['settings', 'set', 'maxUploadMB', '1']), 'maxUploadMB is 1.\n');
  const call = await editor('sub/sheet.xlsx');
  assert.equal(await call('LOCK'), 200);
  assert.equal(await call('PUT', 'x'.repeat(1_000_001)), 413);
  assert.equal(await call('UNLOCK'), 200);
  assert.equal(await done(['settings', 'set', 'port', '9000']), 'port is 9000 after the next start.\n');
  assert.deepEqual(await json(['settings', 'set', 'allowedHosts', 'a.example, b.example']), {
    key: 'allowedHosts',
    value: ['a.example', 'b.example'],
    needsRestart: false,
  });
  assert.deepEqual((await json(['settings', 'set', 'allowedHosts', 'none'])).value, []);
  assert.equal(await done(['settings', 'get', 'allowedHosts']), 'none\n');
  await refused(['settings', 'set', 'notifyErrors', 'perhaps'], 2, /notifyErrors: Enter true or false/);
  await refused(['settings', 'set', 'port', 'many'], 2, /port: Enter a whole number from 0 to 65535/);
  await refused(['settings', 'set', 'colour', 'red'], 2, /There is no setting colour/);
  await refused(['settings', 'get', 'colour'], 2, /There is no setting colour/);
});

/** The checks of doctor and their results; `address` is only known while a host runs. */
const checksOf = (address: 'ok' | 'note'): string[] =>
  `folder ok|space ok|port ok|address ${address}|text-editor note|network ok|tls note|database ok|secrets ok|clock ok|attention note`.split(
    '|',
  );

async function doctorChecks(): Promise<string[]> {
  const findings: { check: string; verdict: string }[] = await commands.json(['doctor']);
  return findings.map(({ check, verdict }) => `${check} ${verdict}`);
}

test('doctor runs every check on the running host', async () => {
  assert.deepEqual(await doctorChecks(), checksOf('ok'));
  assert.match(await commands.done(['doctor']), /^ok +folder: .* can be written to\.\n/);
});

test('every command has help that lists the exit codes; commands that ask show --yes, and all accept it', async () => {
  const helpOf = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await place.run(args);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /Exit codes:\n {2}0 +done/);
    return stdout;
  };
  for (const args of [[], ['serve'], ['users'], ['tokens', 'revoke']])
    assert.match(await helpOf(...args, '--help'), /^Usage: npm run cli -- /);
  assert.match(await helpOf('help', 'open'), /^Usage: npm run cli -- open \[options\] <file>\n/);
  assert.match(
    await helpOf('users', 'help', 'add'),
    /^Usage: npm run cli -- users add \[options\] <login>\n/,
  );
  const nothing = await place.run([]);
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /^Usage:/);
  assert.match(await helpOf('recovered', 'discard', '--help'), /^ +--yes +don’t ask for confirmation$/m);
  assert.doesNotMatch(await helpOf('recovered', 'list', '--help'), /--yes/);
  await commands.done(['users', 'list', '--yes']);
});

test('exits with 0 when the reader of its output goes away', async () => {
  const running = place.start(['users', '--data', place.dataDir]);
  running.child.stdout?.destroy();
  const { code, stderr } = await running.ended;
  assert.deepEqual([code, stderr], [0, '']);
});

test('without a host, commands work on the database; only open fails; the next host knows what they changed', async () => {
  const { done, json, refused } = commands;
  assert.equal((await host.stop()).code, 0);
  const isControl = (name: string): boolean => name.startsWith('control');
  assert.deepEqual((await readdir(place.dataDir)).filter(isControl), []);
  await refused(['open', 'letter.docx'], 1, /^DocTray isn’t running with this data folder/);
  assert.match(await done(['users']), /\nowner /);
  await json(['users', 'add', 'ada', '--password-stdin'], { input: 'ada without a host' });
  assert.equal((await json(['locks'])).length, 0);
  assert.ok((await json(['versions', 'letter.docx'])).versions.length > 0);
  assert.ok((await json(['tokens'])).accessTokens.length > 0);
  assert.equal(await done(['settings', 'set', 'port', '0']), 'port is 0.\n');
  assert.deepEqual(await doctorChecks(), checksOf('note'));

  host = await place.serve();
  assert.match(await signIn(host.baseUrl, 'ada', 'ada without a host'), /^[\w-]{43}$/);
});

test('after a host was killed, commands work, doctor reports a missing folder, and another can be chosen', async () => {
  const { cli, done } = commands;
  await host.stop('SIGKILL');
  assert.match(await done(['users']), /\nowner /);
  const other = `${place.folder} elsewhere`;
  await rename(place.folder, other);
  const { code, stdout } = await cli(['doctor']);
  assert.equal(code, 1);
  assert.match(stdout, /^FAILED +folder: The folder .* doesn’t exist\. Connect its drive/m);
  for (const args of [
    ['new', 'a.docx'],
    ['trash', 'letter.docx', '--yes'],
  ]) {
    assert.equal(
      (await cli(args)).stderr,
      `The folder ${place.folder} doesn’t exist. Connect its drive, or choose another folder with \`npm run cli -- settings set folder DIR --data ${place.dataDir}\`.\n`,
    );
  }
  assert.match(await done(['settings', 'set', 'folder', other]), /^folder is /);
  await done(['doctor']);
  await rename(other, place.folder);
});

test('settings can be set before the first start, in a data folder that only this user can open', async () => {
  const fresh = join(place.root, 'fresh');
  const chosen = await place.run(['settings', 'set', 'folder', 'documents', '--data', fresh]);
  assert.equal(chosen.stdout, `folder is ${place.folder}.\n`, chosen.stderr);
  assert.equal((await stat(fresh)).mode & 0o777, 0o700);
});

test('no command printed a secret', () => {
  const all = commands.printed.join('');
  assert.ok(all.length > 1000);
  assert.ok(!all.includes(ownerPassword));
  assert.doesNotMatch(all, /(?<![\w-])[\w-]{43}(?![\w-])/);
});
