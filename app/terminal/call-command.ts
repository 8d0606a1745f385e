// Sends one command to the running host, or runs it directly on the database if no host is running.

import { realpath } from 'node:fs/promises';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import { callHost } from '../control/control-client.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { createLogger, type Logger, type Output } from '../log/logger.ts';
import type { Services } from '../host/services.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { dataFolderOf, dataFolderOption, isDataFolder, prepareDataFolder } from './data-folder.ts';
import { keychainNotice, type Terminal } from './terminal.ts';

/** A host that is just starting holds the database before it listens. */
const startingHostMs = 5000;
const startingCheckMs = 100;

/** @param data the value of --data @throws AppError */
export async function callCommand<Name extends CommandName>(
  { env, platform, cwd, stderr }: Pick<Terminal, 'env' | 'platform' | 'cwd' | 'stderr'>,
  data: string | undefined,
  name: Name,
  args: CommandArgs<Name>,
): Promise<CommandResult<Name>> {
  const dataFolder = dataFolderOf({ data, env, platform, cwd });
  // The real path, as the host uses it: the location of its socket depends on the path's length.
  const dataDir = await realpath(dataFolder).catch(() => dataFolder);
  try {
    return await callHost(dataDir, name, args);
  } catch (error) {
    if (!isCode(error, 'not-running')) throw error;
  }
  const { rowOf } = await import('../commands/commands.ts');
  const row = rowOf(name, 'terminal');
  if (row?.createsDataFolder === true) await prepareDataFolder(dataDir);
  else if (!(await isDataFolder(dataDir))) {
    const option = dataFolderOption({ data, env });
    // The standard folder doesn't exist before the first start.
    if (option === undefined)
      throw new AppError('not-running', {
        detail: () => t('terminal.not-started-yet', { dataDir }),
      });
    throw new AppError('data-folder-unknown', {
      detail: () => t('terminal.isnt-a-data-folder-check', { dataDir, option }),
    });
  }
  if (row?.needs === 'host') throw new AppError('not-running');
  try {
    return (await runWithoutHost(dataDir, name, args, stderr)) as CommandResult<Name>;
  } catch (error) {
    if (!isCode(error, 'data-folder-busy')) throw error;
    return await callBusyHost(dataDir, name, args, error);
  }
}

/** @param busy thrown if no host listens after a while, although the data folder is in use */
export async function callBusyHost<Name extends CommandName>(
  dataDir: string,
  name: Name,
  args: CommandArgs<Name>,
  busy: unknown,
): Promise<CommandResult<Name>> {
  const endMs = performance.now() + startingHostMs;
  for (;;) {
    try {
      return await callHost(dataDir, name, args);
    } catch (error) {
      if (!isCode(error, 'not-running')) throw error;
      if (performance.now() > endMs) throw busy;
    }
    await new Promise((resolve) => setTimeout(resolve, startingCheckMs));
  }
}

async function runWithoutHost(
  dataDir: string,
  name: CommandName,
  args: unknown,
  stderr: NodeJS.WriteStream,
): Promise<unknown> {
  const { rowOf, noWindow, runCommand } = await import('../commands/commands.ts');
  const by = 'terminal' as const;
  const needs = {
    by,
    settings: async () => ({ by, settings: await loadSettings({ dataDir }), host: undefined }),
    host: notRunning,
    window: noWindow,
  };
  const need = rowOf(name, by)?.needs;
  if (need !== 'services' && need !== 'diagnosis')
    return runCommand({ ...needs, services: notRunning, diagnosis: notRunning }, name, args);

  const { openServices } = await import('../host/services.ts');
  let services: Services;
  try {
    services = await openServices({
      dataDir,
      log: plainLog(stderr),
      isAttended: stderr.isTTY,
      onKeychainWaiting: keychainNotice(stderr),
    });
  } catch (error) {
    if (need !== 'diagnosis' || !(error instanceof AppError) || error.code === 'data-folder-busy')
      throw error;
    const { diagnosisOfFailure } = await import('../doctor/diagnostics.ts');
    const diagnosis = () => diagnosisOfFailure(error, { dataDir, by });
    return runCommand({ ...needs, services: notRunning, diagnosis }, name, args);
  }
  try {
    await services.secrets.removeCopies();
    const { diagnosisOf } = await import('../doctor/diagnostics.ts');
    const opened = { by, services, host: undefined };
    return await runCommand(
      { ...needs, services: () => opened, diagnosis: () => diagnosisOf(opened) },
      name,
      args,
    );
  } finally {
    await services.close();
  }
}

function notRunning(): never {
  throw new AppError('not-running');
}

function isCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}

/** Errors only, one sentence each: this is the output of a single command, not a log. */
function plainLog(stderr: NodeJS.WritableStream): Logger {
  const write: Output['write'] = (line, level) => {
    const { msg } = JSON.parse(line) as { msg: string };
    if (level === 'error') stderr.write(`${msg}\n`);
  };
  return createLogger([{ write }]);
}
