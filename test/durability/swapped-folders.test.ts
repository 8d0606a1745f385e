// Another program swaps entries of the hosted folder while editors read and save: a folder for a symbolic link that leads out, a
// document for a pipe. No byte from outside is served, nothing outside is created, changed or kept, and nothing blocks the host.
// Only Linux has the system call that swaps two names atomically.

import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeContent } from '../crash/content.ts';
import { createHostClient, type Answer, type HostClient } from '../crash/host-client.ts';
import { makeScratch, serve, type Scratch, type ServeProcess } from '../crash/serve-process.ts';

const seconds = Number(process.env['SWAP_SECONDS'] ?? 2);
/** A slow computer needs longer for enough calls to prove anything. */
const limitSeconds = seconds + 120;
const needed = ['GetFile 200', 'PutFile 200'];
const lockId = 'the lock';

/** Calls renameat2 by number, because every Linux has perl but not a compiler. */
const swapper = `
  my ($one, $other, $seconds) = @ARGV;
  my $number = { x64 => 316, arm64 => 276 }->{$ENV{ARCH}} or die "no system call number";
  my $end = time + $seconds;
  my $swaps = 0;
  $SIG{TERM} = sub { $end = 0 };
  while (time < $end) {
    for (1 .. 200) { syscall($number, -100, $one, -100, $other, 2) == 0 and $swaps++; }
  }
  print $swaps;`;

interface Setup {
  scratch: Scratch;
  host: ServeProcess;
  client: HostClient;
  apiToken: string;
}

async function open(t: TestContext): Promise<Setup> {
  const scratch = makeScratch();
  const host = await serve(scratch);
  t.after(async () => {
    await host.kill();
    scratch.remove();
  });
  const client = createHostClient(() => host.baseUrl);
  return { scratch, host, client, apiToken: await client.signIn() };
}

