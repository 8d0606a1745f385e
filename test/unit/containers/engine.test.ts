import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createContainerEngine, type ContainerEngine } from '../../../app/containers/engine.ts';
import { createRunEngine } from '../../../app/containers/run-engine.ts';
import { fakePrograms } from './fake-program.ts';

async function failToPull(context: TestContext, mode: ContainerEngine['mode']) {
  const programs = await fakePrograms();
  context.after(programs.remove);
  const podmansFolder = join(programs.folder, 'tmp');
  await mkdir(podmansFolder);
  await programs.write(
    'podman',
    `[ "$1" = info ] && { echo '${podmansFolder}'; exit; }; : >"\${TMPDIR-/dev/null}/partial"; exit 1`,
  );
  const podman = createContainerEngine({
    name: 'podman',
    path: join(programs.folder, 'podman'),
    mode,
    run: createRunEngine({}),
  });
  const { signal } = new AbortController();
  await assert.rejects(podman.pull('image', { signal, onProgress: () => undefined }));
  return { folders: await programs.variable('TMPDIR'), podmansFolder };
}

test('gives Podman a temporary folder for a download, and removes it with what is left there', async (context) => {
  const { folders, podmansFolder } = await failToPull(context, 'rootless');
  assert.equal(folders.length, 1);
  assert.ok(folders[0]?.startsWith(join(podmansFolder, 'doctray-')), folders[0]);
  assert.deepEqual(await readdir(podmansFolder), []);
});

test('gives no folder to Podman in a virtual machine, which couldn’t use it', async (context) => {
  assert.deepEqual((await failToPull(context, 'virtual-machine')).folders, []);
});
