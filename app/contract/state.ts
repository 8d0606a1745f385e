// Everything the window and the tray show, as data. The main process keeps it up to date and pushes changes; the window fetches
// the whole once. Contains no token, password or lock id.

import type { DocumentServersState } from './document-servers.ts';
import type { EditorItem } from './editors.ts';

/** Something is wrong and the user must know: the sentence says what to do. */
export interface Problem {
  code: string;
  message: string;
}

export interface HostState {
  /** `idle`: no folder is chosen yet. `error`: `problem` says why no folder is served. */
  status: 'starting' | 'idle' | 'serving' | 'paused' | 'error' | 'stopping';
  problem: Problem | null;
  /** Absolute path of the hosted folder. */
  folder: string | null;
  /** Last part of the path. */
  folderName: string | null;
  /** What users can't do with the folder's documents and why; null if everything works, or nothing is served. */
  warning: string | null;
  /** The listening address, such as `http://127.0.0.1:8790`. */
  baseUrl: string | null;
  /** The bind address that DocTray was started with, which overrides the setting; null if it wasn't. */
  fixedHost: string | null;
  /** The same for the port; 0: any free one. */
  fixedPort: number | null;
  /** The base address for editors. */
  publicUrl: string | null;
  /** Null while not paused, and while paused without a time limit. */
  pausedUntilMs: number | null;
  /** A changed setting takes effect only when the listener restarts. */
  needsListenerRestart: boolean;
  startedAtMs: number | null;
  owner: string | null;
  /** The keychain, or a private file; `description` is shown to the user. */
  secrets: { kind: 'keychain' | 'file'; description: string } | null;
  /** Null while no host runs. */
  tls: TlsState | null;
}

/** How the listener speaks on the network; on the loopback address it always accepts plain HTTP too. */
export interface TlsState {
  mode: 'off' | 'files' | 'local-authority';
  /** Names and addresses the certificate is valid for; empty if there is none. */
  names: string[];
  validUntilMs: number | null;
  /** Why HTTPS doesn’t work, or what is about to go wrong; null while it works. */
  problem: Problem | null;
  /** SHA-256 of the local authority's certificate, as browsers show it; null if there is none. */
  authorityFingerprint: string | null;
}

export interface AppState {
  name: string;
  version: string;
  platform: string;
  /** Versions of Electron, Chromium, Node and SQLite, by name. */
  versions: Record<string, string>;
  dataDir: string;
  /** The window is shown in a browser: without a file manager, a tray and start at login. */
  isInBrowser: boolean;
  /** Null if the system doesn't support it. */
  startsAtLogin: boolean | null;
  /** Without a tray, closing the window asks first. */
  hasTray: boolean;
  /** Until the first-run steps were finished or skipped. */
  isFirstRun: boolean;
  /** Null if this package doesn't update itself. */
  update: UpdateState | null;
  /** The app closed because of an error and started again, until the user dismisses it. */
  hasCrashed: boolean;
}

export interface UpdateState {
  /** `unknown`: not checked since the start. `ready`: installed when the user quits. */
  status: 'unknown' | 'checking' | 'current' | 'downloading' | 'ready' | 'failed';
  /** The newer version; null unless it is being downloaded or ready. */
  version: string | null;
  /** What is new in it, as Markdown. */
  notes: string | null;
  /** Why the check failed. */
  problem: Problem | null;
  checkedAtMs: number | null;
  /** False if the app was started with options, which a restart would lose. */
  canRestart: boolean;
}

/** The settings a user can change, with the names from settings.json. */
export interface SettingsState {
  /** Absolute path of the hosted folder; null until one is chosen. */
  folder: string | null;
  /** Listening address, or a name of this computer. */
  host: string;
  /** 0: any free port. */
  port: number;
  /** The base address for editors, without a trailing slash; null: the listening address. */
  publicUrl: string | null;
  /** Additional names allowed in the Host header. */
  allowedHosts: string[];
  /** Client addresses or networks (`192.168.1.0/24`); an empty list allows all. */
  allowedAddresses: string[];
  maxUploadMB: number;
  apiTokenDays: number;
  accessTokenHours: number;
  versionDays: number;
  versionCount: number;
  /** For all recovered saves, and for those of one access token. One save is kept even if it exceeds a limit by itself. */
  recoveredMB: number;
  recoveredTokenMB: number;
  recoveredDays: number;
  /** With less free space than this, nothing new is created, and a save removes the oldest versions of its document. */
  minFreeMB: number;
  /** What a desktop program's lock file means to an editor's Lock: refuse, allow with a warning in the log, or nothing. */
  desktopLocks: 'block' | 'warn' | 'ignore';
  /** Whether a save that isn't a readable document is kept as a recovered save, instead of replacing one that is. */
  checkSaves: boolean;
  /** Addresses or networks of proxies whose forwarding headers are trusted. */
  trustedProxies: string[];
  /** Whether other computers may call the JSON API. */
  networkApi: boolean;
  /** Whether other computers may open the host pages. */
  networkPages: boolean;
  /** Whether other computers may open the dashboard, over HTTPS only. */
  networkDashboard: boolean;
  /** Port of the dashboard; null: 11 above `port`, or the next free one. */
  dashboardPort: number | null;
  /** The listener's protocol on the network: plain HTTP, or HTTPS with the user's certificate or one of the local authority. */
  tls: 'off' | 'files' | 'local-authority';
  /** Absolute path of a PEM file with the certificate and its intermediate certificates. */
  tlsCertificate: string | null;
  /** Absolute path of the PEM file with its private key. */
  tlsKey: string | null;
  /** Whether the built-in text editor opens documents. */
  textEditor: boolean;
  /** Port of its own listener; null: the one after `port`, or the next free one. */
  textEditorPort: number | null;
  /** Where browsers reach it through a reverse proxy, without a path; null: the page's host name, on its own port. */
  textEditorUrl: string | null;
  /** Where documents open. */
  openIn: 'browser' | 'window';
  /** Whether errors show a desktop notification. */
  notifyErrors: boolean;
  /** Whether stale locks show a desktop notification. */
  notifyStaleLocks: boolean;
  /** Whether an unreachable editor shows a desktop notification. */
  notifyEditorUnreachable: boolean;
  /** Whether the installed app looks for newer versions of itself. */
  checkForUpdates: boolean;
  /** The window's theme. */
  appearance: 'system' | 'light' | 'dark';
}

