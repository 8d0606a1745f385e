// The first run and the keychain's session bus, which only Linux has. Each opens the store in another process.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doctray-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const inData = (name: string): string => join(dataDir, name);
const read = (name: string): Promise<string> => readFile(inData(name), 'utf8');

/** Opens the store in another process, which must exit without being killed. */
function openOnce(
  busAddress: string | undefined,
  timeoutMs: number,
): Promise<{ exitCode: unknown; printed: unknown }> {
  const env: NodeJS.ProcessEnv = { ...process.env, DISPLAY: undefined, XDG_RUNTIME_DIR: inData('run') };
  delete env['DOCTRAY_SECRETS'];
  env['DBUS_SESSION_BUS_ADDRESS'] = busAddress;
  const script = join(import.meta.dirname, 'open-once.ts');
  return new Promise((resolve) => {
    const options = { env, timeout: 60_000, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [script, dataDir, String(timeoutMs)], options, (error, output) => {
      resolve({
        exitCode: error ? (error.code ?? error.signal) : 0,
        printed: output === '' ? '' : JSON.parse(output),
      });
    });
  });
}

async function recordKeychain(): Promise<void> {
  await writeFile(
    inData('data-folder.json'),
    '{"id":"0123456789abcdef0123456789abcdef","secretStore":"keychain"}',
  );
}

test('fails if the recorded keychain isn’t available, and creates no replacement', async () => {
  await recordKeychain();
  const record = await read('data-folder.json');
  for (const busAddress of [undefined, `unix:path=${inData('no-such-socket')}`]) {
    assert.deepEqual(await openOnce(busAddress, 5000), {
      exitCode: 3,
      printed: { code: 'secret-store-unreachable', warnings: [] },
    });
  }
  assert.equal(await read('data-folder.json'), record);
  assert.deepEqual(await readdir(dataDir), ['data-folder.json']);
});

test('uses a file on the first run if there is no session bus, or if it can’t be reached', async () => {
  for (const busAddress of [undefined, `unix:path=${inData('no-such-socket')}`]) {
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir);
    const { exitCode, printed } = await openOnce(busAddress, 5000);
    assert.equal(exitCode, 0);
    assert.ok(printed !== null && typeof printed === 'object' && 'kind' in printed);
    assert.equal(printed.kind, 'file');
  }
});

test('stops waiting for a keychain that never responds, and exits with its own code', async () => {
  const silentBus = createServer((socket) => socket.on('error', () => undefined));
  const socketPath = inData('bus');
  await new Promise<void>((resolve) => silentBus.listen(socketPath, resolve));
  try {
    const firstRun = await openOnce(`unix:path=${socketPath}`, 300);
    assert.equal(firstRun.exitCode, 0);
    assert.equal(JSON.parse(await read('data-folder.json')).secretStore, 'file');
    await recordKeychain();
    assert.deepEqual(await openOnce(`unix:path=${socketPath}`, 300), {
      exitCode: 3,
      printed: { code: 'secret-store-unreachable', warnings: [] },
    });
  } finally {
    silentBus.close();
  }
});
