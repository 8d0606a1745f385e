// Puts log lines on a file descriptor without ever making a request wait or the process fall: lines are gathered and
// written a few times a second, a reader that does not read costs only lines, one that is gone ends the log in silence.

import { writeSync } from 'node:fs';
import { errorCode } from '../contract/errors.ts';

export interface LineWriter {
  write(line: string): void;
  /** Writes what is gathered, now, as far as the other end takes it. For the moment before the process ends. */
  flush(): void;
}

export interface LineWriterOptions {
  /** Gathered for this long before they are written. */
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
      lines.push(`{"level":"warn","msg":"${dropped} log lines were dropped: nobody read them."}\n`);
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

/** A pipe that Node has opened as its standard error refuses instead of blocking; only then is trying again right. */
function isFull(error: unknown): boolean {
  return ['EAGAIN', 'EINTR'].includes(errorCode(error));
}
