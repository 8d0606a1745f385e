// Every terminal command against a running host, and against the database when no host is running.

import assert from 'node:assert/strict';
import { readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makePlace, ownerPassword, signIn, type Ended, type Place, type Running } from './processes.ts';

let place: Place;
let host: Running & { baseUrl: string };
const seen: string[] = [];

before(async () => {
  place = await makePlace({ 'letter.docx': 'first', 'sub/sheet.xlsx': 'a sheet' }, { textEditor: false });
  host = await place.serve();
});
after(async () => {
  await place.remove();
});

async function cli(args: string[], options: { input?: string; cwd?: string } = {}): Promise<Ended> {
  const ended = await place.run([...args, '--data', place.dataDir], options);
  seen.push(ended.stdout, ended.stderr);
  return ended;
}

/** The parsed output of --json. */
async function json(args: string[], options: { input?: string; cwd?: string } = {}) {
  const { code, stdout, stderr } = await cli([...args, '--json'], options);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  assert.equal(stdout.indexOf('\n'), stdout.length - 1, 'one line');
  return JSON.parse(stdout);
}

async function refused(args: string[], code: number, sentence: RegExp, input = ''): Promise<void> {
  const ended = await cli(args, { input });
  assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
  assert.match(ended.stderr, sentence);
  assert.equal(ended.stderr.trimEnd().split('\n').length, 1, ended.stderr);
  assert.equal(ended.stdout, '');
}

