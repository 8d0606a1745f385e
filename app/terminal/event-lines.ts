// The events of `--json`.

import type { HostEvent } from '../contract/events.ts';

/** Empty for `row-changed`, which only the window's live state needs. */
export function eventLine(event: HostEvent): string {
  return event.event === 'row-changed' ? '' : `${JSON.stringify(event)}\n`;
}
