// The stand-in as the executable of a packed app: it runs resources/app.asar, and obeys the fuses that @electron/fuses flips.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

import { createPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

import { fixtures, makeHome } from './fixture-app.ts';
import { makeElectronDist } from './make-dist.ts';

const run = promisify(execFile);

describe('a packed app', { timeout: 60_000 }, () => {
  let folder: string;
  let executable: string;
  const { home, env } = makeHome();
  const wholeEnv = { ...process.env, NODE_OPTIONS: '', ...env };

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'doctray-dist-')));
    await makeElectronDist(folder);
    executable = join(folder, 'life');
    renameSync(join(folder, 'electron'), executable);
    await createPackage(join(fixtures, 'life'), join(folder, 'resources', 'app.asar'));
  });
  after(() => {
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
  });

  it('runs resources/app.asar as a packaged app', async () => {
    const { stdout } = await run(executable, ['--quiet', 'a.docx'], {
      env: { ...wholeEnv, LIFE_QUITS: '1' },
    });
    const line = stdout.split('\n').find((text) => text.includes('"ready"'))!;
    const { detail } = JSON.parse(line) as { detail: Record<string, unknown> };
    assert.equal(detail['packaged'], true);
    assert.match(String(detail['path']), /app\.asar$/);
    assert.equal(detail['name'], 'stand-in-life');
    assert.equal(detail['resources'], join(folder, 'resources'));
    assert.deepEqual(detail['argv'], ['--quiet', 'a.docx']);
  });

  it('has a fuse wire that can be flipped and read, and obeys it', async () => {
    const asNode = (): Promise<string> =>
      run(executable, ['-p', '"node " + 1'], {
        env: { ...wholeEnv, ELECTRON_RUN_AS_NODE: '1', LIFE_QUITS: '1' },
      }).then(({ stdout }) => stdout.split('\n')[0]!);
    assert.equal(await asNode(), 'node 1');
    await flipFuses(executable, {
      version: FuseVersion.V1,
      strictlyRequireAllFuses: true,
      [FuseV1Options.RunAsNode]: false,
      [FuseV1Options.EnableCookieEncryption]: false,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: false,
      [FuseV1Options.OnlyLoadAppFromAsar]: true,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
      [FuseV1Options.WasmTrapHandlers]: true,
    });
    const wire = await getCurrentFuseWire(executable);
    assert.equal(wire[FuseV1Options.RunAsNode], 48);
    assert.equal(wire[FuseV1Options.OnlyLoadAppFromAsar], 49);
    assert.match(await asNode(), /"lock"/);
    const { stderr } = await run(executable, ['--inspect=0'], { env: { ...wholeEnv, LIFE_QUITS: '1' } });
    assert.doesNotMatch(stderr, /Debugger listening/);
  });
});
