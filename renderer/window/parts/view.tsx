// The frame every view has: title, one line under it, actions at the right, content below. And the shapes content takes, from a section to
// a table's cells and side panel.

import {
  Fragment,
  useCallback,
  useId,
  useState,
  useEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { ProgressBar, Button as AriaButton } from 'react-aria-components';
import { formatCount, formatTime } from '../../../app/contract/format.ts';
import { messageParts, t, type MessageKey } from '../../../app/contract/messages.ts';
import { splitName } from '../../../app/contract/names.ts';
import { IconButton } from './button.tsx';
import { modeWords, splitPath } from './format.ts';
import type { IconName } from './icon-shapes.ts';
import { Icon } from './icon.tsx';
import { RelativeTime } from './time.tsx';

interface ViewProps {
  title: string;
  /** One muted line: such as a count or a path. */
  subtitle?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** The content fills the height and scrolls inside itself: views of one DataTable. Otherwise the view scrolls. */
  isFilled?: boolean;
  children: ReactNode;
}

export function View(props: ViewProps) {
  return (
    <div className={props.isFilled === true ? 'view view-filled' : 'view'}>
      <header className="view-header">
        <div className="view-heading">
          <h1 className="view-title">{props.title}</h1>
          {props.subtitle !== undefined && <div className="view-subtitle">{props.subtitle}</div>}
        </div>
        {props.actions !== undefined && <div className="view-actions">{props.actions}</div>}
      </header>
      <div className="view-content">{props.children}</div>
    </div>
  );
}

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
  title: string;
  /** At the right of the title. */
  actions?: ReactNode;
  /** Muted, under the title. */
  hint?: ReactNode;
  children: ReactNode;
}

/** A titled group with a frame; its children are rows (`list-row`) or fields. */
export function Section(props: SectionProps) {
  const titleId = useId();
  return (
    <section className="section" aria-labelledby={titleId}>
      <div className="section-header">
        <h2 className="section-title" id={titleId}>
          {props.title}
        </h2>
        {props.actions !== undefined && <div className="section-actions">{props.actions}</div>}
      </div>
      {props.hint !== undefined && <p className="section-hint">{props.hint}</p>}
      <div className="section-body">{props.children}</div>
    </section>
  );
}

interface ListRowProps {
  icon?: IconName;
  tone?: 'good' | 'info' | 'warn' | 'bad' | 'muted';
  title: ReactNode;
  detail?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
}

/** One line of a Section: sign, words, buttons. */
export function ListRow(props: ListRowProps) {
  return (
    <div className={`list-row tone-${props.tone ?? 'muted'}`}>
      {props.icon !== undefined && <Icon name={props.icon} />}
      <div className="list-words">
        <div className="list-title">{props.title}</div>
        {props.detail !== undefined && <div className="list-detail">{props.detail}</div>}
      </div>
      {props.actions !== undefined && <div className="list-actions">{props.actions}</div>}
    </div>
  );
}

interface EmptyProps {
  icon: IconName;
  /** One sentence. */
  sentence: string;
  /** One button. */
  action?: ReactNode;
}

/** What stands where there is nothing. */
export function Empty(props: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={props.icon} size={28} />
      <p className="empty-sentence">{props.sentence}</p>
      {props.action}
    </div>
  );
}

/** Something failed as a whole: says what to do, with a button for it. */
export function Failure(props: { title?: string; sentence: string; action?: ReactNode }) {
  return (
    <div className="empty tone-bad" role="alert">
      <Icon name="error" size={28} />
      {props.title !== undefined && <h2 className="empty-title">{props.title}</h2>}
      <p className="empty-sentence">{props.sentence}</p>
      {props.action !== undefined && <div className="empty-actions">{props.action}</div>}
    </div>
  );
}

/** A word with a colour and a shape: never colour alone. */
export function Badge(props: {
  tone: 'good' | 'info' | 'warn' | 'bad' | 'muted';
  children: ReactNode;
  icon?: IconName;
}) {
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
        <div key={index} className="list-row skeleton-item">
          <span className="skeleton-sign" />
          <div className="list-words">
            <span className="skeleton-bar" />
            <span className="skeleton-bar" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Grey bars in the place of lines that are on their way. */
export function Skeleton(props: { rows: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: props.rows }, (_, index) => (
        <div key={index} className="skeleton-row" style={{ opacity: Math.max(0.15, 1 - index * 0.11) }} />
      ))}
    </div>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly { id: string; title: string; count: number; children: ReactNode }[];
  selected: string;
  onSelect(id: string): void;
}

