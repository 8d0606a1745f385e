// Everything the window and the tray show, as data. The host keeps it up to date; the window fetches it once, and the parts that
// change are pushed as a whole. Contains no token, password or lock id.

import type { DocumentServersState } from './document-servers.ts';
import type { EditorItem } from './editors.ts';
import type { SettingsState } from './settings.ts';

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
  /** Less space is free than the settings require, so nothing new is created. */
  isDiskLow: boolean;
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
  /** Of an `api` token: the most that its user may do. */
  mode: 'edit' | 'view';
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

/** Rows have no order; the window sorts. */
export interface WindowState {
  app: AppState;
  host: HostState;
  settings: SettingsState;
  recent: RecentItem[];
  users: UserItem[];
  /** Oldest first. */
  editors: EditorItem[];
  documentServers: DocumentServersState;
  locks: LockItem[];
  sessions: SessionItem[];
  tokens: TokenItem[];
  recovered: RecoveredItem[];
  conflicts: ConflictItem[];
  jobs: JobItem[];
}

/** Held by an editor that may still be open: what quitting, the tray's count and the power blocker depend on. */
export function documentsBeingEdited(state: Pick<WindowState, 'locks'>): LockItem[] {
  return state.locks.filter((lock) => lock.state === 'held');
}
