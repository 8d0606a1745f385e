// Where the links to the dashboard come from: the command, and a start on a terminal. Another user of the computer gets none.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePlace, ownerPassword, type Place } from '../cli/processes.ts';
import { connectPage, secretOf } from './dashboard-page.ts';
import type { OtherUserResult, OtherUserTask } from './other-user.ts';

let place: Place | undefined;
afterEach(() => place?.remove());

/** Put before a command: runs it on a terminal of its own. */
const onTerminal = ['sh', '-c', 'exec script -qefc "$*" /dev/null', 'sh'];

async function opens(url: string): Promise<boolean> {
  const page = await connectPage(url);
  await page.open(secretOf(url));
  const answer = await page.call('state.get', {});
  page.close();
  return answer.isDone;
}

test('`dashboard` prints a link to the running host’s window, with --json as an object', async () => {
  place = await makePlace();
  const { dataDir } = place;
  const away = await place.run(['dashboard', '--data', dataDir]);
  assert.equal(away.code, 1);
  assert.match(away.stderr, /isn’t a DocTray data folder/);
  await place.serve();
  const { stdout, code } = await place.run(['dashboard', '--data', dataDir]);
  assert.equal(code, 0);
  const [url = '', hint] = stdout.split('\n');
  assert.equal(hint, 'The link works once, within 10 minutes.');
  assert.equal(await opens(url), true);
  // What its pages tell users to run.
  assert.equal(
    await (await fetch(new URL('/command', url))).text(),
    `npm run cli -- dashboard --data ${dataDir}`,
  );
  const { stdout: json } = await place.run(['dashboard', '--data', dataDir, '--json']);
  assert.equal(await opens((JSON.parse(json) as { url: string }).url), true);
});

test('a start on a terminal prints a link or why there is none, and one in a pipe names the command', async (t) => {
  place = await makePlace();
  const piped = place.start(['start', '--folder', place.folder, '--data', place.dataDir, '--port', '0']);
  while (!/ {2}Next .*\n/.test(piped.stdout())) await sleep(20);
  piped.child.kill('SIGTERM');
  const { stdout } = await piped.ended;
  assert.doesNotMatch(stdout, /Dashboard|#/);
  assert.match(stdout, /Next .* -- dashboard /);
  await place.remove();

  place = await makePlace({}, undefined, { prefix: onTerminal });
  const shown = place.start(['start', '--folder', place.folder, '--data', place.dataDir, '--port', '0']);
  // A terminal ends lines with \r\n.
  while (!/ {2}Next [^\n]*\n/.test(shown.stdout())) await sleep(20);
  const url = / {2}Dashboard {9}(\S+) {2}\(valid once, for 10 minutes\)/.exec(shown.stdout())?.[1] ?? '';
  assert.equal(await opens(url), true);
  // Ctrl+C
  shown.child.stdin?.write('\u0003');
  assert.equal((await shown.ended).code, 130);

  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const taken = String((other.address() as AddressInfo).port);
  await place.run(['settings', 'set', 'dashboardPort', taken, '--data', place.dataDir]);
  const again = place.start(['start', '--folder', place.folder, '--data', place.dataDir, '--port', '0']);
  while (!/ {2}Next [^\n]*\n/.test(again.stdout())) await sleep(20);
  assert.match(again.stdout(), new RegExp(` {2}Dashboard {9}Port ${taken} is already in use`));
  again.child.stdin?.write('\u0003');
  assert.equal((await again.ended).code, 130);
});

/** `nobody`, who owns nothing. */
const otherUid = 65_534;

test('another user of this computer can read no link, secret or socket', async (t) => {
  place = await makePlace();
  const { root, dataDir } = place;
  // Only DocTray's own permissions count.
  await chmod(root, 0o755);
  await writeFile(join(root, 'public'), 'for everyone');
  const { child } = await place.serve();
  const { stdout } = await place.run(['dashboard', '--data', dataDir]);
  const [url = ''] = stdout.split('\n');
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const sockets = entries.filter((entry) => entry.isSocket());
  assert.equal(sockets.length, 1);
  for (const path of [dataDir, ...sockets.map(({ name }) => join(dataDir, name))])
    assert.equal((await stat(path)).mode & 0o077, 0, path);

  const isRoot = process.getuid?.() === 0;
  if (!isRoot) t.diagnostic('Only root can become another user: the permissions were checked, not tried.');
  const task: OtherUserTask = {
    uid: isRoot ? otherUid : null,
    pid: child.pid ?? 0,
    root,
    dataDir: relative(root, dataDir),
    paths: ['public', ...paths],
  };
  const attacker = place.start([JSON.stringify(task)], {
    script: join(import.meta.dirname, 'other-user.ts'),
  });
  const { stdout: got, stderr } = await attacker.ended;
  assert.notEqual(got, '', stderr);
  const result = JSON.parse(got) as OtherUserResult;
  assert.equal(result.uid, isRoot ? otherUid : process.getuid?.());
  assert.deepEqual(result.reached, isRoot ? ['public'] : []);
  for (const secret of [secretOf(url), ownerPassword]) assert.ok(!result.commandLine.includes(secret));
  assert.match(result.commandLine, /serve/);
  // The link still works for its user.
  assert.equal(await opens(url), true);
});
