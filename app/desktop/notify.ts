// Shows notifications: gathers what comes within a moment into one, and lets a minute pass before the next of its kind, so that
// 5,000 locks that lapse after a sleep are one notification. None where the window in view says it already.

import type { NotificationConstructorOptions } from 'electron';
import type { Clock } from '../contract/clock.ts';
import type { Pushes, ViewName } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { createNoticeRules, type Notice, type NoticeKind } from './notify-rules.ts';

interface ShownNotification {
  on(event: 'click' | 'close' | 'failed', listener: () => void): unknown;
  show(): void;
  close(): void;
}

export interface NotifierDeps {
  /** Of the module electron. */
  Notification: {
    new (options: NotificationConstructorOptions): ShownNotification;
    isSupported(): boolean;
  };
  state(): WindowState;
  platform: NodeJS.Platform;
  clock: Clock;
  /** The window has the focus and shows that view, or at least its counts. */
  isSeen(view: ViewName): boolean;
  /** Shows the window, there. */
  open(to: Pushes['navigate']): void;
  log: Pick<Logger, 'warn'>;
  limits?: { gatherMs: number; pauseMs: number };
}

export interface Notifier {
  /** Looks at the state; cheap when there is nothing new. */
  refresh(): void;
  close(): void;
}

/** The system keeps them; here they are kept for their presses. */
const mostShown = 20;

export function createNotifier(deps: NotifierDeps): Notifier {
  const { Notification, clock, log } = deps;
  const { gatherMs, pauseMs } = deps.limits ?? { gatherMs: 1500, pauseMs: 60_000 };
  const rules = createNoticeRules();
  const nextAtMs: Partial<Record<NoticeKind, number>> = {};
  /** One that is collected as garbage hears no press. */
  const shown = new Set<ShownNotification>();
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = 0;

  function refresh(): void {
    if (!rules.look(deps.state())) return;
    const nowMs = clock();
    const waits = rules.waiting().map((kind) => Math.max(gatherMs, (nextAtMs[kind] ?? 0) - nowMs));
    // A clock that was set back must not silence anything for longer than the pause.
    const waitMs = Math.min(pauseMs, ...waits);
    if (timer !== undefined && dueAtMs <= nowMs + waitMs) return;
    clearTimeout(timer);
    dueAtMs = nowMs + waitMs;
    timer = setTimeout(tell, waitMs).unref();
  }

  function tell(): void {
    timer = undefined;
    const nowMs = clock();
    const kinds = new Set(
      rules.waiting().filter((kind) => {
        const nextMs = nextAtMs[kind] ?? 0;
        return nextMs <= nowMs || nextMs > nowMs + pauseMs;
      }),
    );
    for (const notice of rules.take(deps.state(), kinds, nowMs)) {
      if (deps.isSeen(notice.leadsTo.view)) continue;
      nextAtMs[notice.kind] = nowMs + pauseMs;
      show(notice);
    }
    refresh();
  }

  function show(notice: Notice): void {
    if (!Notification.isSupported()) return;
    try {
      const notification = new Notification({ title: notice.title, body: bodyText(notice.body) });
      const forget = (): void => void shown.delete(notification);
      notification.on('click', () => {
        forget();
        deps.open(notice.leadsTo);
      });
      notification.on('close', forget);
      notification.on('failed', forget);
      const [oldest] = shown;
      if (oldest !== undefined && shown.size >= mostShown) shown.delete(oldest);
      shown.add(notification);
      notification.show();
    } catch (error) {
      log.warn({ err: error }, 'A notification could not be shown.');
    }
  }

  /** Linux takes the body for markup, and a name may hold some. */
  function bodyText(text: string): string {
    if (deps.platform !== 'linux') return text;
    return text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆');
  }

  return {
    refresh,
    close() {
      clearTimeout(timer);
      timer = undefined;
      for (const notification of shown) notification.close();
      shown.clear();
    },
  };
}
