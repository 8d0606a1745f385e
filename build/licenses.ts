// Collects the licenses of everything that DocTray ships into out/licenses.txt: the production packages, and the packages that Vite
// has bundled, which each build lists in its own folder (`build.license`). A license that isn't on the list fails the build.
//
//   node build/licenses.ts [--output DIR]   the folder of the bundles (out)

import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

interface LockEntry {
  /** Of an alias: the real name. */
  name?: string;
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type?: string };
  author?: string | { name?: string };
}

export interface PackageLicense {
  name: string;
  version: string;
  license: string;
  text: string;
}

const projectRoot = join(import.meta.dirname, '..');

/** Licenses that allow shipping the code unchanged if their text is included. */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Of packages whose package.json doesn’t say it. */
const licenseOverrides: Readonly<Record<string, string>> = {
  // It says “BSD”, but its LICENSE is the MIT license.
  'utf7 1.0.2': 'MIT',
};

/** An SPDX expression. Of `A OR B`, one is enough; what is more complicated isn't understood, and not allowed. */
export function isAllowed(license: string): boolean {
  const expression = /^\((.*)\)$/u.exec(license)?.[1] ?? license;
  if (/[()]/u.test(expression)) return false;
  return (
    expression.split(' OR ').some((id) => allowed.has(id)) ||
    expression.split(' AND ').every((id) => allowed.has(id))
  );
}

/** Folder of each package in package-lock.json, such as `node_modules/koa`. */
function lockedPackages(root: string): [folder: string, LockEntry][] {
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, LockEntry> };
  return Object.entries(packages).filter(([folder]) => folder !== '' && existsSync(join(root, folder)));
}

/** Their folders, such as `node_modules/koa`; one inside another is listed by itself. */
export function productionPackages(root = projectRoot): string[] {
  return lockedPackages(root)
    .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
    .map(([folder]) => folder);
}

const bundles = ['main', 'preload', 'window', 'host-page', 'text-editor'];

/**
 * Folders of the packages in the bundles, and of what these depend on: jszip, for one, is published with its dependencies in one file.
 * @throws Error if a bundle has no list, or a package isn't in package-lock.json
 */
export function bundledPackages(root: string, output: string): string[] {
  const locked = new Map(lockedPackages(root));
  const found = new Set<string>();
  const add = (folder: string): void => {
    if (found.has(folder)) return;
    found.add(folder);
    for (const name of Object.keys(locked.get(folder)?.dependencies ?? {})) {
      const dependency = resolveFrom(folder, name, locked);
      if (dependency !== undefined) add(dependency);
    }
  };
  for (const bundle of bundles) {
    const lists = globSync(join(output, bundle, '.vite', 'licenses*.json'));
    if (lists.length === 0) throw new Error(`${join(output, bundle)} has no list of its packages.`);
    for (const { name, version } of lists.flatMap((list) => readJson(list) as Manifest[])) {
      const folder = [...locked.keys()].find((one) => nameOf(one, locked) === `${name} ${version}`);
      if (folder === undefined) throw new Error(`${name} ${version} isn’t in package-lock.json.`);
      add(folder);
    }
  }
  return [...found];
}

/** Such as `koa@3.3.0`. */
export function packageIds(folders: readonly string[], root: string): string[] {
  const locked = new Map(lockedPackages(root));
  return folders.map((folder) => nameOf(folder, locked).replace(' ', '@'));
}

function nameOf(folder: string, locked: ReadonlyMap<string, LockEntry>): string {
  const { name = folder.split('node_modules/').at(-1), version } = locked.get(folder) ?? {};
  return `${name} ${version}`;
}

/** As Node does: from the package's own folder upwards. */
function resolveFrom(
  folder: string,
  name: string,
  locked: ReadonlyMap<string, LockEntry>,
): string | undefined {
  for (let above = `${folder}/`; ; above = above.slice(0, above.lastIndexOf('node_modules/'))) {
    const candidate = `${above}node_modules/${name}`;
    if (locked.has(candidate)) return candidate;
    if (above === '') return undefined;
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** @throws Error naming every package whose license isn't allowed or isn't known */
export function collectLicenses(folders: readonly string[], root = projectRoot): PackageLicense[] {
  const collected = [...new Set(folders)].map((folder) => readPackage(join(root, folder)));
  const refused = collected.filter(({ license }) => !isAllowed(license));
  if (refused.length > 0) {
    const list = refused.map(({ name, version, license }) => `${name} ${version}: ${license || 'unknown'}`);
    throw new Error(
      `Packages with a license that isn’t on the list in build/licenses.ts:\n${list.join('\n')}`,
    );
  }
  const unique = new Map(collected.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique.entries()].toSorted(([a], [b]) => a.localeCompare(b, 'en')).map(([, one]) => one);
}

function readPackage(folder: string): PackageLicense {
  const { name, version, license, author } = readJson(join(folder, 'package.json')) as Manifest;
  const id =
    licenseOverrides[`${name} ${version}`] ?? (typeof license === 'string' ? license : license?.type) ?? '';
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/iu.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const by = typeof author === 'string' ? author : author?.name;
  return { name, version, license: id, text: texts.join('\n\n') || [id, by].filter(Boolean).join(', ') };
}

export function licensesText(packages: readonly PackageLicense[]): string {
  const intro = [
    'DocTray is published under the MIT license. It contains the packages below, each under its own license.',
    'The licenses of Electron and Chromium come with the program, in LICENSE.electron.txt and LICENSES.chromium.html.',
  ];
  const parts = packages.map(
    ({ name, version, license, text }) => `${'-'.repeat(80)}\n${name} ${version}, ${license}\n\n${text}\n`,
  );
  return [...intro, '', ...parts].join('\n');
}

if (import.meta.main) {
  const { output = join(projectRoot, 'out') } = parseArgs({ options: { output: { type: 'string' } } }).values;
  const folder = resolve(output);
  const packages = collectLicenses([...productionPackages(), ...bundledPackages(projectRoot, folder)]);
  writeFileSync(join(folder, 'licenses.txt'), licensesText(packages));
}
