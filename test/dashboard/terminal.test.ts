// Where the links to the dashboard come from: the command, and a start on a terminal. Another user of the computer gets none.

import assert from 'node:assert/strict';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { makePlace, ownerPassword, type Place } from '../cli/processes.ts';
import type { Running } from '../cli/running-process.ts';
import { listen } from '../listen.ts';
import { connectPage, secretOf } from './dashboard-page.ts';
import type { OtherUserResult, OtherUserTask } from './other-user.ts';

/** Serves in the first two tests. */
let place: Place;
let piped: Running;
before(async () => {
  place = await makePlace();
});
after(() => place.remove());

/** Put before a command: runs it on a terminal of its own. */
const onTerminal = ['sh', '-c', 'exec script -qefc "$*" /dev/null', 'sh'];

/** Starts, and waits until it has said what comes next. A terminal ends lines with \r\n. */
async function startOn({ start, folder, dataDir }: Place): Promise<Running> {
  const running = start(['start', '--folder', folder, '--data', dataDir, '--port', '0']);
  await running.printed(/ {2}Next [^\n]*\n/);
  return running;
}

async function opens(url: string): Promise<boolean> {
  const page = await connectPage(url);
  await page.open(secretOf(url));
  const answer = await page.call('state.get', {});
  page.close();
  return answer.isDone;
}

test('a start in a pipe names `dashboard`, which prints a link to the running host’s window, with --json as an object', async () => {
  const { dataDir } = place;
  const away = await place.run(['dashboard', '--data', dataDir]);
  assert.equal(away.code, 1);
  assert.match(away.stderr, /isn’t a DocTray data folder/);
  piped = await startOn(place);
  assert.doesNotMatch(piped.stdout(), /Dashboard|#/);
  assert.match(piped.stdout(), /Next .* -- dashboard /);
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

/** `nobody`, who owns nothing. */
const otherUid = 65_534;

test('another user of this computer can read no link, secret or socket', async (t) => {
  const { root, dataDir } = place;
  // Only DocTray's own permissions count.
  await chmod(root, 0o755);
  await writeFile(join(root, 'public'), 'for everyone');
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
    pid: piped.child.pid ?? 0,
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
  assert.match(result.commandLine, /start/);
  // The link still works for its user.
  assert.equal(await opens(url), true);
});

test('a start on a terminal prints a link, or why there is none', async (t) => {
  const shown = await makePlace({}, undefined, { prefix: onTerminal });
  t.after(() => shown.remove());
  const first = await startOn(shown);
  const url = / {2}Dashboard {9}(\S+) {2}\(valid once, for 10 minutes\)/.exec(first.stdout())?.[1] ?? '';
  assert.equal(await opens(url), true);
  // Ctrl+C
  first.child.stdin?.write('\u0003');
  assert.equal((await first.ended).code, 130);

  const other = await listen(() => undefined);
  t.after(() => other.close());
  const { port: taken } = new URL(other.url);
  await shown.run(['settings', 'set', 'dashboardPort', taken, '--data', shown.dataDir]);
  const again = await startOn(shown);
  assert.match(again.stdout(), new RegExp(` {2}Dashboard {9}Port ${taken} is already in use`));
});
