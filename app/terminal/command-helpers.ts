// Helpers shared by the command groups in commands/.

import { Option, type Command } from 'commander';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import { AppError, isErrorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { safeText } from '../contract/names.ts';
import type { Outcome } from '../contract/results.ts';
import { withCommandPrefix } from './command-prefix.ts';
import { Interrupted, UsageError, exitCode, exitCodeOf, type ExitCode } from './exit-code.ts';
import { type Show } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface CommonOptions {
  data?: string;
  json?: boolean;
  yes?: boolean;
}

export interface CommandHelpers {
  terminal: Terminal;
  /** Adds the options that all commands have. Scripts can pass --yes to any of them, without knowing which ones ask. */
  common(command: Command): Command;
  /** The same for a command that asks: its help lists --yes. */
  asking(command: Command): Command;
  /** Asks, unless --yes was given. @throws Interrupted if the answer isn't yes; UsageError without a terminal */
  confirm(options: CommonOptions, question: string): Promise<void>;
  /** For a command that will ask: fails before it does anything else. @throws UsageError without a terminal and --yes */
  requireAnswer(options: CommonOptions): Promise<void>;
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
   * Runs a command on all items, in batches. Reports the items that failed and sets the exit code. @throws AppError
   * @param done returns the line to print for an item that succeeded
   */
  runOnAll<Item>(
    options: CommonOptions,
    items: readonly Item[],
    run: (some: Item[]) => Promise<Outcome>,
    done: (path: string, id: string) => string,
  ): Promise<void>;
  /** Adds a command that has only the common options; `args` receives the typed arguments in order. */
  plain<Name extends CommandName>(
    command: Command,
    name: Name,
    args: (...typed: string[]) => CommandArgs<Name>,
    show: Show<Name>,
  ): void;
  /** Sets the exit code, which is 0 by default. */
  end(code: ExitCode): void;
}

/** Keeps a request below the size limit of the control socket. */
const itemsAtOnce = 400;

/** @throws UsageError */
export function wholeNumber(option: string, typed: string, max: number): number {
  const number = /^\d{1,6}$/u.test(typed) ? Number(typed) : 0;
  if (number < 1 || number > max) throw new UsageError(t('terminal.whole-number', { option, max }));
  return number;
}

/** @param end sets the exit code, which is 0 by default */
export function createCommandHelpers(terminal: Terminal, end: (code: ExitCode) => void): CommandHelpers {
  const withOptions = (command: Command, asks: boolean): Command =>
    command
      .option('--data <dir>', t('terminal.help-data'))
      .option('--json', t('terminal.help-json'))
      .addOption(new Option('--yes', t('terminal.help-yes')).hideHelp(!asks));
  const common: CommandHelpers['common'] = (command) => withOptions(command, false);
  const asking: CommandHelpers['asking'] = (command) => withOptions(command, true);

  const requireAnswer: CommandHelpers['requireAnswer'] = async ({ yes }) => {
    if (yes !== true) (await import('./prompt.ts')).requireInteractive(terminal);
  };

  const confirm: CommandHelpers['confirm'] = async ({ yes }, question) => {
    if (yes !== true && !(await (await import('./prompt.ts')).confirm(terminal, question)))
      throw new Interrupted();
  };

  async function call<Name extends CommandName>(
    options: CommonOptions,
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>> {
    const { callCommand } = await import('./call-command.ts');
    return callCommand(terminal, options.data, name, args);
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

  const runOnAll: CommandHelpers['runOnAll'] = async (options, items, run, lineOf) => {
    const outcome: Outcome = { done: [], failed: [] };
    for (let start = 0; start < items.length; start += itemsAtOnce) {
      // oxlint-disable-next-line no-await-in-loop
      const { done, failed, gone } = await run(items.slice(start, start + itemsAtOnce));
      outcome.done.push(...done);
      outcome.failed.push(...failed);
      if (gone !== undefined) (outcome.gone ??= []).push(...gone);
    }
    const { done, failed, gone = [] } = outcome;
    if (options.json === true) terminal.stdout.write(`${JSON.stringify(outcome)}\n`);
    else for (const { id, path } of done) terminal.stdout.write(`${safeText(lineOf(path, id))}\n`);
    for (const path of gone) terminal.stderr.write(`${safeText(t('terminal.was-already-gone', { path }))}\n`);
    for (const { id, path, message } of failed) {
      const text = withCommandPrefix(message, terminal);
      terminal.stderr.write(
        `${safeText(items.length === 1 ? text : `${path === '' ? id : path}: ${text}`)}\n`,
      );
    }
    // Of several reasons, none stands for all.
    const codes = new Set(
      failed.map(({ code }) => exitCodeOf(new AppError(isErrorCode(code) ? code : 'internal'))),
    );
    for (const code of codes) end(codes.size === 1 ? code : exitCode.failed);
  };

  const plain: CommandHelpers['plain'] = (command, name, args, show) => {
    common(command).action(async (...typed: unknown[]) => {
      // commander passes the arguments, then the options, then the command
      await run(typed.at(-2) as CommonOptions, name, args(...(typed.slice(0, -2) as string[])), show);
    });
  };

  return { terminal, common, asking, confirm, requireAnswer, call, run, runOnAll, plain, end };
}
