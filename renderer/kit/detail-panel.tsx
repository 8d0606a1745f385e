// A side panel at the right of a table with everything about its one selected row, including the columns that don't fit. Narrow
// windows show it over the table.

import { Fragment, useEffect, useId, useRef, type ReactNode } from 'react';
import { formatTime } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import { ScrollArea } from './blocks.tsx';
import { IconButton } from './button.tsx';
import { RelativeTime } from './time.tsx';

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
  /** Above the facts: what went wrong. */
  notice?: ReactNode;
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
        <div className="grow detail-heading">
          <h2 className="detail-title" id={titleId} tabIndex={-1} ref={title}>
            {props.title}
          </h2>
          {props.subtitle !== undefined && <div className="detail-subtitle">{props.subtitle}</div>}
        </div>
        <IconButton icon="close" label={t('kit.close-details')} onPress={props.onClose} />
      </header>
      {props.actions !== undefined && props.actions !== false && (
        <div className="row detail-actions">{props.actions}</div>
      )}
      <ScrollArea className="fill detail-body">
        {props.notice}
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
