// The log for people who don't read it as it is written: a private file in the data folder. When the file has grown large it is
// renamed to `.old`, replacing the one before.

import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLogger, type Logger, type LoggerOptions } from './logger.ts';

export interface LogFile {
  /** For `createLogger`. */
  stream: Writable;
  /** Writes the buffered lines; call it before the process exits. */
  flush(): void;
}

/** Logs to `doctray.log`. Its `tail` begins with the end of the log before. */
export function createFileLogger(dataDir: string, complete: LoggerOptions['complete']): Logger {
  const path = join(dataDir, 'doctray.log');
  const earlier = readLogTail(path);
  const { stream, flush } = openLogFile(path);
  process.on('exit', flush);
  return { ...createLogger({ destination: stream, pretty: false, earlier, complete }), flush };
}

const defaultLimitBytes = 5_000_000;
const delayMs = 200;

export function openLogFile(path: string, limitBytes = defaultLimitBytes): LogFile {
  let lines: string[] = [];
  let size = sizeOf(path);
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    try {
      if (size > limitBytes) {
        renameSync(path, `${path}.old`);
        size = 0;
      }
      appendFileSync(path, text, { mode: 0o600 });
      size += Buffer.byteLength(text);
    } catch {
      // A full disk loses lines of the log, nothing else.
    }
  }
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, _encoding, done) {
      lines.push(chunk.toString());
      timer ??= setTimeout(flush, delayMs).unref();
      done();
    },
  });
  return { stream, flush };
}

/** The latest lines of a log file that was written before, oldest first. */
export function readLogTail(path: string, maxBytes = 256 * 1024): string[] {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, maxBytes));
      readSync(file, bytes, 0, bytes.length, size - bytes.length);
      const lines = bytes.toString().split('\n').filter(Boolean);
      // The first one may be cut.
      return size > maxBytes ? lines.slice(1) : lines;
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
