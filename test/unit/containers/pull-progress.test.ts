import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPullProgress } from '../../../app/containers/pull-progress.ts';

function progressAfter(lines: string): unknown {
  const progress = createPullProgress();
  let last;
  for (const line of lines.trim().split('\n')) last = progress(line) ?? last;
  return last;
}

test('reports a total for Docker, which lists all layers first', () => {
  const lines = `
latest: Pulling from collabora/code
0f4c1d6dd1d3: Pulling fs layer
1a2b3c4d5e6f: Pulling fs layer
2b3c4d5e6f70: Already exists
0f4c1d6dd1d3: Waiting
1a2b3c4d5e6f: Verifying Checksum
1a2b3c4d5e6f: Download complete`;
  assert.deepEqual(progressAfter(lines), { done: 2, total: 3 });
  assert.deepEqual(progressAfter(`${lines}\n0f4c1d6dd1d3: Pull complete`), {
    done: 3,
    total: 3,
  });
});

test('reports a total for Podman only at the end, since it lists layers as they begin', () => {
  const lines = `
Trying to pull docker.io/collabora/code:latest...
Getting image source signatures
Copying blob sha256:0d374f860fdc126617a75927532e035a42dfdc2b26fb22410ebc99562fa8e225
Copying blob sha256:0d374f860fdc126617a75927532e035a42dfdc2b26fb22410ebc99562fa8e225
Copying blob sha256:d4ba87bb7858f0dd4a60003f011338f3a58b87d0add985652856007fe5ca5034`;
  assert.deepEqual(progressAfter(lines), { done: 2, total: null });
  assert.deepEqual(progressAfter(`${lines}\nCopying config sha256:ca09cd9d93a7`), {
    done: 2,
    total: 2,
  });
});

test('ignores other lines, and limits the number of layers it tracks', () => {
  const progress = createPullProgress();
  assert.equal(progress('Digest: sha256:abc'), undefined);
  assert.equal(progress('toString: Pull complete'), undefined);
  for (let layer = 0; layer < 2000; layer += 1) {
    progress(`${layer.toString(16).padStart(12, '0')}: Pulling fs layer`);
  }
  assert.deepEqual(progress('000000000001: Pull complete'), { done: 1, total: 500 });
});
