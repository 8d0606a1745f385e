// Packs the installers of this system with electron-builder: `npm run installers`, after a build. Arguments are passed on.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const targets = { darwin: ['--mac', '--x64', '--arm64'], win32: ['--win'], linux: ['--linux'] } as const;

/**
 * What electron-builder is called with.
 * @param env `CSC_LINK` or `CSC_NAME`: a certificate to sign with
 * @throws Error on a system without installers
 */
export function installerArguments(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (!Object.hasOwn(targets, platform)) throw new Error(`There are no installers for ${platform}.`);
  const args = ['--publish', 'never', ...targets[platform as keyof typeof targets]];
  const { CSC_LINK: link = '', CSC_NAME: name = '' } = env;
  if (platform !== 'darwin' || link !== '' || name !== '') return args;
  // Electron's signature is invalid once its fuses are changed, and Apple silicon kills an app with an invalid one. The hardened
  // runtime would refuse Electron's libraries, which another team signed.
  return [...args, '-c.mac.identity=-', '-c.mac.hardenedRuntime=false'];
}

if (import.meta.main) {
  const tool = join(import.meta.dirname, '..', 'node_modules', 'electron-builder', 'cli.js');
  const args = [...installerArguments(process.platform, process.env), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, [tool, ...args], { stdio: 'inherit' }).status ?? 1;
}
