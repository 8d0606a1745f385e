// Overview: is everything fine, and if not, what to press; then what is being edited, what was open last, and how the day went.

import { useMemo, useState, type ReactNode } from 'react';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { formatTime } from '../../../app/contract/format.ts';
import { isFolderProblem } from '../../../app/contract/host-status.ts';
import { t } from '../../../app/contract/messages.ts';
import { compareNames } from '../../../app/contract/name-order.ts';
import type { ActivityHour } from '../../../app/contract/results.ts';
import type { HostState, JobItem, LockItem, RecentItem } from '../../../app/contract/state.ts';
import { useOpening, type Opening } from '../documents/opening.tsx';
import { iconOf } from '../documents/rows.tsx';
import { useEditorStatus } from '../editors/connection.tsx';
import { officeEditors, productOf } from '../editors/words.ts';
import { PausedUntil, useHostStatus } from '../frame.tsx';
import { holderOf } from '../locks/words.ts';
import {
  CopyButton,
  useAction,
  JobButton,
  jobAmount,
  jobMarks,
  JobProgress,
  jobResult,
  useCommandResult,
} from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { ListRow, Message, RowsSkeleton, Section } from '../../kit/blocks.tsx';
import { View } from '../parts/view.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { Attention } from './attention.tsx';
import './overview.css';

const mostEdited = 6;
const mostRecent = 6;

export function OverviewView() {
  const host = useWindowState((state) => state.host);
  const opening = useOpening();
  return (
    <View title={t('common.overview')} actions={<HostActions host={host} />}>
      <div className="overview">
        <HostCard host={host} />
        <div className="overview-main">
          <Attention opening={opening} />
          <Jobs />
          <BeingEdited opening={opening} />
        </div>
        <Recent opening={opening} />
        {/* What is wrong with the host is shown above. */}
        {(host.status === 'serving' || host.status === 'paused') && (
          <div className="overview-side">
            <DayStrip />
          </div>
        )}
      </div>
      {opening.dialogs}
    </View>
  );
}

/** The same frames and heights, so that nothing jumps when the state comes. */
export function OverviewSkeleton() {
  return (
    <div className="overview" aria-hidden="true">
      <div className="host-card">
        <div className="host-head">
          <span className="skeleton-sign" />
          <div className="host-words">
            <span className="skeleton-bar" />
            <span className="skeleton-bar" />
          </div>
        </div>
        <div className="host-line-row">
          <div className="host-line">
            <span className="skeleton-bar" />
          </div>
        </div>
      </div>
      <div className="overview-main">
        <div className="section">
          <div className="section-header">
            <span className="skeleton-bar" />
          </div>
          <RowsSkeleton rows={4} />
        </div>
      </div>
      <div className="overview-side">
        <div className="section">
          <div className="section-header">
            <span className="skeleton-bar" />
          </div>
          <div className="section-body day-wait" />
        </div>
      </div>
    </div>
  );
}

function HostActions({ host }: { host: HostState }) {
  const pause = useAction('host.pause', { failure: t('window.couldnt-pause') });
  const openFolder = useAction('host.openFolder', { failure: t('window.couldnt-open-the-folder') });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  return (
    <>
      {host.folder !== null && !isInBrowser && !isFolderProblem(host.problem) && (
        <Button icon="folder" isPending={openFolder.isPending} onPress={() => void openFolder.run({})}>
          {t('common.open-folder')}
        </Button>
      )}
      {host.status === 'serving' && (
        <MenuButton
          label={t('common.pause')}
          icon="pause"
          entries={[
            { id: '5', title: t('common.for-5-minutes'), run: () => void pause.run({ minutes: 5 }) },
            { id: '30', title: t('common.for-30-minutes'), run: () => void pause.run({ minutes: 30 }) },
            { id: 'open', title: t('common.until-resumed'), run: () => void pause.run({ minutes: null }) },
          ]}
        />
      )}
    </>
  );
}

const factsKey = 'overview-details';

