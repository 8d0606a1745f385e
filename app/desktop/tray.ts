// The tray icon: what it shows for a state of the host, as data (`trayModel`), whether this desktop shows one, and what its menu does.
// Icon, tooltip and menu change together, in render(), and only when the model did. The menu is built again each time: on Linux, changes
// to a menu in use aren't shown.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type * as Electron from 'electron';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import { attentionCounts, attentionItems } from '../contract/attention.ts';
import type { Clock } from '../contract/clock.ts';
import { describeError, type AppError } from '../contract/errors.ts';
import { formatTime } from '../contract/format.ts';
import { hostStatus, isFolderProblem, type HostMark } from '../contract/host-status.ts';
import { t } from '../contract/messages.ts';
import type { Pushes, ViewName } from '../contract/pushes.ts';
import {
  documentsBeingEdited,
  type HostState,
  type LockItem,
  type RecentItem,
  type WindowState,
} from '../contract/state.ts';
import type { WindowHost } from '../live-state/window-host.ts';
import type { Logger } from '../log/logger.ts';
import { fileText, menuLabel, namesText, nameText } from './labels.ts';
import type { QuitProgress } from './quitting.ts';

export type TrayIcon = HostMark;

export type TrayAction =
  | { do: 'open-window' | 'quick-open' | 'open-folder' | 'resume' | 'quit' }
  /** Null: until resumed. */
  | { do: 'pause'; minutes: 5 | 30 | null }
  | { do: 'show'; view: ViewName }
  | { do: 'open-document'; path: string }
  /** From a notification; the lock’s id is that of its file. */
  | { do: 'force-clear' | 'undo-force-clear'; lockId: string };

/** As Electron has it. Labels are escaped: '&&' is one ampersand. */
export interface TrayItem {
  type?: 'separator';
  label?: string;
  enabled?: boolean;
  submenu?: TrayItem[];
  action?: TrayAction;
}

export interface TrayModel {
  icon: TrayIcon;
  /** One line of at most 127 UTF-16 units, as Windows has it; not escaped. */
  tooltip: string;
  menu: TrayItem[];
}

const maxTooltipLength = 127;
const maxRecent = 10;
const maxEdited = 5;

/** What the tray shows. Pure, so that every state can be tested without a desktop. */
export function trayModel(state: WindowState, nowMs: number, quitting?: QuitProgress): TrayModel {
  const status = statusLine(state, nowMs, quitting);
  const attention = attentionItems(state);
  return {
    icon: hostStatus(state).mark,
    tooltip: tooltip([`DocTray: ${status}`, ...attentionCounts(attention)]),
    menu: menu(state, status, attention.length),
  };
}

/** The menu's first line: what the host does, and how many documents are open. */
function statusLine(
  state: Pick<WindowState, 'host' | 'locks'>,
  nowMs: number,
  quitting?: QuitProgress,
): string {
  if (quitting !== undefined && quitting.saves > 0) {
    return t('desktop.finishing-saves', { count: quitting.saves });
  }
  const { host } = state;
  const open = documentsBeingEdited(state).length;
  const openText = open === 0 ? '' : ` · ${t('desktop.files-open', { count: open })}`;
  switch (host.status) {
    case 'starting':
      return t('common.starting');
    case 'idle':
      return t('desktop.no-folder-chosen-yet');
    case 'serving':
      return `${host.folderName === null ? t('desktop.serving-a-folder') : t('desktop.serving-folder', { folder: nameText(host.folderName) })}${openText}`;
    case 'paused':
      return `${pauseText(host.pausedUntilMs, nowMs)}${openText}`;
    case 'error':
      return notServingText(host.problem);
    case 'stopping':
      return t('common.stopping');
  }
}

/** The latest first; a press opens it again. */
function editedItems(locks: readonly LockItem[]): TrayItem[] {
  const latest = locks.toSorted((a, b) => b.takenAtMs - a.takenAtMs);
  const unsaved = new Set(latest.filter(({ isSaved }) => !isSaved).map(({ path }) => path));
  const shown = documentActions(
    latest.slice(0, maxEdited).map(({ path }) => path),
    unsaved,
  );
  const others = latest.length - shown.length;
  return others === 0
    ? shown
    : [...shown, action(t('desktop.count-more', { count: others }), { do: 'show', view: 'locks' })];
}

