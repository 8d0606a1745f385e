// The versions of a document, in a panel beside the documents: the current content first, a timeline of sizes, and for each earlier
// version Open, Compare, Restore and Save a copy, once it's chosen. What a restore replaces is kept as a version too.

import { lazy, Suspense, useRef, useState } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import {
  capitalized,
  formatSize,
  formatTime,
  isSameDay,
  nameTimestamp,
} from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { extensionOf, stemOf } from '../../../app/contract/names.ts';
import type { VersionItem } from '../../../app/contract/results.ts';
import { isComparedType } from '../../../app/contract/text-documents.ts';
import { currentMsOf, howText, saversOf, timesOf } from '../../kit/version-facts.ts';
import { DocumentJobs } from '../documents/changes.tsx';
import { NameDialog } from '../documents/name-dialog.tsx';
import { holderOf, lockStateText } from '../locks/words.ts';
import { useAction, useCommandResult } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, useConfirm } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { RelativeTime } from '../../kit/time.tsx';
import { Empty, Failure, Skeleton } from '../../kit/blocks.tsx';
import { DetailPanel } from '../../kit/detail-panel.tsx';
import { hostTime } from '../state/clock.ts';
import { useCall, usePush, useWindowState } from '../state/window-context.tsx';
import './versions.css';

type Listed = CommandResult<'versions.list'>;

/** Only loaded for a comparison. */
const Comparison = lazy(async () => ({ default: (await import('./compare.tsx')).Comparison }));

interface VersionsProps {
  /** When the panel opened; the panel follows the document. */
  path: string;
  fileId: string;
  /** The document has other content now. */
  onChanged(): void;
  /** A version was saved as this document. */
  onCreated(path: string): void;
}

export function VersionsPanel(props: VersionsProps & { focusStep: number; onClose(): void }) {
  const { listed, name, content } = useVersions(props);
  return (
    <DetailPanel
      title={t('common.versions')}
      subtitle={
        listed === undefined
          ? name
          : t('window.name-earlier-versions', { name, count: listed.versions.length })
      }
      facts={[]}
      focusStep={props.focusStep}
      onClose={props.onClose}
    >
      {content}
    </DetailPanel>
  );
}

