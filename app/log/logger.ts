// The log: one JSON object per line, in a file or on standard error, there also as readable text. Secrets are removed from the finished
// line here, so that no caller can forget it. A log that can't be written never fails or delays what it reports.

import { appendFileSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { errorCode } from '../contract/errors.ts';
import type { JournalEntry } from './journal.ts';
import { redactLine } from './redact.ts';

const colors = { info: 'green', warn: 'yellow', error: 'red' } as const;
type Level = keyof typeof colors;

export interface Logger extends Record<Level, (fields: object, text: string) => void> {
  /**
   * The line of a request. The caller guarantees that its texts contain no secrets: created by the host, or already passed
   * through `redact`. Checking thousands of lines a second again would cost most of their time.
   */
  request(entry: JournalEntry): void;
  /** Writes buffered lines, before the process exits. */
  flush(): void;
  /** The latest lines, oldest first, as JSON; undefined for a log that keeps none. */
  tail?: () => string[];
}

export interface Output {
  /** Lines from before this start, oldest first. */
  earlier?: readonly string[];
  /** @param line JSON */
  write(line: string, level: Level): void;
  flush?(): void;
}

/** @param complete completes the commands that a sentence names */
export function createLogger(
  outputs: readonly Output[],
  complete: (text: string) => string = (text) => text,
): Logger {
  const tail = createTail();
  for (const line of outputs.flatMap(({ earlier = [] }) => earlier)) tail.add(line);
  const write = (line: string, level: Level): void => {
    tail.add(line);
    for (const output of outputs) output.write(line, level);
  };
  const at = (level: Level) => (fields: object, text: string) =>
    write(redactLine(lineOf(level, fields, complete(text))), level);
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    // Without what only the journal keeps: what was sent, and the beginnings of lock ids.
    request({ operation: msg, path, status, durationMs, fileId, user, lock, correlationId, address }) {
      const fields = { msg, path, status, durationMs, fileId, user, lock, correlationId, address };
      write(JSON.stringify({ level: 'info', time: new Date().toISOString(), ...fields }), 'info');
    },
    flush() {
      for (const output of outputs) output.flush?.();
    },
    tail: tail.lines,
  };
}

function lineOf(level: Level, fields: object, msg: string): string {
  const time = new Date().toISOString();
  try {
    return JSON.stringify({ level, time, ...fields, msg }, plain);
  } catch {
    // A circular reference, or a getter that throws.
    return JSON.stringify({ level, time, msg });
  }
}

/** Replaces what JSON can't represent: an error becomes its message, stack and causes, without other properties. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  const { name: type, message, stack, cause } = value;
  const facts = Object.entries(value).filter(([, fact]) => typeof fact !== 'object');
  const errors = value instanceof AggregateError ? value.errors : undefined;
  return { type, message, stack, ...Object.fromEntries(facts), cause, errors };
}

/** Keeps 500 to 1000 of each: warnings and errors apart, so that a busy day doesn't push them out. */
function createTail() {
  let number = 0;
  const problems: { number: number; line: string }[] = [];
  const others: typeof problems = [];
  return {
    add(line: string): void {
      const kept = /^\{"level":"(?:warn|error)"/u.test(line) ? problems : others;
      kept.push({ number: ++number, line });
      if (kept.length > 1000) kept.splice(0, 500);
    },
    lines: () => [...problems, ...others].toSorted((a, b) => a.number - b.number).map(({ line }) => line),
  };
}

type Fields = Record<string, unknown> & { level: Level; time: string; msg: string };

/** `12:34:56 WARN What happened`, with each field below. */
export function readable(line: string, hasColors = false): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Fields;
  const beneath = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value, null, 2)}`);
  // Restores the line breaks of a stack. Other control characters stay escaped.
  const text = [msg, ...beneath].join('\n').replaceAll(/(?<!\\)\\n|\n/gu, '\n    ');
  const name = level.toUpperCase();
  const label = hasColors ? styleText(colors[level], name, { validateStream: false }) : name;
  return `${new Date(time).toTimeString().slice(0, 8)} ${label} ${text.replaceAll(/[^\P{Cc}\n]/gu, '\ufffd')}`;
}

/** Lines for a stream; on standard error, they don't wait for a reader. @param format such as `readable` */
export function toStream(
  stream: NodeJS.WriteStream | NodeJS.WritableStream,
  format = (line: string) => line,
): Output {
  stream.on('error', () => undefined);
  if (stream !== process.stderr)
    return { write: (line) => void (stream.writable && stream.write(`${format(line)}\n`)) };
  // Accessing the stream makes Node open a pipe on it; from then on writes return EAGAIN instead of blocking.
  const output = buffered((bytes) => writeSync(process.stderr.fd, bytes), 20);
  return { ...output, write: (line) => output.write(format(line)) };
}

/** `doctray.log`, for this user only. When it has grown large, it is renamed to `.old`, replacing the one before. */
export function toFile(dataDir: string, limitBytes = 5_000_000): Required<Output> {
  const path = join(dataDir, 'doctray.log');
  const earlier = endOfFile(path);
  const output = buffered((bytes) => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > limitBytes) renameSync(path, `${path}.old`);
    appendFileSync(path, bytes, { mode: 0o600 });
    return bytes.length;
  }, 200);
  return { ...output, earlier };
}

/** The last 256 KiB of a file as lines, oldest first. The first one may be cut. */
function endOfFile(path: string): string[] {
  try {
    const bytes = readFileSync(path);
    return bytes
      .subarray(-256 * 1024)
      .toString()
      .split('\n');
  } catch {
    return [];
  }
}

/**
 * Collects lines and writes them a few times a second. If the reader is slow, lines are dropped. If it is gone, or the disk is full,
 * they are lost, and nothing else.
 * @param write returns how many bytes were taken
 * @param max characters waiting; beyond it, new lines are dropped and counted
 */
export function buffered(write: (bytes: Buffer) => number, delayMs: number, max = 4 << 20) {
  let pending = '';
  let dropped = 0;
  let rest: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;

  const schedule = () => void (timer ??= setTimeout(flush, delayMs).unref());
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    try {
      while (rest.length > 0 || pending !== '') {
        if (rest.length === 0) rest = gather();
        rest = rest.subarray(write(rest));
      }
    } catch (error) {
      // A pipe that is full is tried again.
      if (['EAGAIN', 'EINTR'].includes(errorCode(error))) schedule();
      else rest = Buffer.alloc(0);
    }
  }
  function gather(): Buffer {
    const sentence = `${dropped} log lines were dropped because they weren’t read in time.`;
    if (dropped > 0) pending += `{"level":"warn","msg":"${sentence}"}\n`;
    const bytes = Buffer.from(pending);
    [pending, dropped] = ['', 0];
    return bytes;
  }
  process.once('exit', flush);
  return {
    flush,
    write(line: string): void {
      schedule();
      if (pending.length + line.length > max) dropped += 1;
      else pending += `${line}\n`;
    },
  };
}
