// The host's record of saves: which are running, so that the process knows when it can exit; those of each document and editor in the
// order they began, so that a host page knows whether the last change is on disk; and where the newest save is, if not in the file.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import type { MissedSave, SaveCounts } from '../contract/page-state.ts';
import type { MissedSavesTable } from '../store/missed-saves.ts';

/** `file`: its bytes are in the document. Undefined: DocTray doesn't have them. */
export type SavePlace = 'file' | Pick<MissedSave, 'kind' | 'keptId'> | undefined;

export interface RunningSaves {
  /** Call the returned function at the end. Without a document the save only counts as running. */
  begin(document?: { fileId: string; editorId: string | null }): (place: SavePlace) => void;
  /** A save that was rejected before it was received. */
  rejected(fileId: string): void;
  count(): number;
  countsOf(fileId: string, editorId: string | null): SaveCounts;
}

export interface RunningSavesDeps {
  missedSaves: Pick<MissedSavesTable, 'set' | 'clear'>;
  clock: Clock;
  onError: (error: unknown, text: string) => void;
}

export function createRunningSaves(deps: RunningSavesDeps): RunningSaves {
  const run = randomBytes(6).toString('base64url');
  const counts = new Map<string, { begun: number; written: number }>();
  const keyOf = (fileId: string, editorId: string | null): string => `${fileId} ${editorId ?? ''}`;
  /** By document, across editors: saves can end in another order than they began. */
  const order = new Map<string, { begun: number; recorded: number }>();
  let running = 0;

  const beginOf = (fileId: string): number => {
    const own = order.get(fileId) ?? { begun: 0, recorded: 0 };
    order.set(fileId, own);
    return (own.begun += 1);
  };

  const record = (fileId: string, number: number, place: SavePlace): void => {
    const own = order.get(fileId);
    if (own === undefined || number < own.recorded) return;
    own.recorded = number;
    try {
      if (place === 'file') deps.missedSaves.clear(fileId);
      else {
        const nowhere = { kind: 'nowhere', keptId: null } as const;
        deps.missedSaves.set(fileId, { ...(place ?? nowhere), atMs: deps.clock() });
      }
    } catch (error) {
      // The answer to the editor, and what open pages show, don't depend on it.
      deps.onError(error, 'DocTray couldn’t record where the newest save of a document is.');
    }
  };

  return {
    begin(document) {
      running += 1;
      if (document === undefined) return () => void (running -= 1);
      const { fileId, editorId } = document;
      const key = keyOf(fileId, editorId);
      const own = counts.get(key) ?? { begun: 0, written: 0 };
      counts.set(key, own);
      const number = (own.begun += 1);
      const numberInAll = beginOf(fileId);
      return (place) => {
        running -= 1;
        if (place === 'file') own.written = Math.max(own.written, number);
        record(fileId, numberInAll, place);
      };
    },
    rejected: (fileId) => record(fileId, beginOf(fileId), undefined),
    count: () => running,
    countsOf(fileId, editorId) {
      const { begun = 0, written = 0 } = counts.get(keyOf(fileId, editorId)) ?? {};
      return { run, begun, written };
    },
  };
}
