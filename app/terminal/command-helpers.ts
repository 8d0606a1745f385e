// What the groups of commands on the command line are built with.

import type { Command } from 'commander';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import type { Outcome } from '../contract/results.ts';
import { withCommandPrefix } from './command-prefix.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import type { ShownCommand } from './show.ts';
import { safeText } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface CommonOptions {
  data?: string;
  json?: boolean;
}

export interface CommandHelpers {
  terminal: Terminal;
  /** Adds the options that all commands have. */
  common(command: Command): Command;
  /** Runs a command and shows its result. @throws AppError */
  run<Name extends ShownCommand>(
    options: CommonOptions,
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>>;
  /** Runs a command and shows nothing. @throws AppError */
  call<Name extends CommandName>(
    options: CommonOptions,
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>>;
  /** Runs a command on each of these ids. Those that failed are reported, and the exit code says so. @throws AppError */
  runOnAll(
    options: CommonOptions,
    name: 'locks.forceClear' | 'sessions.end' | 'tokens.revoke',
    ids: string[],
  ): Promise<void>;
  /** A command that only names what it wants; `args` gets what was typed, in order. */
  plain<Name extends ShownCommand>(
    command: Command,
    name: Name,
    args: (...typed: string[]) => CommandArgs<Name>,
  ): void;
  /** Tells the exit code where it is not that of success. */
  end(code: ExitCode): void;
}

const doneText = {
  'locks.forceClear': (path: string) => `The lock on ${path} was cleared.`,
  'sessions.end': (path: string) => `The session on ${path} was ended.`,
  'tokens.revoke': (_path: string, id: string) => `Token ${id} was revoked.`,
};

/** So that a request fits into what the control socket takes. */
const idsAtOnce = 400;

/** For a shell. */
export function quoted(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** @param end is told the exit code where it is not that of success */
export function createCommandHelpers(terminal: Terminal, end: (code: ExitCode) => void): CommandHelpers {
  const common: CommandHelpers['common'] = (command) =>
    command
      .option('--data <dir>', 'data folder (default: DOCTRAY_DATA, or the standard place of this system)')
      .option('--json', 'print the result as JSON');

  async function call<Name extends CommandName>(
    options: CommonOptions,
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>> {
    const { callCommand } = await import('./call-command.ts');
    const { dataFolderOf } = await import('./data-folder.ts');
    return callCommand(dataFolderOf({ ...terminal, data: options.data }), name, args, terminal.stderr);
  }

  async function run<Name extends ShownCommand>(
    options: CommonOptions,
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>> {
    const result = await call(options, name, args);
    const { show } = await import('./show.ts');
    const text =
      options.json === true
        ? JSON.stringify(result)
        : withCommandPrefix(show[name](result, Date.now()), terminal);
    terminal.stdout.write(`${text}\n`);
    return result;
  }

  const runOnAll: CommandHelpers['runOnAll'] = async (options, name, ids) => {
    const outcome: Outcome = { done: [], failed: [] };
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      // oxlint-disable-next-line no-await-in-loop
      const { done, failed } = await call(options, name, { ids: ids.slice(start, start + idsAtOnce) });
      outcome.done.push(...done);
      outcome.failed.push(...failed);
    }
    const { done, failed } = outcome;
    if (options.json === true) terminal.stdout.write(`${JSON.stringify({ done, failed })}\n`);
    else {
      for (const { id, path } of done) terminal.stdout.write(`${safeText(doneText[name](path, id))}\n`);
    }
    for (const { id, message } of failed)
      terminal.stderr.write(`${safeText(ids.length === 1 ? message : `${id}: ${message}`)}\n`);
    if (failed.length > 0) end(name === 'locks.forceClear' ? exitCode.failed : exitCode.notThere);
  };

  const plain: CommandHelpers['plain'] = (command, name, args) => {
    common(command).action(async (...typed: unknown[]) => {
      // commander passes the arguments, then the options, then the command
      await run(typed.at(-2) as CommonOptions, name, args(...(typed.slice(0, -2) as string[])));
    });
  };

  return { terminal, common, call, run, runOnAll, plain, end };
}
