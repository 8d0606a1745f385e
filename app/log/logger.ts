// The log: JSON lines on standard error, for people on a terminal as text. Secrets are taken out of the finished line,
// here, so that no caller can forget it. A log that cannot be written never fails or delays what it tells of.

import { pino, stdSerializers, stdTimeFunctions } from 'pino';
import { createLineWriter } from './line-writer.ts';
import { redactLine } from './redact.ts';

export interface Logger {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  /**
   * The line of a request. Its fields are the caller's word that nothing in them opens anything: made by the host, or
   * through `redact` already. Looking through each of thousands of lines a second once more would cost most of their time.
   */
  request(fields: object, operation: string): void;
  /** Writes what is still gathered; before the process ends. */
  flush(): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  destination: NodeJS.WritableStream | 'stderr';
  pretty: boolean;
  level?: LogLevel;
}

export async function createLogger(options: LoggerOptions): Promise<Logger> {
  const out = options.destination === 'stderr' ? standardError() : streamWriter(options.destination);
  const shape = options.pretty ? await prettyLines() : (line: string) => line;
  const log = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err, error: stdSerializers.err, cause: stdSerializers.err },
      depthLimit: 6,
    },
    { write: (line: string) => out.write(shape(redactLine(line))) },
  );
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: object, text: string): void => {
      try {
        log[level](fields, text);
      } catch {
        log[level]({}, text); // a field that throws when it is looked at
      }
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    request(fields, operation) {
      if (!log.isLevelEnabled('info')) return;
      const time = new Date().toISOString();
      out.write(shape(`${JSON.stringify({ level: 'info', time, msg: operation, ...fields })}\n`));
    },
    flush: () => out.flush(),
  };
}

function standardError(): { write(line: string): void; flush(): void } {
  // Asking for the stream makes Node open a pipe on it, from where on writing to it refuses instead of blocking.
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

async function prettyLines(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  const toText = prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' });
  return (line) => toText(line) ?? '';
}
