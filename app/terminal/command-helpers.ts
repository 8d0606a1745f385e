// What the groups of commands on the command line are built with.

import type { Command } from 'commander';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import type { Outcome } from '../contract/results.ts';
import { withCommandPrefix } from './command-prefix.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { safeText, type Show } from './table.ts';
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
    show: Show<Name>,
  ): Promise<CommandResult<Name>>;
  /** Runs a command and shows nothing. @throws AppError */
  call<Name extends CommandName>(
    options: CommonOptions,
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>>;
  /**
   * Runs a command on each of these, some at a time. Those that failed are reported, and the exit code says so. @throws AppError
   * @param done what to print about each that was done
   */
  runOnAll<Item>(
    options: CommonOptions,
    items: readonly Item[],
    run: (some: Item[]) => Promise<Outcome>,
    show: { done: (path: string, id: string) => string; failed?: ExitCode },
  ): Promise<void>;
  /** A command without options of its own; `args` gets what was typed, in order. */
  plain<Name extends CommandName>(
    command: Command,
    name: Name,
    args: (...typed: string[]) => CommandArgs<Name>,
    show: Show<Name>,
  ): void;
  /** Sets the exit code if it isn't that of success. */
  end(code: ExitCode): void;
}

/** So that a request fits into what the control socket takes. */
const itemsAtOnce = 400;

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
    show: Show<Name>,
  ): Promise<CommandResult<Name>> {
    const result = await call(options, name, args);
    const text =
      options.json === true ? JSON.stringify(result) : withCommandPrefix(show(result, Date.now()), terminal);
    terminal.stdout.write(`${text}\n`);
    return result;
  }

  const runOnAll: CommandHelpers['runOnAll'] = async (options, items, run, show) => {
    const outcome: Outcome = { done: [], failed: [] };
    for (let start = 0; start < items.length; start += itemsAtOnce) {
      // oxlint-disable-next-line no-await-in-loop
      const { done, failed } = await run(items.slice(start, start + itemsAtOnce));
      outcome.done.push(...done);
      outcome.failed.push(...failed);
    }
    const { done, failed } = outcome;
    if (options.json === true) terminal.stdout.write(`${JSON.stringify({ done, failed })}\n`);
    else for (const { id, path } of done) terminal.stdout.write(`${safeText(show.done(path, id))}\n`);
    for (const { id, path, message } of failed) {
      const text = withCommandPrefix(message, terminal);
      terminal.stderr.write(
        `${safeText(items.length === 1 ? text : `${path === '' ? id : path}: ${text}`)}\n`,
      );
    }
    if (failed.length > 0) end(show.failed ?? exitCode.notThere);
  };

  const plain: CommandHelpers['plain'] = (command, name, args, show) => {
    common(command).action(async (...typed: unknown[]) => {
      // commander passes the arguments, then the options, then the command
      await run(typed.at(-2) as CommonOptions, name, args(...(typed.slice(0, -2) as string[])), show);
    });
  };

  return { terminal, common, call, run, runOnAll, plain, end };
}