/** The answer in one line, and folder, address and editors in a second one that unfolds. */
function HostCard({ host }: { host: HostState }) {
  const status = useHostStatus();
  const editors = useWindowState((state) => state.editors);
  const [isOpen, setIsOpen] = useState(() => localStorage.getItem(factsKey) === 'open');
  const choose = useAction('host.chooseFolder', { failure: t('window.couldnt-use-this-folder') });
  const toggle = () => {
    localStorage.setItem(factsKey, isOpen ? 'closed' : 'open');
    setIsOpen(!isOpen);
  };
  const address = host.baseUrl;
  const office = officeEditors(editors);
  return (
    <section className="host-card" aria-label={t('window.host')}>
      <div className={`host-head tone-${status.tone}`}>
        <span className="host-sign">
          <Icon name={status.icon} size={22} />
        </span>
        <div className="host-words">
          <div className="host-state">{status.long}</div>
          <div className="muted">
            {host.status === 'paused' ? (
              <PausedUntil atMs={host.pausedUntilMs} />
            ) : (
              statusSentence(host, status.attention, status.editing)
            )}
          </div>
        </div>
        {host.status === 'paused' && <Resume />}
      </div>
      <div className="host-line-row">
        <button
          type="button"
          className="host-line"
          aria-expanded={isOpen}
          aria-controls="host-facts"
          onClick={toggle}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
          <span className="visually-hidden">{t('window.folder-address-and-editors')}: </span>
          <span className="host-line-facts">
            <LineFact icon="folder">{host.folderName ?? t('window.no-folder')}</LineFact>
            <LineFact icon="external" className="host-line-address">
              {address ?? t('window.not-listening')}
            </LineFact>
            <LineFact icon="edit">
              {office.length === 0
                ? t('window.no-document-server')
                : office.length === 1
                  ? (office[0]?.name ?? '')
                  : t('window.document-servers-2', {
                      count: office.length,
                    })}
            </LineFact>
          </span>
        </button>
        {office.length === 0 && !isOpen && <ConnectEditor />}
      </div>
      <dl className="host-facts" id="host-facts" hidden={!isOpen}>
        <dt>{t('window.folder')}</dt>
        <dd>
          {host.folder === null ? (
            <span className="muted">{t('window.none-chosen-yet')}</span>
          ) : (
            <span className="selectable host-value">{host.folder}</span>
          )}
          <Button look="quiet" isPending={choose.isPending} onPress={() => void choose.run({})}>
            {host.folder === null ? t('window.choose') : t('window.change')}
          </Button>
        </dd>
        <dt>{t('window.address')}</dt>
        <dd>
          {address === null ? (
            <span className="muted">{t('window.not-listening')}</span>
          ) : (
            <>
              <span className="selectable code host-value">{address}</span>
              <CopyButton text={address} what={t('window.address-2')} />
            </>
          )}
        </dd>
        {host.publicUrl !== null && host.publicUrl !== host.baseUrl && (
          <>
            <dt>{t('window.for-editors')}</dt>
            <dd>
              <span className="selectable code host-value">{host.publicUrl}</span>
            </dd>
          </>
        )}
        <EditorFacts />
      </dl>
    </section>
  );
}

function Resume() {
  const resume = useAction('host.resume', { failure: t('window.couldnt-resume') });
  return (
    <Button look="primary" icon="play" isPending={resume.isPending} onPress={() => void resume.run({})}>
      {t('common.resume')}
    </Button>
  );
}

function LineFact(props: { icon: 'folder' | 'external' | 'edit'; className?: string; children: ReactNode }) {
  return (
    <span className={`host-line-fact ${props.className ?? ''}`}>
      <Icon name={props.icon} size={14} />
      <span className="cut">{props.children}</span>
    </span>
  );
}

function statusSentence(host: HostState, attention: number, editing: number): string {
  const folder = host.folderName ?? '';
  if (host.status === 'error')
    return host.folderName === null
      ? t('window.documents-cant-be-opened-or')
      : t('window.documents-in-folder-cant-be', { folder });
  if (host.status === 'idle') return t('window.choose-the-folder-whose-documents');
  if (host.status !== 'serving') return t('window.one-moment');
  const values = { count: editing, folder };
  if (attention > 0) return t('window.serving-folder-documents-are-being', values);
  return t('window.all-good-documents-are-being', values);
}

function ConnectEditor() {
  const { go } = useNavigation();
  return (
    <Button
      look="quiet"
      aria-label={t('window.connect-an-editor-ask')}
      onPress={() => go('settings', 'editors/connect')}
    >
      {t('window.connect')}
    </Button>
  );
}

function EditorFacts() {
  const editors = useWindowState((state) => state.editors);
  return (
    <>
      <dt>{t('window.editors-2', { count: Math.max(1, editors.length) })}</dt>
      {officeEditors(editors).length === 0 && (
        <dd>
          <span className="muted">
            {editors.length === 0 ? t('window.none-connected-yet') : t('window.no-document-server-yet')}
          </span>
          <ConnectEditor />
        </dd>
      )}
      {editors.map((editor) => (
        <EditorFact key={editor.id} editor={editor} />
      ))}
    </>
  );
}

