// What the main process pushes to the window, at most ten of each a second.

import type { WindowState } from './state.ts';

/** A request by an editor or the API, or an action by the user that the journal keeps. */
export interface ActivityItem {
  /** Increases by one with every entry. */
  sequence: number;
  atMs: number;
  /** `CheckFileInfo`, `Lock`, `PutFile`, … as the WOPI pages name them. */
  operation: string;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** Why it was refused: the code of an AppError, or `session-over`; null if that isn't known. */
  code: string | null;
  durationMs: number;
  fileId: string | null;
  /** Of an earlier version of that document. */
  isVersion: boolean;
  /** The path of that document inside the hosted folder; or the one it had when the user acted on it; null if unknown. */
  documentPath: string | null;
  user: string | null;
  /** The session of the editor that sent it; null for host pages, programs and what users do in DocTray. */
  sessionId: string | null;
  /** The lock header, shortened. */
  lock: string | null;
  correlationId: string;
  address: string;
  bytesIn: number;
  bytesOut: number;
}

export interface Pushes {
  /** The parts that changed. */
  'state-changed': Partial<WindowState>;
  /** Only while the window shows the activity; `dropped` entries were too many for one push, so the window fetches them. */
  'activity-added': { items: ActivityItem[]; dropped: number };
  /** Something in the folder that the window shows has changed. */
  'folder-changed': { path: string };
  /** The tray, the menu or a link opens a place in the window. */
  navigate: { view: ViewName; path?: string; quickOpen?: boolean };
}

export type PushName = keyof Pushes;
export type Push = { [Name in PushName]: [name: Name, push: Pushes[Name]] }[PushName];
export type PushListener = (...push: Push) => void;

export const viewNames = [
  'overview',
  'documents',
  'locks',
  'sessions',
  'tokens',
  'activity',
  'settings',
] as const;
export type ViewName = (typeof viewNames)[number];
