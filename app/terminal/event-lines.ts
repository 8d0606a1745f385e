// The events of `--json`: one line each, gathered for a moment, so that a busy host does not wake its reader for every lock.

export interface EventLines {
  write(event: object): void;
  /** Writes what is gathered, now. */
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
