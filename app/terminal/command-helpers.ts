// What the groups of commands on the command line are built with.

import type { Command } from 'commander';
import type { CommandArgs, CommandName, CommandResult } from '../control/commands.ts';
import { withCommandPrefix } from './command-prefix.ts';
import type { ExitCode } from './exit-code.ts';
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
  run<Name extends CommandName>(
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
  /** A command that only names what it wants; `args` gets what was typed, in order. */
  plain<Name extends CommandName>(
    command: Command,
    name: Name,
    args: (...typed: string[]) => CommandArgs<Name>,
  ): void;
  /** Tells the exit code where it is not that of success. */
  end(code: ExitCode): void;
}

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

  async function run<Name extends CommandName>(
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

  const plain: CommandHelpers['plain'] = (command, name, args) => {
    common(command).action(async (...typed: unknown[]) => {
      // commander passes the arguments, then the options, then the command
      await run(typed.at(-2) as CommonOptions, name, args(...(typed.slice(0, -2) as string[])));
    });
  };

  return { terminal, common, call, run, plain, end };
}
