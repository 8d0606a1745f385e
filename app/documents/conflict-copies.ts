// The list of conflict copies in the active folder. It is kept across restarts. A copy leaves it when the user dismisses it or its
// file no longer exists.

import type { HostEvent } from '../contract/events.ts';
import type { ConflictItem } from '../contract/state.ts';
import type { HostedFolders } from '../host/hosted-folders.ts';
import { lastSeenPath } from '../store/files.ts';
import type { SharedServices } from '../host/shared.ts';

export interface ConflictCopies {
  /** Newest first. */
  list(): ConflictItem[];
  /** @returns false if it isn't in the list */
  dismiss(id: string): boolean;
  /** Removes copies whose files no longer exist, unless the whole folder is missing. Never rejects. */
  check(): Promise<void>;
}

export interface ConflictCopiesDeps extends Pick<SharedServices, 'store' | 'conflicts' | 'emit' | 'events'> {
  folders: Pick<HostedFolders, 'active'>;
}

/** Events after which a copy may no longer exist. */
const checkedAfter: ReadonlySet<HostEvent['event']> = new Set([
  'file-renamed',
  'file-trashed',
  'listening',
  'host-changed',
  'folder-switched',
]);

export function createConflictCopies(deps: ConflictCopiesDeps): ConflictCopies {
  const { store, conflicts: table, emit, events, folders } = deps;
  /** The window may ask while the host closes its database. */
  const activeFolder = () => (store.db.open ? folders.active()?.folder : undefined);
  const remove = (tenantId: number, copies: readonly string[]): boolean => {
    const removed = copies.filter((copy) => table.remove(tenantId, copy));
    if (removed.length > 0) emit({ event: 'row-changed', table: 'conflicts' });
    return removed.length > 0;
  };

  const check = async (): Promise<void> => {
    const folder = activeFolder();
    if (folder === undefined) return;
    const { jail, tenantId } = folder;
    const gone: string[] = [];
    try {
      for (const { copy } of table.list(tenantId)) {
        if ((await jail.stat(copy)) === undefined) gone.push(copy);
      }
      // An unplugged drive shows no files; its copies are still there when it is connected again.
      if (gone.length > 0) await jail.requireRoot();
      // The host may have stopped in the meantime.
      if (activeFolder() === folder) remove(tenantId, gone);
    } catch {
      // They stay in the list until the next check.
    }
  };
  events.onAny(({ event }) => {
    if (checkedAfter.has(event)) void check();
  });

  return {
    list() {
      const folder = activeFolder();
      const rows = folder === undefined ? [] : table.list(folder.tenantId);
      return rows.map(({ copy, path, madeAtMs }) => ({ id: copy, path: lastSeenPath(path), copy, madeAtMs }));
    },

    dismiss(id) {
      const folder = activeFolder();
      return folder !== undefined && remove(folder.tenantId, [id]);
    },

    check,
  };
}
