// Short messages at the lower edge, reached by F6. A message with a deadline (Undo) shows how long it still counts: that
// clock is the host's and does not stop for a pointer or a focus, so neither does the one shown.

import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import {
  Button as AriaButton,
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
  type QueuedToast,
} from 'react-aria-components';
import { t } from '../../app/contract/messages.ts';
import { Button } from './button.tsx';
import { isWriting } from './fields.tsx';
import { Icon } from './icon.tsx';
import { onResize } from './resize.ts';
import { useClock } from './time.tsx';

export interface ToastMessage {
  tone: 'good' | 'info' | 'warn' | 'bad';
  title: string;
  detail?: string;
  /** Runs once and closes the message. Ctrl+Z (Cmd+Z) runs that of the newest message, too. */
  action?: { label: string; run(): void };
  /** Epoch ms: until then the message stays, with the seconds counted down, and goes then. */
  untilMs?: number;
}

export interface Toasts {
  /** Stays 6 s, in tone `bad` 20 s; with an action until it is closed, with `untilMs` until then. Returns a key for `close`. */
  show(message: ToastMessage): string;
  close(key: string): void;
  /** Closes what reported a failure with this title, and with this detail if one is given: it isn't true any more, or is shown again. */
  closeFailures(title: string, detail?: string): void;
}

const ToastsContext = createContext<Toasts | undefined>(undefined);

/** More would cover the last rows of a view. */
const mostToasts = 3;

/** Which message leaves for a new one; undefined: all offer something until a time that hasn't come, and the new one is one more. */
function leastNeeded(newestFirst: readonly ShownToast[]): ShownToast | undefined {
  const oldestFirst = newestFirst.toReversed();
  return (
    oldestFirst.find(({ content }) => !stays(content) && content.tone !== 'bad') ??
    oldestFirst.find(({ content }) => !stays(content)) ??
    oldestFirst.find(({ content }) => content.action === undefined) ??
    oldestFirst.find(({ content }) => content.untilMs === undefined)
  );
}

type ShownToast = Pick<QueuedToast<ToastMessage>, 'key' | 'content'>;

function stays({ untilMs, action }: ToastMessage): boolean {
  return untilMs !== undefined || action !== undefined;
}

export function ToastProvider(props: { children: ReactNode }) {
  const [queue] = useState(() => new ToastQueue<ToastMessage>({ maxVisibleToasts: Infinity }));
  const toasts = useMemo<Toasts>(
    () => ({
      show: (message) => {
        const shown = queue.visibleToasts;
        const leaving = shown.length < mostToasts ? undefined : leastNeeded(shown);
        if (leaving !== undefined) queue.close(leaving.key);
        return queue.add(message, stays(message) ? {} : { timeout: message.tone === 'bad' ? 20_000 : 6000 });
      },
      close: (key) => queue.close(key),
      closeFailures(title, detail) {
        for (const { key, content } of queue.visibleToasts) {
          const isSame = content.title === title && (detail === undefined || content.detail === detail);
          if (content.tone === 'bad' && isSame) queue.close(key);
        }
      },
    }),
    [queue],
  );
  useEffect(() => {
    const undo = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'z' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      if (isWriting(event.target)) return;
      // The browser would undo what was typed in a field that doesn't have the focus.
      event.preventDefault();
      const newest = queue.visibleToasts.find((toast) => toast.content.action !== undefined);
      if (newest === undefined) return;
      queue.close(newest.key);
      newest.content.action?.run();
    };
    window.addEventListener('keydown', undo);
    return () => window.removeEventListener('keydown', undo);
  }, [queue]);

  // A dialog is placed below them.
  const [region, setRegion] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (region === null) return undefined;
    const { style } = document.documentElement;
    const unwatch = onResize(region, () => {
      const gap = 8;
      style.setProperty('--toasts-height', `${region.offsetHeight + gap}px`);
    });
    return () => {
      unwatch();
      style.removeProperty('--toasts-height');
    };
  }, [region]);

  return (
    <ToastsContext value={toasts}>
      {props.children}
      {/* Not named here: React Aria's own name counts the messages, and only a name that changes makes it an F6 landmark. */}
      <ToastRegion ref={setRegion} queue={queue} className="toasts">
        {({ toast }) => (
          <AriaToast toast={toast} className={`toast tone-${toast.content.tone}`}>
            <Icon name={icons[toast.content.tone]} />
            <ToastContent className="grow toast-content">
              <Text slot="title" className="toast-title">
                {toast.content.title}
              </Text>
              {toast.content.detail !== undefined && (
                <Text slot="description" className="toast-detail">
                  {toast.content.detail}
                </Text>
              )}
            </ToastContent>
            {toast.content.action !== undefined && (
              <Button
                className="toast-action"
                onPress={() => {
                  queue.close(toast.key);
                  toast.content.action?.run();
                }}
              >
                {toast.content.action.label}
                {toast.content.untilMs !== undefined && (
                  <Countdown untilMs={toast.content.untilMs} onEnd={() => queue.close(toast.key)} />
                )}
              </Button>
            )}
            <AriaButton
              slot="close"
              className="button button-quiet button-icon"
              aria-label={t('kit.close-message')}
            >
              <Icon name="close" />
            </AriaButton>
          </AriaToast>
        )}
      </ToastRegion>
    </ToastsContext>
  );
}

const icons = { good: 'good', info: 'info', warn: 'warning', bad: 'error' } as const;

/** The seconds left; not read aloud, which would be ten interruptions. */
function Countdown(props: { untilMs: number; onEnd(): void }) {
  const { untilMs, onEnd } = props;
  const clock = useClock();
  // The clocks of the host and of this page differ by a moment.
  const secondsLeft = () => Math.round((untilMs - clock()) / 1000);
  const [left, setLeft] = useState(secondsLeft);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsLeft()), 1000);
    const last = setTimeout(() => end.current(), Math.max(0, untilMs - clock()));
    return () => {
      clearInterval(timer);
      clearTimeout(last);
    };
  }, [untilMs, clock]);
  return (
    <span className="toast-left" aria-hidden="true">
      {Math.max(0, left)}
    </span>
  );
}

export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext);
  if (toasts === undefined) throw new Error('Outside ToastProvider.');
  return toasts;
}
