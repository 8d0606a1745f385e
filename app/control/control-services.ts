// What the terminal's commands need of the host: a part of its services, so that a test can stand in for each. `RunningHost`
// is there only while the host listens; on a bare database the commands do without.

import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { ApiTokens } from '../accounts/api-tokens.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { Users } from '../accounts/users.ts';
import type { Clock } from '../contract/clock.ts';
import type { Folder } from '../files/folder.ts';
import type { Jail } from '../files/jail.ts';
import type { RescuedSaves } from '../files/rescued-saves.ts';
import type { Versions } from '../files/versions.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { OpenDocument } from '../server/document-access.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { Store } from '../store/open-store.ts';
import type { LockBook } from '../wopi/lock-book.ts';

export interface ControlServices {
  clock: Clock;
  settings: SettingsStore;
  secrets: Pick<SecretStore, 'kind' | 'description'>;
  store: Pick<Store, 'db' | 'check'>;
  users: Pick<Users, 'list' | 'byLogin' | 'add' | 'remove' | 'setPassword'>;
  apiTokens: Pick<ApiTokens, 'list' | 'revoke'>;
  accessTokens: Pick<AccessTokens, 'list' | 'revoke'>;
  sessions: Pick<Sessions, 'list'>;
  /** Answers undefined until one is chosen. */
  folder: () =>
    (Pick<Folder, 'root' | 'openPath' | 'find'> & { jail: Pick<Jail, 'requireRoot'> }) | undefined;
  versions: Pick<Versions, 'list' | 'restore'>;
  rescued: Pick<RescuedSaves, 'list' | 'restore' | 'discard'>;
  locks: Pick<LockBook, 'list' | 'forceClear'>;
}

export interface RunningHost {
  /** Where it listens. */
  baseUrl: string;
  /** The address editors are given: the setting, or `baseUrl`. */
  publicUrl(): string;
  openDocument: OpenDocument;
}

export interface CommandContext {
  services: ControlServices;
  host?: RunningHost;
}

export interface SettingContext {
  services: Pick<ControlServices, 'settings'>;
  host?: RunningHost;
}
