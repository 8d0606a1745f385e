// The licenses of the packages in the app. pack.test.ts checks that a build lists its packages and that a packed app has the file.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import {
  bundledPackages,
  collectLicenses,
  isAllowed,
  licensesText,
  productionPackages,
} from '../../build/licenses.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'doctray-licenses-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

/** Writes packages to node_modules and package-lock.json. The keys are folders in node_modules. */
function install(
  packages: Record<string, { manifest?: object; lock?: object; files?: Record<string, string> }>,
): void {
  const locked: Record<string, object> = { '': {} };
  for (const [folder, { manifest, lock, files = {} }] of Object.entries(packages)) {
    const name = folder.split('node_modules/').at(-1);
    write(`node_modules/${folder}/package.json`, { name, version: '1.0.0', license: 'MIT', ...manifest });
    for (const [file, text] of Object.entries(files)) write(`node_modules/${folder}/${file}`, text);
    locked[`node_modules/${folder}`] = { version: '1.0.0', ...lock };
  }
  write('package-lock.json', { packages: locked });
}

function bundle(lists: Record<string, string[]>): void {
  for (const name of ['main', 'preload', 'window', 'host-page', 'text-editor']) {
    const list = (lists[name] ?? []).map((one) => ({ name: one, version: '1.0.0' }));
    write(`out/${name}/.vite/licenses.json`, list);
  }
}

test('allows permissive licenses, also as alternatives and in combinations', () => {
  for (const license of [
    'MIT',
    '(MPL-2.0 OR Apache-2.0)',
    'MIT OR GPL-3.0-only',
    '(MIT AND Zlib)',
    'OFL-1.1',
  ])
    assert.ok(isAllowed(license), license);
  const others = [
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'LGPL-2.1 OR GPL-2.0',
    '',
    'UNLICENSED',
    'SEE LICENSE IN MIT',
    '(MIT OR Apache-2.0) AND (GPL-3.0-only)',
    '(MIT) OR (GPL-3.0-only)',
  ];
  for (const license of [...others, '(MIT OR GPL-3.0-only) AND GPL-2.0-only', 'BSD', 'MIT WITH something'])
    assert.ok(!isAllowed(license), license);
});

test('every package in the app has an allowed license with a text', () => {
  const collected = collectLicenses(productionPackages());
  for (const { name, version, license, text } of collected)
    assert.ok(name !== '' && version !== '' && license !== '' && text !== '', `${name} ${version}`);
  const names = collected.map(({ name }) => name);
  for (const name of ['better-sqlite3', '@github/keytar', 'electron-updater', 'js-yaml'])
    assert.ok(names.includes(name), name);
  assert.ok(!names.includes('vite') && !names.includes('electron'));
});

test('fails on licenses that are unknown or not allowed, and names the packages', () => {
  install({
    fine: {},
    copyleft: { manifest: { license: 'GPL-3.0-only' } },
    '@some/silent': { manifest: { license: undefined } },
  });
  const folders = ['fine', 'copyleft', '@some/silent'].map((name) => `node_modules/${name}`);
  assert.throws(
    () => collectLicenses(folders, root),
    /\ncopyleft 1\.0\.0: GPL-3\.0-only\n@some\/silent 1\.0\.0: unknown$/,
  );
  assert.equal(collectLicenses(folders.slice(0, 1), root).length, 1);
});

test('uses license and notice files, or the license’s name and the author', () => {
  install({
    b: { files: { 'LICENCE.md': 'the license of b\n', NOTICE: 'a notice', 'licenses.js': 'code' } },
    a: { manifest: { license: { type: 'ISC' }, author: { name: 'Ada' } } },
  });
  const collected = collectLicenses(['node_modules/b', 'node_modules/a', 'node_modules/b'], root);
  assert.deepEqual(collected, [
    { name: 'a', version: '1.0.0', license: 'ISC', text: 'ISC, Ada' },
    { name: 'b', version: '1.0.0', license: 'MIT', text: 'the license of b\n\na notice' },
  ]);
  assert.match(
    licensesText(collected),
    /\na 1\.0\.0, ISC\n\nISC, Ada\n\n-+\nb 1\.0\.0, MIT\n\nthe license of b\n/,
  );
});

test('finds production packages, and bundled packages with their dependencies', () => {
  install({
    zip: { lock: { dev: true, dependencies: { inflate: '1', stream: '1' } } },
    inflate: { lock: { dev: true, version: '2.0.0' } },
    'zip/node_modules/inflate': { lock: { dev: true } },
    stream: { lock: { dev: true, dependencies: { zip: '1' } } },
    alias: { lock: { name: '@real/name' } },
    tool: { lock: { dev: true } },
    both: { lock: { devOptional: true } },
  });
  assert.deepEqual(productionPackages(root), ['node_modules/alias']);
  bundle({ window: ['zip'], 'text-editor': ['zip', '@real/name'] });
  assert.deepEqual(bundledPackages(root, join(root, 'out')).toSorted(), [
    'node_modules/alias',
    'node_modules/stream',
    'node_modules/zip',
    'node_modules/zip/node_modules/inflate',
  ]);
});

test('fails if a bundle doesn’t list its packages, or lists one that isn’t installed', () => {
  install({ one: {} });
  bundle({ window: ['one', 'other'] });
  assert.throws(() => bundledPackages(root, join(root, 'out')), /other 1\.0\.0 isn’t in package-lock\.json/);
  bundle({ window: ['one'] });
  assert.equal(bundledPackages(root, join(root, 'out')).length, 1);
  rmSync(join(root, 'out', 'host-page'), { recursive: true });
  assert.throws(() => bundledPackages(root, join(root, 'out')), /host-page has no list of its packages/);
});