function menu(state: WindowState, status: string, attention: number): TrayItem[] {
  const { host } = state;
  return [
    { label: menuLabel(status), enabled: false },
    ...editedItems(documentsBeingEdited(state)),
    { type: 'separator' },
    action(t('desktop.open-doctray'), { do: 'open-window' }),
    action(t('desktop.open-a-document'), { do: 'quick-open' }, host.status === 'serving'),
    action(
      t('common.open-folder'),
      { do: 'open-folder' },
      host.folder !== null && !isFolderProblem(host.problem),
    ),
    recentMenu(state.recent),
    { type: 'separator' },
    pauseItem(host),
    action(
      t('desktop.needs-attention-count', { count: attention }),
      { do: 'show', view: 'overview' },
      attention > 0,
    ),
    action(t('common.settings'), { do: 'show', view: 'settings' }),
    { type: 'separator' },
    action(quitText(state), { do: 'quit' }),
  ];
}

function action(text: string, trayAction: TrayAction, enabled = true): TrayItem {
  return { label: menuLabel(text), enabled, action: trayAction };
}

function recentMenu(recent: readonly RecentItem[]): TrayItem {
  const submenu = documentActions(recent.slice(0, maxRecent).map(({ path }) => path));
  return { label: t('desktop.recent'), enabled: submenu.length > 0, submenu };
}

/** Documents with the same name show their folder too. @param unsaved their newest save isn't in the file */
function documentActions(paths: readonly string[], unsaved: ReadonlySet<string> = new Set()): TrayItem[] {
  const names = paths.map((path) => fileText(path));
  return paths.map((path, index): TrayItem => {
    const name = names[index] ?? '';
    const isDuplicateName = names.filter((other) => other === name).length > 1;
    const folder = path.split('/').at(-2) ?? '';
    const place = isDuplicateName && folder !== '' ? `${name} – ${nameText(folder)}` : name;
    const text = unsaved.has(path) ? `${place} · ${t('desktop.not-saved')}` : place;
    return action(text, { do: 'open-document', path });
  });
}

function pauseItem(host: HostState): TrayItem {
  if (host.status === 'paused') return action(t('common.resume'), { do: 'resume' });
  return {
    label: t('common.pause'),
    enabled: host.status === 'serving',
    submenu: [
      action(t('common.for-5-minutes'), { do: 'pause', minutes: 5 }),
      action(t('common.for-30-minutes'), { do: 'pause', minutes: 30 }),
      action(t('common.until-resumed'), { do: 'pause', minutes: null }),
    ],
  };
}

function quitText(state: WindowState): string {
  const open = documentsBeingEdited(state).map(({ path }) => path);
  return open.length === 0
    ? t('desktop.quit')
    : t('desktop.quit-names-still-open', { names: namesText(open, 24) });
}

function pauseText(untilMs: number | null, nowMs: number): string {
  if (untilMs === null) return t('desktop.paused-until-resumed');
  const time = formatTime('clock', untilMs);
  if (new Date(untilMs).toDateString() === new Date(nowMs).toDateString())
    return t('desktop.paused-until-time', { time });
  // The longest pause is a day.
  return untilMs < nowMs ? t('desktop.resuming') : t('desktop.paused-until-tomorrow-time', { time });
}

/** What happened, which an error says first; the window shows what to do. */
function notServingText(problem: HostState['problem']): string {
  const [reason = ''] = problem?.message.split(/(?<=\.)\s/u) ?? [];
  return reason === ''
    ? t('common.not-serving')
    : t('desktop.not-serving-reason', { reason: nameText(reason, 90) });
}

function tooltip(parts: string[]): string {
  const text = parts.join(' · ');
  return text.length <= maxTooltipLength ? text : `${text.slice(0, maxTooltipLength - 1)}…`.toWellFormed();
}

