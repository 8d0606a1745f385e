// The tray as data: icon, tooltip and menu for a state of the host. Pure, so that every state can be tested without a desktop.

import { attentionCounts, attentionItems } from '../contract/attention.ts';
import { formatTime } from '../contract/format.ts';
import {
  documentsBeingEdited,
  type HostState,
  type LockItem,
  type RecentItem,
  type WindowState,
} from '../contract/state.ts';
import type { ViewName } from '../contract/pushes.ts';
import { fileText, menuLabel, namesText, nameText } from './labels.ts';
import type { QuitProgress } from './quitting.ts';
import { hostStatus, type HostMark } from '../contract/host-status.ts';
import { t } from '../contract/messages.ts';

export type TrayIcon = HostMark;

export type TrayAction =
  | { do: 'open-window' | 'quick-open' | 'open-folder' | 'resume' | 'quit' }
  /** Null: until resumed. */
  | { do: 'pause'; minutes: 5 | 30 | null }
  | { do: 'show'; view: ViewName }
  | { do: 'open-document'; path: string }
  /** From a notification; the lock’s id is that of its file. */
  | { do: 'force-clear'; lockId: string };

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
const maxEdited = 5;

export function trayModel(state: WindowState, nowMs: number, quitting?: QuitProgress): TrayModel {
  const status = statusLine(state, nowMs, quitting);
  const attention = attentionItems(state);
  const { mark, attention: attentionCount } = hostStatus(state);
  return {
    icon: mark,
    tooltip: tooltip([`DocTray: ${status}`, ...attentionCounts(attention)]),
    menu: menu(state, status, attentionCount),
  };
}

/** The menu's first line: what the host does, and how many documents are open. */
function statusLine(
  state: Pick<WindowState, 'host' | 'locks'>,
  nowMs: number,
  quitting?: QuitProgress,
): string {
  if (quitting !== undefined && quitting.saves > 0) {
    return t('Finishing {count, plural, one {# save} other {# saves}}…', { count: quitting.saves });
  }
  const { host } = state;
  const open = documentsBeingEdited(state).length;
  const openText =
    open === 0 ? '' : ` · ${t('{count, plural, one {# file open} other {# files open}}', { count: open })}`;
  switch (host.status) {
    case 'starting':
      return t('Starting…');
    case 'idle':
      return t('No folder chosen yet');
    case 'serving':
      return `${host.folderName === null ? t('Serving a folder') : t('Serving {folder}', { folder: nameText(host.folderName) })}${openText}`;
    case 'paused':
      return `${pauseText(host.pausedUntilMs, nowMs)}${openText}`;
    case 'error':
      return t('Not serving: {reason}', { reason: reasonText(host.problem?.code) });
    case 'stopping':
      return t('Stopping…');
  }
}

/** The latest first; a press opens it again. */
function editedItems(locks: readonly LockItem[]): TrayItem[] {
  const latest = locks.toSorted((a, b) => b.takenAtMs - a.takenAtMs);
  const shown = documentActions(latest.slice(0, maxEdited).map(({ path }) => path));
  const others = latest.length - shown.length;
  return others === 0
    ? shown
    : [...shown, action(t('{count} more', { count: others }), { do: 'show', view: 'locks' })];
}

function menu(state: WindowState, status: string, attention: number): TrayItem[] {
  const { host } = state;
  return [
    { kind: 'text', label: menuLabel(status) },
    ...editedItems(documentsBeingEdited(state)),
    { kind: 'separator' },
    action(t('Open DocTray'), { do: 'open-window' }),
    action(t('Open a document…'), { do: 'quick-open' }, host.status === 'serving'),
    action(t('Open folder'), { do: 'open-folder' }, host.folder !== null),
    recentMenu(state.recent),
    { kind: 'separator' },
    pauseItem(host),
    action(
      t('Needs attention ({count})', { count: attention }),
      { do: 'show', view: 'overview' },
      attention > 0,
    ),
    action(t('Settings'), { do: 'show', view: 'settings' }),
    { kind: 'separator' },
    action(quitText(state), { do: 'quit' }),
  ];
}

function action(text: string, trayAction: TrayAction, isEnabled = true): TrayItem {
  return { kind: 'action', label: menuLabel(text), isEnabled, action: trayAction };
}

function recentMenu(recent: readonly RecentItem[]): TrayItem {
  const items = documentActions(recent.slice(0, maxRecent).map(({ path }) => path));
  return { kind: 'submenu', label: t('Recent'), isEnabled: items.length > 0, items };
}

/** Documents with the same name show their folder too. */
function documentActions(paths: readonly string[]): TrayItem[] {
  const names = paths.map((path) => fileText(path));
  return paths.map((path, index): TrayItem => {
    const name = names[index] ?? '';
    const isDuplicateName = names.filter((other) => other === name).length > 1;
    const folder = path.split('/').at(-2) ?? '';
    const text = isDuplicateName && folder !== '' ? `${name} – ${nameText(folder)}` : name;
    return action(text, { do: 'open-document', path });
  });
}

function pauseItem(host: HostState): TrayItem {
  if (host.status === 'paused') return action(t('Resume'), { do: 'resume' });
  return {
    kind: 'submenu',
    label: t('Pause'),
    isEnabled: host.status === 'serving',
    items: [
      action(t('For 5 minutes'), { do: 'pause', minutes: 5 }),
      action(t('For 30 minutes'), { do: 'pause', minutes: 30 }),
      action(t('Until resumed'), { do: 'pause', minutes: null }),
    ],
  };
}

function quitText(state: WindowState): string {
  const open = documentsBeingEdited(state).map(({ path }) => path);
  return open.length === 0 ? t('Quit') : t('Quit ({names} still open)', { names: namesText(open, 24) });
}

function pauseText(untilMs: number | null, nowMs: number): string {
  if (untilMs === null) return t('Paused until resumed');
  const time = formatTime('clock', untilMs);
  if (new Date(untilMs).toDateString() === new Date(nowMs).toDateString())
    return t('Paused until {time}', { time });
  // The longest pause is a day.
  return untilMs < nowMs ? t('Resuming…') : t('Paused until tomorrow, {time}', { time });
}

/** The window shows the whole sentence; the menu has room for the reason only. */
const reasons = (): ReadonlyMap<string, string> =>
  new Map([
    ['folder-missing', t('the folder is missing')],
    ['folder-gone', t('the folder is missing')],
    ['folder-invalid', t('this folder can’t be served')],
    ['folder-not-chosen', t('no folder is chosen')],
    ['default-folder-failed', t('the documents folder couldn’t be created')],
    ['port-taken', t('the port is already in use')],
    ['port-forbidden', t('no permission to listen on the port')],
    ['address-unavailable', t('the address doesn’t belong to this computer')],
    ['data-folder-busy', t('another DocTray is using the data folder')],
    ['data-folder-invalid', t('the data folder can’t be used')],
    ['data-folder-forbidden', t('the data folder belongs to another user')],
    ['database-newer', t('the data is from a newer DocTray')],
    ['database-not-upgraded', t('the database couldn’t be upgraded')],
    ['secret-store-unreachable', t('the keychain can’t be reached')],
    ['settings-invalid', t('the settings file isn’t valid')],
    ['disk-refused', t('the disk returned an error')],
  ]);

function reasonText(code: string | undefined): string {
  return reasons().get(code ?? '') ?? t('open DocTray to see why');
}

function tooltip(parts: string[]): string {
  const text = parts.join(' · ');
  return text.length <= maxTooltipLength ? text : `${text.slice(0, maxTooltipLength - 1)}…`.toWellFormed();
}
