import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { trayImagePath } from '../../app/desktop/tray.ts';
import { trayStates } from '../../build/icons.ts';
import { checkArchive, checkFuses, type ArchiveFile, type Finding } from '../../build/pack-checks.ts';

const target = { platform: 'linux', arch: 'x64' } as const;
const file = (path: string, isUnpacked = false): ArchiveFile => ({ path, bytes: 1, isUnpacked });
const sqlite = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
const keytar = 'node_modules/keytar/prebuilds/linux-x64/keytar.node';
const good = [
  ...['package.json', 'LICENSE', 'out/icon.png', 'out/licenses.txt', 'docs/help/start.md'].map((path) =>
    file(path),
  ),
  ...['main/main.js', 'preload/preload.cjs', 'window/index.html'].map((path) => file(`out/${path}`)),
  ...['host-page.js', 'page.js', 'host-page.css', 'icon.svg'].map((path) => file(`out/host-page/${path}`)),
  ...['text-editor.js', 'page.js', 'text-editor.css', 'preview.html'].map((path) =>
    file(`out/text-editor/${path}`),
  ),
  ...['Welcome.md', 'a4/blank.docx'].map((path) => file(`app/templates/${path}`)),
  ...trayStates.map((state) => file(trayImagePath('out/tray', target.platform, state))),
  file('node_modules/koa/lib/application.js'),
  file(sqlite, true),
  file(keytar, true),
];
const failed = (findings: Finding[]) =>
  findings.filter(({ problem }) => problem !== undefined).map(({ what }) => what);

test('accepts an archive with exactly the required files', () => {
  assert.deepEqual(failed(checkArchive(good, target)), []);
});

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
  for (const [path, what] of cases) {
    const names = failed(checkArchive([...good, file(path, true)], target));
    assert.ok(
      names.some((name) => what.test(name)),
      `${path}: ${names.join(', ')}`,
    );
  }
});

test('rejects missing files, a packed native module, and those of another architecture', () => {
  for (const { path } of good.filter((entry) => !/^LICENSE$|koa/.test(entry.path)))
    assert.notDeepEqual(
      failed(
        checkArchive(
          good.filter((entry) => entry.path !== path),
          target,
        ),
      ),
      [],
      path,
    );
  const inside = good.map((entry) => (entry.path === sqlite ? file(sqlite) : entry));
  assert.equal(failed(checkArchive(inside, target)).length, 1);
  assert.equal(failed(checkArchive(good, { ...target, arch: 'arm64' })).length, 2);
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
