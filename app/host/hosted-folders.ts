// Which folders are hosted: the active one, and after a switch those with documents still being edited. A switch refuses new
// opens in the old folder, never a save.

import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { t } from '../contract/messages.ts';
import type { HostedFolder } from './hosted-folder.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { realPathOf } from '../files/file-signature.ts';
import { openJail, type Jail } from '../files/jail.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import type { Logger } from '../log/logger.ts';
import type { FilesTable } from '../store/files.ts';
import type { TenantsTable } from '../store/tenants.ts';

export interface HostedFolders {
  /** Undefined if none is chosen, or the chosen one can't be opened: then `problem` says why. */
  active(): HostedFolder | undefined;
  problem(): AppError | undefined;
  /** The folder that a document belongs to, if it is hosted; the active one for an unknown id. */
  forFile(fileId: string): HostedFolder | undefined;
  /** A document of a known folder that currently isn't hosted. */
  isUnhosted(fileId: string): boolean;
  /** @throws AppError folder-not-chosen, folder-gone, folder-invalid, folder-missing */
  require(fileId?: string): HostedFolder;
  isActive(hosted: HostedFolder): boolean;
  all(): HostedFolder[];
  /**
   * Opens the folder from the settings, and those with locks from before a switch. Never throws for a folder: see `problem`.
   * @param chosen null: none; a function creates the folder first and returns its path
   * @param isRemembered it is from the settings, not from an option of this start
   */
  open(chosen: string | null | (() => Promise<string>), isRemembered: boolean): Promise<void>;
  /** Opens folders with locks from before a switch that couldn't be reached so far. Never rejects. */
  openOthers(): Promise<void>;
  /**
   * Makes this folder the active one, once its real path is saved.
   * @throws AppError folder-invalid, and what `remember` throws, with nothing changed
   */
  use(path: string, remember: (root: string) => Promise<void>): Promise<void>;
  /** Closes folders in which no document is being edited any more. */
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
  const hostedById = new Map<number, HostedFolder>();
  let active: HostedFolder | undefined;
  let problem: AppError | undefined;

  /** One at a time: a switch is completed and saved before the next one begins. */
  const switches = createKeyedMutex();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => switches.run('', work);
  const unreachable = new Set<string>();

  const openAt = async (path: string): Promise<HostedFolder> => {
    await assertDisjoint(path, deps.dataDir);
    const jail = await openJail(path);
    const tenantId = deps.tenants.idOfRoot(jail.root, deps.clock());
    const known = hostedById.get(tenantId);
    if (known !== undefined && (await isStillThere(known))) return known;
    // If the folder was deleted and created again, the state of the former one is useless.
    const hosted = deps.open(jail, tenantId);
    hostedById.set(tenantId, hosted);
    return hosted;
  };

  const forFile = (fileId: string): HostedFolder | undefined => {
    const tenantId = deps.files.byId(fileId)?.tenantId;
    return tenantId === undefined ? active : hostedById.get(tenantId);
  };
  const isUnhosted = (fileId: string): boolean =>
    forFile(fileId) === undefined && deps.files.byId(fileId) !== undefined;

  /** Folders that are no longer the chosen one, but had locked documents when the host stopped. */
  const openOthers = async (): Promise<void> => {
    for (const { id, root } of deps.tenants.withLocks()) {
      if (hostedById.has(id)) continue;
      try {
        await openAt(root);
        unreachable.delete(root);
      } catch (error) {
        if (unreachable.has(root)) continue;
        unreachable.add(root);
        deps.log.warn({ err: error }, 'A folder with open documents can’t be reached.');
      }
    }
  };

  return {
    active: () => active,
    problem: () => problem,
    forFile,
    isUnhosted,
    isActive: (hosted) => hosted === active,
    all: () => [...hostedById.values()],

    require(fileId) {
      const hosted = fileId === undefined ? active : forFile(fileId);
      if (hosted !== undefined) return hosted;
      if (fileId !== undefined && isUnhosted(fileId)) {
        throw new AppError('folder-missing', {
          detail: () => t('host.folder-of-document-isnt-served'),
        });
      }
      throw problem ?? new AppError('folder-not-chosen');
    },

    open: (chosen, isRemembered) =>
      inTurn(async () => {
        problem = undefined;
        if (chosen !== null && active === undefined) {
          try {
            active = await openAt(typeof chosen === 'string' ? chosen : await chosen());
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            const isGone =
              isRemembered && typeof chosen === 'string' && (await realPathOf(chosen)) === undefined;
            problem = isGone ? new AppError('folder-gone', { cause: error, detail: chosen }) : error;
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
      for (const [tenantId, hosted] of hostedById) {
        const isIdle = deps.files.inUse(tenantId, deps.clock()).length === 0;
        if (hosted !== active && isIdle) hostedById.delete(tenantId);
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
