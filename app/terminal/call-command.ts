// One command, run by the host that is running, or on the database where none runs.

import { realpath, stat } from 'node:fs/promises';
import type { CommandArgs, CommandName, CommandResult } from '../control/commands.ts';
import { callHost } from '../control/control-client.ts';
import { AppError } from '../contract/errors.ts';
import { prepareDataFolder } from './data-folder.ts';

/** These may be the first thing done with a data folder; the others would only hide a mistyped --data. */
const foundingCommands: readonly CommandName[] = ['set-setting'];
/** These mean nothing without a running host. */
const hostCommands: readonly CommandName[] = ['open'];
/** A host that is just starting holds the database before it listens. */
const startingHostMs = 1500;

/** @throws AppError */
export async function callCommand<Name extends CommandName>(
  dataFolder: string,
  name: Name,
  args: CommandArgs<Name>,
): Promise<CommandResult<Name>> {
  // as the host names it, since the place of its socket depends on the length of the name
  const dataDir = await realpath(dataFolder).catch(() => dataFolder);
  try {
    return await callHost(dataDir, name, args);
  } catch (error) {
    if (!isCode(error, 'not-running') || hostCommands.includes(name)) throw error;
  }
  if (foundingCommands.includes(name)) await prepareDataFolder(dataDir);
  else if (!(await isFolder(dataDir))) {
    throw new AppError('not-running', { detail: `There is no data folder at ${dataDir}.` });
  }
  try {
    return await runOnDatabase(dataDir, name, args);
  } catch (error) {
    if (!isCode(error, 'data-folder-busy')) throw error;
    await new Promise((resolve) => setTimeout(resolve, startingHostMs));
    return await callHost(dataDir, name, args).catch((second: unknown) => {
      throw isCode(second, 'not-running') ? error : second;
    });
  }
}

async function runOnDatabase<Name extends CommandName>(
  dataDir: string,
  name: Name,
  args: CommandArgs<Name>,
): Promise<CommandResult<Name>> {
  const { createLogger } = await import('../log/logger.ts');
  const { openServices } = await import('../compose-services.ts');
  const { runCommand } = await import('../control/commands.ts');
  const log = await createLogger({ destination: 'stderr', pretty: process.stderr.isTTY, level: 'error' });
  const services = await openServices({ dataDir, log });
  try {
    return (await runCommand({ services }, name, args)) as CommandResult<Name>;
  } finally {
    await services.close();
  }
}

function isCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
