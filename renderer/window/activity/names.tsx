// Requests name a document by its id; what it is called is known from the locks, sessions and tokens of now. Looked up when a
// row is drawn, filtered or exported, without drawing the view again on every change of these tables.

import { useState } from 'react';
import type { LockItem, SessionItem, TokenItem } from '../../../app/contract/state.ts';
import { useWindowState } from '../state/window-context.tsx';

export interface DocumentNames {
  /** The path inside the hosted folder; undefined when nothing tells. */
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
