// Finds the tests that the uncommitted changes can break: those that import a changed file or start it as a program, directly or
// indirectly, and those that use it in another way. An unknown file means all tests.

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const projectRoot = dirname(import.meta.dirname);

/** Suites that start the built app, and the test that reads all sources. */
const useAllOfTheApp = 'cli dashboard e2e keyring pack security unit/contract/locales.test.ts';
/** Suites and files that a changed path affects besides its importers; the first match counts. */
const reached: readonly (readonly [path: RegExp, suites: string])[] = [
  [/^test\/(?:run|changed|event-reporter|file-group|group|system-needs)\.ts$|^test\/fixtures\//, '*'],
  [/^test\/bench\//, ''],
  [/^test\/stand-in\//, 'stand-in cli e2e keyring security'],
  [/^test\/([\w-]+)\/.*(?<!\.tsx?)$/, '$1'],
  [/^test\//, ''],
  [/^app\/contract\//, `${useAllOfTheApp} host-page window`],
  [/^app\/.*(?<!\.ts)$/, '*'],
  [/^app\//, useAllOfTheApp],
  [/^renderer\/host-page\//, 'host-page text-editor e2e pack security unit/contract/locales.test.ts'],
  [/^renderer\/kit\//, `${useAllOfTheApp} host-page text-editor editors window`],
  [/^renderer\/text-editor\//, 'text-editor e2e editors pack security unit/contract/locales.test.ts'],
  [/^renderer\//, `${useAllOfTheApp} window`],
  [/^build\//, 'cli dashboard e2e pack security text-editor'],
  [/^docs\/help\//, 'unit pack e2e'],
  [/^\.github\/|^\.ci\//, 'pack'],
  [/^(?:docs\/.*|README|SECURITY|CONTRIBUTING)\.md$/, ''],
  [/^(?:CHANGELOG\.md|LICENSE)$/, 'pack'],
];

function changedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\0').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--no-renames', '-z', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
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

/** Paths below the project's root; undefined means all tests. */
export function testsOfChange(changed: readonly string[] = changedFiles()): string[] | undefined {
  const suites = new Set<string>();
  for (const file of changed) {
    const row = reached.find(([path]) => path.test(file));
    if (row === undefined || row[1] === '*') return undefined;
    const [path, names] = row;
    for (const suite of names
      .replace('$1', path.exec(file)?.[1] ?? '')
      .split(' ')
      .filter(Boolean))
      suites.add(suite);
  }
  const importersOf = importers();
  const touched = new Set(changed);
  for (const file of touched) for (const importer of importersOf.get(file) ?? []) touched.add(importer);
  return globSync('test/**/*.test.ts', { cwd: projectRoot })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) =>
        touched.has(file) || suites.has(file.split('/')[1] ?? '') || suites.has(file.slice('test/'.length)),
    );
}
