// The documents that the window opened last in the active folder, newest first. They are stored by id, so a renamed or moved
// document stays in the list, and a removed one doesn't.

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
          // A document whose name another one has taken has a placeholder path.
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
