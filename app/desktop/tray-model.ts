// The tray as data: icon, tooltip and menu for a state of the host. Pure, so that every state can be tested without a desktop.

import { attentionCounts, attentionItems } from '../contract/attention.ts';
import { countOf } from '../contract/format.ts';
import {
  documentsBeingEdited,
  type HostState,
  type RecentItem,
  type WindowState,
} from '../contract/state.ts';
import type { ViewName } from '../contract/pushes.ts';
import { fileText, menuLabel, namesText, nameText } from './labels.ts';
import type { QuitProgress } from './quitting.ts';

export type TrayIcon = 'serving' | 'editing' | 'attention' | 'paused' | 'error';

export type TrayAction =
  | { do: 'open-window' | 'open-folder' | 'copy-address' | 'resume' | 'quit' }
  /** Null: until resumed. */
  | { do: 'pause'; minutes: 5 | 30 | null }
  | { do: 'show'; view: ViewName }
  | { do: 'open-document'; path: string };

/** Labels are escaped for menus: '&&' is one ampersand. */
export type TrayItem =
  | { kind: 'text'; label: string }
  | { kind: 'separator' }
  | { kind: 'action'; label: string; isEnabled: boolean; action: TrayAction }
  | { kind: 'submenu'; label: string; isEnabled: boolean; items: TrayItem[] };

export interface TrayModel {
  icon: TrayIcon;
  /** One line of at most 127 UTF-16 units, as Windows has it; not escaped. */
  tooltip: string;
  menu: TrayItem[];
}

const maxTooltipLength = 127;
const maxRecent = 10;

export function trayModel(state: WindowState, nowMs: number, quitting?: QuitProgress): TrayModel {
  const status = statusLine(state, nowMs, quitting);
  const attention = attentionItems(state);
  return {
    icon: trayIcon(state, attention.length > 0),
    tooltip: tooltip([`DocTray: ${status}`, ...attentionCounts(attention)]),
    menu: menu(state, status),
  };
}

/** The menu's first line: what the host does, and how many documents are open. */
function statusLine(
  state: Pick<WindowState, 'host' | 'locks'>,
  nowMs: number,
  quitting?: QuitProgress,
): string {
  if (quitting !== undefined && quitting.saves > 0) {
    return `Finishing ${countOf(quitting.saves, 'save')}…`;
  }
  const { host } = state;
  const open = documentsBeingEdited(state).length;
  const openText = open === 0 ? '' : ` · ${countOf(open, 'file open', 'files open')}`;
  switch (host.status) {
    case 'starting':
      return 'Starting…';
    case 'idle':
      return 'No folder chosen yet';
    case 'serving':
      return `Serving ${host.folderName === null ? 'a folder' : nameText(host.folderName)}${openText}`;
    case 'paused':
      return `${pauseText(host.pausedUntilMs, nowMs)}${openText}`;
    case 'error':
      return `Not serving: ${reasonText(host.problem?.code)}`;
    case 'stopping':
      return 'Stopping…';
  }
}

/** What is wrong comes first, then what needs attention, then what the host does. */
function trayIcon(state: WindowState, needsAttention: boolean): TrayIcon {
  const { status } = state.host;
  if (status === 'error') return 'error';
  if (needsAttention) return 'attention';
  if (status !== 'serving') return 'paused';
  return documentsBeingEdited(state).length > 0 ? 'editing' : 'serving';
}

function staleLocks(state: Pick<WindowState, 'locks'>): number {
  return state.locks.filter((lock) => lock.state === 'stale').length;
}

