// The log: one JSON object per line, or readable text for people. Secrets are removed from the finished line
// here, so that no caller can forget it. A log that can't be written never fails or delays what it reports.

import { styleText } from 'node:util';
import type { JournalEntry } from './journal.ts';
import { createLineWriter } from './line-writer.ts';
import { createLogTail, type LogTail } from './log-tail.ts';
import { redactLine } from './redact.ts';

export interface Logger {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  /**
   * The line of a request. The caller guarantees that its texts contain no secrets: created by the host, or already passed
   * through `redact`. Checking thousands of lines a second again would cost most of their time.
   */
  request(entry: JournalEntry): void;
  /** Writes buffered lines, before the process exits. */
  flush(): void;
  /** The latest lines; undefined for a log that keeps none. */
  tail?: LogTail;
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof levels)[number];

export interface LoggerOptions {
  /** Lines from before this start, oldest first. */
  earlier?: readonly string[];
  destination: NodeJS.WritableStream | 'stderr';
  pretty: boolean;
  /** Colors the readable text; false by default. */
  hasColors?: boolean;
  level?: LogLevel;
  /** Completes the commands that a sentence names. */
  complete?: ((text: string) => string) | undefined;
}

export function createLogger(options: LoggerOptions): Logger {
  const out = options.destination === 'stderr' ? standardError() : streamWriter(options.destination);
  const isOn = (level: LogLevel): boolean => levels.indexOf(level) >= levels.indexOf(options.level ?? 'info');
  const tail = createLogTail();
  for (const line of options.earlier ?? []) tail.add(line);
  const write = (line: string): void => {
    tail.add(line);
    out.write(options.pretty ? textOf(line, options.hasColors === true) : `${line}\n`);
  };
  const { complete = (text: string) => text } = options;
  const at = (level: LogLevel): Logger['info'] =>
    isOn(level)
      ? (fields, text) => write(redactLine(lineOf(level, fields, complete(text))))
      : () => undefined;
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    request: isOn('info') ? (entry) => write(requestLine(entry)) : () => undefined,
    flush: () => out.flush(),
    tail,
  };
}

function lineOf(level: LogLevel, fields: object, msg: string): string {
  const time = new Date().toISOString();
  try {
    return JSON.stringify(
      { level, time, ...(fields instanceof Error ? { err: fields } : fields), msg },
      plain,
    );
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

/** Without what only the journal keeps: what was sent, and the beginnings of lock ids. */
function requestLine(entry: JournalEntry): string {
  const { operation: msg, path, status, durationMs, fileId, user, lock, correlationId, address } = entry;
  const time = new Date().toISOString();
  return JSON.stringify({
    level: 'info',
    time,
    msg,
    path,
    status,
    durationMs,
    fileId,
    user,
    lock,
    correlationId,
    address,
  });
}

const colors = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

/** `12:34:56 WARN What happened`, with each field below. */
function textOf(line: string, hasColors: boolean): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown> & {
    level: keyof typeof colors;
    time: string;
    msg: string;
  };
  const beneath = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value, null, 2)}`);
  // Restores the line breaks of a stack. Other control characters stay escaped.
  const text = [msg, ...beneath].join('\n').replaceAll(/(?<!\\)\\n|\n/gu, '\n    ');
  const name = level.toUpperCase();
  const label = hasColors ? styleText(colors[level], name, { validateStream: false }) : name;
  return `${new Date(time).toTimeString().slice(0, 8)} ${label} ${text.replaceAll(/[^\P{Cc}\n]/gu, '\ufffd')}\n`;
}

function standardError(): { write(line: string): void; flush(): void } {
  // Accessing the stream makes Node open a pipe on it; from then on writes return EAGAIN instead of blocking.
  const { fd } = process.stderr;
  process.stderr.on('error', () => undefined);
  const writer = createLineWriter(fd);
  process.once('exit', () => writer.flush());
  return writer;
}

function streamWriter(stream: NodeJS.WritableStream): { write(line: string): void; flush(): void } {
  stream.on('error', () => undefined);
  return {
    write(line) {
      if (stream.writable) stream.write(line);
    },
    flush: () => undefined,
  };
}
