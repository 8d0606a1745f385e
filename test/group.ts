// What the files of one process share: started by the first file that needs it, closed after the last test.

interface Closable {
  close(): Promise<void>;
}

let isGroup = false;
const started: Promise<Closable>[] = [];

/** Called before the first file. */
export function beginGroup(): void {
  isGroup = true;
}

export async function endGroup(): Promise<void> {
  for (const one of await Promise.allSettled(started))
    if (one.status === 'fulfilled') await one.value.close();
}

/** A start that all files of a group share. A file with a process of its own starts and closes it itself. */
export function sharedInGroup<Thing extends Closable>(start: () => Promise<Thing>): () => Promise<Thing> {
  let first: Promise<Thing> | undefined;
  return async () => {
    if (!isGroup) return start();
    if (first === undefined) {
      first = start();
      started.push(first);
    }
    return { ...(await first), close: () => Promise.resolve() };
  };
}
