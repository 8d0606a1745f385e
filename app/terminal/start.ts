// `npm start`: opens the desktop app if a window can open, else serves from the terminal and says why in one line. Nothing delays
// serving: Electron is downloaded in the background.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { Host } from '../host/running-host.ts';
import { hasDisplay } from './display.ts';
import type { ExitCode } from './exit-code.ts';
import { portOf } from '../network/addresses.ts';
import { findProjectRoot } from '../project-root.ts';
import type { Row } from './serve.ts';
import { checkOptions, type ServeOptions } from './serve-options.ts';
import type { Terminal } from './terminal.ts';

export interface StartPlace {
  projectRoot: string;
  /** Undefined on Windows. */
  userId: number | undefined;
  /** The folder that contains `proc`, `etc` and `run`: `/`, except in tests. */
  systemRoot: string;
  /** For tests: the limit for Electron's start. */
  startLimitMs?: number;
}

/** `reason`: a sentence that says why no window can open. */
type FoundWindow = { program: string } | { reason: string; hasDisplay: boolean; isDownloadable?: boolean };

/** @throws AppError, UsageError, Interrupted */
export async function start(
  options: ServeOptions,
  terminal: Terminal,
  place: StartPlace = currentPlace(),
): Promise<ExitCode> {
  checkOptions(options, terminal.cwd);
  const found = await findWindow(terminal, place);
  if (!('program' in found)) return serveWithoutWindow(options, terminal, place, found);
  const { runApp } = await import('./start-app.ts');
  const ended = await runApp({ ...place, program: found.program, options, terminal });
  if ('code' in ended) return ended.code;
  return serveWithoutWindow(options, terminal, place, { ...ended, hasDisplay: true });
}

async function findWindow(terminal: Terminal, place: StartPlace): Promise<FoundWindow> {
  const { env, platform, stderr } = terminal;
  const { projectRoot, userId, systemRoot } = place;
  if (!hasDisplay(env, platform)) return { reason: t('terminal.no-display-is-available'), hasDisplay: false };
  const without = (why: string): FoundWindow => ({ reason: why, hasDisplay: true });
  if (platform === 'linux' && userId === 0) return without(t('terminal.no-sandbox-as-root'));
  const { findElectron } = await import('./start-program.ts');
  const { program, isThere, reason } = await findElectron({ ...electronOf(place), env, platform });
  if (reason !== undefined) return without(t('terminal.electron-isnt-available', { reason }));
  if (platform === 'linux') {
    const { findSandboxProblem } = await import('./electron-sandbox.ts');
    const sandboxProblem = await findSandboxProblem({ program, systemRoot });
    if (sandboxProblem !== undefined) return without(sandboxProblem);
  }
  if (!isThere) return { ...without(t('terminal.electron-is-being-downloaded')), isDownloadable: true };
  const { buildWhereNeeded, isBuilt } = await import('./start-build.ts');
  if (!(await isBuilt(projectRoot))) stderr.write(`${t('terminal.building-the-app')}\n`);
  const fault = await buildWhereNeeded({ projectRoot, env });
  return fault === undefined
    ? { program }
    : without(t('terminal.the-window-couldnt-be-built-reason', { reason: fault }));
}

async function serveWithoutWindow(
  options: ServeOptions,
  terminal: Terminal,
  place: StartPlace,
  { reason, hasDisplay, isDownloadable = false }: Extract<FoundWindow, { reason: string }>,
): Promise<ExitCode> {
  const stopDownload = new AbortController();
  let downloading: Promise<void> | undefined;
  const { serve } = await import('./serve.ts');
  try {
    return await serve(options, terminal, {
      notice: t('terminal.serving-from-the-terminal', { reason }),
      isDoneWhereItRuns: true,
      linkHint: (urls) => linkHint(terminal, place, urls),
      onServing(host) {
        if (isDownloadable) downloading = download(terminal, place, stopDownload.signal);
        if (hasDisplay && isUserAtScreen(options, terminal, place)) void openDocument(host, terminal);
      },
    });
  } finally {
    stopDownload.abort();
    await downloading;
  }
}