function useVersions({ path: givenPath, fileId, onChanged, onCreated }: VersionsProps) {
  const call = useCall();
  const confirm = useConfirm();
  // The folder's own changes include those of other programs; saves are counted wherever the document is.
  const saves = useWindowState(({ sessions }) =>
    sessions.reduce((sum, session) => sum + (session.fileId === fileId ? session.saves : 0), 0),
  );
  const {
    answer: listed,
    problem,
    reload,
  } = useCommandResult('versions.list', { path: givenPath, fileId }, { reloadKey: saves });
  const path = listed?.path ?? givenPath;
  const { name } = splitPath(path);
  usePush('folder-changed', reload);
  /** The id of an earlier version; null: none; undefined: the newest, once there is one. */
  const [chosen, setChosen] = useState<string | null>();
  const newest = listed?.versions[0];
  // A save adds a version, and the chosen one stays what it is.
  if (newest !== undefined && chosen !== null && listed?.versions.every(({ id }) => id !== chosen) === true)
    setChosen(newest.id);
  const [compared, setCompared] = useState<VersionItem>();
  const [copied, setCopied] = useState<VersionItem>();
  const restore = useAction('versions.restore', {
    failure: t('window.cant-restore-name', { name }),
    success: t('window.restored-name-the-previous-content', { name }),
    canOverlap: true,
  });
  const open = useAction('versions.open', { failure: t('window.cant-open-this-version') });

  const lock = useWindowState((state) => state.locks.find(({ id }) => id === fileId));

  const askToRestore = async (version: VersionItem) => {
    if (lock !== undefined) {
      const copies = await confirm({
        title: t('window.cant-restore-name-now', { name }),
        body: (
          <>
            <p>
              {lock.state === 'held'
                ? t('window.user-is-editing-this-document', { user: holderOf(lock) })
                : lockStateText(lock)}
            </p>
            <p>
              {lock.state === 'held'
                ? t('window.close-it-in-the-editor')
                : t('window.force-clear-its-lock-first')}
            </p>
          </>
        ),
        confirm: t('common.save-a-copy-ask'),
      });
      if (copies) setCopied(version);
      return;
    }
    const isConfirmed = await confirm({
      title: t('window.restore-name', { name }),
      body: (
        <>
          <p>
            {t('window.the-document-goes-back-to', {
              time: formatTime('toSecond', version.writtenAtMs),
              size: formatSize(version.size),
            })}
          </p>
          <p className="muted">{t('window.its-current-content-is-kept')}</p>
        </>
      ),
      confirm: t('common.restore'),
    });
    if (!isConfirmed || (await restore.run({ path, versionId: version.id })) === undefined) return;
    onChanged();
    reload();
  };

  const extension = extensionOf(name);
  const isText = isComparedType(name);
  const timeOf = listed === undefined ? () => '' : timesOf(listed, hostTime());
  const rows = useRef<HTMLOListElement>(null);
  const content = (
    <div className="versions-panel">
      {problem !== null ? (
        <Failure
          sentence={problem.message}
          action={<Button onPress={reload}>{t('common.try-again')}</Button>}
        />
      ) : listed === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <div className="versions">
          {listed.versions.length >= fewestBars && (
            <Timeline
              listed={listed}
              timeOf={timeOf}
              chosenIndex={listed.versions.findIndex(({ id }) => id === chosen) + 1}
              onPress={(index) => {
                setChosen(listed.versions[index - 1]?.id ?? null);
                const row = rows.current?.children[index];
                row?.querySelector<HTMLElement>('.versions-row')?.focus();
              }}
            />
          )}
          <ol ref={rows} className="versions-list" aria-label={t('common.versions')}>
            <li className="versions-item">
              <div
                className="versions-row"
                tabIndex={-1}
                title={formatTime('toSecond', currentMsOf(listed.current))}
              >
                <span className="versions-time">
                  <strong>{t('common.current')}</strong>
                  <span>{capitalized(timeOf('current'))}</span>
                  <TimeSince atMs={currentMsOf(listed.current)} />
                </span>
                <Details version={listed.current} />
              </div>
            </li>
            {listed.versions.map((version) => {
              const { id } = version;
              const time = timeOf(id);
              const isChosen = id === chosen;
              return (
                <li key={id} className={isChosen ? 'versions-item versions-chosen' : 'versions-item'}>
                  <button
                    type="button"
                    className="versions-row"
                    aria-expanded={isChosen}
                    title={formatTime('toSecond', version.writtenAtMs)}
                    onClick={() => setChosen(isChosen ? null : id)}
                  >
                    <span className="versions-time" data-any-length="">
                      <span>{capitalized(time)}</span>
                      <TimeSince atMs={version.writtenAtMs} />
                    </span>
                    <Details version={version} />
                  </button>
                  {isChosen && (
                    <div className="versions-actions">
                      <Button
                        aria-label={t('common.open-the-version-from-time', { time })}
                        onPress={() => void open.run({ path, versionId: id })}
                      >
                        {t('common.open')}
                      </Button>
                      {isText && (
                        <Button
                          aria-label={t('common.compare-the-version-from-time', { time })}
                          onPress={() => setCompared(version)}
                        >
                          {t('common.compare')}
                        </Button>
                      )}
                      <Button
                        aria-label={t('common.restore-the-version-from-time', { time })}
                        onPress={() => void askToRestore(version)}
                      >
                        {t('common.restore-ask')}
                      </Button>
                      <Button
                        aria-label={t('common.save-a-copy-of-the', { time })}
                        onPress={() => setCopied(version)}
                      >
                        {t('common.save-a-copy-ask')}
                      </Button>
                    </div>
                  )}
                </li>
              );
            })}
          </ol>
          {listed.versions.length === 0 && (
            <Empty icon="history" sentence={t('window.doctray-keeps-a-version-each')} />
          )}
        </div>
      )}
      {compared !== undefined && listed !== undefined && (
        <Dialog
          title={t('common.changes-in-name-since-time', { name, time: timeOf(compared.id) })}
          isOpen
          onClose={() => setCompared(undefined)}
          width="wide"
          footer={
            <>
              <Button
                onPress={() => {
                  setCompared(undefined);
                  void askToRestore(compared);
                }}
              >
                {t('common.restore-this-version')}
              </Button>
              <Button onPress={() => setCompared(undefined)}>{t('common.close')}</Button>
            </>
          }
        >
          <Suspense fallback={<Skeleton rows={6} />}>
            <Comparison
              path={path}
              versionId={compared.id}
              heads={{
                old: { ...compared, time: timeOf(compared.id) },
                now: { ...listed.current, time: timeOf('current') },
              }}
            />
          </Suspense>
        </Dialog>
      )}
      {copied !== undefined && (
        <NameDialog
          title={t('common.save-a-copy')}
          stem={`${stemOf(name)} (${nameTimestamp(copied.writtenAtMs)})`}
          extension={extension}
          hint={t('window.created-next-to-name', { name })}
          taken={[]}
          onConfirm={async (copyName) => {
            const created = await call('versions.saveCopy', { path, versionId: copied.id, name: copyName });
            setCopied(undefined);
            onCreated(created.path);
          }}
          onClose={() => setCopied(undefined)}
        />
      )}
    </div>
  );
  return { listed, name, content };
}

/** `26 min ago`, for what is from today. */
function TimeSince({ atMs }: { atMs: number }) {
  return (
    isSameDay(atMs, hostTime()) && (
      <span className="muted">
        <RelativeTime atMs={atMs} />
      </span>
    )
  );
}

