// Helpers shared by the command groups in commands/.

import { Option, type Command } from 'commander';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import { AppError, isErrorCode } from '../contract/errors.ts';
import { containerEngineNames, documentServerProducts } from '../contract/document-servers.ts';
import { isMessageKey, t, type MessageKey } from '../contract/messages.ts';
import { safeText } from '../contract/names.ts';
import { maxApiTokenDays, type Outcome } from '../contract/results.ts';
import { withCommandPrefix } from './command-prefix.ts';
import { Interrupted, UsageError, exitCode, exitCodeOf, type ExitCode } from './exit-code.ts';
import { type Show } from './table.ts';
import type { Terminal } from './terminal.ts';

export interface CommonOptions {
  data?: string;
  json?: boolean;
  yes?: boolean;
}

export type CommandHelpers = ReturnType<typeof createCommandHelpers>;

/** Keeps a request below the size limit of the control socket. */
const itemsAtOnce = 400;

/** Of arguments and options, by name. */
const choices: Readonly<Record<string, readonly string[]>> = {
  engine: containerEngineNames,
  mode: ['edit', 'view'],
  place: ['keychain', 'file'],
  product: documentServerProducts,
  proof: ['off', 'if-present', 'required'],
  role: ['editor', 'viewer'],
};
/** Of options that take a whole number from 1. */
const limits: Readonly<Record<string, number>> = { days: maxApiTokenDays, lines: 10_000, minutes: 1440 };

/** What an argument or option is called in `commands/`, if not as in a usage. */
const argNames: Readonly<Record<string, string>> = {
  acceptOtherHosts: 'acceptsOtherHosts',
  copy: 'id',
  editor: 'id',
  file: 'path',
  version: 'versionId',
};

/** @throws UsageError */
function wholeNumber(option: string, typed: string, max: number): number {
  const number = /^\d{1,6}$/u.test(typed) ? Number(typed) : 0;
  if (number < 1 || number > max) throw new UsageError(t('terminal.whole-number', { option, max }));
  return number;
}

/**
 * Its help is the message `terminal.option-COMMAND-NAME`, or the one that several commands share, `terminal.option-NAME`.
 * @param usage `[--mode <mode>=edit]`, or without brackets if it is required @param command its words, joined by `-`
 */
function optionOf(usage: string, command: string): Option {
  const [flags = '', preset] = usage.replace(/^\[(.*)\]$/u, '$1').split('=');
  const name = /^--([\w-]+)/u.exec(flags)?.[1] ?? '';
  const own = `terminal.option-${command}-${name}`;
  const option = new Option(flags, t(isMessageKey(own) ? own : (`terminal.option-${name}` as MessageKey)));
  option.makeOptionMandatory(!usage.startsWith('['));
  const max = limits[name];
  if (choices[name] !== undefined) option.choices(choices[name]);
  if (max !== undefined) option.argParser((typed: string) => wholeNumber(`--${name}`, typed, max));
  if (preset !== undefined)
    option.default(max === undefined ? preset : Number(preset), JSON.stringify(preset));
  return option;
}

function addCommand(program: Command, usage: string): Command {
  const [head = '', ...options] = usage.split(/ (?=\[?--)/u);
  const [words = '', ...args] = head.split(/ (?=[<[])/u);
  const [first = '', second] = words.split(' ');
  const description = (name: string): string => t(`terminal.help-${name}` as MessageKey);
  let parent = program;
  if (second !== undefined)
    parent =
      program.commands.find((one) => one.name() === first) ??
      program.command(first).description(description(first));
  const name = words.replace(' ', '-');
  const command = parent
    .command([second ?? first, ...args].join(' '), {
      isDefault: second !== undefined && parent.commands.length === 0,
    })
    .description(description(name));
  for (const argument of command.registeredArguments) {
    const allowed = choices[argument.name()];
    if (allowed !== undefined) argument.choices(allowed);
  }
  // For the help: the program takes the common options, so that they may come before the words of a command.
  for (const option of ['[--data <dir>]', '[--json]', ...options]) command.addOption(optionOf(option, name));
  return command;
}

/** Its arguments in order, then its options. */
function typedIn(command: Command): unknown[] {
  const args: unknown[] = command.processedArgs;
  return [...args, command.optsWithGlobals()];
}

/** Its arguments and options by name, without the common options. */
function namedArgs(command: Command, cwd: string): Record<string, unknown> {
  const { data: _data, json: _json, yes: _yes, ...args } = command.optsWithGlobals<Record<string, unknown>>();
  const names = command.registeredArguments.map((argument) => argument.name());
  for (const [index, name] of names.entries()) args[name] = command.processedArgs[index];
  if (names.some((name) => name === 'file' || name === 'copy')) args['cwd'] = cwd;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [argNames[name] ?? name, value]));
}

