// The versions of a document: the current content first, a chart of sizes, and for each earlier version what can be done with it, once it's
// chosen. And the dialog that compares one with the current content.

import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { capitalized, formatSize, formatTime, isSameDay } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import type { PageVersions } from '../../app/contract/page-calls.ts';
import { Failure, Skeleton } from './blocks.tsx';
import { Button, LinkButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { RelativeTime, useClock } from './time.tsx';
import { currentMsOf, howText, saversOf, timesOf, type Compared } from './version-facts.ts';
import './comparison.css';
import './versions.css';

type Version = PageVersions['versions'][number];

interface Listed<One> {
  current: PageVersions['current'];
  /** Newest first. */
  versions: readonly One[];
}

/** One that is left out isn't offered. `time` names the version in sentences. */
interface VersionActions<One> {
  open?(version: One): void;
  /** In place of `open`: the page that shows it. */
  addressOf?(version: One): string;
  compare?: ((version: One, heads: Compared['heads']) => void) | undefined;
  restore?: ((version: One, time: string) => void) | undefined;
  copy?: ((version: One, time: string) => void) | undefined;
  copyLabel: string;
}

export function Versions<One extends Version>(props: { listed: Listed<One>; actions: VersionActions<One> }) {
  const { listed, actions } = props;
  const { current, versions } = listed;
  const timeOf = timesOf(listed, useClock()());
  /** The id of an earlier version; null: none; undefined: the newest, once there is one. */
  const [chosen, setChosen] = useState<string | null>();
  // A save adds a version, and the chosen one stays what it is.
  const chosenId = chosen === null || versions.some(({ id }) => id === chosen) ? chosen : versions[0]?.id;
  const list = useRef<HTMLOListElement>(null);
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('.versions-row') ?? [])];
  useEffect(() => {
    if (chosenId !== undefined) setChosen(chosenId);
    list.current?.querySelector('.versions-chosen')?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);
  const onKeyDown = (event: KeyboardEvent) => {
    const [, ...earlier] = rows();
    const at = earlier.indexOf(event.target as HTMLElement);
    const places: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: earlier.length - 1,
    };
    const place = places[event.key];
    if (at === -1 || place === undefined) return;
    event.preventDefault();
    earlier[place]?.focus();
  };
  return (
    <>
      {versions.length >= fewestBars && (
        <Timeline
          listed={listed}
          timeOf={timeOf}
          chosenIndex={versions.findIndex(({ id }) => id === chosenId) + 1}
          onPress={(index) => {
            setChosen(versions[index - 1]?.id ?? null);
            rows()[index]?.focus();
          }}
        />
      )}
      <ol ref={list} className="versions-list" aria-label={t('common.versions')} onKeyDown={onKeyDown}>
        <li className="versions-item versions-current">
          <div className="versions-row" tabIndex={-1} title={formatTime('toSecond', currentMsOf(current))}>
            <Facts version={current} atMs={currentMsOf(current)} time={timeOf('current')}>
              <strong>{t('common.current')}</strong>
            </Facts>
          </div>
        </li>
        {versions.map((version, index) => {
          const { id, writtenAtMs } = version;
          const time = timeOf(id);
          const isChosen = id === chosenId;
          // The only one that Tab reaches.
          const isTabStop = chosenId === null || chosenId === undefined ? index === 0 : isChosen;
          return (
            <li key={id} className={isChosen ? 'versions-item versions-chosen' : 'versions-item'}>
              <button
                type="button"
                className="versions-row"
                aria-expanded={isChosen}
                tabIndex={isTabStop ? 0 : -1}
                title={formatTime('toSecond', writtenAtMs)}
                onClick={() => setChosen(isChosen ? null : id)}
              >
                <Facts version={version} atMs={writtenAtMs} time={time} />
              </button>
              {isChosen && (
                <Actions
                  version={version}
                  time={time}
                  actions={actions}
                  heads={{ old: { ...version, time }, now: { ...current, time: timeOf('current') } }}
                />
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Actions<One extends Version>(props: {
  version: One;
  time: string;
  heads: Compared['heads'];
  actions: VersionActions<One>;
}) {
  const { version, time, heads, actions } = props;
  const { compare, restore, copy } = actions;
  const open = { 'aria-label': t('common.open-the-version-from-time', { time }), children: t('common.open') };
  return (
    <div className="versions-actions">
      {actions.addressOf === undefined ? (
        <Button {...open} onPress={() => actions.open?.(version)} />
      ) : (
        <LinkButton {...open} href={actions.addressOf(version)} />
      )}
      {compare !== undefined && (
        <Button
          aria-label={t('common.compare-the-version-from-time', { time })}
          onPress={() => compare(version, heads)}
        >
          {t('common.compare')}
        </Button>
      )}
      {restore !== undefined && (
        <Button
          aria-label={t('common.restore-the-version-from-time', { time })}
          onPress={() => restore(version, time)}
        >
          {t('common.restore-ask')}
        </Button>
      )}
      {copy !== undefined && (
        <Button aria-label={t('common.save-a-copy-of-the', { time })} onPress={() => copy(version, time)}>
          {actions.copyLabel}
        </Button>
      )}
    </div>
  );
}

/** `Today 14:03  26 min ago`, then `Ana Ruiz · Autosaved` and the size. */
function Facts(props: {
  version: Version | PageVersions['current'];
  atMs: number;
  time: string;
  children?: ReactNode;
}) {
  const { version, atMs } = props;
  const isToday = isSameDay(atMs, useClock()());
  const how = capitalized(howText(version));
  return (
    <>
      <span className="versions-time" data-any-length="">
        {props.children}
        <span>{capitalized(props.time)}</span>
        {isToday && (
          <span className="muted">
            <RelativeTime atMs={atMs} />
          </span>
        )}
      </span>
      <span className="versions-details muted">
        <span>{version.savedBy === null ? how : `${saversOf(version.savedBy)} · ${how}`}</span>
        <span className="versions-size">{formatSize(version.size)}</span>
      </span>
    </>
  );
}

interface ComparisonDialogProps {
  documentName: string;
  /** Names the version. */
  time: string;
  /** Rejects with the sentence to show. */
  compared: Promise<Compared>;
  onRestore?: (() => void) | undefined;
  onClose(): void;
}

export function ComparisonDialog({
  time,
  compared,
  onRestore,
  onClose,
  documentName,
}: ComparisonDialogProps) {
  return (
    <Dialog
      title={t('common.changes-in-name-since-time', { name: documentName, time })}
      onClose={onClose}
      width="wide"
      focusesClose={false}
      buttons={
        onRestore !== undefined && <Button onPress={onRestore}>{t('common.restore-this-version')}</Button>
      }
    >
      <Loaded compared={compared} />
    </Dialog>
  );
}

function Loaded({ compared }: Pick<ComparisonDialogProps, 'compared'>) {
  const [shown, setShown] = useState<ReactNode>(<Skeleton rows={6} />);
  useEffect(() => {
    let isOver = false;
    const show = (next: ReactNode) => {
      if (!isOver) setShown(next);
    };
    // Nothing else on a page needs the package that compares lines.
    const loading = import('./comparison.tsx').catch(() => {
      throw new Error(t('common.doctray-isnt-responding'));
    });
    Promise.all([compared, loading]).then(
      ([loaded, { Comparison }]) => show(<Comparison {...loaded} />),
      (error: unknown) => show(<Failure sentence={error instanceof Error ? error.message : String(error)} />),
    );
    return () => {
      isOver = true;
    };
  }, [compared]);
  return shown;
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
  listed: Listed<Version>;
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
        <span>{t('kit.size')}</span>
        <span className="muted">
          {first} → {last}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${bars.length * barStep - (barStep - barWidth)} ${chartHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('kit.sizes-of-versions-oldest-first', { count: bars.length, first, last })}
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
