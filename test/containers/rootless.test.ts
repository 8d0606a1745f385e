// A document server in a container of rootless Podman, started by a user without privileges. There, containers reach this computer
// at another address, which DocTray finds by trying.

import assert from 'node:assert/strict';
import { chown } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import type { DocumentServerStart } from '../../app/contract/document-servers.ts';
import type { EditorItem } from '../../app/contract/editors.ts';
import { programEntry, projectRoot } from '../cli/built-program.ts';
import { makePlace, type Place } from '../cli/processes.ts';
import { asUser, commandsIn, outerAddress, prepareMachine, user, type OwnMachine } from './own-machine.ts';
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
      prefix: asUser,
      own: (path) => chown(path, user.id, user.id),
      entry: join(machine.project, relative(projectRoot, await programEntry())),
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

const { podman, cli, json } = commandsIn(() => place, asUser);

test('ONLYOFFICE Docs starts, reaches DocTray at this computer’s network address, and stops', async () => {
  const image = ['--image', registry.image('onlyoffice')];
  const start = await json<DocumentServerStart>('editors', 'start', 'onlyoffice', ...image);
  assert.equal(start.state, 'done', start.sentence);
  assert.equal(start.result?.openedHost, outerAddress);
  assert.equal(start.result.warning, null);
  const [editor] = await json<EditorItem[]>('editors');
  assert.equal(editor?.lastTest?.isGood, true);
  assert.equal(podman('ps', '--format', '{{.Names}}'), 'doctray-onlyoffice');

  const { code, stderr } = await cli('editors', 'stop', 'onlyoffice', '--yes', '--delete-data');
  assert.equal(code, 0, stderr);
  assert.equal(podman('ps', '--all', '--format', '{{.Names}}'), '');
  assert.equal(podman('volume', 'ls', '--format', '{{.Name}}'), '');
  assert.equal((await cli('settings', 'get', 'host')).stdout.trim(), '127.0.0.1');
});
