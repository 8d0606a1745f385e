// Checks before Electron starts whether Linux allows its sandbox: without one, Electron aborts before it runs any of
// DocTray's code. DocTray never disables the sandbox.

import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '../contract/messages.ts';

const helpPage = 'docs/help/linux-window.md';

/** @returns a sentence that says why the sandbox isn't available; undefined if nothing was found */
export async function findSandboxProblem(input: {
  /** The Electron binary, which may not be downloaded yet. */
  program: string;
  /** `/`; tests pass a folder with their own `proc` and `etc`. */
  systemRoot: string;
}): Promise<string | undefined> {
  const { program, systemRoot } = input;
  if (await hasSetuidHelper(program)) return undefined;
  const setting = (name: string): Promise<string> =>
    readFile(join(systemRoot, 'proc/sys', name), 'utf8').then(
      (text) => text.trim(),
      () => '',
    );
  const [restriction, userNamespaces, count] = await Promise.all([
    setting('kernel/apparmor_restrict_unprivileged_userns'),
    // Debian kernels only
    setting('kernel/unprivileged_userns_clone'),
    setting('user/max_user_namespaces'),
  ]);
  if (userNamespaces === '0' || count === '0') {
    return t('terminal.user-namespaces-are-disabled', { page: helpPage });
  }
  if (restriction === '1' && !(await hasProfile(program, systemRoot))) {
    return t('terminal.apparmor-blocks-the-sandbox', { page: helpPage });
  }
  return undefined;
}

/** Chromium's older sandbox needs a setuid-root helper instead of user namespaces. npm doesn't install it that way. */
async function hasSetuidHelper(program: string): Promise<boolean> {
  const helper = await stat(join(dirname(program), 'chrome-sandbox')).catch(() => undefined);
  return helper !== undefined && helper.uid === 0 && (helper.mode & 0o4001) === 0o4001;
}

const inProject = 'node_modules/electron/dist/electron';

/**
 * Searches the profile files, since only root can ask the kernel for loaded profiles. A profile for all projects (`@{HOME}/**`)
 * contains only the end of the path.
 */
async function hasProfile(program: string, systemRoot: string): Promise<boolean> {
  const folder = join(systemRoot, 'etc/apparmor.d');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  const paths = program.endsWith(inProject) ? [program, inProject] : [program];
  return texts.some((text) => paths.some((path) => text.includes(path)));
}
