// Everything the window and the tray show, as data. The host's part keeps it up to date and pushes what changed; the window
// asks once for the whole. No token, password or lock id is ever part of it.

import type { DocumentServersState } from './document-servers.ts';
import type { EditorItem } from './editors.ts';

/** What a person must hear of when something is wrong: the sentence names what to do. */
export interface Problem {
  code: string;
  message: string;
}

export interface HostState {
  /** `idle`: no folder is chosen yet. `error`: `problem` says why nothing is served. */
  status: 'starting' | 'idle' | 'serving' | 'paused' | 'error' | 'stopping';
  problem: Problem | null;
  /** Absolute path of the hosted folder. */
  folder: string | null;
  /** Last part of the path. */
  folderName: string | null;
  /** Where it listens, such as `http://127.0.0.1:8790`. */
  baseUrl: string | null;
  /** The address editors are given. */
  publicUrl: string | null;
  /** Null while not paused, and while paused until somebody resumes it. */
  pausedUntilMs: number | null;
  /** A setting was changed that counts only once the port is opened again. */
  needsListenerRestart: boolean;
  startedAtMs: number | null;
  owner: string | null;
  /** The keychain, or a private file; in words. */
  secrets: { kind: 'keychain' | 'file'; description: string } | null;
  /** Null while no host runs. */
  tls: TlsState | null;
}

/** How the listener speaks on the network; on this machine's own loopback address it always takes plain HTTP as well. */
export interface TlsState {
  mode: 'off' | 'files' | 'local-authority';
  /** Names and addresses the certificate is for; empty where there is none. */
  names: string[];
  validUntilMs: number | null;
  /** Why HTTPS doesn’t work, or what is about to go wrong; null while it works. */
  problem: Problem | null;
  /** SHA-256 of the local authority's certificate, as browsers show it; null where there is none. */
  authorityFingerprint: string | null;
}

export interface AppState {
  name: string;
  version: string;
  platform: string;
  /** Electron, Chromium, Node and SQLite, by name. */
  versions: Record<string, string>;
  dataDir: string;
  /** Null where the system offers no such thing. */
  startsAtLogin: boolean | null;
  /** Without a tray, closing the window asks. */
  hasTray: boolean;
  /** Until the first-run steps were finished or skipped. */
  isFirstRun: boolean;
}

/** The settings a person can change, by the names of settings.json. */
export interface SettingsState {
  folder: string | null;
  host: string;
  port: number;
  publicUrl: string | null;
  allowedHosts: string[];
  allowedAddresses: string[];
  maxUploadMiB: number;
  apiTokenDays: number;
  accessTokenHours: number;
  versionDays: number;
  versionCount: number;
  recoveredMiB: number;
  recoveredTokenMiB: number;
  recoveredDays: number;
  minFreeMiB: number;
  desktopLocks: 'block' | 'warn' | 'ignore';
  trustedProxies: string[];
  networkApi: boolean;
  networkPages: boolean;
  tls: 'off' | 'files' | 'local-authority';
  tlsCertificate: string | null;
  tlsKey: string | null;
  textEditor: boolean;
  textEditorPort: number | null;
  textEditorUrl: string | null;
  openIn: 'browser' | 'window';
  notifyErrors: boolean;
  notifyStaleLocks: boolean;
  notifyEditorUnreachable: boolean;
  appearance: 'system' | 'light' | 'dark';
}

/** The lock that holds a document; one document has at most one. `id` is the file id. */
export interface LockItem {
  id: string;
  /** Inside the hosted folder, '/'-separated. */
  path: string;
  /** Login, and the name others see. */
  user: string | null;
  userName: string | null;
  /** The editor, as it names itself. */
  editor: string | null;
  takenAtMs: number;
  refreshedAtMs: number;
  /** From then on the lock has lapsed by itself. */
  expiresAtMs: number;
  /** The latest call that carried the lock or was made by the token that took it. */
  lastCallAtMs: number;
  state: 'held' | 'stale';
  /** Why it is stale. `silent`: no call since `quietSinceMs`; `token-ended`: nobody is left who could refresh it. */
  stale: { kind: 'silent'; quietSinceMs: number } | { kind: 'token-ended'; sentence: string } | null;
}

