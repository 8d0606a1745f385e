// Runs the host in the foreground until a signal stops it, for `serve` and `start`. Standard output is readable text, or with
// --json exactly one line per event; standard error has problems, or with --json the log. Neither contains secrets, except a
// generated password, which is shown once and only on a terminal, and the link to one document, which works once.

import { flushCompileCache } from 'node:module';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { pipedLinkLifeMs, startLinkLifeMs } from '../accounts/tickets.ts';
import { AppError, messageFor } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { speaking } from '../languages.ts';
import { commandText, withCommandPrefix } from './command-prefix.ts';
import type { Serving } from '../host/serving.ts';
import { writeEvent } from './event-lines.ts';
import { safeText } from '../contract/names.ts';
import { createLogger, readable, toFile, toStream, type Logger, type Output } from '../log/logger.ts';
import type { Host, HostOptions } from '../host/running-host.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { prepareDefaultFolder } from '../files/default-folder.ts';
import { dataFolderOf, prepareDataFolder } from './data-folder.ts';
import { createEnding } from './ending.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { checkOptions, type ChosenOptions, type ServeOptions } from './serve-options.ts';
import { keychainNotice, type Terminal } from './terminal.ts';
import { pagesBuild } from './start-build.ts';

/** Long enough that the cache includes the code that the first requests load. */
const cacheDelayMs = 2000;

export interface ServeExtras {
  /** A line for standard error, written once the host serves. */
  notice?: string;
  /** How to open the links where the user is, which may be another computer. @param urls of the host, the text editor and the dashboard, on loopback */
  linkHint?: (urls: readonly string[]) => Row | undefined;
  /** Succeeds if a running host already uses the data folder and serves the chosen folder. */
  isDoneWhereItRuns?: boolean;
  /** Called after all start messages are printed. */
  onServing?: (host: Host) => void;
}

/** Resolves when the host has stopped. @throws AppError, UsageError if it doesn't start */
export async function serve(
  options: ServeOptions,
  terminal: Terminal,
  extras: ServeExtras = {},
): Promise<ExitCode> {
  const { stdout } = terminal;
  const chosen = checkOptions(options, terminal.cwd);
  const dataFolder = dataFolderOf({ ...terminal, data: options.data });
  if (chosen.folder !== undefined) await assertDisjoint(chosen.folder, dataFolder);
  const dataDir = await prepareDataFolder(dataFolder);

  const isForPeople = options.json !== true;
  const log = openLog(terminal, dataDir, isForPeople);
  // Overwrites the ^C that the terminal echoes.
  const lineStart = stdout.isTTY ? '\r\u001b[K' : '';
  const ending = createEnding({
    stdout,
    log,
    isNpmScript: terminal.isNpmScript,
    onSlowStop() {
      if (isForPeople) stdout.write(`${lineStart}${t('terminal.finishing-running-saves')}\n`);
    },
  });
  try {
    const host = await startOwnHost(options, { ...chosen, dataDir, log, onQuit: ending.request }, terminal);
    if (extras.notice !== undefined) terminal.stderr.write(`${extras.notice}\n`);
    await (isForPeople ? printServing(host, terminal, log, extras) : logServing(host, log));
    if (chosen.folder !== undefined) await rememberFolder(host, chosen.folder, log);
    extras.onServing?.(host);
    setTimeout(flushCompileCache, cacheDelayMs).unref();
    const code = await ending.stopWhenRequested(host);
    if (isForPeople) stdout.write(`${lineStart}${t('host.doctray-stopped')}\n`);
    return code;
  } catch (busy) {
    if (!isForPeople || !(busy instanceof AppError) || busy.code !== 'data-folder-busy') throw busy;
    stdout.write(await describeRunning(dataDir, chosen, terminal, busy));
    if (extras.isDoneWhereItRuns === true) return exitCode.done;
    throw busy;
  } finally {
    ending.release();
    log.flush();
  }
}

/** For people, a line for each editor request would hide the problems, so the whole log goes to its file. */
function openLog(terminal: Terminal, dataDir: string, isForPeople: boolean): Logger {
  const { stderr } = terminal;
  const isRead = isForPeople || stderr.isTTY;
  const shown = toStream(stderr, isRead ? (line) => readable(line, stderr.isTTY) : undefined);
  const problems: Output = { ...shown, write: (line, level) => level !== 'info' && shown.write(line, level) };
  const outputs = isForPeople ? [toFile(dataDir), problems] : [shown];
  return createLogger(outputs, (text) => withCommandPrefix(text, terminal));
}

async function startOwnHost(
  { json, owner }: ServeOptions,
  given: Pick<HostOptions, 'dataDir' | 'log' | 'onQuit'> & ChosenOptions,
  terminal: Terminal,
): Promise<Host> {
  const { stdout, stderr, env, platform } = terminal;
  const { DOCTRAY_OWNER_PASSWORD: ownerPassword = '' } = env;
  // Keeps the password from the programs that the host starts.
  delete env['DOCTRAY_OWNER_PASSWORD'];
  const { dataDir, log } = given;
  const { startHost } = await import('./start-host.ts');
  return startHost({
    ...given,
    emit: (event) => void (json === true && writeEvent(stdout, event)),
    isAttended: stderr.isTTY,
    onKeychainWaiting: keychainNotice(stderr),
    pagesBuild: pagesBuild(env),
    command: terminal.command,
    dataOption: terminal.dataOption,
    defaultFolder: () => prepareDefaultFolder({ env, platform, homeDir: homedir(), dataDir }),
    ...(owner !== undefined && { ownerLogin: owner }),
    ...(ownerPassword !== '' && { ownerPassword }),
  }).catch((error: unknown) => {
    // The terminal prints one sentence for an unexpected error; the log has the details.
    if (!(error instanceof AppError)) log.error({ err: error }, 'DocTray didn’t start.');
    throw error;
  });
}

