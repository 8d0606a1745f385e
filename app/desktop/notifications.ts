// System notifications: a problem of the host, a recovered save, a conflict copy, a lock that became stale, an editor that can't
// be reached. Each is shown once. What happens within a moment becomes one notification per kind, and the next of the same kind waits a
// minute, so that 5,000 locks that expire after a sleep are one notification. Nothing is shown that the focused window
// already shows, except Undo after a force-clear.
// Desktops that don't support buttons in notifications leave out the button.

import type { Notification } from 'electron';
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
import type { Pushes } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { fileText, namesText, nameText } from './labels.ts';
import type { TrayAction } from './tray.ts';
import { t } from '../contract/messages.ts';

export interface NotifierDeps {
  Notification: typeof Notification;
  state(): WindowState;
  platform: NodeJS.Platform;
  clock: Clock;
  /** The window has the focus. */
  isWindowFocused(): boolean;
  /** The window, at that place. */
  show(to: Pushes['navigate']): void;
  /** Force-clears a lock only if it is still stale. Shows why if it fails. */
  act(action: LockAction): void;
  log: Pick<Logger, 'warn'>;
}

type LockAction = Extract<TrayAction, { lockId: string }>;

export type Notifier = ReturnType<typeof createNotifier>;

interface Notice {
  title: string;
  body: string;
  /** Where a click leads. */
  leadsTo: Pushes['navigate'];
  button?: { text: string; action: LockAction };
  /** Then it disappears. */
  untilMs?: number;
}

const gatherMs = 1500;
const pauseMs = 60_000;

