// Runs the command line once and returns its exit code.

import { CommanderError } from 'commander';
import { describeError } from '../contract/errors.ts';
import { redact } from '../log/redact.ts';
import { createCommandLine } from './command-line.ts';
import { withCommandPrefix } from './command-prefix.ts';
import { Interrupted, exitCode, exitCodeOf, UsageError, type ExitCode } from './exit-code.ts';
import { ownTerminal, type Terminal } from './terminal.ts';

/** Never throws: an error becomes one sentence on standard error and an exit code. */
export async function runTerminal(args: string[], terminal: Terminal = ownTerminal()): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  const program = createCommandLine(terminal, (ending) => {
    code = ending;
  });
  // EPIPE isn't a failure: a reader such as `| head` has closed the pipe.
  terminal.stdout.on('error', () => undefined);
  try {
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return exitCode.wrongUse;
    }
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    code = report(error, terminal);
  }
  await drained(terminal.stdout);
  return code;
}

function report(error: unknown, terminal: Terminal): ExitCode {
  const { stderr } = terminal;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCode.done;
    const sentence = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
    if (error.code !== 'commander.help') stderr.write(`${capital(sentence)}; see --help.\n`);
    return exitCode.wrongUse;
  }
  if (error instanceof Interrupted) {
    stderr.write('Nothing was changed.\n');
    return exitCode.interrupted;
  }
  if (error instanceof UsageError) {
    stderr.write(`${withCommandPrefix(error.message, terminal)}\n`);
    return exitCode.wrongUse;
  }
  const described = describeError(error);
  const message = withCommandPrefix(described.message, terminal);
  stderr.write(`${message}${described === error ? '' : ` (${firstLine(error)})`}\n`);
  return exitCodeOf(described);
}

function firstLine(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1).replace(/\.$/, '');
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
