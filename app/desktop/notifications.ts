// System notifications: a problem of the host, a recovered save, a conflict copy, a lock that became stale, an editor that can't
// be reached. Each is shown once. What happens within a moment becomes one notification per kind, and the next of the same kind waits a
// minute, so that 5,000 locks that expire after a sleep are one notification. Nothing is shown that the focused window
// already shows, except Undo after a force-clear.
// Desktops that don't support buttons in notifications leave out the button.

import type { NotificationAction, NotificationConstructorOptions } from 'electron';
import {
  attentionCounts,
  attentionItems,
  attentionOf,
  attentionTitle,
  staleSentence,
  type AttentionItem,
  type AttentionKind,
} from '../contract/attention.ts';
import type { Clock } from '../contract/clock.ts';
import { problemWords } from '../contract/editors.ts';
import type { Pushes, ViewName } from '../contract/pushes.ts';
import type { LockItem, WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { fileText, namesText, nameText } from './labels.ts';
import type { TrayAction } from './tray.ts';
import { t } from '../contract/messages.ts';

interface SystemNotification {
  on(event: 'click' | 'close' | 'failed' | 'action', listener: () => void): unknown;
  show(): void;
  close(): void;
}

export interface NotifierDeps {
  /** Electron's class. */
  Notification: {
    new (options: NotificationConstructorOptions): SystemNotification;
    isSupported(): boolean;
  };
  state(): WindowState;
  platform: NodeJS.Platform;
  clock: Clock;
  /** The window has the focus. */
  isWindowFocused(): boolean;
  /** Shows the window, there. */
  open(to: Pushes['navigate']): void;
  /** Force-clears a lock only if it is still stale. Shows why if it fails. */
  act(action: LockAction): void;
  log: Pick<Logger, 'warn'>;
}

type LockAction = Extract<TrayAction, { lockId: string }>;

export interface Notifier {
  /** Follows the state; cheap when there is nothing new. */
  refresh(): void;
  /** A lock was force-cleared from its notification. Shows Undo for as long as it works. */
  cleared(lock: { id: string; path: string }, undoUntilMs: number): void;
  /** The app closed because of an error, and was started again. */
  restarted(): void;
  close(): void;
}

interface Notice {
  title: string;
  body: string;
  /** Where a click leads. */
  leadsTo: { view: ViewName; path?: string };
  button?: { text: string; action: LockAction };
  /** Then it disappears. */
  untilMs?: number;
}

interface Kind {
  name: string;
  /** What this kind could report now. `isOld`: it happened before the host started. */
  find(state: WindowState): { key: string; isOld: boolean }[];
  /** About those of the keys that still apply; undefined when none does or the setting is off. */
  notice(state: WindowState, keys: ReadonlySet<string>, nowMs: number): Notice | undefined;
}

const gatherMs = 1500;
const pauseMs = 60_000;
/** A notification that is garbage-collected reports no click; the system shows fewer than these. */
const maxKept = 20;
/** More than are ever stale or recovered at the same time. */
const maxSeen = 20_000;

export function createNotifier(deps: NotifierDeps): Notifier {
  const { Notification, clock, log } = deps;
  /** Also of what is gone: undoing a force-clear brings back the same lock. */
  const seen = new Set<string>();
  const queues = kinds.map((kind) => ({ kind, fresh: new Set<string>(), nextAtMs: 0 }));
  let lastProblem: string | undefined;
  let hasBaseline = false;
  const kept = new Set<SystemNotification>();
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = 0;

  function findNew(state: WindowState): void {
    const { status } = state.host;
    // What exists when the app starts is on the tray's icon already. Without a host, the lists aren't known yet.
    const isListed = hasBaseline || (status !== 'starting' && status !== 'error');
    for (const { kind, fresh } of queues) {
      if (kind === problemKind) {
        // A problem that returns after a failed start is still the same.
        if (status === 'starting' || status === 'stopping') continue;
        const problem = kind.find(state)[0]?.key;
        if (problem !== undefined && problem !== lastProblem) fresh.add(problem);
        lastProblem = problem;
      } else if (isListed) {
        for (const { key, isOld } of kind.find(state)) {
          const name = `${kind.name} ${key}`;
          if (!seen.has(name) && hasBaseline && !isOld) fresh.add(key);
          seen.add(name);
        }
      }
    }
    hasBaseline = isListed;
    for (const name of seen) {
      if (seen.size <= maxSeen) break;
      seen.delete(name);
    }
  }

  function refresh(): void {
    findNew(deps.state());
    const waiting = queues.filter(({ fresh }) => fresh.size > 0);
    if (waiting.length === 0) return;
    const nowMs = clock();
    const waits = waiting.map(({ nextAtMs }) => Math.max(gatherMs, nextAtMs - nowMs));
    // A clock that was set back delays nothing for longer than the pause.
    const waitMs = Math.min(pauseMs, ...waits);
    if (timer !== undefined && dueAtMs <= nowMs + waitMs) return;
    clearTimeout(timer);
    dueAtMs = nowMs + waitMs;
    timer = setTimeout(showDue, waitMs).unref();
  }

  function showDue(): void {
    timer = undefined;
    const nowMs = clock();
    for (const queue of queues) {
      const { kind, fresh, nextAtMs } = queue;
      if (nextAtMs > nowMs && nextAtMs <= nowMs + pauseMs) continue;
      const notice = kind.notice(deps.state(), fresh, nowMs);
      fresh.clear();
      if (notice === undefined || deps.isWindowFocused()) continue;
      queue.nextAtMs = nowMs + pauseMs;
      show(notice);
    }
    refresh();
  }

  function show(notice: Notice): void {
    if (!Notification.isSupported()) return;
    try {
      const { button, untilMs } = notice;
      const actions: NotificationAction[] =
        button === undefined ? [] : [{ type: 'button', text: button.text }];
      const notification = new Notification({ title: notice.title, body: bodyText(notice.body), actions });
      const forget = (): void => void kept.delete(notification);
      notification.on('click', () => {
        forget();
        deps.open(notice.leadsTo);
      });
      notification.on('action', () => {
        forget();
        if (button !== undefined) deps.act(button.action);
      });
      notification.on('close', forget);
      notification.on('failed', forget);
      const [oldest] = kept;
      if (oldest !== undefined && kept.size >= maxKept) kept.delete(oldest);
      kept.add(notification);
      notification.show();
      if (untilMs !== undefined) setTimeout(() => notification.close(), untilMs - clock()).unref();
    } catch (error) {
      log.warn({ err: error }, 'A notification couldn’t be shown.');
    }
  }

  /** Linux renders the body as markup, and file names may look like markup. */
  function bodyText(text: string): string {
    if (deps.platform !== 'linux') return text;
    return text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆');
  }

  return {
    refresh,
    cleared: ({ id, path }, untilMs) =>
      show({
        title: t('common.lock-on-file-cleared', { file: fileText(path) }),
        body: t('desktop.others-can-edit-the-document'),
        leadsTo: { view: 'locks' },
        button: { text: t('common.undo'), action: { do: 'undo-force-clear', lockId: id } },
        untilMs,
      }),
    restarted: () =>
      show({
        title: t('desktop.doctray-restarted-after-an-error'),
        body: t('desktop.everything-that-was-saved-is-safe'),
        leadsTo: { view: 'overview' },
      }),
    close() {
      clearTimeout(timer);
      timer = undefined;
      for (const notification of kept) notification.close();
      kept.clear();
    },
  };
}

/** About the items of one kind that need attention. */
function attentionKind<Name extends AttentionKind, Item extends Extract<AttentionItem, { kind: Name }>>(
  name: Name,
  parts: {
    setting: 'notifyErrors' | 'notifyStaleLocks' | 'notifyEditorUnreachable';
    /** The same item is reported again under another key; undefined: it isn't reported. */
    key(item: Item): string | undefined;
    atMs?(item: Item): number;
    name(item: Item): string;
    body(item: Item, nowMs: number): string;
    bodyOfMany(names: string): string;
    leadsTo(item: Item | undefined): Notice['leadsTo'];
    button?(item: Item): NonNullable<Notice['button']>;
  },
): Kind {
  const { key, atMs } = parts;
  const itemsOf = (state: WindowState) => attentionOf(attentionItems(state), name) as Item[];
  return {
    name,
    find: (state) =>
      itemsOf(state).flatMap((item) => {
        const name = key(item);
        const isOld = atMs !== undefined && atMs(item) < (state.host.startedAtMs ?? 0);
        return name === undefined ? [] : { key: name, isOld };
      }),
    notice(state, keys, nowMs) {
      const items = itemsOf(state).filter((item) => keys.has(key(item) ?? ''));
      const [first] = items;
      if (first === undefined || !state.settings[parts.setting]) return undefined;
      return items.length === 1
        ? {
            title: attentionTitle(first, nameText),
            body: parts.body(first, nowMs),
            leadsTo: parts.leadsTo(first),
            ...(parts.button && { button: parts.button(first) }),
          }
        : {
            title: attentionCounts(items).join(''),
            body: parts.bodyOfMany(namesText(items.map(parts.name))),
            leadsTo: parts.leadsTo(undefined),
          };
    },
  };
}

/** A lock that was refreshed and became stale again is reported again. */
function staleKey({ id, takenAtMs, refreshedAtMs }: LockItem): string {
  return `${id} ${takenAtMs} ${refreshedAtMs}`;
}

const problemKey = ({ host }: WindowState): string | undefined =>
  host.status === 'error' ? (host.problem?.code ?? 'internal') : undefined;

const problemKind: Kind = {
  name: 'problem',
  find(state) {
    const key = problemKey(state);
    return key === undefined ? [] : [{ key, isOld: false }];
  },
  notice(state, keys) {
    if (!state.settings.notifyErrors || !keys.has(problemKey(state) ?? '')) return undefined;
    return {
      title: t('desktop.doctray-isnt-serving'),
      body: state.host.problem?.message ?? t('desktop.open-doctray-to-see-why'),
      leadsTo: { view: 'overview' },
    };
  },
};

const kinds: readonly Kind[] = [
  problemKind,
  attentionKind('recovered', {
    setting: 'notifyErrors',
    key: ({ save }) => save.id,
    // Older ones are of a folder that was served before.
    atMs: ({ save }) => save.receivedAtMs,
    name: ({ save }) => save.path,
    body: ({ save }) =>
      save.isUnreadable ? t('desktop.the-file-still-has-the') : t('desktop.it-couldnt-be-written-to'),
    bodyOfMany: (names) => t('desktop.they-werent-written-to-their', { names }),
    leadsTo: () => ({ view: 'overview' }),
  }),
  attentionKind('conflict', {
    setting: 'notifyErrors',
    key: ({ conflict: { id, madeAtMs } }) => `${id} ${madeAtMs}`,
    atMs: ({ conflict }) => conflict.madeAtMs,
    name: ({ conflict }) => conflict.path,
    body: ({ conflict }) => t('desktop.both-contents-are-kept-compare', { name: fileText(conflict.copy) }),
    bodyOfMany: (names) => t('desktop.both-contents-are-kept-names', { names }),
    leadsTo: () => ({ view: 'overview' }),
  }),
  attentionKind('stale', {
    setting: 'notifyStaleLocks',
    key: ({ lock }) => staleKey(lock),
    name: ({ lock }) => lock.path,
    body: ({ lock: { stale } }, nowMs) =>
      `${stale === null ? '' : staleSentence(stale, nowMs)} ${t('desktop.force-clear-the-lock-so')}`,
    bodyOfMany: (names) => t('desktop.names-force-clear-the-locks', { names }),
    leadsTo: (item) => ({ view: 'locks', ...(item && { path: item.lock.path }) }),
    button: ({ lock }) => ({
      text: t('common.force-clear'),
      action: { do: 'force-clear', lockId: lock.id },
    }),
  }),
  attentionKind('editor', {
    setting: 'notifyEditorUnreachable',
    // Not for a failed test, whose result is shown where it was started. One that became unreachable again is reported again.
    key: ({ editor: { id, problem } }) => (problem === null ? undefined : `${id} ${problem.sinceMs}`),
    name: ({ editor }) => editor.name,
    body: ({ editor }) => (editor.problem === null ? '' : problemWords(editor.problem)),
    bodyOfMany: (names) => t('desktop.names-test-the-connections-in', { names }),
    leadsTo: (item) => ({
      view: 'settings',
      path: item === undefined ? 'editors' : `editors/${item.editor.id}`,
    }),
  }),
];
