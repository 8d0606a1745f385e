// Runs the command line once and returns its exit code.

import { CommanderError, type Command } from 'commander';
import { describeError, errorCode, messageFor } from '../contract/errors.ts';
import { chooseLanguage, t, type MessageKey } from '../contract/messages.ts';
import { languageFor } from '../languages.ts';
import { redact } from '../log/redact.ts';
import { createCommandLine } from './command-line.ts';
import { withCommandPrefix } from './command-prefix.ts';
import { Interrupted, exitCode, exitCodeOf, UsageError, type ExitCode } from './exit-code.ts';
import { isReaderGone, ownTerminal, type Terminal } from './terminal.ts';
import { userLanguages } from './user-languages.ts';

/** Never throws: an error becomes one sentence on standard error and an exit code. */
export async function runTerminal(args: string[], terminal: Terminal = ownTerminal()): Promise<ExitCode> {
  chooseLanguage(languageFor(userLanguages(terminal.env, terminal.platform)));
  let code: ExitCode = exitCode.done;
  const program = createCommandLine(terminal, (ending) => {
    code = ending;
  });
  let isOutputLost = false;
  terminal.stdout.on('error', (error) => {
    if (isReaderGone(error) || isOutputLost) return;
    isOutputLost = true;
    terminal.stderr.write(`${t('terminal.the-output-ends-here', { code: errorCode(error) })}\n`);
  });
  // Nothing can be reported there; without a listener, the error would end the process in the middle of a command.
  terminal.stderr.on('error', () => undefined);
  try {
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return exitCode.wrongUse;
    }
    assertKnownCommand(args, program);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    code = report(error, terminal);
  }
  await drained(terminal.stdout);
  // A failed write to a file is reported in the next turn.
  await new Promise(setImmediate);
  return isOutputLost && code === exitCode.done ? exitCode.failed : code;
}

/**
 * The second word isn't a command of its group. Commander would report it as an argument of the group's default command, its first.
 * @throws UsageError
 */
function assertKnownCommand(args: readonly string[], program: Command): void {
  const words = args.filter((one, index) => !one.startsWith('-') && args[index - 1] !== '--data');
  const group = program.commands.find((one) => one.name() === words[0]);
  const [first] = group?.commands ?? [];
  const [, word = ''] = words;
  if (group === undefined || first === undefined || first.registeredArguments.length > 0) return;
  if (/^(?!help$)\w/.test(word) && !group.commands.some((one) => one.name() === word))
    throw new UsageError(t('terminal.unknown-command-of-group', { command: `${group.name()} ${word}` }));
}

function report(error: unknown, terminal: Terminal): ExitCode {
  const { stderr } = terminal;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCode.done;
    if (error.code !== 'commander.help')
      stderr.write(`${t('terminal.sentence-see-help', { sentence: usageProblem(error) })}\n`);
    return exitCode.wrongUse;
  }
  if (error instanceof Interrupted) {
    stderr.write(`${t('terminal.nothing-was-changed')}\n`);
    return exitCode.interrupted;
  }
  if (error instanceof UsageError) {
    stderr.write(`${withCommandPrefix(error.message, terminal)}\n`);
    return exitCode.wrongUse;
  }
  const described = describeError(error);
  const { retryAfterSeconds } = described;
  const message = withCommandPrefix(messageFor('terminal', described), terminal);
  const cause = described === error ? '' : ` (${firstLine(error)})`;
  const wait =
    retryAfterSeconds === undefined ? '' : ` ${t('terminal.wait-at-least', { seconds: retryAfterSeconds })}`;
  stderr.write(`${message}${cause}${wait}\n`);
  return exitCodeOf(described);
}

/** Commander's sentences, without their first letter and last full stop. */
const usageProblems: readonly (readonly [RegExp, MessageKey])[] = [
  [/^missing required argument '(?<name>.+)'$/u, 'terminal.missing-argument'],
  [/^option '(?<option>.+)' argument missing$/u, 'terminal.option-argument-missing'],
  [/^required option '(?<option>.+)' not specified$/u, 'terminal.missing-option'],
  [/^unknown option '(?<option>.+)'$/u, 'terminal.unknown-option'],
  [/^unknown command '(?<command>.+)'$/u, 'terminal.unknown-command'],
  [
    /^too many arguments for '(?<command>.+)'\. Expected (?<expected>\d+) arguments? but got (?<given>\d+)$/u,
    'terminal.too-many-arguments',
  ],
  [
    /^option '(?<option>.+)' argument '(?<value>.*)' is invalid\. Allowed choices are (?<choices>.+)$/u,
    'terminal.option-is-invalid',
  ],
  [
    /^value '(?<value>.*)' is invalid for argument '(?<name>.+)'\. Allowed choices are (?<choices>.+)$/u,
    'terminal.argument-is-invalid',
  ],
];
const suggestions: typeof usageProblems = [
  [/^Did you mean one of (?<similar>.+)\?$/u, 'terminal.did-you-mean-one-of'],
  [/^Did you mean (?<similar>.+)\?$/u, 'terminal.did-you-mean'],
];

/** What Commander says, in the user's language. A message that isn't known, as of another version of Commander, stays in English. */
function usageProblem({ message }: CommanderError): string {
  const [, sentence = '', suggestion] =
    /^(?:error: )?(?:command-argument )?(.*?)\.?(?: \((Did you mean .*)\))?$/u.exec(
      message.replaceAll(/\s*\n\s*/g, ' '),
    ) ?? [];
  const problem = capital(worded(sentence, usageProblems));
  return suggestion === undefined ? problem : `${problem} (${worded(suggestion, suggestions)})`;
}

function worded(text: string, messages: typeof usageProblems): string {
  for (const [pattern, key] of messages) {
    const found = pattern.exec(text);
    if (found !== null) return t(key, { ...found.groups });
  }
  return text;
}

function firstLine(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Output to a pipe is asynchronous, and would be lost if the process exited before it is written. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0) resolve();
    else {
      stream.write('', () => resolve());
      setTimeout(resolve, 2000).unref();
    }
  });
}
