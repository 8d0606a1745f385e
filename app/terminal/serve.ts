// `serve` and `start`: the host in the foreground until a signal ends it. Standard output is for people, or with --json for
// exactly one line an event; the log goes to standard error. Nothing secret is on either, but for a generated password, once,
// on a terminal, and the link to one document, which works once.

import { flushCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { pipedLinkLifeMs, startLinkLifeMs } from '../accounts/tickets.ts';
import { AppError } from '../contract/errors.ts';
import type { HostEvent } from '../contract/events.ts';
import { quoted } from './command-helpers.ts';
import { createEventLines } from './event-lines.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import type { Host } from '../host/host.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { prepareDefaultFolder } from '../files/default-folder.ts';
import { dataFolderOf, prepareDataFolder } from './data-folder.ts';
import type { DocumentLink } from './document-link.ts';
import { createEnding } from './ending.ts';
import type { ExitCode } from './exit-code.ts';
import { checkOptions, type ChosenOptions, type ServeOptions } from './serve-options.ts';
import { safeText } from './table.ts';
import type { Terminal } from './terminal.ts';
import { textEditorBuild } from './text-editor-build.ts';

/** The code that the first requests load is in the cache then, too. */
const cacheDelayMs = 2000;

export interface ServeExtras {
  /** A line for standard error, once it serves. */
  notice?: string;
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
    const host = await startServing({ dataDir, chosen, options, terminal, log, extras });
    const code = await ending.of(host);
    if (isForPeople) stdout.write(`${lineStart}DocTray stopped.\n`);
    return code;
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
}): Promise<Host> {
  const { dataDir, chosen, options, terminal, log, extras } = input;
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
    ...chosen,
    textEditorBuild: textEditorBuild(env),
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
    const { findDocumentLink } = await import('./document-link.ts');
    const ticketLifeMs = stdout.isTTY ? startLinkLifeMs : pipedLinkLifeMs;
    const link = await findDocumentLink(host, { ticketLifeMs }).catch((error: unknown) => {
      log.warn({ err: error }, 'No document could be offered.');
      return undefined;
    });
    stdout.write(describeHost(host, link, options, terminal));
  } else if (host.generatedOwnerPassword !== undefined) log.info({}, passwordPlace(host));
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

function describeHost(
  host: Host,
  link: DocumentLink | undefined,
  options: ServeOptions,
  { command, stdout }: Terminal,
): string {
  const data = options.data === undefined ? '' : ` --data ${quoted(options.data)}`;
  const password = host.generatedOwnerPassword;
  const next = [`editors detect${data}`, `open FILE${data}`, '--help'];
  const rows: [label: string, text: string][] = [
    ...(link === undefined
      ? []
      : [row('Open a document', `${link.url}  (${safeText(link.name)}, valid once)`)]),
    row('Address', host.baseUrl),
    ...(password === undefined
      ? []
      : [
          stdout.isTTY
            ? row('Sign in', `${host.ownerLogin} / ${password}  (shown only now)`)
            : row('Sign in', `${host.ownerLogin}  (${passwordPlace(host)})`),
        ]),
    row('Next', next.map((text) => `${command} ${text}`).join(' · ')),
  ];
  const lines = rows.map(([label, text]) => `  ${label.padEnd(18)}${text}`);
  return [`DocTray is serving ${safeText(host.services.folder()?.root ?? '')}`, ...lines, ''].join('\n');
}

function row(label: string, text: string): [label: string, text: string] {
  return [label, text];
}

function passwordPlace({ services, ownerLogin }: Host): string {
  return `password generated and kept in ${services.secrets.description}; \`users password ${ownerLogin}\` sets a new one`;
}
