// Counts saves: running ones, so that the process knows when it can exit, and those of each document and editor in the order they
// began, so that a host page knows whether the last change is on disk.

import { randomBytes } from 'node:crypto';
import type { SaveCounts } from '../contract/page-state.ts';

export interface RunningSaves {
  /** Call the returned function at the end. Without a document the save only counts as running. */
  begin(document?: { fileId: string; editorId: string | null }): (isWritten: boolean) => void;
  count(): number;
  countsOf(fileId: string, editorId: string | null): SaveCounts;
}

export function createRunningSaves(): RunningSaves {
  const run = randomBytes(6).toString('base64url');
  const counts = new Map<string, { begun: number; written: number }>();
  const keyOf = (fileId: string, editorId: string | null): string => `${fileId} ${editorId ?? ''}`;
  let running = 0;
  return {
    begin(document) {
      running += 1;
      const key = document === undefined ? undefined : keyOf(document.fileId, document.editorId);
      const own = key === undefined ? undefined : (counts.get(key) ?? { begun: 0, written: 0 });
      if (key !== undefined && own !== undefined) counts.set(key, own);
      const number = own === undefined ? 0 : (own.begun += 1);
      return (isWritten) => {
        running -= 1;
        if (isWritten && own !== undefined) own.written = Math.max(own.written, number);
      };
    },
    count: () => running,
    countsOf(fileId, editorId) {
      const { begun = 0, written = 0 } = counts.get(keyOf(fileId, editorId)) ?? {};
      return { run, begun, written };
    },
  };
}
