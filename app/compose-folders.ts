// Which folders are hosted: the active one, and after a switch those where somebody still edits. A switch refuses new opens in
// the old folder, never a save.

import type { Clock } from './contract/clock.ts';
import { AppError } from './contract/errors.ts';
import type { EmitEvent } from './contract/events.ts';
import type { Hosting } from './compose-hosting.ts';
import { assertApart } from './files/apart.ts';
import { openJail, type Jail } from './files/jail.ts';
import type { Logger } from './log/logger.ts';
import type { FilesTable } from './store/files.ts';
import type { TenantsTable } from './store/tenants.ts';

export interface HostedFolders {
  /** Undefined while none is chosen, or the chosen one cannot be opened: then `problem` says why. */
  active(): Hosting | undefined;
  problem(): AppError | undefined;
  /** The folder that a document belongs to, when it is hosted; the active one for an id that is not known. */
  of(fileId: string): Hosting | undefined;
  /** @throws AppError folder-not-chosen, folder-invalid, folder-missing */
  require(fileId?: string): Hosting;
  isActive(hosting: Hosting): boolean;
  all(): Hosting[];
  /** Opens the folder of the settings, and those with locks from before a switch. Never throws for a folder: see `problem`. */
  open(path: string | null): Promise<void>;
  /**
   * Makes this folder the active one. Answers whether it is another one than before.
   * @throws AppError folder-invalid with nothing changed
   */
  use(path: string): Promise<boolean>;
  /** Lets go of folders in which nobody edits any more. */
  sweep(): void;
}

export interface HostedFoldersDeps {
  dataDir: string;
  tenants: TenantsTable;
  files: FilesTable;
  clock: Clock;
  emit: EmitEvent;
  log: Logger;
  open: (jail: Jail, tenantId: number) => Hosting;
}

export function createHostedFolders(deps: HostedFoldersDeps): HostedFolders {
  const hostings = new Map<number, Hosting>();
  let active: Hosting | undefined;
  let problem: AppError | undefined;

  const openAt = async (path: string): Promise<Hosting> => {
    await assertApart(path, deps.dataDir);
    const jail = await openJail(path);
    const tenantId = deps.tenants.ofRoot(jail.root, deps.clock());
    const hosting = hostings.get(tenantId) ?? deps.open(jail, tenantId);
    hostings.set(tenantId, hosting);
    return hosting;
  };

  const of = (fileId: string): Hosting | undefined => {
    if (hostings.size < 2) return active;
    const tenantId = deps.files.byId(fileId)?.tenantId;
    return tenantId === undefined ? active : hostings.get(tenantId);
  };

  /** Folders that are not the chosen one any more, but in which documents were locked when the host ended. */
  const openOthers = async (): Promise<void> => {
    for (const { id, root } of deps.tenants.withLocks()) {
      if (hostings.has(id)) continue;
      try {
        await openAt(root);
      } catch (error) {
        deps.log.warn({ err: error }, 'A folder with open documents cannot be reached any more.');
      }
    }
  };

  return {
    active: () => active,
    problem: () => problem,
    of,
    isActive: (hosting) => hosting === active,
    all: () => [...hostings.values()],

    require(fileId) {
      const hosting = fileId === undefined ? active : of(fileId);
      if (hosting === undefined) throw problem ?? new AppError('folder-not-chosen');
      return hosting;
    },

    async open(path) {
      problem = undefined;
      if (path !== null) {
        try {
          active = await openAt(path);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          problem = error;
        }
      }
      await openOthers();
    },

    async use(path) {
      const chosen = await openAt(path);
      problem = undefined;
      if (chosen === active) return false;
      const from = active?.folder.root ?? null;
      active = chosen;
      deps.emit({ event: 'folder-switched', from, to: chosen.folder.root });
      return true;
    },

    sweep() {
      for (const [tenantId, hosting] of hostings) {
        const isIdle = deps.files.inUse(tenantId, deps.clock()).length === 0;
        if (hosting !== active && isIdle) hostings.delete(tenantId);
      }
    },
  };
}
