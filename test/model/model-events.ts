// What moves the model without a request of an editor: time, other programs on the same disk, the user at the window.

import { soften, undoMs, withFile, without, written } from './model-state.ts';
import type { FileState, Happening, ModelState } from './model-state.ts';

/** How an undo of the last force-clear ends, and the state after it. */
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

/** The states after something that is no request. */
export function happen(state: ModelState, happening: Happening): ModelState[] {
  switch (happening.kind) {
    case 'advance': {
      const nowMs = state.nowMs + happening.ms;
      const lapsed = Object.entries(state.files).map(([key, file]): [string, FileState] => {
        const { lock, content } = file;
        if (lock === undefined || lock.lapse !== undefined || nowMs < lock.expiresAtMs) return [key, file];
        return [key, { ...file, lock: { ...lock, lapse: { content, changedSince: false } } }];
      });
      return [{ ...state, nowMs, files: Object.fromEntries(lapsed) }];
    }
    case 'outside-write':
    case 'outside-delete': {
      const file = state.files[happening.file]!;
      const content = happening.kind === 'outside-write' ? happening.content : undefined;
      const hasChanged = content !== file.content;
      const isHeld = file.lock !== undefined && file.lock.lapse === undefined;
      // The same bytes written again look like a change to a host that never hashed them; reading does not hash.
      const looksChanged = hasChanged || !file.isHashed;
      const next = withFile(written(state, happening.file, content, looksChanged), happening.file, {
        unread: !looksChanged
          ? file.unread
          : (hasChanged && isHeld) || file.unread === 'must'
            ? 'must'
            : 'may',
        isHashed: file.isHashed && !hasChanged,
      });
      const { lock } = next.files[happening.file]!;
      const noticing = lock && isHeld && looksChanged ? { ...lock, unnoticed: true } : lock;
      const moved = withFile(next, happening.file, { lock: noticing });
      // The same bytes again, or bytes the host saw before: whether that counts as a change is the host's own choice.
      if (hasChanged && (content !== file.seenContent || content === undefined)) return [moved];
      return [
        moved,
        withFile(moved, happening.file, { version: hasChanged ? file.seenVersions.at(-1) : file.version }),
      ];
    }
    case 'outside-rename':
      return [withFile(state, happening.file, { name: happening.name })];
    case 'force-clear': {
      const { lock, unread, dispossessed } = state.files[happening.file]!;
      if (lock === undefined) return [];
      const { content } = state.files[happening.file]!;
      return [
        withFile(state, happening.file, {
          lock: undefined,
          cleared: { lock, atMs: state.nowMs, content, unread },
          unread: soften(unread),
          dispossessed: [...dispossessed, lock.id],
        }),
      ];
    }
    case 'not-cleared': {
      const { lock } = state.files[happening.file]!;
      return lock === undefined || lock.lapse !== undefined ? [state] : [];
    }
    case 'undo-restored':
    case 'undo-taken':
    case 'undo-too-late': {
      const [expected, next] = undone(state, happening.file);
      return happening.kind === expected ? [next] : [];
    }
    case 'restart': {
      // What could be undone is not remembered.
      const files = Object.entries(state.files).map(([key, { cleared: _, ...file }]) => [key, file]);
      return [{ ...state, files: Object.fromEntries(files) }];
    }
    case 'revoke': {
      const token = { ...state.tokens[happening.token]!, revoked: true };
      return [{ ...state, tokens: { ...state.tokens, [happening.token]: token } }];
    }
  }
}
