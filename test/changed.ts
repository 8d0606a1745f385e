// Finds the tests that are nearest to the uncommitted changes: those that import a changed file or a file of the app that imports it,
// those that quote a changed sentence, and those where a user, an editor or an attacker notices what the changed folder does. A change
// far below may break others too, which a complete run finds. An unknown file means all tests.

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const projectRoot = dirname(import.meta.dirname);

/** Tests that read all sources. */
const always = 'unit/contract/locales.test.ts unit/import-rules.test.ts';

/** Folders and files below `test` in which a folder of `app` is tested from outside, besides its folder in `unit`. */
const doors: Readonly<Record<string, string>> = {
  accounts: 'server',
  commands: 'cli dashboard',
  containers: 'containers',
  contract: 'window host-page text-editor cli',
  control: 'cli',
  dashboard: 'dashboard',
  desktop: 'e2e security',
  doctor: 'cli',
  documents: 'server cli',
  editors: 'editors server',
  files: 'unit/documents server durability crash',
  host: 'server cli',
  'live-state': 'dashboard e2e',
  log: 'server/log-secrets.test.ts cli/serve.test.ts',
  network: 'network',
  secrets: 'keyring',
  server: 'server security network',
  settings: 'cli',
  store: 'server durability crash',
  templates: 'cli',
  terminal: 'cli',
  'text-editor': 'text-editor server',
  time: 'server',
  tls: 'network server',
  wopi: 'server editors model',
};

/** The same for other files; the first match counts. `*` means all tests. */
const otherDoors: readonly (readonly [path: RegExp, places: string])[] = [
  [/^test\/(?:run|event-reporter|file-group|group|system-needs)\.ts$|^test\/fixtures\//, '*'],
  [/^test\/bench\/|^test\/changed\.ts$/, ''],
  [/^test\/stand-in\//, 'stand-in e2e security keyring'],
  [/^test\/([\w-]+)\/.*(?<!\.tsx?)$/, '$1'],
  [/^test\//, ''],
  [/^app\/[\w-]+\.ts$/, 'cli e2e'],
  [/^locales\//, `window/states.test.ts ${always}`],
  [/^renderer\/host-page\//, `host-page text-editor ${always}`],
  [/^renderer\/kit\//, `window host-page text-editor dashboard ${always}`],
  [/^renderer\/text-editor\//, `text-editor editors ${always}`],
  [
    // a view's own file; others in its folder may serve several
    /^renderer\/window\/(activity|documents|editors|first-run|locks|overview|sessions|settings|tokens)\/\1\./,
    `window/$1.test.ts window/states.test.ts ${always}`,
  ],
  [/^renderer\//, `window dashboard e2e ${always}`],
  [/^build\//, 'pack cli/build.test.ts'],
  [/^\.github\/|^\.ci\/|^LICENSE$/, 'pack'],
  [/^(?:docs\/.*|CHANGELOG|README|SECURITY|CONTRIBUTING)\.md$/, ''],
];

const git = (...args: string[]) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' });

const changedFiles = (): string[] =>
  [
    ...git('diff', '--name-only', '--no-renames', '-z', 'HEAD').split('\0'),
    ...git('ls-files', '--others', '--exclude-standard', '-z').split('\0'),
  ].filter(Boolean);

/** What a test may quote of the sentences that changed: three words in a row, or all of a shorter one. */
function changedWords(): string[] {
  const lines = git('diff', 'HEAD', '--', 'locales/en.json');
  return [...lines.matchAll(/^- +"[^"]+": "(.*)"/gm)].flatMap(([, sentence = '']) => {
    const found = [...sentence.matchAll(/(?<![\p{L}’])(?=([\p{L}’]+(?: [\p{L}’]+){2}))/gu)];
    return found.length === 0 ? [sentence] : found.map(([, words = '']) => words);
  });
}

/** Every source file with the files that name it, in an import or as a program that they start. */
function importers(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync('{app,build,renderer,test}/**/*.{ts,tsx}', { cwd: projectRoot })) {
    // Types are gone when a test runs.
    const text = readFileSync(join(projectRoot, file), 'utf8').replaceAll(
      /^(?:im|ex)port type [^;]*;$/gmu,
      '',
    );
    for (const [, name = ''] of text.matchAll(/['"`]([^'"`\n]+\.tsx?)['"`]/g)) {
      const named = relative(projectRoot, resolve(projectRoot, dirname(file), name)).replaceAll('\\', '/');
      found.set(named, [...(found.get(named) ?? []), file.replaceAll('\\', '/')]);
    }
  }
  return found;
}

/** Below `test`; undefined means all. */
function placesOf(file: string): string[] | undefined {
  const [, folder = '', extension] = /^app\/([\w-]+)\/.*?(\.ts)?$/.exec(file) ?? [];
  if (extension !== undefined) return `unit/${folder} ${doors[folder] ?? ''} ${always}`.split(' ');
  const [path, places = '*'] = otherDoors.find(([pattern]) => pattern.test(file)) ?? [];
  if (places === '*') return undefined;
  return places.replace('$1', path?.exec(file)?.[1] ?? '').split(' ');
}

/** Paths below the project's root; undefined means all tests. */
export function testsOfChange(changed: readonly string[] = changedFiles()): string[] | undefined {
  const places: string[] = [];
  for (const file of changed) {
    const own = placesOf(file);
    if (own === undefined) return undefined;
    places.push(...own.filter((place) => place !== ''));
  }
  const importersOf = importers();
  const direct = changed.flatMap((file) => importersOf.get(file) ?? []);
  // Files of tests import each other without a limit.
  const near = new Set([...changed, ...direct]);
  for (const file of near)
    for (const importer of importersOf.get(file) ?? []) if (importer.startsWith('test/')) near.add(importer);
  const words = changedWords();
  const quotes = (file: string): boolean =>
    words.some((one) => readFileSync(join(projectRoot, file), 'utf8').includes(one));
  return globSync('test/**/*.test.ts', { cwd: projectRoot })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) =>
        near.has(file) ||
        places.some((place) => file === `test/${place}` || file.startsWith(`test/${place}/`)) ||
        quotes(file),
    );
}
