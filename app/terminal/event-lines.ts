// The events of `--json`.

import type { HostEvent } from '../contract/events.ts';

/** One line. Nothing for `row-changed`, which only the window's live state needs: even writing nothing would be a system call. */
export function writeEvent(output: Pick<NodeJS.WritableStream, 'write'>, event: HostEvent): void {
  if (event.event !== 'row-changed') output.write(`${JSON.stringify(event)}\n`);
}
