// `serve` and `start`: the host in the foreground until a signal ends it. Standard output is for people, or with --json for
// exactly one line an event; the log goes to standard error. Nothing secret is on either, but for a generated password, once,
// on a terminal, and the link to one document, which works once.

import { flushCompileCache } from 'node:module';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { pipedLinkLifeMs, startLinkLifeMs } from '../accounts/tickets.ts';
import { AppError } from '../contract/errors.ts';
import type { HostEvent } from '../contract/events.ts';
import { withCommandPrefix } from './command-prefix.ts';
import type { Serving } from '../commands/serving.ts';
import { quoted } from './command-helpers.ts';
import { createEventLines } from './event-lines.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import type { Host } from '../host/running-host.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { prepareDefaultFolder } from '../files/default-folder.ts';
import { dataFolderOf, prepareDataFolder } from './data-folder.ts';
import { createEnding } from './ending.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { checkOptions, type ChosenOptions, type ServeOptions } from './serve-options.ts';
import { safeText } from './table.ts';
import { keychainNotice, type Terminal } from './terminal.ts';
import { pagesBuild } from './pages-build.ts';

/** The code that the first requests load is in the cache then, too. */
const cacheDelayMs = 2000;

export interface ServeExtras {
  /** A line for standard error, once it serves. */
  notice?: string;
  /** A host that already runs with the data folder, and serves the chosen folder, is as good as a new one. */
  isDoneWhereItRuns?: boolean;
  /** Called after everything about the start is printed. */
  onServing?: (host: Host) => void;
}

/** Resolves when the host has stopped. @throws AppError, UsageError when it does not start */
export async function serve(
  options: ServeOptions,
  terminal: Terminal,
  extras: ServeExtras = {},
): Promise<ExitCode> {
  const { stdout, stderr } = terminal;
  const chosen = checkOptions(options, terminal.cwd);
  const dataFolder = dataFolderOf({ ...terminal, data: options.data });
  if (chosen.folder !== undefined) await assertDisjoint(chosen.folder, dataFolder);
  const dataDir = await prepareDataFolder(dataFolder);

  const destination = stderr === process.stderr ? 'stderr' : stderr;
  // A person reads what has gone wrong; a line for each request of an editor would hide it.
  const level = stderr.isTTY && options.json !== true ? 'warn' : 'info';
  const log = createLogger({ destination, pretty: stderr.isTTY, level });
  const isForPeople = options.json !== true;
  // over the ^C that a terminal shows
  const lineStart = stdout.isTTY ? '\r\u001b[K' : '';
  const ending = createEnding({
    stdout,
    log,
    isNpmScript: terminal.isNpmScript,
    onSlowStop() {
      if (isForPeople) stdout.write(`${lineStart}Finishing running saves. Press Ctrl+C again to stop now.\n`);
    },
  });
  try {
    const host = await startServing({
      dataDir,
      chosen,
      options,
      terminal,
      log,
      extras,
      onQuit: ending.request,
    });
    const code = await ending.of(host);
    if (isForPeople) stdout.write(`${lineStart}DocTray stopped.\n`);
    return code;
  } catch (busy) {
    if (!isForPeople || !(busy instanceof AppError) || busy.code !== 'data-folder-busy') throw busy;
    stdout.write(await describeRunning({ options, chosen, terminal, dataDir, busy }));
    if (extras.isDoneWhereItRuns === true) return exitCode.done;
    throw busy;
  } finally {
    ending.release();
    log.flush();
  }
}

