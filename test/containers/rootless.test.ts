// A document server in a container of rootless Podman, started by a user without privileges. There, containers reach this computer
// at another address, which DocTray finds by trying.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { DocumentServerStart } from '../../app/contract/document-servers.ts';
import type { EditorItem } from '../../app/contract/editors.ts';
import { makePlace, type Place } from '../cli/processes.ts';
import type { Ended } from '../cli/running-process.ts';
import { outerAddress, prepareMachine, user, type OwnMachine } from './own-machine.ts';
import { startRegistry, type Registry } from './registry.ts';

let machine: OwnMachine;
let registry: Registry;
let place: Place;

before(async () => {
  machine = prepareMachine();
  registry = await startRegistry();
  place = await makePlace(
    undefined,
    { textEditor: false },
    {
      parent: machine.folder,
      prefix: machine.asUser,
      own: (path) => chown(path, user.id, user.id),
      entry: join(machine.project, 'app', 'cli.ts'),
    },
  );
  Object.assign(place.env, machine.userEnv(registry.port));
  await place.serve();
});
after(async () => {
  podman('rm', '--force', '--all');
  await place.remove();
  await registry.close();
  machine.remove();
});

function podman(...args: string[]): string {
  const [program = '', ...before] = [...machine.asUser, 'podman', ...args];
  const { stdout } = spawnSync(program, before, {
    encoding: 'utf8',
    env: place.env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return stdout?.trim() ?? '';
}

function cli(...args: string[]): Promise<Ended> {
  return place.run([...args, '--data', place.dataDir]);
}

async function json<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await cli(...args, '--json');
  assert.equal(code, 0, `${stdout}${stderr}`);
  return JSON.parse(stdout) as Result;
}

test('ONLYOFFICE Docs starts, reaches DocTray at this computer’s network address, and stops', async () => {
  const image = ['--image', registry.image('onlyoffice')];
  const start = await json<DocumentServerStart>('editors', 'start', 'onlyoffice', ...image);
  assert.equal(start.state, 'done', start.sentence);
  assert.equal(start.result?.openedHost, outerAddress);
  assert.equal(start.result.warning, null);
  const [editor] = await json<EditorItem[]>('editors');
  assert.equal(editor?.lastTest?.isGood, true);
  assert.equal(podman('ps', '--format', '{{.Names}}'), 'doctray-onlyoffice');

  const again = await json<DocumentServerStart>('editors', 'start', 'onlyoffice');
  assert.equal(again.result?.wasRunning, true);
  const { code, stderr } = await cli('editors', 'stop', 'onlyoffice', '--yes', '--delete-data');
  assert.equal(code, 0, stderr);
  assert.equal(podman('ps', '--all', '--format', '{{.Names}}'), '');
  assert.equal(podman('volume', 'ls', '--format', '{{.Name}}'), '');
  assert.equal((await cli('settings', 'get', 'host')).stdout.trim(), '127.0.0.1');
});
