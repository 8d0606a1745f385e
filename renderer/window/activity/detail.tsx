// All details of one entry, next to the table.

import { useEffect, useRef, type ReactNode } from 'react';
import { operationWords } from '../../../app/contract/user-actions.ts';
import { IconButton } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { toJson } from '../table/export.ts';
import type { Column } from '../table/column.ts';
import { useAction } from '../state/use-action.ts';
import { Status } from './columns.tsx';
import type { Entry } from './journal.ts';
import { bytesWords, durationWords, exactWords, isAct } from './words.ts';

export interface ActivityDetailProps {
  entry: Entry;
  /** Undefined when it is not known. */
  document: string | undefined;
  /** What a copy holds. */
  columns: readonly Column<Entry>[];
  /** Another number puts the focus here. */
  focusStep: number;
  onShowDocument(path: string): void;
  onClose(): void;
}

export function ActivityDetail(props: ActivityDetailProps) {
  const { entry, document: path, focusStep } = props;
  const copy = useAction('app.copyText', { failure: 'Could not copy the entry', success: 'Entry copied' });
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focusStep > 0) title.current?.focus();
  }, [focusStep]);
  const act = isAct(entry);

  return (
    <section
      className="activity-detail"
      aria-label="Details"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        props.onClose();
      }}
    >
      <header className="activity-detail-head">
        <h2 className="section-title cut" tabIndex={-1} ref={title}>
          {operationWords(entry.operation)}
        </h2>
        <div className="activity-detail-buttons">
          <IconButton
            icon="copy"
            label="Copy as JSON"
            isPending={copy.isPending}
            onPress={() => void copy.run({ text: toJson(props.columns, [entry]) })}
          />
          {path !== undefined && (
            <IconButton icon="documents" label="Show document" onPress={() => props.onShowDocument(path)} />
          )}
          <IconButton icon="close" label="Close details" onPress={props.onClose} />
        </div>
      </header>
      <dl className="activity-facts">
        <Fact name="Status">
          <Status entry={entry} />
        </Fact>
        <Fact name="Time">
          <span className="selectable">{exactWords(entry.atMs)}</span>
          <span className="muted">
            {' '}
            (<RelativeTime atMs={entry.atMs} />)
          </span>
        </Fact>
        {path !== undefined && (
          <Fact name="Document">
            <span className="selectable">{path}</span>
          </Fact>
        )}
        {act ? (
          path === undefined && (
            <Fact name="On">
              <span className="selectable">{entry.path}</span>
            </Fact>
          )
        ) : (
          <Fact name="Request">
            <span className="code selectable">
              {entry.method} {entry.path}
            </span>
          </Fact>
        )}
        <Fact name="User">{entry.user ?? <span className="muted">none</span>}</Fact>
        {!act && (
          <>
            <Fact name="Took">{durationWords(entry)}</Fact>
            <Fact name="Received">{bytesWords(entry.bytesIn)}</Fact>
            <Fact name="Sent">{bytesWords(entry.bytesOut)}</Fact>
            <Fact name="Lock">
              {entry.lock === null ? (
                <span className="muted">none</span>
              ) : (
                <span className="code selectable">{entry.lock}</span>
              )}
            </Fact>
            <Fact name="From">
              <span className="code selectable">{entry.address}</span>
            </Fact>
            <Fact name="Correlation id">
              <span className="code selectable">{entry.correlationId}</span>
              <CopyButton text={entry.correlationId} what="correlation id" />
            </Fact>
          </>
        )}
      </dl>
      {act && <p className="muted">A user did this in the window or the terminal.</p>}
    </section>
  );
}

function Fact(props: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}