export interface TrayDeps {
  electron: Pick<typeof Electron, 'Tray' | 'Menu' | 'nativeImage'>;
  platform: NodeJS.Platform;
  imageFolder: string;
  /** `isTraySupported` */
  isSupported(): Promise<boolean>;
  state(): WindowState;
  quitProgress(): QuitProgress | undefined;
  clock: Clock;
  act(action: TrayAction): void;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The icon has become visible. */
  onVisible(): void;
}

export type AppTray = ReturnType<typeof createTray>;

/** An app that starts with the session may start before the panel does. */
const retryMs = 10_000;
const maxRetries = 12;

export function createTray(deps: TrayDeps) {
  const { electron, platform, log } = deps;
  let icon: Electron.Tray | undefined;
  let shown: TrayModel | undefined;
  let isVisible = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function imageOf(name: TrayIcon): Electron.NativeImage {
    const image = electron.nativeImage.createFromPath(trayImagePath(deps.imageFolder, platform, name));
    if (platform === 'darwin') image.setTemplateImage(true);
    return image;
  }

  function render(): void {
    if (icon === undefined) return;
    const model = trayModel(deps.state(), deps.clock(), deps.quitProgress());
    if (model.icon !== shown?.icon) icon.setImage(imageOf(model.icon));
    if (model.tooltip !== shown?.tooltip) icon.setToolTip(model.tooltip);
    if (!isDeepStrictEqual(model.menu, shown?.menu)) {
      icon.setContextMenu(electron.Menu.buildFromTemplate(model.menu.map(menuItem)));
    }
    shown = model;
  }

  function menuItem({ action: own, submenu, ...item }: TrayItem): Electron.MenuItemConstructorOptions {
    return {
      ...item,
      ...(submenu && { submenu: submenu.map(menuItem) }),
      ...(own && { click: () => deps.act(own) }),
    };
  }

  /** Even where no panel is known to show it: an old X11 panel may, without a watcher on the bus. */
  function createIcon(): void {
    icon?.destroy();
    shown = undefined;
    icon = undefined;
    try {
      icon = new electron.Tray(imageOf(trayModel(deps.state(), deps.clock()).icon));
      // On macOS a click opens the menu.
      if (platform !== 'darwin') icon.on('click', () => deps.act({ do: 'open-window' }));
      render();
    } catch (error) {
      icon = undefined;
      log.warn({ err: error }, 'The desktop didn’t accept the tray icon.');
    }
  }

  async function tryToShow(attempt: number): Promise<void> {
    const isSupported = await deps.isSupported();
    if (isClosed) return;
    // A panel doesn't show icons that were created before it started.
    if (icon === undefined || isSupported) createIcon();
    isVisible = isSupported && icon !== undefined;
    if (isVisible) return deps.onVisible();
    if (attempt === 0)
      log.info({}, 'This desktop shows no tray icons. Closing the window asks for confirmation.');
    if (attempt < maxRetries) timer = setTimeout(() => void tryToShow(attempt + 1), retryMs).unref();
  }

  return {
    /** After Electron is ready. Never rejects. */
    start: () => tryToShow(0),
    /** While it's false, closing the window asks. */
    isVisible: () => isVisible,
    /** Shows the current state; cheap when nothing in the tray changes. */
    refresh: render,
    close() {
      isClosed = true;
      clearTimeout(timer);
      icon?.destroy();
      icon = undefined;
      isVisible = false;
    },
  };
}

/**
 * macOS colors black shapes on a transparent background itself; panels on Linux are 22 points high, elsewhere 16. Electron finds
 * the `@2x` image for denser screens by its name. `imageFolder` is out/tray of the built app, perhaps inside the asar archive.
 */
export function trayImagePath(imageFolder: string, platform: NodeJS.Platform, icon: TrayIcon): string {
  const variant = platform === 'darwin' ? 'Template' : platform === 'linux' ? '-22' : '';
  return join(imageFolder, `${icon}${variant}.png`);
}

