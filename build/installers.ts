// Packs the installers of this system with electron-builder: `npm run installers`, after a build. Arguments are passed on.

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownVersion, releaseNotes } from './release-files.ts';
import { feedArguments, feedOf, signMetadata } from './update-feed.ts';

const targets = { darwin: ['--mac', '--x64', '--arm64'], win32: ['--win'], linux: ['--linux'] } as const;

/**
 * What electron-builder is called with.
 * @param env `CSC_LINK` or `CSC_NAME`: a certificate to sign with
 * @throws Error on a system without installers
 */
export function installerArguments(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (!Object.hasOwn(targets, platform)) throw new Error(`There are no installers for ${platform}.`);
  const args = ['--publish', 'never', ...targets[platform as keyof typeof targets]];
  if (platform !== 'darwin' || hasCertificate(env)) return args;
  // Electron's signature is invalid once its fuses are changed, and Apple silicon kills an app with an invalid one. The hardened
  // runtime would refuse Electron's libraries, which another team signed.
  return [...args, '-c.mac.identity=-', '-c.mac.hardenedRuntime=false'];
}

function hasCertificate({ CSC_LINK: link = '', CSC_NAME: name = '' }: NodeJS.ProcessEnv): boolean {
  return link !== '' || name !== '';
}

/**
 * The environment for electron-builder. A workflow passes a secret that isn't set as an empty string, which electron-builder takes for
 * the path of a certificate, and the API key as its text, while electron-builder needs a file.
 * @param folder for the API key; readable for this user only
 */
export function signingEnvironment(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const isUseless = ([name, value]: [string, string | undefined]): boolean =>
    (/^(?:WIN_)?CSC_|^APPLE_/.test(name) && (value ?? '').trim() === '') ||
    // Apple notarizes only what a Developer ID has signed.
    (name.startsWith('APPLE_') && !hasCertificate(env));
  const used: NodeJS.ProcessEnv = Object.fromEntries(
    Object.entries(env).filter((entry) => !isUseless(entry)),
  );
  const { APPLE_API_KEY: key } = used;
  if (key === undefined || !key.includes('PRIVATE KEY')) return used;
  const path = join(folder, 'api-key.p8');
  writeFileSync(path, `${key.trim()}\n`, { mode: 0o600 });
  return { ...used, APPLE_API_KEY: path };
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const packages = join(root, 'dist', 'packages');
  const tool = join(root, 'node_modules', 'electron-builder', 'cli.js');
  const args = [...installerArguments(process.platform, process.env), ...process.argv.slice(2)];
  const folder = mkdtempSync(join(tmpdir(), 'doctray-installers-'));
  try {
    // Apple's updater refuses an app without a Developer ID.
    const feed =
      process.platform === 'darwin' && !hasCertificate(process.env) ? undefined : feedOf(process.env);
    // What an earlier version left there isn't signed again.
    for (const name of globSync('latest*.yml*', { cwd: packages })) rmSync(join(packages, name));
    if (feed !== undefined) {
      const notesFile = join(folder, 'notes.md');
      writeFileSync(notesFile, releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), ownVersion()));
      args.push(...feedArguments(feed, notesFile));
    }
    const { UPDATE_KEY: _key, ...env } = signingEnvironment(process.env, folder);
    process.exitCode = spawnSync(process.execPath, [tool, ...args], { env, stdio: 'inherit' }).status ?? 1;
    if (feed !== undefined && process.exitCode === 0) signMetadata(packages, feed.key);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
