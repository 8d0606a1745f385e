// Builds the deb and the rpm of an unpacked app as `npm run installers` does, but with test/pack/fpm.ts in place of fpm, and checks them.

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export interface LinuxPackages {
  deb: string;
  rpm: string;
}

/** @returns the standard output @throws Error if it fails, unless `mayFail` */
export function runTool(
  program: string,
  args: string[],
  { env = process.env, mayFail = false }: { env?: NodeJS.ProcessEnv; mayFail?: boolean } = {},
): string {
  const options = { cwd: root, encoding: 'utf8', env, timeout: 120_000 } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (error !== undefined || (status !== 0 && !mayFail))
    throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

/** @param unpacked the folder of the unpacked app @param folder gets the packages */
export function buildLinuxPackages(unpacked: string, folder: string): LinuxPackages {
  const fpm = join(folder, 'fpm');
  const script = join(import.meta.dirname, 'fpm.ts');
  writeFileSync(fpm, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js');
  const output = `-c.directories.output=${folder}`;
  const args = ['--linux', 'deb', 'rpm', '--prepackaged', unpacked, '--publish', 'never', output];
  runTool(process.execPath, [builder, ...args], { env: { ...process.env, CUSTOM_FPM_PATH: fpm } });
  const only = (pattern: string): string => {
    const [found] = globSync(join(folder, pattern));
    if (found === undefined) throw new Error(`electron-builder created no ${pattern}.`);
    return found;
  };
  return { deb: only('*.deb'), rpm: only('*.rpm') };
}

/** Errors of lintian and rpmlint that stay, by tag. */
const accepted: Record<string, string> = {
  'dir-or-file-in-opt': 'packages that aren’t part of a distribution belong there',
  'unstripped-binary-or-object': 'better-sqlite3 ships its binary like this',
  'zero-length': 'the stand-in’s files',
  'no-signature': 'packages are signed by a distribution, not by their file',
  'no-changelogname-tag': 'the changelog is on the page of the release',
  'description-line-too-long':
    'electron-builder also writes it into the desktop entry, which has no line breaks',
  'invalid-desktopfile': 'this version doesn’t know SingleMainWindow',
  'update-alternatives-requirement-missing':
    'electron-builder’s script also works without update-alternatives',
  'alternative-link-missing': 'electron-builder’s script creates the link',
  'alternative-generic-name-missing': 'electron-builder’s script creates the link',
};

/** The errors of lintian and rpmlint that aren't accepted. */
export function packageErrors({ deb, rpm }: LinuxPackages): string[] {
  // lintian leaves a file in its temporary folder.
  const env = { ...process.env, TMPDIR: dirname(deb) };
  const lintian = runTool('lintian', ['--allow-root', '--no-cfg', deb], { env, mayFail: true });
  const rpmlint = runTool('rpmlint', [rpm], { mayFail: true });
  if (!/\d+ errors/.test(rpmlint)) throw new Error(`rpmlint printed no result: ${rpmlint}`);
  return [...lintian.split('\n'), ...rpmlint.split('\n')].filter((line) => {
    const [, tag] = /^(?:E: \S+|\S+: E): (\S+)/.exec(line) ?? [];
    return tag !== undefined && !Object.hasOwn(accepted, tag);
  });
}

/** The scripts that the deb runs, by name. */
export function maintainerScripts(deb: string, folder: string): Record<string, string> {
  runTool('dpkg-deb', ['--control', deb, folder]);
  const scripts = ['postinst', 'postrm'];
  return Object.fromEntries(scripts.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