/** Never rejects. */
async function download(terminal: Terminal, place: StartPlace, stop: AbortSignal): Promise<void> {
  const { downloadElectron } = await import('./start-program.ts');
  const fault = await downloadElectron({ ...electronOf(place), ...terminal }, stop).catch(
    (error: unknown) => errorCode(error) || t('terminal.unknown'),
  );
  if (stop.aborted) return;
  const text =
    fault === undefined
      ? t('terminal.the-window-is-ready')
      : t('terminal.electron-couldnt-be-downloaded', { reason: fault });
  terminal.stderr.write(`${text}\n`);
}

/**
 * True if the terminal is interactive and its user can see a browser that opens here, if there is a display. Other users only get the
 * printed link.
 */
export function isUserAtScreen(
  options: Pick<ServeOptions, 'open' | 'json'>,
  terminal: Pick<Terminal, 'env' | 'platform'> & Record<'stdin' | 'stdout', { isTTY: boolean }>,
  place: Pick<StartPlace, 'userId' | 'systemRoot'>,
): boolean {
  const { env, platform, stdin, stdout } = terminal;
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (options.open === false || options.json === true || !stdin.isTTY || !stdout.isTTY) return false;
  // The browser would run as root.
  if (place.userId === 0) return false;
  if (isSet('CI') || isContainer(terminal, place)) return false;
  // On Linux, the display of an SSH session is forwarded to the user's own screen.
  const isOverSsh = isSet('SSH_CONNECTION') || isSet('SSH_TTY');
  return !(isOverSsh && (platform === 'darwin' || platform === 'win32'));
}

/** How to open these URLs where the user is. SSH_CONNECTION has the addresses and ports of both ends. */
export function linkHint(
  terminal: Pick<Terminal, 'env'>,
  place: Pick<StartPlace, 'systemRoot'>,
  urls: readonly string[],
): Row | undefined {
  const { SSH_CONNECTION = '', LOGNAME = '' } = terminal.env;
  const [, , address, port = '22'] = SSH_CONNECTION.split(' ');
  if (address !== undefined) {
    const ports = urls.map((url) => portOf(new URL(url)));
    const forwards = ports.map((one) => `-L ${one}:127.0.0.1:${one}`).join(' ');
    // The user's name on the other computer may differ.
    const at = /^\w[\w.-]*$/.test(LOGNAME) ? `${LOGNAME}@${address}` : address;
    const command = `ssh -N ${forwards} ${port === '22' ? '' : `-p ${port} `}${at}`;
    return [t('terminal.row-over-ssh'), t('terminal.to-open-these-links-over-ssh', { command })];
  }
  if (!isContainer(terminal, place)) return undefined;
  return [t('terminal.row-in-a-container'), t('terminal.to-open-these-links-outside')];
}

/** Checks the files and variables that Docker, Podman, systemd-nspawn, LXC and Kubernetes set in a container. */
function isContainer(
  { env }: Pick<Terminal, 'env'>,
  { systemRoot }: Pick<StartPlace, 'systemRoot'>,
): boolean {
  return (
    (env['container'] ?? '') !== '' ||
    (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' ||
    ['.dockerenv', 'run/.containerenv'].some((name) => existsSync(join(systemRoot, name)))
  );
}

/** Uses a separate link, so that the printed one stays valid. */
async function openDocument(host: Host, { env, platform }: Terminal): Promise<void> {
  const { findDocumentLink } = await import('../host/document-link.ts');
  const link = await findDocumentLink(host).catch(() => undefined);
  if (link === undefined) return;
  const { openInBrowser } = await import('./open-browser.ts');
  await openInBrowser(link.url, { env, platform });
}

function electronOf({ projectRoot }: StartPlace): { packageFolder: string } {
  return { packageFolder: join(projectRoot, 'node_modules', 'electron') };
}

function currentPlace(): StartPlace {
  return {
    projectRoot: findProjectRoot(),
    userId: process.getuid?.(),
    systemRoot: '/',
  };
}
