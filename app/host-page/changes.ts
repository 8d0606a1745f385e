// Whether something that was written might be lost with the page. Collabora says so itself. ONLYOFFICE and Microsoft's
// editors only tell that somebody writes: what was written is with their server soon after, which saves it by itself.

import type { EditorKind } from '../contract/editors.ts';

/** How long after the last word of writing it may still be in the browser alone. ONLYOFFICE tells every 30 s; Microsoft saves within 2 min. */
export const settleMs = { onlyoffice: 60_000, others: 150_000 };

export type ChangeState =
  | 'none'
  /** Leaving the page may lose something. */
  | 'unsaved'
  /** The editor's server has it and will save it. */
  | 'with-editor'
  | 'saved';

export interface Changes {
  modified(isModified: boolean): void;
  edited(): void;
  /** How often editors have saved the document, as the host counts; one more after writing is a save. */
  sawSaves(count: number): void;
  state(): ChangeState;
  /** The last sign of writing; undefined while there was none. */
  lastEditAtMs(): number | undefined;
  savedAtMs(): number | undefined;
}

export function createChanges(deps: { now: () => number; kind: () => EditorKind | undefined }): Changes {
  const { now } = deps;
  /** Undefined: this editor has never said. */
  let isModified: boolean | undefined;
  let lastEditAtMs: number | undefined;
  let savedAtMs: number | undefined;
  let hasUnseenEdit = false;
  let saves: number | undefined;

  function isSettled(): boolean {
    if (lastEditAtMs === undefined) return true;
    return now() - lastEditAtMs >= (deps.kind() === 'onlyoffice' ? settleMs.onlyoffice : settleMs.others);
  }

  return {
    modified(is) {
      if (is) lastEditAtMs = now();
      else if (isModified === true) savedAtMs = now();
      isModified = is;
    },
    edited() {
      lastEditAtMs = now();
      hasUnseenEdit = true;
    },
    sawSaves(count) {
      if (saves !== undefined && count > saves && (hasUnseenEdit || isModified !== undefined)) {
        savedAtMs = now();
        hasUnseenEdit = false;
      }
      saves = count;
    },
    state() {
      if (isModified === true) return 'unsaved';
      if (isModified === undefined && hasUnseenEdit) return isSettled() ? 'with-editor' : 'unsaved';
      return savedAtMs === undefined ? 'none' : 'saved';
    },
    lastEditAtMs: () => lastEditAtMs,
    savedAtMs: () => savedAtMs,
  };
}
