// Writes log lines to a file descriptor without blocking requests or crashing the process: lines are buffered and written a few
// times a second; if the reader is slow, lines are dropped; if it is gone, the log ends silently.

import { writeSync } from 'node:fs';
import { errorCode } from '../contract/errors.ts';

export interface LineWriter {
  write(line: string): void;
  /** Writes buffered lines now, as far as the reader accepts them. For the moment before the process exits. */
  flush(): void;
}

export interface LineWriterOptions {
  /** How long lines are buffered. */
  delayMs?: number;
  /** Beyond this many characters the newest lines are dropped and counted. */
  maxPending?: number;
}

export function createLineWriter(descriptor: number, options: LineWriterOptions = {}): LineWriter {
  const { delayMs = 20, maxPending = 4 << 20 } = options;
  let lines: string[] = [];
  let pending = 0;
  let dropped = 0;
  let rest: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  let isGone = false;

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, delayMs).unref();
  }

  function flush(): void {
    while (!isGone && (rest.length > 0 || lines.length > 0)) {
      if (rest.length === 0) gather();
      try {
        rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        if (!isFull(error)) isGone = true;
        break;
      }
    }
    if (isGone) {
      lines = [];
      rest = Buffer.alloc(0);
    } else if (rest.length > 0) schedule();
  }

  function gather(): void {
    if (dropped > 0)
      lines.push(
        `{"level":"warn","msg":"${dropped} log lines were dropped because they weren’t read in time."}\n`,
      );
    rest = Buffer.from(lines.join(''));
    lines = [];
    pending = 0;
    dropped = 0;
  }

  return {
    write(line) {
      if (isGone) return;
      if (pending + line.length > maxPending) {
        dropped += 1;
        return;
      }
      lines.push(line);
      pending += line.length;
      schedule();
    },
    flush,
  };
}

/** A pipe that Node has opened as its standard error returns EAGAIN instead of blocking; only then is a retry right. */
function isFull(error: unknown): boolean {
  return ['EAGAIN', 'EINTR'].includes(errorCode(error));
}
