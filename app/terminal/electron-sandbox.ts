// Whether Linux lets Electron build its sandbox, found out before Electron is started: without one it aborts before any code
// of ours runs. DocTray never switches the sandbox off.

import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const helpPage = 'docs/help/linux-window.md';

/** Undefined where nothing speaks against it; else the reason as a sentence. */
export async function findSandboxLack(input: {
  /** Electron's binary; it need not be there yet. */
  program: string;
  /** `/`; tests have a folder with their own `proc` and `etc`. */
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
    // of Debian's kernels
    setting('kernel/unprivileged_userns_clone'),
    setting('user/max_user_namespaces'),
  ]);
  if (userNamespaces === '0' || count === '0') {
    return `User namespaces are disabled on this computer, and Electron's sandbox needs them (see ${helpPage}).`;
  }
  if (restriction === '1' && !(await hasProfile(program, systemRoot))) {
    return `AppArmor blocks Electron's sandbox on this computer (see ${helpPage}).`;
  }
  return undefined;
}

/** Chromium's older sandbox needs no user namespaces, but a helper that belongs to root. npm never installs it so. */
async function hasSetuidHelper(program: string): Promise<boolean> {
  const helper = await stat(join(dirname(program), 'chrome-sandbox')).catch(() => undefined);
  return helper !== undefined && helper.uid === 0 && (helper.mode & 0o4001) === 0o4001;
}

const inProject = 'node_modules/electron/dist/electron';

/** By its text, since only root can ask the kernel. A profile for all projects (`@{HOME}/**`) has only the end of the path. */
async function hasProfile(program: string, systemRoot: string): Promise<boolean> {
  const folder = join(systemRoot, 'etc/apparmor.d');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  const paths = program.endsWith(inProject) ? [program, inProject] : [program];
  return texts.some((text) => paths.some((path) => text.includes(path)));
}