function EditorFact({ editor }: { editor: EditorItem }) {
  const { go } = useNavigation();
  const status = useEditorStatus(editor);
  return (
    <dd className={`host-editor tone-${status.tone}`}>
      <Icon name={status.icon} />
      <span className="host-value" title={`${productOf(editor)}, ${editor.url}`}>
        {editor.name} <span className="host-editor-state">{status.words}</span>
      </span>
      <Button
        look="quiet"
        aria-label={t('window.settings-of-editor', { editor: editor.name })}
        onPress={() => go('settings', `editors/${editor.id}`)}
      >
        {t('common.settings')}
      </Button>
    </dd>
  );
}

function BeingEdited({ opening }: { opening: Opening }) {
  const locks = useWindowState((state) => state.locks);
  const { go } = useNavigation();
  const edited = useMemo(
    () =>
      locks
        .filter((lock) => lock.state === 'held')
        .toSorted((a, b) => b.takenAtMs - a.takenAtMs || compareNames(a.path, b.path)),
    [locks],
  );
  if (edited.length === 0) return null;
  return (
    <Section
      title={t('window.being-edited')}
      actions={
        <Button look="quiet" onPress={() => go('locks')}>
          {edited.length > mostEdited
            ? t('window.show-all-count', { count: edited.length })
            : t('window.show-locks')}
        </Button>
      }
    >
      <ul className="doc-list">
        {edited.slice(0, mostEdited).map((lock) => (
          <DocumentRow key={lock.id} path={lock.path} opening={opening}>
            <Holder lock={lock} />
          </DocumentRow>
        ))}
      </ul>
    </Section>
  );
}

function Holder({ lock }: { lock: LockItem }) {
  const values = {
    user: holderOf(lock),
    editor: lock.editor ?? '',
    when: <RelativeTime atMs={lock.takenAtMs} />,
  };
  return lock.editor === null ? (
    <Message of="window.user-when" values={values} />
  ) : (
    <Message of="window.user-in-editor-when" values={values} />
  );
}

function Recent({ opening }: { opening: Opening }) {
  const recent = useWindowState((state) => state.recent);
  const locks = useWindowState((state) => state.locks);
  const { go } = useNavigation();
  const isServed = useWindowState(({ host }) => host.folder !== null && host.status !== 'error');
  const shown = useMemo(() => notBeingEdited(recent, locks), [recent, locks]);
  if (shown.length === 0) {
    const isNothingOpen = recent.length === 0 && locks.length === 0;
    return isNothingOpen && isServed ? (
      <Section title={t('window.recent-documents')}>
        <ListRow
          icon="documents"
          title={t('window.documents-that-you-open-appear')}
          actions={<Button onPress={() => go('documents')}>{t('window.show-documents')}</Button>}
        />
      </Section>
    ) : null;
  }
  return (
    <Section
      title={t('window.recent-documents')}
      actions={
        <Button look="quiet" onPress={() => go('documents')}>
          {t('window.show-documents')}
        </Button>
      }
    >
      <ul className="doc-list">
        {shown.map(({ path, openedAtMs }) => (
          <DocumentRow key={path} path={path} opening={opening}>
            <RelativeTime atMs={openedAtMs} isStart />
          </DocumentRow>
        ))}
      </ul>
    </Section>
  );
}

/** Those are listed right above. */
function notBeingEdited(recent: readonly RecentItem[], locks: readonly LockItem[]): RecentItem[] {
  const edited = new Set(locks.filter(({ state }) => state === 'held').map(({ path }) => path));
  return recent.filter(({ path }) => !edited.has(path)).slice(0, mostRecent);
}

/** Opens the document, like a double click in Documents. */
function DocumentRow(props: { path: string; opening: Opening; children: ReactNode }) {
  const { path } = props;
  const { name, folder } = splitPath(path);
  return (
    <li>
      <button
        type="button"
        className="doc-row"
        title={path}
        onClick={() => void props.opening.open(path, 'edit')}
      >
        <Icon name={iconOf({ kind: 'document', name })} />
        <span className="doc-name">
          <span>{name}</span>
          {folder !== '' && (
            <span className="doc-folder cut" data-any-length="">
              {folder}
            </span>
          )}
        </span>
        <span className="doc-aside">{props.children}</span>
      </button>
    </li>
  );
}

function Jobs() {
  const jobs = useWindowState((state) => state.jobs);
  if (jobs.length === 0) return null;
  return (
    <Section title={t('window.work-in-progress')}>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </Section>
  );
}

