// What the terminal's commands need of the host: a part of its services, so that a test can stand in for each. `RunningHost`
// is there only while the host listens; on a bare database the commands do without.

import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { ApiTokens } from '../accounts/api-tokens.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { Users } from '../accounts/users.ts';
import type { AccessMode } from '../accounts/access-mode.ts';
import type { User } from '../accounts/user.ts';
import type { TextEditorProblem } from '../text-editor/text-editor-listener.ts';
import type { Clock } from '../contract/clock.ts';
import type { Events } from '../contract/events.ts';
import type { DocumentServers } from '../containers/document-servers.ts';
import type { RemovedContainer } from '../containers/server-list.ts';
import type { WayBackHost } from '../containers/way-back.ts';
import type { Detection } from '../contract/document-servers.ts';
import type { ConnectionTest } from '../contract/editors.ts';
import type { Editors } from '../editors/editors.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import type { Jail } from '../files/jail.ts';
import type { RecoveredSaves } from '../files/recovered-saves.ts';
import type { VersionHistory } from '../files/version-history.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { OpenDocument } from '../server/document-access.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { Store } from '../store/open-store.ts';
import type { TlsService } from '../tls/tls-service.ts';
import type { Locks } from '../wopi/locks.ts';

export interface ControlServices {
  clock: Clock;
  events: Pick<Events, 'on'>;
  settings: SettingsStore;
  secrets: Pick<SecretStore, 'kind' | 'description'>;
  store: Pick<Store, 'db' | 'check'>;
  users: Pick<Users, 'list' | 'byLogin' | 'add' | 'remove' | 'setPassword'>;
  apiTokens: Pick<ApiTokens, 'list' | 'revoke'>;
  accessTokens: Pick<AccessTokens, 'list' | 'revoke'>;
  sessions: Pick<Sessions, 'list'>;
  /** Answers undefined until one is chosen. */
  folder: () =>
    | (Pick<DocumentIndex, 'root' | 'openPath' | 'find'> & {
        jail: Pick<Jail, 'requireRoot' | 'openFolder' | 'isRemote'>;
      })
    | undefined;
  versions: Pick<VersionHistory, 'list' | 'restore'>;
  recoveredSaves: Pick<RecoveredSaves, 'list' | 'restore' | 'discard'>;
  locks: Pick<Locks, 'list' | 'forceClear'>;
  editors: Pick<
    Editors,
    'list' | 'byId' | 'add' | 'change' | 'refresh' | 'remove' | 'setDefault' | 'defaults'
  >;
  detectEditors: () => Promise<Detection>;
  documentServers: Pick<
    DocumentServers,
    'state' | 'refresh' | 'start' | 'command' | 'startOf' | 'cancel' | 'stop'
  >;
  tls: Pick<TlsService, 'state' | 'look' | 'useLocalAuthority' | 'authorityCertificate'>;
}

/** A document that an editor is about to open. */
export interface OpenedInEditor {
  fileId: string;
  path: string;
  editorId: string;
  editorName: string;
  /** The page to show, with a single-use ticket for it. */
  url: string;
}

export interface RunningHost extends WayBackHost {
  /** Where it listens. */
  baseUrl: string;
  /** The address editors are given: the setting, or `baseUrl`. */
  publicUrl(): string;
  openDocument: OpenDocument;
  /** Null: the default editor of its type. @throws AppError no-editor, paused */
  openInEditor(input: {
    user: User;
    path: string;
    mode: AccessMode;
    editorId: string | null;
    /** How long the link can wait for its one use; a minute unless told. */
    ticketLifeMs?: number;
  }): Promise<OpenedInEditor>;
  /** The address under which that editor reaches this host; null: an editor nobody connected. */
  baseUrlOf(editorId: string | null): string;
  /** Since the host was started. */
  lastTest(editorId: string): ConnectionTest | undefined;
  /** @throws AppError editor-unknown, address-unknown, port-taken, address-unavailable */
  useAddress(editorId: string, url: string | null): Promise<void>;
  /** Why the built-in text editor can't open documents, with the last change of the settings in effect. */
  textEditorProblem(): Promise<TextEditorProblem | undefined>;
  /** What was opened for a container that is gone, and for nobody else. */
  closeContainerAddress(container: RemovedContainer): Promise<void>;
}

export interface CommandContext {
  services: ControlServices;
  host?: RunningHost;
}

export interface SettingContext {
  services: Pick<ControlServices, 'settings'>;
  host?: RunningHost;
}
