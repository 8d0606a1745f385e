// The documents that the window opened last, newest first, of the active folder. They are kept by id: one that was renamed or moved
// stays in the list, and one that was removed doesn't.

import type { RecentItem } from '../contract/state.ts';
import { isHiddenPath } from '../files/visible.ts';
import type { HostedFolders } from '../host/hosted-folders.ts';
import type { SharedServices } from '../host/shared.ts';

export interface Recent {
  list(): RecentItem[];
  note(fileId: string): void;
}

export interface RecentDeps extends Pick<SharedServices, 'store' | 'recentTable' | 'clock' | 'emit'> {
  folders: Pick<HostedFolders, 'active'>;
}

const maxRecent = 15;

export function createRecent({ store, recentTable, clock, emit, folders }: RecentDeps): Recent {
  return {
    list() {
      const folder = folders.active()?.folder;
      // The window may ask while the host closes its database.
      if (folder === undefined || !store.db.open) return [];
      return (
        recentTable
          .list(folder.tenantId)
          // The temporary name of a document that another one replaced says nothing.
          .filter(({ path }) => !isHiddenPath(path))
          .map(({ path, openedAtMs }) => ({ path, openedAtMs }))
      );
    },

    note(fileId) {
      // The host may have stopped while the document was opening, which isn't worth an error.
      if (!store.db.open) return;
      recentTable.note(fileId, clock(), maxRecent);
      emit({ event: 'row-changed', table: 'recent' });
    },
  };
}
