// Which folders are hosted: the active one, and after a switch those where somebody still edits. A switch refuses new opens in
// the old folder, never a save.

import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { HostedFolder } from './hosted-folder.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { openJail, type Jail } from '../files/jail.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import type { Logger } from '../log/logger.ts';
import type { FilesTable } from '../store/files.ts';
import type { TenantsTable } from '../store/tenants.ts';

export interface HostedFolders {
  /** Undefined while none is chosen, or the chosen one cannot be opened: then `problem` says why. */
  active(): HostedFolder | undefined;
  problem(): AppError | undefined;
  /** The folder that a document belongs to, when it is hosted; the active one for an id that is not known. */
  of(fileId: string): HostedFolder | undefined;
  /** A document of a folder that is not hosted just now: it may be back in a moment. */
  isAway(fileId: string): boolean;
  /** @throws AppError folder-not-chosen, folder-invalid, folder-missing */
  require(fileId?: string): HostedFolder;
  isActive(hosting: HostedFolder): boolean;
  all(): HostedFolder[];
  /**
   * Opens the folder of the settings, and those with locks from before a switch. Never throws for a folder: see `problem`.
   * @param chosen null: none; a function creates the folder first and answers its path
   */
  open(chosen: string | null | (() => Promise<string>)): Promise<void>;
  /** Folders with locks from before a switch that could not be reached till now. Never rejects. */
  openOthers(): Promise<void>;
  /**
   * Makes this folder the active one, once its real path is remembered.
   * @throws AppError folder-invalid, and what `remember` throws, with nothing changed
   */
  use(path: string, remember: (root: string) => Promise<void>): Promise<void>;
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
  open: (jail: Jail, tenantId: number) => HostedFolder;
}

export function createHostedFolders(deps: HostedFoldersDeps): HostedFolders {
  const hostings = new Map<number, HostedFolder>();
  let active: HostedFolder | undefined;
  let problem: AppError | undefined;

  /** One after the other: a switch is done, and remembered, before the next one begins. */
  const switches = createKeyedMutex();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => switches.run('', work);
  const unreachable = new Set<string>();

  const openAt = async (path: string): Promise<HostedFolder> => {
    await assertDisjoint(path, deps.dataDir);
    const jail = await openJail(path);
    const tenantId = deps.tenants.idOfRoot(jail.root, deps.clock());
    const known = hostings.get(tenantId);
    if (known !== undefined && (await isStillThere(known))) return known;
    // Where the folder was removed and made anew, what was known of the former one serves nothing any more.
    const hosting = deps.open(jail, tenantId);
    hostings.set(tenantId, hosting);
    return hosting;
  };

  const of = (fileId: string): HostedFolder | undefined => {
    const tenantId = deps.files.byId(fileId)?.tenantId;
    return tenantId === undefined ? active : hostings.get(tenantId);
  };
  const isAway = (fileId: string): boolean =>
    of(fileId) === undefined && deps.files.byId(fileId) !== undefined;

  /** Folders that are not the chosen one any more, but in which documents were locked when the host ended. */
  const openOthers = async (): Promise<void> => {
    for (const { id, root } of deps.tenants.withLocks()) {
      if (hostings.has(id)) continue;
      try {
        await openAt(root);
        unreachable.delete(root);
      } catch (error) {
        if (unreachable.has(root)) continue;
        unreachable.add(root);
        deps.log.warn({ err: error }, 'A folder with open documents cannot be reached.');
      }
    }
  };

  return {
    active: () => active,
    problem: () => problem,
    of,
    isAway,
    isActive: (hosting) => hosting === active,
    all: () => [...hostings.values()],

    require(fileId) {
      const hosting = fileId === undefined ? active : of(fileId);
      if (hosting !== undefined) return hosting;
      if (fileId !== undefined && isAway(fileId)) {
        throw new AppError('folder-missing', { detail: 'The document belongs to a folder not served now.' });
      }
      throw problem ?? new AppError('folder-not-chosen');
    },

    open: (chosen) =>
      inTurn(async () => {
        problem = undefined;
        if (chosen !== null && active === undefined) {
          try {
            active = await openAt(typeof chosen === 'string' ? chosen : await chosen());
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            problem = error;
          }
        }
        await openOthers();
      }),

    openOthers: () => inTurn(openOthers),

    use: (path, remember) =>
      inTurn(async () => {
        const chosen = await openAt(path);
        const to = chosen.folder.root;
        await remember(to);
        problem = undefined;
        const from = active?.folder.root ?? null;
        active = chosen;
        if (from !== to) deps.emit({ event: 'folder-switched', from, to });
      }),

    sweep() {
      for (const [tenantId, hosting] of hostings) {
        const isIdle = deps.files.inUse(tenantId, deps.clock()).length === 0;
        if (hosting !== active && isIdle) hostings.delete(tenantId);
      }
    },
  };
}

async function isStillThere({ folder }: HostedFolder): Promise<boolean> {
  return folder.jail.requireRoot().then(
    () => true,
    () => false,
  );
}