/**
 * Tabs as in the ARIA Authoring Practices; the selected one fills the height. React Aria's panel searches everything in it for something
 * focusable, which takes several ms whenever a table in it scrolls. This one must contain something focusable.
 */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const idPrefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1 + tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = (steps[event.key] ?? Number.NaN) % tabs.length;
    const next = tabs[to];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus();
  };
  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} className="tab-list" onKeyDown={onKeyDown}>
        {tabs.map(({ id, title, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${idPrefix}${id}`}
            className="tab"
            aria-selected={id === selected}
            aria-controls={id === selected ? `${idPrefix}panel` : undefined}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {title} <span className="tab-count">{formatCount(count)}</span>
          </button>
        ))}
      </div>
      <div
        key={selected}
        role="tabpanel"
        id={`${idPrefix}panel`}
        className="tab-panel"
        aria-labelledby={`${idPrefix}${selected}`}
      >
        {tabs.find(({ id }) => id === selected)?.children}
      </div>
    </div>
  );
}

/**
 * @example <Message of="Opened by {user} {when}" values={{ user: 'Ana', when: <RelativeTime atMs={at} /> }} />
 */
export function Message(props: { of: MessageKey; values: Readonly<Record<string, ReactNode>> }) {
  const parts = messageParts<ReactNode>(
    props.of,
    props.values as Record<string, string | number | ReactNode>,
  );
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}

// Documents, modes and links, in table cells and side panels.

/** The name first, then its folder if there is room. A name that is too long keeps its extension. */
export function DocumentCell({ path }: { path: string }) {
  const { name, folder } = splitPath(path);
  return (
    <span className="path" title={path} data-any-length="">
      <FileName name={name} />
      {folder !== '' && <span className="path-folder">{folder}</span>}
    </span>
  );
}

/** `query`: what was searched for, which is marked. */
export function FileName({ name, query = '' }: { name: string; query?: string }) {
  const [start, end] = splitName(name);
  return <InTwoParts className="path-name" start={start} end={end} query={query} />;
}

/** The last folder stays whole as long as it fits. */
export function FolderName({ folder }: { folder: string }) {
  const cut = Math.max(0, folder.lastIndexOf('/'));
  return (
    <InTwoParts className="path-name path-folders" start={folder.slice(0, cut)} end={folder.slice(cut)} />
  );
}

/** Drawn in two parts by CSS, so that its text stays one for screen readers and search; the first part is shortened. */
function InTwoParts(props: { className: string; start: string; end: string; query?: string }) {
  const { start, end, query = '' } = props;
  const whole = `${start}${end}`;
  const found = foundParts(whole, query);
  const part = (className: string, from: number, to: number) =>
    found.length === 0 ? (
      <span className={className} aria-hidden="true" data-text={whole.slice(from, to)} />
    ) : (
      <span className={className} aria-hidden="true">
        <MarkedText
          text={whole.slice(from, to)}
          found={found.map((place) => ({ from: place.from - from, to: place.to - from }))}
          isDrawn
        />
      </span>
    );
  return (
    <span className={props.className}>
      <span className="visually-hidden">{whole}</span>
      {part('path-start', 0, start.length)}
      {part('path-end', start.length, whole.length)}
    </span>
  );
}

interface FoundPart {
  from: number;
  to: number;
}

/** Where the words of a query are in a text, in order; none overlaps another. */
export function foundParts(text: string, query: string): FoundPart[] {
  const lower = text.toLowerCase();
  // A few letters, such as İ, become two: then positions don't match.
  const words = lower.length === text.length ? query.trim().toLowerCase().split(/\s+/u).filter(Boolean) : [];
  const found: FoundPart[] = [];
  for (;;) {
    const at = found.at(-1)?.to ?? 0;
    const [next] = words
      .map((word) => ({ from: lower.indexOf(word, at), to: lower.indexOf(word, at) + word.length }))
      .filter(({ from }) => from >= 0)
      .toSorted((a, b) => a.from - b.from || b.to - a.to);
    if (next === undefined) return found;
    found.push(next);
  }
}

/** Highlights parts, which may begin before the text or end after it. `isDrawn`: by CSS, and not as text. */
export function MarkedText(props: { text: string; found: readonly FoundPart[]; isDrawn?: boolean }) {
  const { text, isDrawn } = props;
  const edges = props.found.flatMap(({ from, to }) => [from, to]);
  // Every second one is found.
  return [0, ...edges].map((edge, index) => {
    const words = text.slice(Math.max(0, edge), Math.max(0, edges[index] ?? text.length));
    if (words === '') return null;
    const Tag = index % 2 === 0 ? 'span' : 'mark';
    return (
      <Tag key={index} {...(isDrawn === true && { 'data-text': words })}>
        {isDrawn === true ? null : words}
      </Tag>
    );
  });
}

/** Users name their editors, so a name can be of any length. */
export function EditorCell({ name }: { name: string | null }) {
  const words = name ?? t('window.unknown-editor');
  return (
    <span className="cut" title={words} data-any-length="">
      {words}
    </span>
  );
}

export function ModeCell({ mode }: { mode: 'edit' | 'view' }) {
  return (
    <span className={`cell tone-${mode === 'edit' ? 'info' : 'muted'}`}>
      <Icon name={mode === 'edit' ? 'edit' : 'eye'} size={14} />
      {modeWords[mode]}
    </span>
  );
}

/** A button inside a row: reached with →, and its press neither selects the row nor opens its details. */
export function RowButton(props: { children: ReactNode; label: string; isLink?: boolean; onPress(): void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={props.isLink === true ? 'row-link' : 'row-action'}
      data-own-press=""
      aria-label={props.label}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  );
}

/** A link to another view. */
export function TextLink(props: { children: string; onPress(): void }) {
  return (
    <AriaButton className="text-link" onPress={props.onPress}>
      {props.children}
    </AriaButton>
  );
}

// A side panel at the right of a table with everything about its one selected row, including the columns that don't fit. Narrow
// windows show it over the table.

/** What the table passes on to the panel of its row. */
export interface DetailPanelFrame {
  /** Each new number above 0 moves the focus into the panel. */
  focusStep: number;
  onClose(): void;
}

interface DetailPanelProps extends DetailPanelFrame {
  title: ReactNode;
  /** Under the title: the state, with its icon and color. */
  subtitle?: ReactNode;
  facts: readonly (Fact | false | undefined)[];
  /** `DetailSection`s below the facts. */
  children?: ReactNode;
  /** Buttons below the title, which stay in view; at the bottom, messages would cover them. */
  actions?: ReactNode;
}

interface Fact {
  name: string;
  /** Null shows a dash. */
  value: ReactNode;
}

export function DetailPanel(props: DetailPanelProps) {
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const { focusStep } = props;
  useEffect(() => {
    if (focusStep > 0) title.current?.focus();
  }, [focusStep]);
  return (
    <section
      className="detail-panel"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        props.onClose();
      }}
    >
      <header className="detail-header">
        <div className="detail-heading">
          <h2 className="detail-title" id={titleId} tabIndex={-1} ref={title}>
            {props.title}
          </h2>
          {props.subtitle !== undefined && <div className="detail-subtitle">{props.subtitle}</div>}
        </div>
        <IconButton icon="close" label={t('window.close-details')} onPress={props.onClose} />
      </header>
      {props.actions !== undefined && props.actions !== false && (
        <div className="detail-actions">{props.actions}</div>
      )}
      <ScrollArea className="detail-body">
        <FactList facts={props.facts} />
        {props.children}
      </ScrollArea>
    </section>
  );
}

export function DetailSection(props: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className="detail-section" aria-labelledby={titleId}>
      <h3 className="detail-section-title" id={titleId}>
        {props.title}
      </h3>
      {props.children}
    </section>
  );
}

/** `3 min ago`, with the exact time below. */
export function TimeFact({ atMs }: { atMs: number | null }) {
  return (
    <>
      <RelativeTime atMs={atMs} isStart />
      {atMs !== null && <div className="fact-exact">{formatTime('toSecond', atMs)}</div>}
    </>
  );
}

function FactList({ facts }: Pick<DetailPanelProps, 'facts'>) {
  const shown = facts.filter((fact) => fact !== false && fact !== undefined);
  if (shown.length === 0) return null;
  return (
    <dl className="facts">
      {shown.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd className="selectable">{value ?? <span className="muted">–</span>}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
