// Overview: is everything fine, and if not, what to press; then what is being edited, what was open last, and how the day went.

import { Fragment, useMemo, useState, type ReactNode } from 'react';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { formatDayTime } from '../../../app/contract/format.ts';
import { isFolderProblem } from '../../../app/contract/host-status.ts';
import { t } from '../../../app/contract/messages.ts';
import { compareNames } from '../../../app/contract/name-order.ts';
import type { ActivitySummary } from '../../../app/contract/results.ts';
import type { HostState, LockItem } from '../../../app/contract/state.ts';
import { useOpening, type Opening } from '../documents/opening.tsx';
import { iconOf } from '../documents/rows.tsx';
import { ConnectEditor, useEditorStatus } from '../editors/connection.tsx';
import { officeEditors, productOf } from '../editors/words.ts';
import { ListRow, Message, RowsSkeleton, Section } from '../../kit/blocks.tsx';
import { Button } from '../../kit/button.tsx';
import { FileName } from '../../kit/file-name.tsx';
import { Icon } from '../../kit/icon.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { RelativeTime, useClock } from '../../kit/time.tsx';
import { PausedUntil, ProblemActions, useHostStatus } from '../frame.tsx';
import { holderOf } from '../locks/words.ts';
import { CopyButton, JobRow, useAction, useCommandResult } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
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
      <HostCard host={host} />
      <Attention opening={opening} />
      <Jobs />
      <BeingEdited opening={opening} />
      <Recent opening={opening} />
      {(host.status === 'serving' || host.status === 'paused') && <RecentActivity />}
      {opening.dialogs}
    </View>
  );
}

