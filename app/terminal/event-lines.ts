// Writes the events of `--json`, one per line. They are batched briefly, so that a busy host doesn't wake its reader for every
// lock.

export interface EventLines {
  write(event: object): void;
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
      lines.push(`${JSON.stringify(event)}\n`);
      timer ??= setTimeout(flush, delayMs);
    },
  };
}
