// Writes the events of `--json`, one per line. They are batched briefly, so that a busy host doesn't wake its reader for every
// lock.

import type { HostEvent } from '../contract/events.ts';

export interface EventLines {
  /** Skips `row-changed`, which only the window's live state needs. */
  write(event: HostEvent): void;
  /** Writes the current batch immediately. */
  flush(): void;
}

const delayMs = 20;

export function createEventLines(stdout: Pick<NodeJS.WritableStream, 'write'>): EventLines {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length > 0) stdout.write(lines.join(''));
    lines = [];
  };
  return {
    flush,
    write(event) {
      if (event.event === 'row-changed') return;
      lines.push(`${JSON.stringify(event)}\n`);
      timer ??= setTimeout(flush, delayMs);
    },
  };
}
