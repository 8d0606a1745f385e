// The log of an app that nobody started from a terminal: a file in the data folder, for this user alone. When it has grown
// large it becomes the former one, and the one before that is gone.

import { appendFileSync, renameSync, statSync } from 'node:fs';
import { Writable } from 'node:stream';

export interface LogFile {
  /** For `createLogger`. */
  stream: Writable;
  /** Writes what is gathered; before the process ends. */
  flush(): void;
}

const usualLimitBytes = 5_000_000;
const delayMs = 200;

export function openLogFile(path: string, limitBytes = usualLimitBytes): LogFile {
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
      size += text.length;
    } catch {
      // a full disk costs lines of the log and nothing else
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

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
