// Runs the host in the foreground until a signal stops it, for `serve` and `start`. Standard output is readable text, or with
// --json exactly one line per event; standard error has problems, or with --json the log. Neither contains secrets, except a
// generated password, which is shown once and only on a terminal, and the link to one document, which works once.

import { flushCompileCache } from 'node:module';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { pipedLinkLifeMs, startLinkLifeMs } from '../accounts/tickets.ts';
import { AppError, messageFor } from '../contract/errors.ts';
import type { HostEvent } from '../contract/events.ts';
import { t } from '../contract/messages.ts';
import { speaking } from '../languages.ts';
import { commandText, withCommandPrefix } from './command-prefix.ts';
import type { Serving } from '../host/serving.ts';
import { writeEvent } from './event-lines.ts';
import { safeText } from '../contract/names.ts';
import { createLogger, readable, toFile, toStream, type Logger } from '../log/logger.ts';
import type { Host } from '../host/running-host.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { prepareDefaultFolder } from '../files/default-folder.ts';
import { dataFolderOf, prepareDataFolder } from './data-folder.ts';
import { createEnding, type Ending } from './ending.ts';
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
    const host = await startServing({ dataDir, chosen, options, terminal, log, extras, ending });
    const code = await ending.stopWhenRequested(host);
    if (isForPeople) stdout.write(`${lineStart}${t('host.doctray-stopped')}\n`);
    return code;
  } catch (busy) {
    if (!isForPeople || !(busy instanceof AppError) || busy.code !== 'data-folder-busy') throw busy;
    stdout.write(await describeRunning({ chosen, terminal, dataDir, busy }));
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
  const outputs = isForPeople ? [toFile(dataDir), { ...shown, level: 'warn' as const }] : [shown];
  return createLogger(outputs, (text) => withCommandPrefix(text, terminal));
}

async function startServing(input: {
  dataDir: string;
  chosen: ChosenOptions;
  options: ServeOptions;
  terminal: Terminal;
  log: Logger;
  extras: ServeExtras;
  ending: Ending;
}): Promise<Host> {
  const { dataDir, chosen, options, terminal, log, extras, ending } = input;
  const { stdout, stderr, env, platform } = terminal;
  const ownerPassword = env['DOCTRAY_OWNER_PASSWORD'];
  // Keeps the password from the programs that the host starts.
  delete env['DOCTRAY_OWNER_PASSWORD'];
  const emit = (event: HostEvent): void => {
    if (options.json === true) writeEvent(stdout, event);
  };

  const { startHost } = await import('./start-host.ts');
  const host = await startHost({
    dataDir,
    log,
    emit,
    onQuit: ending.request,
    ...chosen,
    isAttended: stderr.isTTY,
    onKeychainWaiting: keychainNotice(stderr),
    pagesBuild: pagesBuild(env),
    command: terminal.command,
    dataOption: terminal.dataOption,
    defaultFolder: () => prepareDefaultFolder({ env, platform, homeDir: homedir(), dataDir }),
    ...(options.owner === undefined ? {} : { ownerLogin: options.owner }),
    ...(ownerPassword === undefined || ownerPassword === '' ? {} : { ownerPassword }),
  }).catch((error: unknown) => {
    // The terminal prints one sentence for an unexpected error; the log has the details.
    if (!(error instanceof AppError)) log.error({ err: error }, 'DocTray didn’t start.');
    throw error;
  });
  if (extras.notice !== undefined) stderr.write(`${extras.notice}\n`);
  if (options.json !== true) {
    const { describeServing } = await import('../host/serving.ts');
    const serving = await describeServing(host, {
      ticketLifeMs: ticketLifeMs(terminal),
      onError: (error) => log.warn({ err: error }, 'No link to a document could be created.'),
    });
    const dashboard = await describeDashboard(host, terminal);
    const textEditor = host.services.editors.list().find(({ kind }) => kind === 'text-editor');
    const urls = [host.baseUrl, textEditor?.url, dashboard.url].filter((url) => url !== undefined);
    const hint = extras.linkHint?.(urls);
    const rows = [
      ...dashboard.rows,
      ...(hint === undefined ? [] : [hint]),
      ...signInRows(host, terminal),
      nextRow(terminal),
    ];
    stdout.write(servingText(serving, rows));
  } else {
    const { findFolderProblem } = await import('../files/folder-access.ts');
    await speaking(['en'], async () => {
      const problem = await findFolderProblem(host.services.folder()?.root ?? '');
      if (problem !== undefined) log.warn({}, problem);
      if (host.generatedOwnerPassword === undefined) return;
      const { secrets } = host.services;
      const text = `password generated, kept in ${secrets.description}; set a new one with \`users password ${host.ownerLogin}\``;
      log.info({}, text);
    });
  }
  if (chosen.folder !== undefined) await rememberFolder(host, chosen.folder, log);
  extras.onServing?.(host);
  setTimeout(flushCompileCache, cacheDelayMs).unref();
  return host;
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
async function describeRunning(input: {
  chosen: ChosenOptions;
  terminal: Terminal;
  dataDir: string;
  busy: AppError;
}): Promise<string> {
  const { chosen, terminal, dataDir, busy } = input;
  const { callHost } = await import('../control/control-client.ts');
  const serving: Serving = await callHost(dataDir, 'host.serving', {
    ticketLifeMs: ticketLifeMs(terminal),
  }).catch(() => {
    throw busy;
  });
  const { folder } = chosen;
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
  const rows: Row[] = [
    ...(folderProblem === null ? [] : [[t('terminal.row-warning'), folderProblem] satisfies Row]),
    ...(link === null
      ? []
      : [
          [
            t('terminal.row-open-a-document'),
            t('terminal.link-to-document', { url: link.url, name: safeText(link.name) }),
          ] satisfies Row,
        ]),
    [t('common.address'), baseUrl],
    ...more,
  ];
  return [
    folder === null
      ? t('terminal.doctray-isnt-serving-a-folder-yet')
      : t('terminal.doctray-is-serving', { folder: safeText(folder) }),
    ...rows.map(([label, text]) => `  ${label.padEnd(18)}${text}`),
    '',
  ].join('\n');
}

export type Row = [label: string, text: string];

/** Not in a pipe or a log, which others may read: the link allows everything that the owner may do. */
async function describeDashboard(host: Host, { stdout }: Terminal): Promise<{ rows: Row[]; url?: string }> {
  if (!stdout.isTTY) return { rows: [] };
  try {
    const url = await host.createDashboardLink();
    return { rows: [[t('terminal.row-dashboard'), t('terminal.link-to-dashboard', { url })]], url };
  } catch (error) {
    // Documents are served without it too.
    return { rows: [[t('terminal.row-dashboard'), messageFor('terminal', error)]] };
  }
}

function signInRows(host: Host, terminal: Terminal): Row[] {
  const { generatedOwnerPassword: password, ownerLogin: login } = host;
  if (password === undefined) return [];
  const place = host.services.secrets.description;
  const how = terminal.stdout.isTTY
    ? t('terminal.password-shown-only-now', { login, password })
    : t('terminal.password-generated', { login, place, command: `users password ${login}` });
  return [[t('terminal.row-sign-in'), withCommandPrefix(how, terminal)]];
}

function nextRow(terminal: Terminal): Row {
  const next = ['editors detect', 'open FILE', 'dashboard'].map((named) => commandText(terminal, named));
  return [t('terminal.row-next'), [...next, `${terminal.command} --help`].join(' · ')];
}
