// What the terminal's commands need of the host: a part of its services, so that a test can stand in for each. `RunningHost`
// is there only while the host listens; on a bare database the commands do without.

import type { AccessMode } from '../accounts/access-mode.ts';
import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { ApiTokens } from '../accounts/api-tokens.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { User } from '../accounts/user.ts';
import type { Users } from '../accounts/users.ts';
import type { Clock } from '../contract/clock.ts';
import type { Folder } from '../files/folder.ts';
import type { RescuedSaves } from '../files/rescued-saves.ts';
import type { Versions } from '../files/versions.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { Store } from '../store/open-store.ts';

export interface LockSummary {
  fileId: string;
  path: string;
  user: string | null;
  takenAtMs: number;
  refreshedAtMs: number;
  expiresAtMs: number;
  state: 'held' | 'stale';
  /** Why it is stale, in words. */
  reason: string | null;
  lastCallAtMs: number | null;
}

export interface ControlServices {
  clock: Clock;
  settings: SettingsStore;
  secrets: Pick<SecretStore, 'kind' | 'description'>;
  store: Pick<Store, 'db' | 'check'>;
  users: Pick<Users, 'list' | 'byLogin' | 'add' | 'remove' | 'setPassword'>;
  apiTokens: Pick<ApiTokens, 'list' | 'revoke'>;
  accessTokens: Pick<AccessTokens, 'list' | 'revoke'>;
  sessions: Pick<Sessions, 'list'>;
  /** Undefined until one is chosen. */
  folder: Pick<Folder, 'root' | 'openPath' | 'find'> | undefined;
  versions: Pick<Versions, 'list' | 'restore'>;
  rescued: Pick<RescuedSaves, 'list' | 'restore' | 'discard'>;
  locks: { list(): LockSummary[]; forceClear(fileId: string, by: string): Promise<LockSummary> };
}

/** The body of the answer to POST /api/2.0/files/access. */
export interface DocumentAccess {
  fileId: string;
  wopiSrc: string;
  accessToken: string;
  /** Epoch milliseconds. */
  accessTokenTtl: number;
  hostEditUrl: string;
  hostViewUrl: string;
}

export interface RunningHost {
  /** Where it listens. */
  baseUrl: string;
  /** The address editors are given: the setting, or `baseUrl`. */
  publicUrl(): string;
  /** @throws AppError path-invalid, file-missing, folder-missing */
  openDocument(input: { user: User; path: string; mode: AccessMode }): Promise<DocumentAccess>;
}

export interface CommandContext {
  services: ControlServices;
  host?: RunningHost;
}
