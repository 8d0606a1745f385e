// Activity: the last 10,000 requests as they come, named by their operation. Never a body, never a token.

import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';
import { Select } from '../parts/select.tsx';
import { Switch } from '../parts/switch.tsx';
import type { RowAction } from '../table/column.ts';
import { useToasts } from '../parts/toast.tsx';
import { View } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useNavigation } from '../state/navigation.tsx';
import { ClearButton, ExportButton } from './buttons.tsx';
import { createActivityColumns, createExportColumns, documentOf } from './columns.tsx';
import { ActivityDetail } from './detail.tsx';
import { mostEntries, type Entry, type JournalSnapshot } from './journal.ts';
import { useJournal } from './live.ts';
import { NameSource, useDocumentNames } from './names.tsx';
import { isFailed, statusTone } from './words.ts';
import './activity.css';

const everyOperation = 'all';
const noIds: ReadonlySet<string> = new Set();

export function ActivityView() {
  const { journal, snapshot } = useJournal();
  const { go } = useNavigation();
  const toasts = useToasts();
  const names = useDocumentNames();
  const columns = useMemo(() => createActivityColumns(names), [names]);
  const exportColumns = useMemo(() => createExportColumns(names), [names]);
  const [operation, setOperation] = useState(everyOperation);
  const [isErrorsOnly, setIsErrorsOnly] = useState(false);
  const [isResuming, setIsResuming] = useState(false);
  const [selected, setSelected] = useState(noIds);
  const [detail, setDetail] = useState<Entry>();
  const [focusStep, setFocusStep] = useState(0);

  // Drawn when there is time: keys and presses come before rows.
  const entries = useDeferredValue(snapshot.entries);
  const operations = useOperations(entries);
  const rows = useMemo(() => {
    if (operation === everyOperation && !isErrorsOnly) return entries;
    return entries?.filter(
      (entry) =>
        (operation === everyOperation || entry.operation === operation) && (!isErrorsOnly || isFailed(entry)),
    );
  }, [entries, operation, isErrorsOnly]);
  const isNarrowed = operation !== everyOperation || isErrorsOnly;
  const count = entries?.length ?? 0;

  const latest = useRef(entries);
  latest.current = entries;
  const select = useCallback((ids: ReadonlySet<string>) => {
    setSelected(ids);
    const [id] = ids;
    const known = latest.current ?? [];
    if (ids.size === 1) setDetail(known.find((entry) => entry.id === id));
    else if (ids.size > 1) setDetail(undefined);
    // one that went because newer ones came stays to be read
    else setDetail((shown) => (shown !== undefined && known.includes(shown) ? undefined : shown));
  }, []);
  const selection = useMemo(() => ({ ids: selected, onChange: select }), [selected, select]);

  const resume = async () => {
    setIsResuming(true);
    try {
      await journal.resume();
    } catch (error) {
      toasts.show({ tone: 'bad', title: 'Could not read what came meanwhile', detail: sentenceOf(error) });
    } finally {
      setIsResuming(false);
    }
  };
  const actions = useMemo<RowAction<Entry>[]>(
    () => [
      {
        id: 'details',
        title: 'Details',
        icon: 'info',
        takesMany: false,
        isPrimary: true,
        run: ([entry]) => {
          setDetail(entry);
          setFocusStep((step) => step + 1);
        },
      },
      {
        id: 'document',
        title: 'Show document',
        icon: 'documents',
        takesMany: false,
        isFor: (entry) => documentOf(entry, names) !== undefined,
        run: ([entry]) => {
          const path = entry === undefined ? undefined : documentOf(entry, names);
          if (path !== undefined) go('documents', path);
        },
      },
    ],
    [names, go],
  );
  const hasDetail = detail !== undefined;
  useEffect(() => {
    // in a small window the details take the room where the row may be
    if (hasDetail) focusedRow()?.scrollIntoView({ block: 'nearest' });
  }, [hasDetail]);
  const closeDetail = () => {
    setDetail(undefined);
    setFocusStep(0);
    focusedRow()?.focus();
  };

  return (
    <View
      title="Activity"
      subtitle={subtitle(snapshot)}
      isFilled
      actions={
        <>
          <NameSource names={names} />
          {snapshot.isPaused ? (
            <Button icon="play" look="primary" isPending={isResuming} onPress={() => void resume()}>
              Resume
            </Button>
          ) : (
            <Button icon="pause" isDisabled={entries === undefined} onPress={journal.pause}>
              Pause
            </Button>
          )}
          <ClearButton count={count} onCleared={journal.clear} />
          <ExportButton count={count} all={() => latest.current ?? []} columns={exportColumns} />
        </>
      }
    >
      <div className="activity">
        <DataTable
          label="Activity"
          count={(count) => t('{count, plural, one {# request} other {# requests}}', { count })}
          columns={columns}
          rows={rows}
          defaultSort={{ column: 'time', isDescending: true }}
          actions={actions}
          selection={selection}
          rowTone={toneOf}
          exportName="activity"
          isCompact
          error={snapshot.problem === undefined ? null : sentenceOf(snapshot.problem)}
          errorAction={<Button onPress={() => void journal.read().catch(() => undefined)}>Try again</Button>}
          toolbar={
            <>
              <Select
                label="Operation"
                isLabelHidden
                value={operation}
                options={operations}
                onChange={setOperation}
              />
              <Switch label="Errors only" isOn={isErrorsOnly} onChange={setIsErrorsOnly} />
            </>
          }
          empty={
            isNarrowed && count > 0
              ? {
                  icon: 'good',
                  sentence: isErrorsOnly
                    ? 'No such request has failed.'
                    : `There is no entry for ${operationWords(operation)}.`,
                  action: (
                    <Button
                      onPress={() => {
                        setOperation(everyOperation);
                        setIsErrorsOnly(false);
                      }}
                    >
                      Show all requests
                    </Button>
                  ),
                }
              : {
                  icon: 'activity',
                  sentence: 'No request yet. What editors and programs ask of DocTray appears here at once.',
                  action: <Button onPress={() => go('documents')}>Show documents</Button>,
                }
          }
        />
        {detail !== undefined && (
          <ActivityDetail
            entry={detail}
            document={documentOf(detail, names)}
            columns={exportColumns}
            focusStep={focusStep}
            onShowDocument={(path) => go('documents', path)}
            onClose={closeDetail}
          />
        )}
      </div>
    </View>
  );
}

function focusedRow(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.activity [data-row][tabindex="0"]');
}

function toneOf(entry: Entry) {
  const tone = statusTone(entry);
  return tone === 'muted' ? undefined : tone;
}

function subtitle({ isPaused, waiting }: JournalSnapshot): string {
  if (!isPaused) return 'The last 10,000 requests. Bodies and tokens are never kept.';
  if (waiting === 0) return 'Paused. Nothing new so far.';
  const words = `Paused. ${countOf(waiting, 'request waits', 'requests wait')}.`;
  return waiting > mostEntries ? `${words} Only the newest 10,000 are kept.` : words;
}

/** The same list for as long as no other operation came. */
function useOperations(entries: readonly Entry[] | undefined) {
  const seen = useRef<{ key: string; options: { id: string; title: string }[] }>(undefined);
  return useMemo(() => {
    const operations = [...new Set(entries?.map(({ operation }) => operation))].toSorted();
    const key = operations.join(' ');
    if (seen.current?.key !== key) {
      const options = operations.map((id) => ({ id, title: operationWords(id) }));
      seen.current = { key, options: [{ id: everyOperation, title: 'All operations' }, ...options] };
    }
    return seen.current.options;
  }, [entries]);
}