async function wopi(
  access: { wopiSrc: string; accessToken: string },
  override: string,
  lock: string,
  body?: string,
  headers: Record<string, string> = {},
) {
  const path = body === undefined ? '' : '/contents';
  const response = await fetch(`${access.wopiSrc}${path}?access_token=${access.accessToken}`, {
    method: 'POST',
    headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': lock, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

test('open prints a token and addresses that work', async () => {
  const { code, stdout, stderr } = await place.runProcess([
    'open',
    'letter.docx',
    '--mode',
    'view',
    '--print',
    '--data',
    place.dataDir,
  ]);
  assert.equal(code, 0, stderr);
  for (const name of ['document', 'edit page', 'view page', 'WOPI source', 'access token', 'until']) {
    assert.match(stdout, new RegExp(`^${name} +\\S`, 'm'));
  }
  assert.match(stdout, /^for +viewing$/m);
  const { stdout: text } = await place.run(['open', 'sub/sheet.xlsx', '--json', '--data', place.dataDir]);
  const access = JSON.parse(text);
  assert.equal(access.path, 'sub/sheet.xlsx');
  const info = await fetch(`${access.wopiSrc}?access_token=${access.accessToken}`);
  assert.equal(info.status, 200);
  assert.equal(((await info.json()) as { BaseFileName: string }).BaseFileName, 'sheet.xlsx');
});

test('accepts document paths relative to the current directory, absolute, or relative to the folder', async () => {
  const ways: [string, string][] = [
    ['sheet.xlsx', join(place.folder, 'sub')],
    [join(place.folder, 'sub', 'sheet.xlsx'), place.root],
    ['documents/sub/sheet.xlsx', place.root],
    ['sub/sheet.xlsx', '/'],
  ];
  for (const [file, cwd] of ways) {
    const { stdout } = await place.run(['open', file, '--json', '--data', place.dataDir], { cwd });
    assert.equal(JSON.parse(stdout).path, 'sub/sheet.xlsx', file);
  }
  await refused(['open', 'nothing.docx'], 3, /^This document doesn’t exist/);
  await refused(['open', '/etc/hostname'], 2, /^The path must be inside the hosted folder/);
  await refused(['open', 'letter.docx', '--mode', 'write'], 2, /Allowed choices are edit, view; see --help/);
});

test('lists a lock, and force-clears it only with --yes', async () => {
  assert.match((await cli(['locks'])).stdout, /^No document is locked\.\n$/);
  const { stdout } = await place.run(['open', 'letter.docx', '--json', '--data', place.dataDir]);
  const access = JSON.parse(stdout);
  assert.equal(await wopi(access, 'LOCK', 'lock-of-letter'), 200);
  const [lock] = await json(['locks']);
  assert.equal(lock.path, 'letter.docx');
  assert.equal(lock.user, 'owner');
  assert.match((await cli(['locks'])).stdout, /^DOCUMENT +USER .*\nletter\.docx +owner /);
  assert.match((await cli(['sessions'])).stdout, /^DOCUMENT .*\n(.*\n)*letter\.docx +owner +edit/);

  await refused(['unlock', 'letter.docx'], 2, /add --yes/);
  assert.equal((await json(['locks'])).length, 1);
  assert.match(
    (await cli(['unlock', 'letter.docx', '--yes'])).stdout,
    /^The lock on letter\.docx was cleared\.\n$/,
  );
  assert.deepEqual(await json(['locks']), []);
  const event = await host.event('lock-force-cleared');
  assert.equal(event['path'], 'letter.docx');
  await refused(['unlock', 'letter.docx', '--yes'], 3, /^The document isn’t locked\.\n$/);
});

test('saves what isn’t a readable document anyway only with --yes, and shows a save that wasn’t written', async () => {
  const { path } = await json(['new', 'report.docx']);
  const document = join(place.folder, path);
  const good = await readFile(document);
  const access = JSON.parse((await place.run(['open', path, '--json', '--data', place.dataDir])).stdout);
  assert.equal(await wopi(access, 'LOCK', 'report'), 200);
  assert.equal(await wopi(access, 'PUT', 'report', 'conversion failed'), 500);
  const [{ id }] = await json(['recovered']);
  assert.match(
    (await cli(['recovered'])).stdout,
    /report\.docx .* Not saved: it isn’t a readable document\.\n/,
  );
  await refused(['recovered', 'save', id], 2, /add --yes/);
  assert.deepEqual(await readFile(document), good);
  assert.match(
    (await cli(['recovered', 'save', id, '--yes'])).stdout,
    /^Saved report\.docx\. .* version\.\n$/,
  );
  assert.equal(await readFile(document, 'utf8'), 'conversion failed');
  assert.equal((await json(['versions', path])).versions.length, 1);
  await writeFile(document, 'by another program');
  const unmodified = { 'X-LOOL-WOPI-IsModifiedByUser': 'false' };
  assert.equal(await wopi(access, 'PUT', 'report', 'typed too late', unmodified), 200);
  assert.match((await cli(['versions', path])).stdout, / not written: the editor reported no changes /);
  assert.equal(await wopi(access, 'UNLOCK', 'report'), 200);
});

test('keeps a save whose lock was cleared; restores it as a new document, or discards it', async () => {
  const { stdout } = await place.run(['open', 'letter.docx', '--json', '--data', place.dataDir]);
  const access = JSON.parse(stdout);
  for (const text of ['late one', 'late two']) {
    assert.equal(await wopi(access, 'LOCK', 'cleared'), 200);
    await json(['unlock', 'letter.docx', '--yes']);
    assert.equal(await wopi(access, 'PUT', 'cleared', text), 409);
  }
  const saves = await json(['recovered']);
  assert.equal(saves.length, 2);
  assert.match((await cli(['recovered'])).stdout, /^ID +DOCUMENT .*\n.*letter\.docx/);
  const { path } = await json(['recovered', 'restore', saves[0].id]);
  assert.equal(await readFile(join(place.folder, path), 'utf8'), 'late two');
  await refused(['recovered', 'discard', saves[1].id], 2, /add --yes/);
  await json(['recovered', 'discard', saves[1].id, '--yes']);
  assert.match((await cli(['recovered'])).stdout, /^No recovered saves\.\n$/);
  await refused(['recovered', 'restore', 'none'], 3, /recovered save doesn’t exist/);
  assert.equal(await readFile(join(place.folder, 'letter.docx'), 'utf8'), 'first');
});

test('lists and restores the version that a save replaced', async () => {
  const { stdout } = await place.run(['open', 'letter.docx', '--json', '--data', place.dataDir]);
  const access = JSON.parse(stdout);
  assert.match((await cli(['versions', 'letter.docx'])).stdout, /no earlier versions\.\n$/);
  assert.equal(await wopi(access, 'LOCK', 'v'), 200);
  assert.equal(await wopi(access, 'PUT', 'v', 'second'), 200);
  const { versions } = await json(['versions', 'letter.docx']);
  assert.equal(versions.length, 1);
  assert.match((await cli(['versions', 'letter.docx'])).stdout, /^ID +VERSION +SAVED/);
  await refused(['restore', 'letter.docx', versions[0].id], 1, /^The document is being edited/);
  assert.equal(await wopi(access, 'UNLOCK', 'v'), 200);
  await refused(['restore', 'letter.docx', 'none'], 3, /^This version doesn’t exist/);
  assert.match((await cli(['restore', 'letter.docx', versions[0].id])).stdout, /^letter\.docx was restored/);
  assert.equal(await readFile(join(place.folder, 'letter.docx'), 'utf8'), 'first');
});

test('lists tokens without their secrets, and revokes them', async () => {
  const token = await signIn(host.baseUrl);
  seen.push(''); // the token itself must not be in the output below
  const { apiTokens, accessTokens } = await json(['tokens']);
  assert.ok(apiTokens.length > 0 && accessTokens.length > 0);
  const listed = (await cli(['tokens', 'list'])).stdout;
  assert.match(listed, /^ID +KIND +USER/);
  assert.match(listed, /^\S+ +access .*(?:just now|ago)$/m);
  for (const { id } of apiTokens) await json(['tokens', 'revoke', id, '--yes']);
  const self = await fetch(`${host.baseUrl}/api/2.0/people/@self.json`, {
    headers: { authorization: token },
  });
  assert.equal(self.status, 401);
  const { stdout: newToken } = await place.run([
    'tokens',
    'create',
    'owner',
    '--name',
    'Backup',
    '--days',
    '2',
    '--data',
    place.dataDir,
  ]);
  assert.match(newToken, /^[\w-]{43}\n$/);
  const created = (await json(['tokens'])).apiTokens as {
    id: string;
    createdAtMs: number;
    expiresAtMs: number;
  }[];
  assert.deepEqual(
    created.map(({ createdAtMs, expiresAtMs }) => expiresAtMs - createdAtMs),
    [2 * 24 * 60 * 60 * 1000],
  );
  assert.match((await cli(['tokens'])).stdout, /^\S+ +API +owner +Backup /m);
  for (const { id } of created) await json(['tokens', 'revoke', id]);
  await refused(['tokens', 'create', 'owner', '--name', ' '], 2, /name: can’t be empty/);
  await refused(['tokens', 'create', 'nobody'], 3, /^No user has this name/);
  await refused(['tokens', 'create', 'owner', '--days', 'x'], 2, /days/);
  await refused(['tokens', 'revoke', 'none'], 3, /^This token doesn’t exist/);
  await refused(['tokens', 'revoke'], 2, /^Missing required argument “id”; see --help\.\n$/);
  assert.ok(!seen.join('').includes(token));
});

test('adds users, reads their passwords from standard input, and removes them', async () => {
  const add = ['users', 'add', 'eva', '--name', 'Eva Lind', '--role', 'viewer'];
  await refused(add, 2, /Pipe it in with --password-stdin/);
  await refused([...add, '--password-stdin'], 2, /Standard input contains no password/);
  await refused([...add, '--password-stdin'], 2, /^A password needs at least 8/, 'short\n');
  const added = await place.runProcess([...add, '--password-stdin', '--data', place.dataDir], {
    input: 'eva likes trays\n',
  });
  seen.push(added.stdout, added.stderr);
  assert.match(added.stdout, /^eva was added as viewer/);
  await refused(
    [...add, '--password-stdin'],
    1,
    /^A user with this name already exists/,
    'eva likes trays\n',
  );
  await refused(
    ['users', 'add', 'x', '--role', 'owner', '--password-stdin'],
    2,
    /Allowed choices are editor, viewer/,
  );
  assert.match((await cli(['users'])).stdout, /^LOGIN +NAME +ROLE +SINCE\neva +Eva Lind +viewer .*\nowner /);
  assert.match(await signIn(host.baseUrl, 'eva', 'eva likes trays'), /^[\w-]{43}$/);

  await cli(['users', 'password', 'eva', '--password-stdin'], { input: 'eva changed her mind\r\n' });
  assert.equal(await signIn(host.baseUrl, 'eva', 'eva likes trays'), 'refused with 401');
  assert.match(await signIn(host.baseUrl, 'eva', 'eva changed her mind'), /^[\w-]{43}$/);
  await refused(
    ['users', 'password', 'nobody', '--password-stdin'],
    3,
    /^No user has this name/,
    'long enough',
  );

  assert.match((await cli(['--yes', 'users', 'remove', 'eva'])).stdout, /^eva was removed/);
  await refused(['users', 'remove', 'eva'], 3, /^No user has this name/);
  await refused(['users', 'remove', 'owner'], 1, /^The owner can’t be removed/);
  assert.ok(!seen.join('').includes('trays') && !seen.join('').includes('mind'));
});

test('shows settings, changes them in the running host, and rejects invalid ones with a reason', async () => {
  assert.match(
    (await cli(['settings'])).stdout,
    /^folder +\/.*\nhost +127\.0\.0\.1\n(.*\n)*windowFirstRunDone +false\n$/,
  );
  assert.equal((await cli(['settings', 'get', 'maxUploadMB'])).stdout, '4000\n');
  assert.equal((await cli(['settings', 'set', 'maxUploadMB', '1'])).stdout, 'maxUploadMB is 1.\n');
  const { stdout } = await place.run(['open', 'sub/sheet.xlsx', '--json', '--data', place.dataDir]);
  const access = JSON.parse(stdout);
  assert.equal(await wopi(access, 'LOCK', 's'), 200);
  assert.equal(await wopi(access, 'PUT', 's', 'x'.repeat(1_000_001)), 413);
  assert.equal(await wopi(access, 'UNLOCK', 's'), 200);
  assert.equal(
    (await cli(['settings', 'set', 'port', '9000'])).stdout,
    'port is 9000 after the next start.\n',
  );
  assert.deepEqual(await json(['settings', 'set', 'allowedHosts', 'a.example, b.example']), {
    key: 'allowedHosts',
    value: ['a.example', 'b.example'],
    needsRestart: false,
  });
  await refused(['settings', 'set', 'port', 'many'], 2, /port: Enter a whole number from 0 to 65535/);
  await refused(['settings', 'set', 'colour', 'red'], 2, /There is no setting colour/);
  await refused(['settings', 'get', 'colour'], 2, /There is no setting colour/);
});

test('doctor runs every check on the running host', async () => {
  const findings: { check: string; verdict: string }[] = await json(['doctor']);
  assert.deepEqual(
    findings.map(({ check, verdict }) => `${check} ${verdict}`),
    [
      'folder ok',
      'space ok',
      'port ok',
      'address ok',
      'text-editor note',
      'network ok',
      'tls note',
      'database ok',
      'secrets ok',
      'clock ok',
      'attention note',
    ],
  );
  assert.match((await cli(['doctor'])).stdout, /^ok +folder: .* can be written to\.\n/);
});

test('every command has help that lists the exit codes', async () => {
  for (const args of [
    [],
    ['serve'],
    ['start'],
    ['open'],
    ['unlock'],
    ['users'],
    ['users', 'add'],
    ['tokens', 'revoke'],
    ['settings', 'set'],
    ['recovered', 'discard'],
    ['doctor'],
  ]) {
    const { code, stdout, stderr } = await place.run([...args, '--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^Usage: npm run cli -- /);
    assert.match(stdout, /Exit codes:\n {2}0 +done/);
  }
  const helpOf = async (...args: string[]): Promise<string> =>
    (await place.run(args)).stdout.split('\n', 1)[0] ?? '';
  assert.equal(await helpOf('help', 'open'), 'Usage: npm run cli -- open [options] <file>');
  assert.equal(await helpOf('users', 'help', 'add'), 'Usage: npm run cli -- users add [options] <login>');
  const nothing = await place.run([]);
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /^Usage:/);
});

test('every command accepts --yes; those that ask show it in their help', async () => {
  assert.equal((await place.run(['users', 'list', '--yes', '--data', place.dataDir])).code, 0);
  const helpOf = async (...args: string[]): Promise<string> => (await place.run([...args, '--help'])).stdout;
  assert.match(await helpOf('recovered', 'discard'), /^ +--yes +don’t ask for confirmation$/m);
  assert.doesNotMatch(await helpOf('recovered', 'list'), /--yes/);
});

test('exits with 0 when the reader of its output goes away', async () => {
  const running = place.start(['users', '--data', place.dataDir]);
  running.child.stdout?.destroy();
  const { code, stderr } = await running.ended;
  assert.equal(code, 0);
  assert.equal(stderr, '');
});

test('without a host, commands work on the database; only open fails', async () => {
  host.child.kill('SIGTERM');
  assert.equal((await host.ended).code, 0);
  assert.deepEqual(
    (await readdir(place.dataDir)).filter((name) => name.startsWith('control')),
    [],
  );
  await refused(['open', 'letter.docx'], 1, /^DocTray isn’t running with this data folder/);
  assert.match((await cli(['users'])).stdout, /\nowner /);
  await json(['users', 'add', 'ada', '--password-stdin'], { input: 'ada without a host' });
  assert.equal((await json(['locks'])).length, 0);
  assert.ok((await json(['versions', 'letter.docx'])).versions.length > 0);
  assert.ok((await json(['tokens'])).accessTokens.length > 0);
  assert.equal((await cli(['settings', 'set', 'port', '0'])).stdout, 'port is 0.\n');
  const findings: { check: string; verdict: string }[] = await json(['doctor']);
  assert.deepEqual(
    findings.map(({ check, verdict }) => `${check} ${verdict}`),
    [
      'folder ok',
      'space ok',
      'port ok',
      'address note',
      'text-editor note',
      'network ok',
      'tls note',
      'database ok',
      'secrets ok',
      'clock ok',
      'attention note',
    ],
  );

  host = await place.serve();
  assert.match(await signIn(host.baseUrl, 'ada', 'ada without a host'), /^[\w-]{43}$/);
});

test('commands and the next host work after a host was killed', async () => {
  host.child.kill('SIGKILL');
  await host.ended;
  assert.match((await cli(['users'])).stdout, /\nowner /);
  host = await place.serve();
  assert.deepEqual(await json(['locks']), []);
});

test('doctor reports a missing folder, and another can be chosen', async () => {
  host.child.kill('SIGTERM');
  await host.ended;
  await rename(place.folder, `${place.folder} elsewhere`);
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
  assert.match((await cli(['settings', 'set', 'folder', `${place.folder} elsewhere`])).stdout, /^folder is /);
  assert.equal((await cli(['doctor'])).code, 0);
  await rename(`${place.folder} elsewhere`, place.folder);
});

test('commands that only read don’t create a missing data folder', async () => {
  const nowhere = join(place.root, 'nowhere');
  for (const args of [['locks'], ['users'], ['doctor'], ['settings'], ['unlock', 'x', '--yes']]) {
    const { code, stderr } = await place.run([...args, '--data', nowhere]);
    assert.equal(code, 1);
    assert.match(stderr, /nowhere isn’t a DocTray data folder\. Check --data\.\n$/);
  }
  await assert.rejects(stat(nowhere));
  const chosen = await place.run(['settings', 'set', 'folder', 'documents', '--data', nowhere]);
  assert.equal(chosen.stdout, `folder is ${place.folder}.\n`, chosen.stderr);
  assert.equal((await stat(nowhere)).mode & 0o777, 0o700);
});

test('no command printed a secret', () => {
  const printed = seen.join('');
  assert.ok(printed.length > 1000);
  assert.ok(!printed.includes(ownerPassword));
  assert.doesNotMatch(printed, /(?<![\w-])[\w-]{43}(?![\w-])/);
});