/** The lock on a document; one document has at most one. `id` is the file id. */
export interface LockItem {
  id: string;
  /** Inside the hosted folder, '/'-separated. */
  path: string;
  /** Login name, and the display name. */
  user: string | null;
  userName: string | null;
  /** The editor, as it calls itself. */
  editor: string | null;
  takenAtMs: number;
  refreshedAtMs: number;
  /** The lock lapses then. */
  expiresAtMs: number;
  /** The latest call that carried the lock or came from the token that took it. */
  lastCallAtMs: number;
  state: 'held' | 'stale';
  stale: StaleCause | null;
  /** The document's newest save is in its file. */
  isSaved: boolean;
}

/** Why a lock is stale. `silent`: no call since `quietSinceMs`. Otherwise, its token ended, so it can’t be refreshed. */
export type StaleCause = { kind: 'silent'; quietSinceMs: number } | { kind: 'expired' | 'revoked' };

/**
 * What a session knows of its document's lock. `refused`: it never had the lock, so its editor shows the document read-only.
 * `held`: it had the lock at its last call about it. `released`: it was unlocked. `lost`: it had the lock and was refused it since,
 * so it may have unsaved changes.
 */
export type SessionLockState = 'refused' | 'held' | 'released' | 'lost';

/** One access token in use by an editor. `id` is the token's id, which grants no access. */
export interface SessionItem {
  id: string;
  fileId: string;
  path: string;
  user: string;
  userName: string;
  /** Numbers a user's sessions of one document, in the order in which they began; stays the same until it ends. */
  tab: number;
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
  /** Null if it hasn't asked for the lock, or not since the host started. */
  lockState: SessionLockState | null;
}

export interface TokenItem {
  id: string;
  /** `api`: opens the JSON API. `access`: opens one document for an editor. */
  kind: 'api' | 'access';
  /** What an `api` token is for; null if it is from a sign-in. */
  name: string | null;
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

/** A complete body that arrived but couldn't be written to the document. */
export interface RecoveredItem {
  id: string;
  path: string;
  /** Bytes. */
  size: number;
  reason: string;
  receivedAtMs: number;
  /** It isn't a readable document, so it didn't replace one. */
  isUnreadable: boolean;
}

/** An editor's save replaced what another program wrote; that content is kept as a conflict copy. `id` is the copy's path. */
export interface ConflictItem {
  id: string;
  /** The document. */
  path: string;
  /** Where the other program's content is kept. */
  copy: string;
  madeAtMs: number;
}

/** Long work: import, search index, version clean-up. */
export interface JobItem {
  id: string;
  title: string;
  done: number;
  /** Null while unknown. */
  total: number | null;
  unit: 'files' | 'bytes';
  canCancel: boolean;
  state: 'running' | 'done' | 'failed' | 'canceled';
  /** For `failed`: what to do. For `done`: the result. */
  sentence: string | null;
  /** Done, but not with everything; the sentence names what is left. */
  isPartial?: boolean;
}

/** A recently opened document. */
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

/** Tables that may be long: changed row by row, by `id`. Rows have no order; the window sorts. */
export interface StateTables {
  locks: LockItem;
  sessions: SessionItem;
  tokens: TokenItem;
  recovered: RecoveredItem;
  conflicts: ConflictItem;
  jobs: JobItem;
}

export type TableName = keyof StateTables;

export type WindowState = { revision: number } & StateValues & { [Name in TableName]: StateTables[Name][] };

/** What changed from `revision` - 1 to `revision`. After a gap, the window fetches the whole again. */
export interface StateChange {
  revision: number;
  values: Partial<StateValues>;
  tables: { [Name in TableName]?: { upsert: StateTables[Name][]; remove: string[] } };
}

/** The state after a change; unchanged tables and values stay the same objects. */
export function applyChange(state: WindowState, change: StateChange): WindowState {
  const { values, tables, revision } = change;
  return {
    ...state,
    ...values,
    revision,
    locks: merge(state.locks, tables.locks),
    sessions: merge(state.sessions, tables.sessions),
    tokens: merge(state.tokens, tables.tokens),
    recovered: merge(state.recovered, tables.recovered),
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

/** Held by an editor that may still be open: what quitting, the tray's count and the power blocker depend on. */
export function documentsBeingEdited(state: Pick<WindowState, 'locks'>): LockItem[] {
  return state.locks.filter((lock) => lock.state === 'held');
}
