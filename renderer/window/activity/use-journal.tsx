// The journal in React, and the names of its documents.

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { LockItem, SessionItem, TokenItem } from '../../../app/contract/state.ts';
import { useCall, usePush, useWindowState } from '../state/window-context.tsx';
import { createJournal, type Journal, type JournalSnapshot } from './journal.ts';

/** Watches while the view is shown and the window can be seen. */
export function useJournal(): { journal: Journal; snapshot: JournalSnapshot } {
  const call = useCall();
  const [journal] = useState(() =>
    createJournal({
      watch: async (isWatching) => call('activity.watch', { isWatching }),
      list: async () => call('activity.list', {}),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    }),
  );
  usePush('activity-added', journal.take);
  useEffect(() => {
    const turn = () => (document.hidden ? journal.close() : journal.open());
    turn();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      journal.close();
    };
  }, [journal]);
  const snapshot = useSyncExternalStore(
    journal.subscribe,
    useCallback(() => journal.snapshot(), [journal]),
  );
  return { journal, snapshot };
}

/**
 * Requests have only the id of a document; its path is known from locks, sessions and tokens. Looked up when a row is drawn, filtered or
 * exported, without drawing the view again on every change of these tables.
 */
export interface DocumentNames {
  /** The path inside the hosted folder; undefined if unknown. */
  of(fileId: string | null): string | undefined;
  learn(sources: NameSources): void;
}

interface NameSources {
  locks: readonly LockItem[];
  sessions: readonly SessionItem[];
  tokens: readonly TokenItem[];
}

const learnsAgainAfterMs = 1000;

function createDocumentNames(clock: () => number): DocumentNames {
  const paths = new Map<string, string>();
  let sources: NameSources | undefined;
  let learnedAtMs = Number.NEGATIVE_INFINITY;

  const readSources = (): boolean => {
    if (sources === undefined || clock() - learnedAtMs < learnsAgainAfterMs) return false;
    learnedAtMs = clock();
    const { locks, sessions, tokens } = sources;
    sources = undefined;
    for (const { fileId, path } of tokens) if (fileId !== null && path !== null) paths.set(fileId, path);
    for (const { fileId, path } of sessions) paths.set(fileId, path);
    for (const { id, path } of locks) paths.set(id, path);
    return true;
  };

  return {
    of(fileId) {
      if (fileId === null) return undefined;
      return paths.get(fileId) ?? (readSources() ? paths.get(fileId) : undefined);
    },
    learn(given) {
      sources = given;
    },
  };
}

export function useDocumentNames(): DocumentNames {
  const [names] = useState(() => createDocumentNames(Date.now));
  return names;
}

/** Draws nothing. */
export function NameSource({ names }: { names: DocumentNames }) {
  const locks = useWindowState((state) => state.locks);
  const sessions = useWindowState((state) => state.sessions);
  const tokens = useWindowState((state) => state.tokens);
  names.learn({ locks, sessions, tokens });
  return null;
}