/** One access token being used by an editor. `id` is the token's id, which opens nothing. */
export interface SessionItem {
  id: string;
  fileId: string;
  path: string;
  user: string;
  userName: string;
  mode: 'edit' | 'view';
  editor: string | null;
  address: string | null;
  sinceMs: number;
  lastCallAtMs: number;
  expiresAtMs: number;
  calls: number;
  saves: number;
  bytesRead: number;
  bytesWritten: number;
}

export interface TokenItem {
  id: string;
  /** `api`: opens the JSON API. `access`: opens one document for an editor. */
  kind: 'api' | 'access';
  user: string;
  userName: string;
  /** Null for `api`. */
  fileId: string | null;
  path: string | null;
  mode: 'edit' | 'view' | null;
  createdAtMs: number;
  expiresAtMs: number;
  lastUsedAtMs: number | null;
}

export interface UserItem {
  id: string;
  login: string;
  displayName: string;
  role: 'owner' | 'editor' | 'viewer';
  createdAtMs: number;
}

/** A whole body that arrived and could not become the document. */
export interface RecoveredItem {
  id: string;
  path: string;
  /** Bytes. */
  size: number;
  reason: string;
  receivedAtMs: number;
}

/** Two contents met: another program's stayed in the document's history, under a name of its own. `id` is the copy's path. */
export interface ConflictItem {
  id: string;
  /** The document. */
  path: string;
  /** Where the other content lies. */
  copy: string;
  madeAtMs: number;
}

/** Long work: import, search index, version clean-up. */
export interface JobItem {
  id: string;
  title: string;
  done: number;
  /** Null while it is not known yet. */
  total: number | null;
  unit: 'files' | 'bytes';
  canCancel: boolean;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  /** For `failed`: what to do. For `done`: what was done. */
  sentence: string | null;
}

/** A document that was opened lately, newest first. */
export interface RecentItem {
  path: string;
  openedAtMs: number;
}

/** Values that are replaced as a whole. */
export interface StateValues {
  app: AppState;
  host: HostState;
  settings: SettingsState;
  recent: RecentItem[];
  users: UserItem[];
  /** Oldest first. */
  editors: EditorItem[];
  documentServers: DocumentServersState;
}

/** Tables that may be long: changed row by row, by `id`. The order of rows says nothing; the window sorts. */
export interface StateTables {
  locks: LockItem;
  sessions: SessionItem;
  tokens: TokenItem;
  rescued: RecoveredItem;
  conflicts: ConflictItem;
  jobs: JobItem;
}

export type TableName = keyof StateTables;
export const tableNames = [
  'locks',
  'sessions',
  'tokens',
  'rescued',
  'conflicts',
  'jobs',
] as const satisfies readonly TableName[];

export type WindowState = { revision: number } & StateValues & { [Name in TableName]: StateTables[Name][] };

/** What changed from `revision` - 1 to `revision`. One that does not follow on means: ask for the whole again. */
export interface StateChange {
  revision: number;
  values: Partial<StateValues>;
  tables: { [Name in TableName]?: { upsert: StateTables[Name][]; remove: string[] } };
}

/** The state after a change; tables and values that did not change stay the same objects. */
export function applyChange(state: WindowState, change: StateChange): WindowState {
  const { values, tables, revision } = change;
  return {
    ...state,
    ...values,
    revision,
    locks: merge(state.locks, tables.locks),
    sessions: merge(state.sessions, tables.sessions),
    tokens: merge(state.tokens, tables.tokens),
    rescued: merge(state.rescued, tables.rescued),
    conflicts: merge(state.conflicts, tables.conflicts),
    jobs: merge(state.jobs, tables.jobs),
  };
}

function merge<Item extends { id: string }>(
  items: Item[],
  change: { upsert: readonly Item[]; remove: readonly string[] } | undefined,
): Item[] {
  if (change === undefined) return items;
  const changed = new Map(change.upsert.map((item) => [item.id, item]));
  const gone = new Set(change.remove);
  const kept: Item[] = [];
  for (const item of items) {
    const newer = changed.get(item.id);
    changed.delete(item.id);
    if (newer !== undefined) kept.push(newer);
    else if (!gone.has(item.id)) kept.push(item);
  }
  return [...kept, ...changed.values()];
}

/** Held by an editor that may still be there: what quitting, the tray's count and the power blocker go by. */
export function documentsBeingEdited(state: Pick<WindowState, 'locks'>): LockItem[] {
  return state.locks.filter((lock) => lock.state === 'held');
}