function swap(one: string, other: string): { child: ChildProcess; swaps: () => number } {
  const env = { ...process.env, ARCH: process.arch };
  const child = spawn('perl', ['-e', swapper, one, other, String(limitSeconds)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, swaps: () => Number(printed) };
}

/** The content of every file below the folder, without following links. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && realpathSync(entry.parentPath) === entry.parentPath,
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length), readFileSync(path, 'latin1')];
    }),
  );
}

describe('a folder that is swapped rapidly for a link that leads out', () => {
  it(`serves, creates, changes and keeps nothing outside (${seconds} s, SWAP_SECONDS)`, async (t) => {
    assert.equal(
      process.platform,
      'linux',
      'the tests of the other systems are in test/unit/files/jail.test.ts',
    );
    const { scratch, host, client, apiToken } = await open(t);
    const docs = join(scratch.folder, 'docs');
    const link = join(scratch.folder, 'link');
    const secret = `secret ${'x'.repeat(5_000)}`;
    for (const folder of [docs, scratch.outside]) {
      mkdirSync(folder, { recursive: true });
      for (const name of ['a.docx', 'b.docx']) {
        writeFileSync(join(folder, name), folder === docs ? makeContent(`inside ${name}`, 4_000) : secret);
      }
    }
    symlinkSync(scratch.outside, link);
    const outside = contents(scratch.outside);
    const read = await client.access('docs/a.docx', apiToken);
    const saved = await client.access('docs/b.docx', apiToken);
    assert.equal((await client.lock(saved, lockId)).status, 200);

    const attack = swap(docs, link);
    const ended = once(attack.child, 'exit');
    const statuses = new Map<string, number>();
    const count = (what: string, { status, body }: Answer): void => {
      assert.equal(body.includes('secret'), false, `${what} served a file from outside`);
      const key = `${what} ${status}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
    };
    const endAt = performance.now() + seconds * 1000 - 300;
    const giveUpAt = performance.now() + limitSeconds * 1000 - 300;
    const isEnough = (): boolean => needed.every((key) => (statuses.get(key) ?? 0) > 5);
    const until = async (step: () => Promise<void>): Promise<void> => {
      while (performance.now() < endAt || (performance.now() < giveUpAt && !isEnough())) await step();
    };
    let saves = 0;
    await Promise.all([
      until(async () => count('GetFile', await client.getFile(read))),
      until(async () => count('GetFile', await client.getFile(read))),
      until(async () => {
        const info = await client.checkFileInfo(read);
        count('CheckFileInfo', info);
        if (info.status === 200) {
          assert.notEqual((JSON.parse(info.body.toString()) as { Size: number }).Size, secret.length);
        }
      }),
      until(async () => {
        saves += 1;
        count('PutFile', await client.putFile(saved, lockId, makeContent(`save ${saves}`, 3_000)));
        if (saves % 5 === 0) {
          const target = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
          count(
            'PutRelativeFile',
            await client.operate(read, 'PUT_RELATIVE', target, makeContent('copy', 500)),
          );
          count(
            'RenameFile',
            await client.operate(read, 'RENAME_FILE', { 'X-WOPI-RequestedName': `a${saves}` }),
          );
        }
      }),
      until(async () => {
        const listed = await client.list(apiToken, { path: 'docs' });
        assert.equal(
          listed.body.includes(`"size":${secret.length}`),
          false,
          'a listing showed a file from outside',
        );
        await delay(5);
      }),
    ]);
    attack.child.kill();
    await ended;
    t.diagnostic(
      `${attack.swaps()} swaps; ${[...statuses].map(([key, times]) => `${key}: ${times}`).join(', ')}`,
    );

    assert.ok(
      attack.swaps() > 1_000 && isEnough(),
      `too few to prove anything: ${attack.swaps()} swaps, ${[...statuses].join(' ')}`,
    );
    assert.deepEqual(contents(scratch.outside), outside, 'nothing outside was changed');
    for (const [path, content] of Object.entries({
      ...contents(scratch.dataDir),
      ...contents(scratch.folder),
    })) {
      assert.equal(content.includes('secret xxx'), false, `${path} has a copy of a file from outside`);
    }
    assert.equal(host.isRunning(), true);
  });
});

describe('a pipe that replaces an entry', () => {
  it('blocks nothing if it replaces what the host opens or syncs, and SIGTERM stops the host within 5 s', async (t) => {
    const { scratch, host, client, apiToken } = await open(t);
    writeFileSync(join(scratch.folder, 'other.docx'), makeContent('other', 4_000));
    const other = await client.access('other.docx', apiToken);
    for (const [what, place] of [
      ['a document', '1/a.docx'],
      ['the folder of a document', '2'],
      ["a desktop program's lock file", '3/.~lock.a.docx#'],
    ] as const) {
      const folder = place.charAt(0);
      mkdirSync(join(scratch.folder, folder));
      writeFileSync(join(scratch.folder, folder, 'a.docx'), makeContent(place, 4_000));
      const access = await client.access(`${folder}/a.docx`, apiToken);
      assert.equal((await client.lock(access, lockId)).status, 200);
      const path = join(scratch.folder, place);
      if (existsSync(path)) renameSync(path, `${path}.away`);
      assert.equal(spawnSync('mkfifo', [path]).status, 0);

      const calls = (): Promise<Answer>[] => {
        const body = makeContent('mine', 3_000);
        const copy = { 'X-WOPI-SuggestedTarget': '.docx' };
        return [
          client.getFile(access),
          client.checkFileInfo(access),
          client.putFile(access, lockId, body),
          client.operate(access, 'REFRESH_LOCK', { 'X-WOPI-Lock': lockId }),
          client.operate(access, 'PUT_RELATIVE', copy, body),
          client.unlock(access, 'another lock'),
          client.list(apiToken, { path: folder }),
        ];
      };
      const fail = (error: unknown): never => {
        throw new Error(`a pipe in place of ${what}`, { cause: error });
      };
      // More of each than the thread pool has threads.
      for (let round = 0; round < 6; round += 1) await Promise.all(calls()).catch(fail);
      const answer = await client.getFile(other).catch(fail);
      assert.equal(answer.status, 200, what);
    }
    // After 5 s, it would end itself by force.
    const { code } = await host.stop();
    assert.equal(code, 0, host.stderr());
  });
});
