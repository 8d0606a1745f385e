// What the main process tells the window without being asked. At most ten of each a second.

import type { StateChange } from './state.ts';

/** One request an editor or the API made, or one act of the user that the journal keeps. */
export interface ActivityItem {
  /** Grows by one with every entry. */
  sequence: number;
  atMs: number;
  /** `CheckFileInfo`, `Lock`, `PutFile`, … as the WOPI pages name them. */
  operation: string;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  durationMs: number;
  fileId: string | null;
  user: string | null;
  /** The lock header, shortened. */
  lock: string | null;
  correlationId: string;
  address: string;
  bytesIn: number;
  bytesOut: number;
}

export interface Pushes {
  'state-changed': StateChange;
  /** Only while the window watches; `dropped` entries were too many for one push and are to be asked for again. */
  'activity-added': { items: ActivityItem[]; dropped: number };
  /** Something in the folder that the window shows was changed, by whomever. */
  'folder-changed': { path: string };
  /** The tray, the menu or a link leads to a place in the window. */
  navigate: { view: ViewName; path?: string };
}

export type PushName = keyof Pushes;
export const pushNames = [
  'state-changed',
  'activity-added',
  'folder-changed',
  'navigate',
] as const satisfies readonly PushName[];

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