async function printServing(host: Host, terminal: Terminal, log: Logger, extras: ServeExtras): Promise<void> {
  const { describeServing } = await import('../host/serving.ts');
  const serving = await describeServing(host, {
    ticketLifeMs: ticketLifeMs(terminal),
    onError: (error) => log.warn({ err: error }, 'No link to a document could be created.'),
  });
  const dashboard = await describeDashboard(host, terminal);
  const textEditor = host.services.editors.list().find(({ kind }) => kind === 'text-editor');
  const urls = [host.baseUrl, textEditor?.url, dashboard.url].filter((url) => url !== undefined);
  const rows: Row[] = [
    [t('terminal.row-dashboard'), dashboard.text],
    extras.linkHint?.(urls) ?? ['', null],
    [t('terminal.row-sign-in'), signInText(host, terminal)],
    nextRow(terminal),
  ];
  terminal.stdout.write(servingText(serving, rows));
}

/** With --json, the log says what the start messages say. */
async function logServing(host: Host, log: Logger): Promise<void> {
  const { services, generatedOwnerPassword, ownerLogin } = host;
  const { findFolderProblem } = await import('../files/folder-access.ts');
  await speaking(['en'], async () => {
    const problem = await findFolderProblem(services.folder()?.root ?? '');
    if (problem !== undefined) log.warn({}, problem);
    if (generatedOwnerPassword === undefined) return;
    const place = services.secrets.description;
    const command = `users password ${ownerLogin}`;
    log.info({}, `password generated, kept in ${place}; set a new one with \`${command}\``);
  });
}

async function rememberFolder({ services }: Host, folder: string, log: Logger): Promise<void> {
  if (services.settings.current().folder === folder) return;
  try {
    await services.settings.update({ folder });
  } catch (error) {
    log.warn({ err: error }, 'The folder couldn’t be saved for the next start.');
  }
}

/** Describes the host that already uses the data folder. @throws AppError if it serves another folder than the chosen one */
async function describeRunning(
  dataDir: string,
  { folder }: ChosenOptions,
  terminal: Terminal,
  busy: AppError,
): Promise<string> {
  const { callBusyHost } = await import('./call-command.ts');
  const args = { ticketLifeMs: ticketLifeMs(terminal) };
  const serving: Serving = await callBusyHost(dataDir, 'host.serving', args, busy);
  const requestedFolder = folder === undefined ? undefined : await realpath(folder).catch(() => folder);
  if (requestedFolder !== undefined && requestedFolder !== serving.folder) {
    throw new AppError('data-folder-busy', { detail: serving.folder ?? t('terminal.no-folder') });
  }
  return `${t('terminal.doctray-is-already-running')}\n${servingText(serving, [nextRow(terminal)])}`;
}

function ticketLifeMs({ stdout }: Terminal): number {
  return stdout.isTTY ? startLinkLifeMs : pipedLinkLifeMs;
}

function servingText({ folder, link, baseUrl, folderProblem }: Serving, more: Row[]): string {
  const linkText = link && t('terminal.link-to-document', { url: link.url, name: safeText(link.name) });
  const rows: Row[] = [
    [t('terminal.row-warning'), folderProblem],
    [t('terminal.row-open-a-document'), linkText],
    [t('common.address'), baseUrl],
    ...more,
  ];
  return [
    folder === null
      ? t('terminal.doctray-isnt-serving-a-folder-yet')
      : t('terminal.doctray-is-serving', { folder: safeText(folder) }),
    ...rows.flatMap(([label, text]) => (text === null ? [] : `  ${label.padEnd(18)}${text}`)),
    '',
  ].join('\n');
}

/** A row without a text isn't printed. */
export type Row = [label: string, text: string | null];

/** Not in a pipe or a log, which others may read: the link allows everything that the owner may do. */
async function describeDashboard(
  host: Host,
  { stdout }: Terminal,
): Promise<{ text: string | null; url?: string }> {
  if (!stdout.isTTY) return { text: null };
  try {
    const url = await host.createDashboardLink();
    return { text: t('terminal.link-to-dashboard', { url }), url };
  } catch (error) {
    // Documents are served without it too.
    return { text: messageFor('terminal', error) };
  }
}

function signInText(host: Host, terminal: Terminal): string | null {
  const { generatedOwnerPassword: password, ownerLogin: login } = host;
  if (password === undefined) return null;
  const place = host.services.secrets.description;
  const how = terminal.stdout.isTTY
    ? t('terminal.password-shown-only-now', { login, password })
    : t('terminal.password-generated', { login, place, command: `users password ${login}` });
  return withCommandPrefix(how, terminal);
}

function nextRow(terminal: Terminal): Row {
  const next = ['editors detect', 'open FILE', 'dashboard'].map((named) => commandText(terminal, named));
  return [t('terminal.row-next'), [...next, `${terminal.command} --help`].join(' · ')];
}