function menu(state: WindowState, status: string): TrayItem[] {
  const { host } = state;
  const stale = staleLocks(state);
  return [
    { kind: 'text', label: menuLabel(status) },
    { kind: 'separator' },
    action('Open DocTray', { do: 'open-window' }),
    action('Open folder', { do: 'open-folder' }, host.folder !== null),
    action('Copy address', { do: 'copy-address' }, addressOf(host) !== null),
    recentMenu(state.recent),
    { kind: 'separator' },
    pauseItem(host),
    action(`Locks that need attention (${stale})`, { do: 'show', view: 'locks' }, stale > 0),
    action('Settings', { do: 'show', view: 'settings' }),
    { kind: 'separator' },
    action(quitText(state), { do: 'quit' }),
  ];
}

/** What 'Copy address' copies. */
export function addressOf(host: HostState): string | null {
  return host.publicUrl ?? host.baseUrl;
}

function action(text: string, trayAction: TrayAction, isEnabled = true): TrayItem {
  return { kind: 'action', label: menuLabel(text), isEnabled, action: trayAction };
}

function recentMenu(recent: readonly RecentItem[]): TrayItem {
  const shown = recent.slice(0, maxRecent);
  const names = shown.map(({ path }) => fileText(path));
  const items = shown.map(({ path }, index): TrayItem => {
    const name = names[index] ?? '';
    const isDuplicateName = names.filter((other) => other === name).length > 1;
    const folder = path.split('/').at(-2) ?? '';
    const text = isDuplicateName && folder !== '' ? `${name} – ${nameText(folder)}` : name;
    return action(text, { do: 'open-document', path });
  });
  return { kind: 'submenu', label: 'Recent documents', isEnabled: items.length > 0, items };
}

function pauseItem(host: HostState): TrayItem {
  if (host.status === 'paused') return action('Resume', { do: 'resume' });
  return {
    kind: 'submenu',
    label: 'Pause',
    isEnabled: host.status === 'serving',
    items: [
      action('For 5 minutes', { do: 'pause', minutes: 5 }),
      action('For 30 minutes', { do: 'pause', minutes: 30 }),
      action('Until resumed', { do: 'pause', minutes: null }),
    ],
  };
}

function quitText(state: WindowState): string {
  const open = documentsBeingEdited(state).map(({ path }) => path);
  return open.length === 0 ? 'Quit' : `Quit (${namesText(open, 24)} still open)`;
}

function pauseText(untilMs: number | null, nowMs: number): string {
  if (untilMs === null) return 'Paused until resumed';
  const until = new Date(untilMs);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const time = `${twoDigits(until.getHours())}:${twoDigits(until.getMinutes())}`;
  if (until.toDateString() === new Date(nowMs).toDateString()) return `Paused until ${time}`;
  // The longest pause is a day.
  return untilMs < nowMs ? 'Resuming…' : `Paused until tomorrow, ${time}`;
}

/** The window shows the whole sentence; the menu has room for the reason only. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['folder-missing', 'the folder is missing'],
  ['folder-gone', 'the folder is missing'],
  ['folder-invalid', 'this folder can’t be served'],
  ['folder-not-chosen', 'no folder is chosen'],
  ['default-folder-failed', 'the documents folder couldn’t be created'],
  ['port-taken', 'the port is already in use'],
  ['port-forbidden', 'no permission to listen on the port'],
  ['address-unavailable', 'the address doesn’t belong to this computer'],
  ['data-folder-busy', 'another DocTray is using the data folder'],
  ['data-folder-invalid', 'the data folder can’t be used'],
  ['data-folder-forbidden', 'the data folder belongs to another user'],
  ['database-newer', 'the data is from a newer DocTray'],
  ['database-not-upgraded', 'the database couldn’t be upgraded'],
  ['secret-store-unreachable', 'the keychain can’t be reached'],
  ['settings-invalid', 'the settings file isn’t valid'],
  ['disk-refused', 'the disk returned an error'],
]);

function reasonText(code: string | undefined): string {
  return reasons.get(code ?? '') ?? 'open DocTray to see why';
}

function tooltip(parts: string[]): string {
  const text = parts.join(' · ');
  return text.length <= maxTooltipLength ? text : `${text.slice(0, maxTooltipLength - 1)}…`.toWellFormed();
}