export function createNotifier(deps: NotifierDeps) {
  const { clock, log } = deps;
  const queues = (Object.entries(kinds) as [AttentionKind, Kind<AttentionItem>][]).map(([name, kind]) => ({
    name,
    kind,
    /** Also of what is gone: undoing a force-clear brings back the same lock. */
    seen: new Set<string>(),
    fresh: new Set<string>(),
    timer: undefined as NodeJS.Timeout | undefined,
  }));
  type Queue = (typeof queues)[number];
  /** What exists when the app starts is on the tray's icon already. */
  let hasBaseline = false;
  /** A notification that is garbage-collected reports no click. */
  const kept = new Set<Notification>();

  function refresh(): void {
    const state = deps.state();
    const { status, startedAtMs } = state.host;
    // A problem that returns after a failed start is still the same.
    if (status === 'starting' || status === 'stopping') return;
    const all = attentionItems(state);
    for (const queue of queues) {
      const { name, kind, seen, fresh } = queue;
      const isProblem = name === 'problem';
      // Without a host, the lists aren't known yet.
      if (status === 'error' && !hasBaseline && !isProblem) continue;
      const items = attentionOf(all, name);
      if (isProblem && items.length === 0) seen.clear();
      for (const item of items) {
        const key = kind.key(item);
        if (key === undefined) continue;
        // Older ones are of a folder that was served before.
        const isOld = kind.atMs !== undefined && kind.atMs(item) < (startedAtMs ?? 0);
        if (!seen.has(key) && !isOld && (hasBaseline || isProblem)) fresh.add(key);
        seen.add(key);
      }
      if (fresh.size > 0) queue.timer ??= setTimeout(() => showDue(queue), gatherMs).unref();
    }
    hasBaseline ||= status !== 'error';
  }

  function showDue(queue: Queue): void {
    queue.timer = undefined;
    const found = noticeOf(queue);
    queue.fresh.clear();
    if (found === undefined || deps.isWindowFocused()) return;
    show(found);
    queue.timer = setTimeout(() => showDue(queue), pauseMs).unref();
  }

  /** About those that still apply; undefined when none does or the setting is off. */
  function noticeOf({ name, kind, fresh }: Queue): Notice | undefined {
    const state = deps.state();
    const items = attentionOf(attentionItems(state), name).filter((item) => fresh.has(kind.key(item) ?? ''));
    const [first] = items;
    if (first === undefined || !state.settings[kind.setting]) return undefined;
    if (items.length > 1) {
      return {
        title: attentionCounts(items).join(''),
        body: kind.bodyOfMany(namesText(items.map(kind.name))),
        leadsTo: kind.leadsTo(undefined),
      };
    }
    return {
      title: name === 'problem' ? t('desktop.doctray-isnt-serving') : attentionTitle(first, nameText),
      body: kind.body(first, clock()),
      leadsTo: kind.leadsTo(first),
      ...(kind.button && { button: kind.button(first) }),
    };
  }

  function show({ title, body, leadsTo, button, untilMs }: Notice): void {
    if (!deps.Notification.isSupported()) return;
    try {
      const actions = button === undefined ? [] : [{ type: 'button' as const, text: button.text }];
      const notification = new deps.Notification({ title, body: bodyText(body), actions });
      const forget = (): void => void kept.delete(notification);
      notification.on('click', () => {
        forget();
        deps.show(leadsTo);
      });
      notification.on('action', () => {
        forget();
        if (button !== undefined) deps.act(button.action);
      });
      notification.on('close', forget);
      notification.on('failed', forget);
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
    /** Follows the state; cheap when there is nothing new. */
    refresh,
    /** A lock was force-cleared from its notification. Shows Undo for as long as it works. */
    cleared: ({ id, path }: { id: string; path: string }, untilMs: number) =>
      show({
        title: t('common.lock-on-file-cleared', { file: fileText(path) }),
        body: t('desktop.others-can-edit-the-document'),
        leadsTo: { view: 'locks' },
        button: { text: t('common.undo'), action: { do: 'undo-force-clear', lockId: id } },
        untilMs,
      }),
    /** The app closed because of an error, and was started again. */
    restarted: () =>
      show({
        title: t('desktop.doctray-restarted-after-an-error'),
        body: t('desktop.everything-that-was-saved-is-safe'),
        leadsTo: { view: 'overview' },
      }),
    close() {
      for (const { timer } of queues) clearTimeout(timer);
      for (const notification of kept) notification.close();
    },
  };
}

/** About the items of one kind that need attention. */
interface Kind<Item> {
  setting: 'notifyErrors' | 'notifyStaleLocks' | 'notifyEditorUnreachable';
  /** The same item is reported again under another key; undefined: it isn't reported. */
  key(item: Item): string | undefined;
  /** When it happened. */
  atMs?(item: Item): number;
  name(item: Item): string;
  body(item: Item, nowMs: number): string;
  bodyOfMany(names: string): string;
  leadsTo(item: Item | undefined): Notice['leadsTo'];
  button?(item: Item): NonNullable<Notice['button']>;
}

const overview = (): Notice['leadsTo'] => ({ view: 'overview' });

const kinds = {
  // There is one at most.
  problem: {
    setting: 'notifyErrors',
    key: ({ problem }) => problem.code,
    name: ({ problem }) => problem.code,
    body: ({ problem }) => problem.message,
    bodyOfMany: (names) => names,
    leadsTo: overview,
  },
  recovered: {
    setting: 'notifyErrors',
    key: ({ save }) => save.id,
    atMs: ({ save }) => save.receivedAtMs,
    name: ({ save }) => save.path,
    body: ({ save }) =>
      save.isUnreadable ? t('desktop.the-file-still-has-the') : t('desktop.it-couldnt-be-written-to'),
    bodyOfMany: (names) => t('desktop.they-werent-written-to-their', { names }),
    leadsTo: overview,
  },
  conflict: {
    setting: 'notifyErrors',
    key: ({ conflict: { id, madeAtMs } }) => `${id} ${madeAtMs}`,
    atMs: ({ conflict }) => conflict.madeAtMs,
    name: ({ conflict }) => conflict.path,
    body: ({ conflict }) => t('desktop.both-contents-are-kept-compare', { name: fileText(conflict.copy) }),
    bodyOfMany: (names) => t('desktop.both-contents-are-kept-names', { names }),
    leadsTo: overview,
  },
  stale: {
    setting: 'notifyStaleLocks',
    // A lock that was refreshed and became stale again is reported again.
    key: ({ lock: { id, takenAtMs, refreshedAtMs } }) => `${id} ${takenAtMs} ${refreshedAtMs}`,
    name: ({ lock }) => lock.path,
    body: ({ lock: { stale } }, nowMs) =>
      `${stale === null ? '' : staleSentence(stale, nowMs)} ${t('desktop.force-clear-the-lock-so')}`,
    bodyOfMany: (names) => t('desktop.names-force-clear-the-locks', { names }),
    leadsTo: (item) => ({ view: 'locks', ...(item && { path: item.lock.path }) }),
    button: ({ lock }) => ({
      text: t('common.force-clear'),
      action: { do: 'force-clear', lockId: lock.id },
    }),
  },
  editor: {
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
  },
} satisfies { [Name in AttentionKind]?: Kind<Extract<AttentionItem, { kind: Name }>> };
