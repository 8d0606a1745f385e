// Changes of the model without an editor's request: time, other programs on the same disk, the user in the window.

import { soften, undoMs, withFile, without, written } from './model-state.ts';
import type { FileState, ModelEvent, ModelState } from './model-state.ts';

/** The result of undoing the last force-clear, and the state after it. */
function undone(
  state: ModelState,
  key: string,
): ['undo-restored' | 'undo-taken' | 'undo-too-late', ModelState] {
  const { cleared, lock, trashed, content, unread, dispossessed } = state.files[key]!;
  if (cleared === undefined || state.nowMs - cleared.atMs > undoMs) return ['undo-too-late', state];
  if (lock !== undefined && lock.lapse === undefined) {
    return [lock.id === cleared.lock.id ? 'undo-restored' : 'undo-taken', state];
  }
  if (trashed) return ['undo-too-late', state];
  const hasMoved = content !== cleared.content || unread !== 'no';
  const isOver = state.nowMs >= cleared.lock.expiresAtMs;
  const restored = withFile(state, key, {
    lock: {
      ...cleared.lock,
      unnoticed: cleared.lock.unnoticed || hasMoved,
      ...(isOver && { lapse: { content, changedSince: true } }),
    },
    unread: hasMoved ? 'may' : cleared.unread,
    dispossessed: without(dispossessed, cleared.lock.id),
  });
  const { cleared: _, ...file } = restored.files[key]!;
  return ['undo-restored', { ...restored, files: { ...restored.files, [key]: file } }];
}

/** The states after an event that isn't a request. */
export function applyEvent(state: ModelState, event: ModelEvent): ModelState[] {
  switch (event.kind) {
    case 'advance': {
      const nowMs = state.nowMs + event.ms;
      const lapsed = Object.entries(state.files).map(([key, file]): [string, FileState] => {
        const { lock, content } = file;
        if (lock === undefined || lock.lapse !== undefined || nowMs < lock.expiresAtMs) return [key, file];
        return [key, { ...file, lock: { ...lock, lapse: { content, changedSince: false } } }];
      });
      return [{ ...state, nowMs, files: Object.fromEntries(lapsed) }];
    }
    case 'outside-write':
    case 'outside-delete': {
      const file = state.files[event.file]!;
      const content = event.kind === 'outside-write' ? event.content : undefined;
      const hasChanged = content !== file.content;
      const isHeld = file.lock !== undefined && file.lock.lapse === undefined;
      // The same bytes written again look like a change to a host that hasn't hashed them; reading doesn't hash them.
      const looksChanged = hasChanged || !file.isHashed;
      const next = withFile(written(state, event.file, content, looksChanged), event.file, {
        unread: !looksChanged
          ? file.unread
          : (hasChanged && isHeld) || file.unread === 'must'
            ? 'must'
            : 'may',
        isHashed: file.isHashed && !hasChanged,
      });
      const { lock } = next.files[event.file]!;
      const noticing = lock && isHeld && looksChanged ? { ...lock, unnoticed: true } : lock;
      const moved = withFile(next, event.file, { lock: noticing });
      // The same bytes again, or bytes that the host saw before: whether that counts as a change is up to the host.
      if (hasChanged && (content !== file.seenContent || content === undefined)) return [moved];
      return [
        moved,
        withFile(moved, event.file, { version: hasChanged ? file.seenVersions.at(-1) : file.version }),
      ];
    }
    case 'outside-rename':
      return [withFile(state, event.file, { name: event.name })];
    case 'force-clear': {
      const { lock, unread, dispossessed } = state.files[event.file]!;
      if (lock === undefined) return [];
      const { content } = state.files[event.file]!;
      return [
        withFile(state, event.file, {
          lock: undefined,
          cleared: { lock, atMs: state.nowMs, content, unread },
          unread: soften(unread),
          dispossessed: [...dispossessed, lock.id],
        }),
      ];
    }
    case 'not-cleared': {
      const { lock } = state.files[event.file]!;
      return lock === undefined || lock.lapse !== undefined ? [state] : [];
    }
    case 'undo-restored':
    case 'undo-taken':
    case 'undo-too-late': {
      const [expected, next] = undone(state, event.file);
      return event.kind === expected ? [next] : [];
    }
    case 'restart': {
      // A restart forgets what could be undone.
      const files = Object.entries(state.files).map(([key, { cleared: _, ...file }]) => [key, file]);
      return [{ ...state, files: Object.fromEntries(files) }];
    }
    case 'revoke': {
      const token = { ...state.tokens[event.token]!, revoked: true };
      return [{ ...state, tokens: { ...state.tokens, [event.token]: token } }];
    }
  }
}
