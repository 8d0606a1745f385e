// The documents opened lately from this window, newest first, of the folder that is hosted now. They are kept by their ids, so
// that one that was renamed or moved is still in the list, and one that was removed is not.

import type { Clock } from '../contract/clock.ts';
import type { RecentItem } from '../contract/state.ts';
import { isHiddenPath } from '../files/visible.ts';
import type { DocumentServices } from './document-services.ts';

export interface Recent {
  list(): RecentItem[];
  note(fileId: string): void;
}

export interface RecentDeps {
  /** Undefined while no host runs. */
  services: () => Pick<DocumentServices, 'store' | 'folders' | 'recentTable'> | undefined;
  clock: Clock;
  onChange: () => void;
}

const maxRecent = 15;

export function createRecent(deps: RecentDeps): Recent {
  return {
    list() {
      const services = deps.services();
      const folder = services?.folders.active()?.folder;
      // A host that is stopping may have closed its database already.
      if (services?.store.db.open !== true || folder === undefined) return [];
      return (
        services.recentTable
          .list(folder.tenantId)
          // The name of one that was pushed aside by another document says nothing.
          .filter(({ path }) => !isHiddenPath(path))
          .map(({ path, openedAtMs }) => ({ path, openedAtMs }))
      );
    },

    note(fileId) {
      const services = deps.services();
      if (services?.store.db.open !== true) return;
      services.recentTable.note(fileId, deps.clock(), maxRecent);
      deps.onChange();
    },
  };
}