/** `Ana Ruiz · Autosaved`, and the size on the right. */
function Details({ version }: { version: VersionItem | Listed['current'] }) {
  const how = capitalized(howText(version));
  return (
    <span className="versions-details muted">
      <span>{version.savedBy === null ? how : `${saversOf(version.savedBy)} · ${how}`}</span>
      <span className="versions-size">{formatSize(version.size)}</span>
    </span>
  );
}

const barStep = 8;
const barWidth = 6;
const chartHeight = 40;
/** More bars would be too thin to see. */
const maxBars = 40;
/** With fewer, the chart adds nothing to the list. */
const fewestBars = 6;
/** Of the largest size: sizes that differ by less look almost the same. */
const leastRange = 0.1;

/** The sizes as bars, oldest first. The list has the same as text, and is where the keyboard goes to a version. */
function Timeline(props: {
  listed: Listed;
  timeOf(id: string): string;
  /** In the list; 0: none. */
  chosenIndex: number;
  /** @param index in the list */
  onPress(index: number): void;
}) {
  const { current, versions } = props.listed;
  const bars = [
    { size: current.size, time: props.timeOf('current') },
    ...versions.map(({ id, size }) => ({ size, time: props.timeOf(id) })),
  ]
    .slice(0, maxBars)
    .map((bar, index) => ({ ...bar, index }))
    .toReversed();
  const sizes = bars.map(({ size }) => size);
  const most = Math.max(1, ...sizes);
  const least = Math.min(...sizes);
  // The lowest bar has a third of the height at most, unless all sizes are nearly the same.
  const base = Math.max(0, least - Math.max(most - least, most * leastRange) / 2);
  const first = formatSize(sizes[0] ?? 0);
  const last = formatSize(current.size);
  return (
    <figure className="versions-timeline">
      <figcaption aria-hidden="true">
        <span>{t('window.size')}</span>
        <span className="muted">
          {first} → {last}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${bars.length * barStep - (barStep - barWidth)} ${chartHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('window.sizes-of-versions-oldest-first', { count: bars.length, first, last })}
      >
        {bars.map(({ size, time, index }, place) => {
          const height = Math.max(2, ((size - base) / (most - base)) * chartHeight);
          return (
            <g
              key={index}
              className={
                index > 0 && index === props.chosenIndex ? 'versions-bar versions-bar-chosen' : 'versions-bar'
              }
              onClick={() => props.onPress(index)}
            >
              <title>{`${capitalized(time)} · ${formatSize(size)}`}</title>
              <rect
                className="versions-bar-place"
                x={place * barStep}
                width={barWidth}
                height={chartHeight}
              />
              <rect
                className="versions-bar-size"
                x={place * barStep}
                y={chartHeight - height}
                width={barWidth}
                height={height}
              />
            </g>
          );
        })}
      </svg>
      <div className="versions-axis muted" aria-hidden="true">
        <span>{capitalized(bars[0]?.time ?? '')}</span>
        <span>{t('common.current')}</span>
      </div>
    </figure>
  );
}

/** What all kept versions use, and how to free it. */
export function UsageDialog(props: { onClose(): void }) {
  return (
    <Dialog
      title={t('window.disk-space-used-by-versions')}
      isOpen
      onClose={props.onClose}
      footer={
        <Button look="primary" onPress={props.onClose} autoFocus>
          {t('common.close')}
        </Button>
      }
    >
      <p>{t('window.doctray-keeps-earlier-versions-outside')}</p>
      <VersionsUsage />
    </Dialog>
  );
}

/** What all versions use, and the button and the job that remove those beyond the limits. */
export function useVersionsUsage() {
  const [jobId, setJobId] = useState<string>();
  const cleanUp = useAction('versions.cleanUp', { failure: t('window.couldnt-clean-up') });
  // A host that couldn't be asked may be back.
  const status = useWindowState(({ host }) => host.status);
  const { answer: usage, problem, reload } = useCommandResult('versions.usage', {}, { reloadKey: status });
  const start = async () => {
    const started = await cleanUp.run({});
    if (started !== undefined) setJobId(started.jobId);
  };
  return {
    usage,
    problem: problem?.message ?? null,
    reload,
    button: (
      <Button
        isPending={cleanUp.isPending}
        isDisabled={usage === undefined || usage.count === 0}
        onPress={() => void start()}
      >
        {t('window.clean-up-now')}
      </Button>
    ),
    job: jobId !== undefined && <DocumentJobs ids={[jobId]} onEnd={reload} />,
  };
}

function VersionsUsage() {
  const { usage, problem, button, job } = useVersionsUsage();
  return (
    <div className="versions-usage">
      <div className="versions-usage-words">
        {problem ??
          (usage === undefined
            ? t('window.measuring')
            : t('window.versions-of-all-documents-size', {
                count: usage.count,
                size: formatSize(usage.bytes),
              }))}
      </div>
      {button}
      {job}
    </div>
  );
}