/** The same frames and heights, so that nothing jumps when the state comes. */
export function OverviewSkeleton() {
  return (
    <>
      <div className="section-body" aria-hidden="true">
        <div className="host-head">
          <span className="skeleton-sign host-sign" />
          <div className="grow list-words">
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
      <div className="section" aria-hidden="true">
        <div className="row section-header">
          <span className="skeleton-bar" />
        </div>
        <RowsSkeleton rows={4} />
      </div>
    </>
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
  const resume = useAction('host.resume', { failure: t('window.couldnt-resume') });
  const toggle = () => {
    localStorage.setItem(factsKey, isOpen ? 'closed' : 'open');
    setIsOpen(!isOpen);
  };
  const office = officeEditors(editors);
  const officeWords =
    office.length === 1 ? office[0]?.name : t('window.count-document-servers', { count: office.length });
  const isFolderMissing = host.folder !== null && isFolderProblem(host.problem);
  const needsServer = host.status === 'serving' && status.attention + status.editing + office.length === 0;
  const line = isFolderMissing
    ? ([['folder', host.folder]] as const)
    : ([
        ['folder', host.folderName ?? t('window.no-folder')],
        ['external', host.baseUrl ?? t('window.not-listening')],
        ['edit', officeWords],
      ] as const);
  return (
    <section className="section-body" aria-label={t('window.host')}>
      <div className={`host-head tone-${status.tone}`}>
        <span className="host-sign">
          <Icon name={status.icon} size={22} />
        </span>
        <div className="grow list-words">
          <div className="host-state">{status.long}</div>
          <div className="muted">
            {host.status === 'paused' ? (
              <PausedUntil atMs={host.pausedUntilMs} />
            ) : (
              (host.problem?.message ??
              (needsServer
                ? t('window.to-edit-word-excel-and')
                : statusSentence(host, status.attention, status.editing)))
            )}
          </div>
        </div>
        {needsServer && !isOpen && <ConnectEditor look="primary" />}
        {host.problem !== null && <ProblemActions problem={host.problem} />}
        {host.status === 'paused' && (
          <Button look="primary" icon="play" isPending={resume.isPending} onPress={() => void resume.run({})}>
            {t('common.resume')}
          </Button>
        )}
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
          {/* Unfolded, the facts below have the rest. */}
          <span className={isOpen ? '' : 'visually-hidden'}>{t('window.folder-address-and-editors')}</span>
          {!isOpen &&
            line.map(([icon, words]) => (
              <Fragment key={icon}>
                <Icon name={icon} size={14} />
                <span className={`cut host-line-${icon}`}>{words}</span>
              </Fragment>
            ))}
        </button>
        {office.length === 0 && !needsServer && !isOpen && !isFolderMissing && <ConnectEditor />}
      </div>
      {isOpen && <HostFacts host={host} />}
    </section>
  );
}

function statusSentence(host: HostState, attention: number, editing: number): string {
  const folder = host.folderName ?? '';
  if (host.status === 'idle') return t('window.choose-the-folder-whose-documents');
  if (host.status !== 'serving') return t('window.one-moment');
  const values = { count: editing, folder };
  return attention > 0
    ? t('window.serving-folder-documents-are-being', values)
    : t('window.all-good-documents-are-being', values);
}

function HostFacts({ host }: { host: HostState }) {
  const { folder, baseUrl: address, publicUrl } = host;
  const editors = useWindowState((state) => state.editors);
  const choose = useAction('host.chooseFolder', { failure: t('window.couldnt-use-this-folder') });
  return (
    <dl className="facts host-facts" id="host-facts">
      <dt>{t('window.folder')}</dt>
      <dd>
        <Value words={folder} absent={t('window.none-chosen-yet')} />
        <Button look="quiet" isPending={choose.isPending} onPress={() => void choose.run({})}>
          {folder === null ? t('window.choose') : t('window.change')}
        </Button>
      </dd>
      <dt>{t('common.address')}</dt>
      <dd>
        <Value words={address} absent={t('window.not-listening')} isCode />
        {address !== null && <CopyButton text={address} what={t('window.copied-address')} />}
      </dd>
      {publicUrl !== null && publicUrl !== address && (
        <>
          <dt>{t('window.address-for-editors')}</dt>
          <dd>
            <Value words={publicUrl} absent="" isCode />
          </dd>
        </>
      )}
      <dt>{t('window.label-editors', { count: Math.max(1, editors.length) })}</dt>
      {officeEditors(editors).length === 0 && (
        <dd>
          <Value
            words={null}
            absent={
              editors.length === 0 ? t('window.none-connected-yet') : t('window.no-document-server-yet')
            }
          />
          <ConnectEditor />
        </dd>
      )}
      {editors.map((editor) => (
        <EditorFact key={editor.id} editor={editor} />
      ))}
    </dl>
  );
}

function Value(props: { words: string | null; absent: string; isCode?: boolean }) {
  if (props.words === null) return <span className="muted">{props.absent}</span>;
  return <span className={props.isCode === true ? 'selectable code' : 'selectable'}>{props.words}</span>;
}

function EditorFact({ editor }: { editor: EditorItem }) {
  const { go } = useNavigation();
  const status = useEditorStatus(editor);
  return (
    <dd className={`host-editor tone-${status.tone}`}>
      <Icon name={status.icon} />
      <div className="grow" title={productOf(editor)}>
        <span className="status-name">{editor.name}</span> {/* The list below says what is wrong. */}
        <span className={status.tone === 'bad' ? 'visually-hidden' : 'status-state'}>{status.state}</span>
        <div className="code selectable muted">{editor.url}</div>
      </div>
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

function ShowView({ view, children }: { view: 'locks' | 'documents' | 'activity'; children: string }) {
  const { go } = useNavigation();
  return (
    <Button look="quiet" onPress={() => go(view)}>
      {children}
    </Button>
  );
}

function BeingEdited({ opening }: { opening: Opening }) {
  const locks = useWindowState((state) => state.locks);
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
        <ShowView view="locks">
          {edited.length > mostEdited
            ? t('window.show-all-count', { count: edited.length })
            : t('window.show-locks')}
        </ShowView>
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
  const when = <RelativeTime atMs={lock.takenAtMs} />;
  const values = { user: holderOf(lock), editor: lock.editor, when };
  return (
    <Message of={lock.editor === null ? 'window.user-when' : 'window.user-in-editor-when'} values={values} />
  );
}

function Recent({ opening }: { opening: Opening }) {
  const recent = useWindowState((state) => state.recent);
  const locks = useWindowState((state) => state.locks);
  const isServed = useWindowState(({ host }) => host.folder !== null && host.status !== 'error');
  // Those being edited are listed right above.
  const edited = new Set(locks.filter(({ state }) => state === 'held').map(({ path }) => path));
  const shown = recent.filter(({ path }) => !edited.has(path)).slice(0, mostRecent);
  if (shown.length === 0 && (recent.length > 0 || locks.length > 0 || !isServed)) return null;
  return (
    <Section
      title={t('window.recent-documents')}
      actions={<ShowView view="documents">{t('window.show-documents')}</ShowView>}
    >
      {shown.length === 0 ? (
        <ListRow icon="documents" title={t('window.documents-that-you-open-appear')} />
      ) : (
        <ul className="doc-list">
          {shown.map(({ path, openedAtMs }) => (
            <DocumentRow key={path} path={path} opening={opening}>
              <RelativeTime atMs={openedAtMs} isStart />
            </DocumentRow>
          ))}
        </ul>
      )}
    </Section>
  );
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
          <FileName name={name} />
        </span>
        {folder !== '' && (
          <span className="doc-folder cut muted" data-any-length="">
            {folder}
          </span>
        )}
        <span className="doc-aside cut muted" data-any-length="">
          {props.children}
        </span>
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

/** What happened lately, in numbers. */
function RecentActivity() {
  const clock = useClock();
  const status = useWindowState(({ host }) => host.status);
  // A document that was just opened is activity.
  const openDocuments = useWindowState(({ sessions }) => sessions.length);
  const reloadKey = `${status} ${openDocuments}`;
  const { answer, problem } = useCommandResult('activity.summary', {}, { reloadKey, everyMs: 30_000 });
  if (answer === undefined && problem !== null) return null;
  return (
    <Section
      title={t('window.recent-activity')}
      actions={<ShowView view="activity">{t('window.show-activity')}</ShowView>}
    >
      <ListRow
        icon="activity"
        tone={answer !== undefined && answer.errors > 0 ? 'bad' : 'muted'}
        title={answer === undefined ? <span className="skeleton-bar" /> : summaryWords(answer, clock())}
      />
    </Section>
  );
}

function summaryWords({ sinceMs, saves, documents, errors }: ActivitySummary, nowMs: number): string {
  if (saves + documents + errors === 0) return t('window.no-recent-activity');
  const time = formatDayTime(sinceMs, nowMs);
  return t('window.saves-documents-errors-since', { saves, documents, errors, time });
}
