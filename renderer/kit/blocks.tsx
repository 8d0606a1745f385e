// The shapes that content takes: areas that scroll, sections and their rows, what is shown where there is nothing yet, and sentences with
// parts that aren't text.

import {
  Fragment,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { Button as AriaButton, ProgressBar } from 'react-aria-components';
import { messageParts, t, type MessageKey } from '../../app/contract/messages.ts';
import type { IconName } from './icon-shapes.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

/** Selector of what Tab leads to. */
export const focusable =
  ':is(a[href], button, input, select, textarea, [tabindex]):not(:disabled, [tabindex="-1"])';

/** Scrolls, and gets the focus itself if the keyboard couldn't scroll it otherwise. */
export function ScrollArea({ className, children }: { className: string; children: ReactNode }) {
  const [isTabStop, setIsTabStop] = useState(false);
  const watch = useCallback((area: HTMLDivElement) => {
    const sizes = new ResizeObserver(() => {
      const isTooHigh = area.scrollHeight > area.clientHeight;
      setIsTabStop(isTooHigh && area.querySelector(focusable) === null);
    });
    // It also reports each element once when it starts observing it.
    const observe = () => {
      sizes.disconnect();
      for (const part of [area, ...area.children]) sizes.observe(part);
    };
    const contents = new MutationObserver(observe);
    contents.observe(area, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    observe();
    return () => {
      sizes.disconnect();
      contents.disconnect();
    };
  }, []);
  return (
    <div ref={watch} className={className} {...(isTabStop && { tabIndex: 0 })}>
      {children}
    </div>
  );
}

interface SectionProps {
  /** For screen readers only. */
  isTitleHidden?: boolean;
  title?: string | undefined;
  /** Of the heading. */
  level?: 2 | 3;
  /** At the right of the title. */
  actions?: ReactNode;
  /** Muted, under the title. */
  hint?: ReactNode;
  children: ReactNode;
}

/** A group with a frame; its children are rows (`list-row`) or fields. */
export function Section(props: SectionProps) {
  const titleId = useId();
  const { title, level = 2, actions } = props;
  const Heading = `h${level}` as const;
  return (
    <section className="section" {...(title !== undefined && { 'aria-labelledby': titleId })}>
      {(title !== undefined || actions !== undefined) && (
        <div className={props.isTitleHidden === true ? 'visually-hidden' : 'row section-header'}>
          {title !== undefined && (
            <Heading className="section-title" id={titleId}>
              {title}
            </Heading>
          )}
          {actions !== undefined && <div className="line section-actions">{actions}</div>}
        </div>
      )}
      {props.hint !== undefined && <p className="section-hint">{props.hint}</p>}
      <div className="section-body">{props.children}</div>
    </section>
  );
}

interface ListRowProps {
  icon?: IconName;
  tone?: Tone;
  title: ReactNode;
  detail?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
}

/** One line of a Section: sign, words, buttons. */
export function ListRow(props: ListRowProps) {
  return (
    <div className={`line list-row tone-${props.tone ?? 'muted'}`}>
      {props.icon !== undefined && <Icon name={props.icon} />}
      <div className="grow list-words">
        <div className="list-title">{props.title}</div>
        {props.detail !== undefined && <div className="list-detail">{props.detail}</div>}
      </div>
      {props.actions !== undefined && <div className="row list-actions">{props.actions}</div>}
    </div>
  );
}

type Tone = 'good' | 'info' | 'warn' | 'bad' | 'muted';

interface StatusRowProps {
  as: 'li' | 'article' | 'div';
  /** Names an article. */
  label?: string;
  /** Its place, for a search that leads to it. */
  id?: string;
  /** `busy`: something is on its way. */
  icon: IconName | 'busy';
  tone?: Tone;
  name: ReactNode;
  /** Beside the name, in the color of the tone. */
  state?: string | undefined;
  detail?: ReactNode;
  actions?: ReactNode;
  /** Below the words. */
  children?: ReactNode;
  /** Below everything, as wide as the row, opened by a button after `actions`, which they need. An article without them keeps the place of their button. */
  details?:
    | {
        isOpen: boolean;
        onOpenChange(isOpen: boolean): void;
        content: ReactNode;
      }
    | undefined;
  /** The row takes the focus when this changes and the button that had it is gone. */
  phase?: string;
  /** The row is new, and what had the focus led to it. */
  takesFocus?: boolean;
}

/** What something is and how it is doing, with its buttons, and below what there is to say about it. */
export function StatusRow(props: StatusRowProps) {
  const row = useRef<HTMLElement>(null);
  const detailsId = useId();
  const { as: Tag, phase, takesFocus = false, details } = props;
  const isOpen = details?.isOpen === true;
  const shownPhase = useRef(takesFocus ? undefined : phase);
  useEffect(() => {
    if (shownPhase.current === phase) return;
    shownPhase.current = phase;
    if (document.activeElement === null || document.activeElement === document.body) row.current?.focus();
  }, [phase]);
  // All of them, or as much as there is room for below the button, which stays in sight.
  useEffect(() => {
    const parts = isOpen ? [row.current, row.current?.firstElementChild] : [];
    for (const part of parts) part?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <Tag
      ref={row as RefObject<HTMLLIElement & HTMLDivElement>}
      className={`status-row tone-${props.tone ?? 'muted'}`}
      tabIndex={-1}
      aria-label={props.label}
      data-setting={props.id}
    >
      <div className="row status-head">
        {props.icon === 'busy' ? (
          <span className="spinner" aria-hidden="true" />
        ) : (
          <Icon name={props.icon} size={20} />
        )}
        <div className="status-words">
          <div>
            <span className="status-name">{props.name}</span>{' '}
            {props.state !== undefined && <span className="status-state">{props.state}</span>}
          </div>
          {props.detail !== undefined && props.detail !== false && (
            <div className="muted">{props.detail}</div>
          )}
        </div>
        {props.actions !== undefined && (
          <div className="row status-actions">
            {props.actions}
            {details === undefined && Tag === 'article' && <span className="button-icon" />}
            {details !== undefined && (
              <IconButton
                icon={isOpen ? 'chevron-up' : 'chevron-down'}
                label={t('kit.details-of-name', { name: props.label ?? '' })}
                tooltip={t('kit.details')}
                aria-expanded={isOpen}
                aria-controls={detailsId}
                onPress={() => details.onOpenChange(!isOpen)}
              />
            )}
          </div>
        )}
      </div>
      <div className="status-more">{props.children}</div>
      <div id={detailsId} hidden={!isOpen} className="status-details">
        {isOpen && details?.content}
      </div>
    </Tag>
  );
}

interface CheckItem {
  id: string;
  icon: IconName;
  tone: Tone;
  title: string;
  /** The result, for screen readers. */
  state?: string;
  text?: ReactNode;
  more?: ReactNode;
}

/** What was checked, and what was found. @param props.isShort title and text in one line */
export function Checks(props: { label: string; items: readonly CheckItem[]; isShort?: boolean }) {
  return (
    <ol
      className={props.isShort === true ? 'stack findings findings-short' : 'stack findings'}
      aria-label={props.label}
    >
      {props.items.map(({ id, icon, tone, title, state, text, more }) => (
        <li key={id} className={`finding tone-${tone}`}>
          <Icon name={icon} />
          <div className="stack grow finding-words selectable">
            <div className="finding-title">
              {title}
              {state !== undefined && <span className="visually-hidden">, {state}</span>}
            </div>
            {text !== undefined && (
              <div className={tone === 'bad' ? 'finding-text' : 'finding-text muted'}>{text}</div>
            )}
            {more}
          </div>
        </li>
      ))}
    </ol>
  );
}

export interface EmptyProps {
  icon: IconName;
  title: string;
  /** What comes here, or what to do. */
  sentence?: string | undefined;
  /** One button. */
  action?: ReactNode;
}

/** What stands where there is nothing. */
export function Empty(props: EmptyProps) {
  return (
    <div className="stack empty">
      <Icon name={props.icon} size={28} />
      <h2 className="empty-title">{props.title}</h2>
      {props.sentence !== undefined && <p className="empty-sentence">{props.sentence}</p>}
      {props.action}
    </div>
  );
}

/** Something failed as a whole: says what to do, with a button for it. */
export function Failure(props: { title?: string; sentence: string; action?: ReactNode }) {
  return (
    <div className="stack empty tone-bad" role="alert">
      <Icon name="error" size={28} />
      {props.title !== undefined && <h2 className="empty-title">{props.title}</h2>}
      <p className="empty-sentence">{props.sentence}</p>
      {props.action !== undefined && <div className="row empty-actions">{props.action}</div>}
    </div>
  );
}

/** A word with a color and a shape, since a color alone doesn’t reach everyone. */
export function Badge(props: { tone: Tone; children: ReactNode; icon?: IconName }) {
  return (
    <span className={`badge tone-${props.tone}`}>
      {props.icon !== undefined && <Icon name={props.icon} size={12} />}
      {props.children}
    </span>
  );
}

/** `value` 0 to 1; null when it is not known how much is left. */
export function Progress(props: { label: string; value: number | null; valueText: string }) {
  return (
    <ProgressBar
      className="progress"
      aria-label={props.label}
      value={(props.value ?? 0) * 100}
      valueLabel={props.valueText}
      isIndeterminate={props.value === null}
    >
      {({ percentage }) => (
        <div className={props.value === null ? 'progress-track progress-unknown' : 'progress-track'}>
          <div className="progress-bar" style={{ width: `${percentage ?? 30}%` }} />
        </div>
      )}
    </ProgressBar>
  );
}

/** A list that is on its way, in the size of its rows. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div className="section-body" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="line list-row skeleton-item">
          <span className="skeleton-sign" />
          <div className="grow list-words">
            <span className="skeleton-bar" />
            <span className="skeleton-bar" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Grey bars in the place of lines that are on their way. @param words what is on its way, for screen readers */
export function Skeleton({ rows, words }: { rows: number; words?: string }) {
  return (
    <>
      {words !== undefined && (
        <p className="visually-hidden" role="status">
          {words}
        </p>
      )}
      <div className="stack skeleton" aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="skeleton-row" style={{ opacity: Math.max(0.15, 1 - index * 0.11) }} />
        ))}
      </div>
    </>
  );
}

/** The same for a table, with its filter. */
export function TableSkeleton({ words }: { words?: string }) {
  return (
    <>
      <span className="skeleton-bar skeleton-field" />
      <Skeleton rows={8} {...(words !== undefined && { words })} />
    </>
  );
}

/**
 * @example <Message of="kit.change-number-of-count" values={{ number: 2, count: <strong>5</strong> }} />
 */
export function Message(props: { of: MessageKey; values: Readonly<Record<string, ReactNode>> }) {
  const parts = messageParts<ReactNode>(
    props.of,
    props.values as Record<string, string | number | ReactNode>,
  );
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}

/** A link to another view, or a small action in a text. @param props.label its name where its words aren't enough */
export function TextLink(props: { children: string; label?: string; onPress(): void }) {
  return (
    <AriaButton className="text-link" aria-label={props.label ?? props.children} onPress={props.onPress}>
      {props.children}
    </AriaButton>
  );
}
