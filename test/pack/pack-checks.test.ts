// What the checks of build/pack.ts reject. pack.test.ts shows that they pass for a packed app.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkArchive, checkFuses, type Finding } from '../../build/pack-checks.ts';

const target = { platform: 'linux', arch: 'x64' } as const;
const sqlite = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
const keytar = 'node_modules/keytar/prebuilds/linux-x64/keytar.node';
const failed = (findings: Finding[]) =>
  findings.filter(({ problem }) => problem !== undefined).map(({ what }) => what);

test('rejects each unwanted file with the right check', () => {
  const cases: [path: string, what: RegExp][] = [
    ['app/main.ts', /nothing else/],
    ['electron-builder.yml', /nothing else/],
    ['dist/cli.js', /nothing else/],
    ['node_modules/koa/test/index.js', /no tests/],
    ['node_modules/koa/lib/application.test.js', /no tests/],
    ['node_modules/zod/src/index.ts', /no sources/],
    ['node_modules/better-sqlite3/src/database.cpp', /no sources/],
    ['out/main/main.js.map', /source maps/],
    ['out/main/.vite/licenses.json', /bundler manifests/],
    ['node_modules/electron-vite/dist/index.js', /development packages/],
    ['node_modules/react-dom/index.js', /development packages/],
    ['node_modules/better-sqlite3/prebuilds/darwin-x64.node', /one binary of better-sqlite3/],
    ['node_modules/keytar/prebuilds/linuxmusl-x64/keytar.node', /one binary of keytar/],
    ['node_modules/other/build/Release/other.node', /no other binary/],
  ];
  const failedWith = (...paths: string[]): string[] =>
    failed(
      checkArchive(
        [sqlite, keytar, ...paths].map((path) => ({ path, bytes: 1, isUnpacked: true })),
        target,
      ),
    );
  for (const [path, what] of cases) {
    assert.ok(!failedWith().some((name) => what.test(name)), `${path}: it fails without it too`);
    assert.ok(
      failedWith(path).some((name) => what.test(name)),
      path,
    );
  }
});

test('rejects each fuse with the wrong state', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-fuses-'));
  const executable = join(folder, 'doctray');
  const write = (wire: string) => {
    const head = [Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), Buffer.from([1, wire.length])];
    writeFileSync(executable, Buffer.concat([...head, Buffer.from(wire)]));
  };
  try {
    const right = '000011001';
    write(right);
    assert.deepEqual(failed(await checkFuses(executable)), []);
    for (let at = 0; at < 8; at += 1) {
      write(
        right
          .split('')
          .map((state, index) => (index === at ? (state === '1' ? '0' : '1') : state))
          .join(''),
      );
      assert.equal(failed(await checkFuses(executable)).length, 1, `fuse ${at}`);
    }
    write('0000110');
    assert.equal(failed(await checkFuses(executable)).length, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