/** @param end sets the exit code, which is 0 by default */
export function createCommandHelpers(program: Command, terminal: Terminal, end: (code: ExitCode) => void) {
  /**
   * Adds a command. `action` receives its arguments in order, then its options.
   * @param usage its words, arguments and options, as in `users add <login> [--role <role>=editor]`; an option without brackets is required.
   * With `[--yes]`, its help lists that option. What stands for a value in `choices` or `limits` is checked. The first command of a group
   * is its default.
   */
  const add = (usage: string, action: (...typed: never[]) => Promise<void>): void => {
    const command = addCommand(program, usage);
    command.action(() => action(...(typedIn(command) as never[])));
  };

  /**
   * The same for a command that only runs a command and shows its result.
   * @param args by default, what was typed, under its name in `usage` or in `argNames`; `cwd` accompanies a path
   * @param question asked first
   */
  const command = <Name extends CommandName, Typed extends unknown[]>(
    usage: string,
    name: Name,
    show: Show<Name>,
    {
      args,
      question,
    }: { args?: (...typed: Typed) => CommandArgs<Name>; question?: (...typed: Typed) => string } = {},
  ): void => {
    const added = addCommand(program, usage);
    added.action(async () => {
      const typed = typedIn(added) as Typed;
      const options: CommonOptions = added.optsWithGlobals();
      if (question !== undefined) await confirm(options, question(...typed));
      const given = args?.(...typed) ?? (namedArgs(added, terminal.cwd) as CommandArgs<Name>);
      await run(options, name, given, show);
    });
  };

  /** For a command that will ask: fails before it does anything else. @throws UsageError without a terminal and --yes */
  const requireAnswer = async ({ yes }: CommonOptions): Promise<void> => {
    if (yes !== true) (await import('./prompt.ts')).requireInteractive(terminal);
  };

  /** Asks, unless --yes was given. @throws Interrupted if the answer isn't yes; UsageError without a terminal */
  const confirm = async ({ yes }: CommonOptions, question: string): Promise<void> => {
    if (yes !== true && !(await (await import('./prompt.ts')).confirm(terminal, question)))
      throw new Interrupted();
  };

  /** Runs a command and shows nothing. @throws AppError */
  async function call<Name extends CommandName>(
    options: CommonOptions,
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>> {
    const { callCommand } = await import('./call-command.ts');
    return callCommand(terminal, options.data, name, args);
  }

  /** Runs a command and shows its result. @throws AppError */
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

  /**
   * Runs a command on all items, in batches. Reports the items that failed and sets the exit code. @throws AppError
   * @param lineOf returns the line to print for an item that succeeded
   */
  const runOnAll = async <Item>(
    options: CommonOptions,
    items: readonly Item[],
    runOn: (some: Item[]) => Promise<Outcome>,
    lineOf: (path: string, id: string) => string,
  ): Promise<void> => {
    const done: Outcome['done'] = [];
    const failed: Outcome['failed'] = [];
    const gone: string[] = [];
    for (let start = 0; start < items.length; start += itemsAtOnce) {
      const some = await runOn(items.slice(start, start + itemsAtOnce));
      done.push(...some.done);
      failed.push(...some.failed);
      gone.push(...(some.gone ?? []));
    }
    if (options.json === true) {
      const outcome = { done, failed, ...(gone.length > 0 && { gone }) };
      terminal.stdout.write(`${JSON.stringify(outcome)}\n`);
    } else for (const { id, path } of done) terminal.stdout.write(`${safeText(lineOf(path, id))}\n`);
    for (const path of gone) terminal.stderr.write(`${safeText(t('terminal.was-already-gone', { path }))}\n`);
    for (const { id, path, message } of failed) {
      const text = withCommandPrefix(message, terminal);
      const line = items.length === 1 ? text : `${path === '' ? id : path}: ${text}`;
      terminal.stderr.write(`${safeText(line)}\n`);
    }
    // Of several reasons, none stands for all.
    const codes = new Set(
      failed.map(({ code }) => exitCodeOf(new AppError(isErrorCode(code) ? code : 'internal'))),
    );
    for (const code of codes) end(codes.size === 1 ? code : exitCode.failed);
  };

  return { terminal, add, command, confirm, requireAnswer, call, run, runOnAll, end };
}
