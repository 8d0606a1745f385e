// `serve` and `start`: the host in the foreground until a signal ends it. Standard output is for people, or with --json for
// exactly one line an event; the log goes to standard error. Nothing secret is on either, but for a generated password,
// once, on a terminal.

import { flushCompileCache } from 'node:module';
import { AppError } from '../contract/errors.ts';
import type { DomainEvent } from '../contract/events.ts';
import { createEventLines } from './event-lines.ts';
import type { Logger } from '../log/logger.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Host } from '../compose.ts';
import { assertApart } from '../files/apart.ts';
import { dataFolderOf, prepareDataFolder } from './data-folder.ts';
import { createEnding } from './ending.ts';
import type { ExitCode } from './exit-code.ts';
import { checkOptions, type ChosenOptions, type ServeOptions } from './serve-options.ts';
import type { Terminal } from './terminal.ts';
import { textEditorBuild } from './text-editor-build.ts';

/** The code that the first requests load is in the cache then, too. */
const cacheDelayMs = 2000;

/** Resolves when the host has stopped; tells when it has started. @throws AppError, UsageError when it does not start */
export async function serve(
  options: ServeOptions,
  terminal: Terminal,
  onStarted: () => void = () => undefined,
): Promise<ExitCode> {
  const { stdout } = terminal;
  const chosen = await checkOptions(options, terminal.cwd);
  const dataFolder = dataFolderOf({ ...terminal, data: options.data });
  if (chosen.folder !== undefined) await assertApart(chosen.folder, dataFolder);
  const dataDir = await prepareDataFolder(dataFolder);
  const settings = await loadSettings({ dataDir });
  const folder = chosen.folder ?? settings.current().folder;
  if (folder === null) throw new AppError('folder-not-chosen');

  const { createLogger } = await import('../log/logger.ts');
  const { stderr } = terminal;
  const destination = stderr === process.stderr ? 'stderr' : stderr;
  const log = await createLogger({ destination, pretty: stderr.isTTY });
  const ending = createEnding({ stdout, log, isNpmScript: terminal.isNpmScript });
  try {
    return await ending.of(
      await startServing({ dataDir, folder, chosen, options, terminal, log, onStarted }),
    );
  } finally {
    ending.release();
    log.flush();
  }
}

async function startServing(input: {
  dataDir: string;
  folder: string;
  chosen: ChosenOptions;
  options: ServeOptions;
  terminal: Terminal;
  log: Logger;
  onStarted: () => void;
}): Promise<Host> {
  const { dataDir, folder, chosen, options, log } = input;
  const { stdout, env } = input.terminal;
  const ownerPassword = env['DOCTRAY_OWNER_PASSWORD'];
  // not for the programs the host starts
  delete env['DOCTRAY_OWNER_PASSWORD'];
  const lines = createEventLines(stdout);
  const emit = (event: DomainEvent): void => {
    if (options.json !== true) return;
    lines.write(event);
    // Who started the host waits for the first line, and nothing comes after the last.
    if (event.event === 'listening' || event.event === 'stopped') lines.flush();
  };

  const { startHost } = await import('../compose.ts');
  const host = await startHost({
    dataDir,
    log,
    emit,
    ...chosen,
    folder,
    textEditorBuild: textEditorBuild(env),
    ...(options.owner === undefined ? {} : { ownerLogin: options.owner }),
    ...(ownerPassword === undefined || ownerPassword === '' ? {} : { ownerPassword }),
  }).catch((error: unknown) => {
    // a surprise is told in a sentence without its details; those are for the log
    if (!(error instanceof AppError)) log.error({ err: error }, 'DocTray did not start');
    throw error;
  });
  input.onStarted();
  if (options.json !== true) stdout.write(describeHost(host, folder, options, input.terminal));
  else if (host.generatedOwnerPassword !== undefined) log.info({}, passwordPlace(host));
  await rememberFolder(host, folder, log);
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
  folder: string,
  options: ServeOptions,
  { command, stdout }: Terminal,
): string {
  const data = options.data === undefined ? '' : ` --data ${quote(options.data)}`;
  const password = host.generatedOwnerPassword;
  const lines = [
    `DocTray serves ${folder}`,
    `  at        ${host.baseUrl}`,
    `  owner     ${host.ownerLogin}`,
    ...(password === undefined
      ? []
      : [`  password  ${stdout.isTTY ? `${password} (shown only now)` : passwordPlace(host)}`]),
    `  to open   ${command} open FILE${data}`,
    `  to stop   Ctrl+C`,
  ];
  return `${lines.join('\n')}\n`;
}

function passwordPlace({ services, ownerLogin }: Host): string {
  return `generated and kept in ${services.secrets.description}; \`users password ${ownerLogin}\` sets your own`;
}

function quote(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text}'`;
}
