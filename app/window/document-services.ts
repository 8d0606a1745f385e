// What the window's document commands need of the running host: its services by their own types, no more of them than are used.

import type { User } from '../accounts/user.ts';
import type { Users } from '../accounts/users.ts';
import type { EmitEvent, HostEvent } from '../contract/events.ts';
import { AppError } from '../contract/errors.ts';
import type { Editors } from '../editors/editors.ts';
import type { DiskSpace } from '../files/disk-space.ts';
import type { Documents } from '../files/documents.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import type { KeyedMutex } from '../files/keyed-mutex.ts';
import type { RecoveredSaves } from '../files/recovered-saves.ts';
import type { TempNames } from '../files/temp-names.ts';
import type { VersionHistory } from '../files/version-history.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConflictsTable } from '../store/conflicts.ts';
import type { FilesTable } from '../store/files.ts';
import type { ImportFoldersTable } from '../store/import-folders.ts';
import type { Db } from '../store/open-store.ts';
import type { RecentTable } from '../store/recent.ts';
import type { VersionUsageTable } from '../store/version-usage.ts';
import type { Locks } from '../wopi/locks.ts';

/** The hosted folder and what makes, renames and removes documents in it. */
export interface DocumentHosting {
  folder: DocumentIndex;
  documents: Documents;
}

export interface DocumentServices {
  dataDir: string;
  emit: EmitEvent;
  store: { db: Pick<Db, 'open'> };
  transaction<T>(work: () => T): T;
  filesTable: FilesTable;
  conflicts: ConflictsTable;
  importFolders: ImportFoldersTable;
  recentTable: RecentTable;
  versionUsage: VersionUsageTable;
  settings: { current(): Pick<Settings, 'desktopLocks'> };
  users: Pick<Users, 'list' | 'byId'>;
  editors: Pick<Editors, 'choose'>;
  locks: Pick<Locks, 'isHeld'>;
  versions: Pick<VersionHistory, 'list' | 'restore'> & {
    prune(watch: { signal: AbortSignal; onProgress: (done: number, total: number) => void }): Promise<number>;
  };
  recoveredSaves: Pick<RecoveredSaves, 'restore' | 'discard'>;
  mutex: KeyedMutex;
  tempNames: TempNames;
  diskSpace: Pick<DiskSpace, 'requireRoom'>;
  folders: {
    active(): DocumentHosting | undefined;
    /** @throws AppError folder-not-chosen, folder-invalid, folder-missing */
    require(): DocumentHosting;
  };
}

/** The part of HostKeeper that is used here. */
export interface DocumentKeeper {
  host(): { services: DocumentServices } | undefined;
  onEvent(listener: (event: HostEvent) => void): () => void;
}

/** The owner works at this machine; nobody else has its window. @throws AppError user-unknown */
export function ownerOf(services: Pick<DocumentServices, 'users'>): User {
  const owner = services.users.list().find(({ role }) => role === 'owner');
  if (owner === undefined) throw new AppError('user-unknown');
  return owner;
}
