// The conflict copies that lie in the hosted folder and that nobody has looked at yet. They outlive a restart; one is gone when
// the user says so, or when its file is.

import type { ConflictItem } from '../contract/state.ts';
import type { DocumentServices } from './document-services.ts';

export interface Conflicts {
  /** Newest first. */
  list(): ConflictItem[];
  /** One that is not there is dismissed already. */
  dismiss(id: string): void;
  /** Forgets those whose copies are gone. Never rejects; a folder that is not there keeps its own. */
  check(): Promise<void>;
}

export interface ConflictsDeps {
  /** Undefined while no host runs. */
  services: () => Pick<DocumentServices, 'store' | 'folders' | 'conflicts'> | undefined;
  onChange: () => void;
}

export function createConflicts(deps: ConflictsDeps): Conflicts {
  const open = () => {
    const services = deps.services();
    const folder = services?.folders.active()?.folder;
    // A host that is stopping may have closed its database already.
    if (services?.store.db.open !== true || folder === undefined) return undefined;
    return { table: services.conflicts, folder };
  };

  return {
    list() {
      const place = open();
      const rows = place?.table.list(place.folder.tenantId) ?? [];
      return rows.map(({ copy, path, madeAtMs }) => ({ id: copy, path, copy, madeAtMs }));
    },

    dismiss(id) {
      const place = open();
      if (place?.table.remove(place.folder.tenantId, id) === true) deps.onChange();
    },

    async check() {
      const place = open();
      if (place === undefined) return;
      const { jail, tenantId } = place.folder;
      const gone: string[] = [];
      try {
        for (const { copy } of place.table.list(tenantId)) {
          if ((await jail.stat(copy)) === undefined) gone.push(copy);
        }
        // A drive that is out has nothing in it, and gets it all back.
        if (gone.length > 0) await jail.requireRoot();
      } catch {
        return;
      }
      // The host may have stopped meanwhile.
      const now = open();
      if (now?.folder !== place.folder) return;
      const removed = gone.filter((copy) => now.table.remove(tenantId, copy));
      if (removed.length > 0) deps.onChange();
    },
  };
}