function JobRow({ job }: { job: JobItem }) {
  return (
    <ListRow
      {...jobMarks[job.state]}
      title={job.title}
      detail={
        job.state === 'running' ? (
          <div className="job-progress">
            <JobProgress job={job} />
            <span className="job-amount">{jobAmount(job)}</span>
          </div>
        ) : (
          jobResult(job)
        )
      }
      actions={<JobButton job={job} />}
    />
  );
}

// The last 24 hours at a glance: saves, open documents and errors, one bar an hour. Each chart has its numbers as text too.

const refreshEveryMs = 30_000;

function DayStrip() {
  const { answer, problem } = useHours();
  const { go } = useNavigation();
  if (answer === undefined) {
    return problem === null ? (
      <Section title={t('window.last-24-hours')}>
        <div className="day-strip day-wait" aria-busy="true">
          {['saves', 'documents', 'errors'].map((chart) => (
            <div key={chart} className="day-chart" aria-hidden="true">
              <span className="skeleton-bar" />
              <span className="skeleton-bar day-wait-bars" />
            </div>
          ))}
        </div>
      </Section>
    ) : null;
  }
  const { hours } = answer;
  const saves = hours.map((hour) => hour.saves);
  const documents = hours.map((hour) => hour.documents);
  const errors = hours.map((hour) => hour.errors);
  const isQuiet = [...saves, ...documents, ...errors].every((count) => count === 0);
  return (
    <Section
      title={t('window.last-24-hours')}
      actions={
        <Button look="quiet" onPress={() => go('activity')}>
          {t('window.show-activity')}
        </Button>
      }
    >
      {isQuiet ? (
        <p className="day-quiet muted">{t('window.no-activity-in-the-last')}</p>
      ) : (
        <div className="day-strip">
          <Chart
            hours={hours}
            values={saves}
            tone="good"
            title={t('window.saves')}
            total={sum(saves)}
            words={t('window.saves-in-the-last-24', {
              count: sum(saves),
            })}
          />
          <Chart
            hours={hours}
            values={documents}
            tone="muted"
            title={t('window.peak-open-documents')}
            total={Math.max(...documents)}
            words={t('window.at-most-open-documents-in', { count: Math.max(...documents) })}
          />
          <Chart
            hours={hours}
            values={errors}
            tone={sum(errors) === 0 ? 'muted' : 'bad'}
            title={t('window.errors')}
            total={sum(errors)}
            words={t('window.errors-in-the-last-24', {
              count: sum(errors),
            })}
          />
        </div>
      )}
    </Section>
  );
}

function useHours() {
  const status = useWindowState(({ host }) => host.status);
  // A document that was just opened is activity.
  const openDocuments = useWindowState(({ sessions }) => sessions.length);
  const reloadKey = `${status} ${openDocuments}`;
  return useCommandResult('activity.summary', {}, { reloadKey, everyMs: refreshEveryMs });
}

const height = 40;
const barWidth = 6;
const step = 8;

function Chart(props: {
  hours: readonly ActivityHour[];
  values: readonly number[];
  tone: 'good' | 'muted' | 'bad';
  title: string;
  total: number;
  /** The text alternative. */
  words: string;
}) {
  const { hours, values } = props;
  const most = Math.max(1, ...values);
  const peak = values.indexOf(Math.max(...values));
  const peakHour = hours[peak];
  const words =
    props.total === 0 || peakHour === undefined
      ? props.words
      : t('window.words-most-at-time', { words: props.words, time: formatTime('clock', peakHour.startMs) });
  return (
    <figure className={`day-chart tone-${props.tone}`}>
      <figcaption>
        <span className="day-title">{props.title}</span>
        <span className="day-total">{t('window.count', { count: props.total })}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${hours.length * step - (step - barWidth)} ${height}`}
        preserveAspectRatio="none"
      >
        {values.map((value, index) => {
          const hour = hours[index];
          const length = value === 0 ? 1.5 : Math.max(4, (value / most) * height);
          return (
            <rect
              key={hour?.startMs}
              className={value === 0 ? 'day-bar day-bar-none' : 'day-bar'}
              x={index * step}
              y={height - length}
              width={barWidth}
              height={length}
            >
              <title>
                {t('window.time-count', {
                  time: formatTime('clock', hour?.startMs ?? 0),
                  count: value,
                })}
              </title>
            </rect>
          );
        })}
      </svg>
      <div className="day-axis" aria-hidden="true">
        <span>{formatTime('clock', hours[0]?.startMs ?? 0)}</span>
        <span>{t('window.now')}</span>
      </div>
    </figure>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