/** Runs the menu's actions, through the same commands as the window. */
export function createTrayActions(deps: {
  run: WindowHost['run'];
  /** The window, at that place. */
  show(to?: Pushes['navigate']): void;
  /** In its editor, otherwise in the window. */
  openDocument(path: string): void;
  quit(): void;
  /** By a dialog: the window may be hidden. */
  showError(error: Pick<AppError, 'message'>): void;
  /** Until then, it can be undone. */
  onCleared(lock: { id: string; path: string }, undoUntilMs: number): void;
  log: Pick<Logger, 'warn'>;
}): (action: TrayAction) => void {
  function run<Name extends CommandName>(
    name: Name,
    args: CommandArgs<Name>,
    onDone?: (result: CommandResult<Name>) => void,
  ): void {
    const done = deps.run(name, args) as Promise<CommandResult<Name>>;
    done.then(onDone).catch((error: unknown) => {
      deps.log.warn({ err: error, command: name }, 'A command of the tray failed.');
      deps.showError(describeError(error));
    });
  }
  return (action) => {
    switch (action.do) {
      case 'open-window':
        return deps.show();
      case 'open-folder':
        return run('host.openFolder', {});
      case 'quick-open':
        return deps.show({ view: 'documents', quickOpen: true });
      case 'pause':
        return run('host.pause', { minutes: action.minutes });
      case 'resume':
        return run('host.resume', {});
      case 'show':
        return deps.show({ view: action.view });
      case 'open-document':
        return deps.openDocument(action.path);
      case 'force-clear':
        return run(
          'locks.forceClear',
          { ids: [action.lockId], onlyStale: true },
          ({ done: [lock], failed, undoUntilMs }) => {
            for (const { code, path, message } of failed) {
              // A notification may be pressed hours later, and twice.
              const gone = t('desktop.the-lock-on-file-was', { file: fileText(path) });
              deps.showError({ message: code === 'file-not-locked' ? gone : message });
            }
            if (lock !== undefined && undoUntilMs !== null) deps.onCleared(lock, undoUntilMs);
          },
        );
      case 'undo-force-clear':
        return run('locks.undoForceClear', { ids: [action.lockId] }, ({ failed }) => {
          for (const error of failed) deps.showError(error);
        });
      case 'quit':
        return deps.quit();
    }
  };
}

/** What the tool printed; undefined when it isn't installed. @throws when it failed or took too long */
export type RunTool = (
  file: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; timeout: number },
) => Promise<string | undefined>;

const watcher = 'org.kde.StatusNotifierWatcher';
const panelQuery =
  `call --session --timeout 1 --dest ${watcher} --object-path /StatusNotifierWatcher ` +
  `--method org.freedesktop.DBus.Properties.Get ${watcher} IsStatusNotifierHostRegistered`;
/** Desktops whose default panel shows tray icons. GNOME's doesn't. */
const desktopsWithTray =
  /(?:^|:)(?:kde|xfce|cinnamon|x-cinnamon|mate|lxqt|budgie|unity|deepin|ukui)(?:$|:)/iu;

/**
 * Whether this desktop shows tray icons. On Linux a panel must have registered with the StatusNotifierWatcher under KDE's name,
 * the one that Chromium uses. Electron doesn't report that, so this asks the session bus with `gdbus`, and goes by the desktop's name
 * if that isn't installed. DOCTRAY_TRAY=on or =off overrides everything. Never rejects.
 */
export async function isTraySupported(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  run: RunTool = runTool,
): Promise<boolean> {
  const { DOCTRAY_TRAY: choice, XDG_CURRENT_DESKTOP: desktop = '', XDG_RUNTIME_DIR: runtime } = env;
  if (choice === 'on' || choice === 'off') return choice === 'on';
  if (platform !== 'linux') return true;
  // Without an address, gdbus starts a bus of its own.
  const address = env['DBUS_SESSION_BUS_ADDRESS'] || `unix:path=${runtime}/bus`;
  try {
    const bus = { env: { ...env, DBUS_SESSION_BUS_ADDRESS: address }, timeout: 1500 };
    const answer = await run('gdbus', panelQuery.split(' '), bus);
    return answer === undefined ? desktopsWithTray.test(desktop) : answer.includes('<true>');
  } catch {
    return false;
  }
}

const runTool: RunTool = (file, args, options) =>
  new Promise((resolve, reject) => {
    execFile(file, [...args], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (error.code === 'ENOENT') resolve(undefined);
      else reject(new Error(`${file} failed.`, { cause: error }));
    });
  });