async function startServing(input: {
  dataDir: string;
  chosen: ChosenOptions;
  options: ServeOptions;
  terminal: Terminal;
  log: Logger;
  extras: ServeExtras;
  onQuit: () => void;
}): Promise<Host> {
  const { dataDir, chosen, options, terminal, log, extras, onQuit } = input;
  const { stdout, stderr, env, platform } = terminal;
  const ownerPassword = env['DOCTRAY_OWNER_PASSWORD'];
  // not for the programs the host starts
  delete env['DOCTRAY_OWNER_PASSWORD'];
  const lines = createEventLines(stdout);
  const emit = (event: HostEvent): void => {
    if (options.json !== true || event.event === 'row-changed') return;
    lines.write(event);
    // Who started the host waits for the first line, and nothing comes after the last.
    if (event.event === 'listening' || event.event === 'stopped') lines.flush();
  };

  const { startHost } = await import('../host/host.ts');
  const host = await startHost({
    dataDir,
    log,
    emit,
    onQuit,
    ...chosen,
    isAttended: stderr.isTTY,
    onKeychainWaiting: keychainNotice(stderr),
    pagesBuild: pagesBuild(env),
    defaultFolder: () => prepareDefaultFolder({ env, platform, homeDir: homedir(), dataDir }),
    ...(options.owner === undefined ? {} : { ownerLogin: options.owner }),
    ...(ownerPassword === undefined || ownerPassword === '' ? {} : { ownerPassword }),
  }).catch((error: unknown) => {
    // a surprise is told in a sentence without its details; those are for the log
    if (!(error instanceof AppError)) log.error({ err: error }, 'DocTray did not start');
    throw error;
  });
  if (extras.notice !== undefined) stderr.write(`${extras.notice}\n`);
  if (options.json !== true) {
    const { describeServing } = await import('../commands/serving.ts');
    const serving = await describeServing(host, {
      ticketLifeMs: ticketLifeMs(terminal),
      onError: (error) => log.warn({ err: error }, 'No document could be offered.'),
    });
    const rows = [...signInRows(host, terminal), nextRow(options, terminal)];
    stdout.write(servingText(serving, rows));
  } else {
    const { findFolderProblem } = await import('../files/folder-access.ts');
    const problem = await findFolderProblem(host.services.folder()?.root ?? '');
    if (problem !== undefined) log.warn({}, problem);
    if (host.generatedOwnerPassword !== undefined) log.info({}, passwordPlace(host));
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
    log.warn({ err: error }, 'the folder could not be remembered for the next start');
  }
}

/** What the host that already uses the data folder serves. @throws AppError when it serves another folder than the chosen one */
async function describeRunning(input: {
  options: ServeOptions;
  chosen: ChosenOptions;
  terminal: Terminal;
  dataDir: string;
  busy: AppError;
}): Promise<string> {
  const { options, chosen, terminal, dataDir, busy } = input;
  const { startingHostMs } = await import('./call-command.ts');
  const { callHost } = await import('../control/control-client.ts');
  const ask = (): Promise<Serving> =>
    callHost(dataDir, 'host.serving', { ticketLifeMs: ticketLifeMs(terminal) });
  const serving = await ask().catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not-running') throw busy;
    await new Promise((resolve) => setTimeout(resolve, startingHostMs));
    return ask().catch(() => {
      throw busy;
    });
  });
  const { folder } = chosen;
  const wished = folder === undefined ? undefined : await realpath(folder).catch(() => folder);
  if (wished !== undefined && wished !== serving.folder) {
    throw new AppError('data-folder-busy', { detail: serving.folder ?? 'no folder' });
  }
  return `DocTray is already running. Nothing was started.\n${servingText(serving, [nextRow(options, terminal)])}`;
}

function ticketLifeMs({ stdout }: Terminal): number {
  return stdout.isTTY ? startLinkLifeMs : pipedLinkLifeMs;
}

function servingText({ folder, link, baseUrl, folderProblem }: Serving, more: Row[]): string {
  const rows: Row[] = [
    ...(folderProblem === null ? [] : [['Warning', folderProblem] satisfies Row]),
    ...(link === null
      ? []
      : [['Open a document', `${link.url}  (${safeText(link.name)}, valid once)`] satisfies Row]),
    ['Address', baseUrl],
    ...more,
  ];
  return [
    folder === null ? 'DocTray isn’t serving a folder yet.' : `DocTray is serving ${safeText(folder)}`,
    ...rows.map(([label, text]) => `  ${label.padEnd(18)}${text}`),
    '',
  ].join('\n');
}

type Row = [label: string, text: string];

function signInRows(host: Host, terminal: Terminal): Row[] {
  const { generatedOwnerPassword: password, ownerLogin } = host;
  if (password === undefined) return [];
  const how = terminal.stdout.isTTY
    ? `/ ${password}  (shown only now)`
    : ` (${withCommandPrefix(passwordPlace(host), terminal)})`;
  return [['Sign in', `${ownerLogin} ${how}`]];
}

function nextRow(options: ServeOptions, { command }: Terminal): Row {
  const data = options.data === undefined ? '' : ` --data ${quoted(options.data)}`;
  const next = [`editors detect${data}`, `open FILE${data}`, '--help'];
  return ['Next', next.map((text) => `${command} ${text}`).join(' · ')];
}

function passwordPlace({ services, ownerLogin }: Host): string {
  return `password generated and kept in ${services.secrets.description}; \`users password ${ownerLogin}\` sets a new one`;
}
