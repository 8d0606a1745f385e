// What surrounds every view: the rail at the left, with the host's state, the seven views with their counts, and help; and the banner above,
// a line with what to press.

import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useLandmark } from 'react-aria';
import { formatCount } from '../../app/contract/format.ts';
import { hostStatus, isFolderProblem, type HostStatus } from '../../app/contract/host-status.ts';
import { t } from '../../app/contract/messages.ts';
import { viewNames, type ViewName } from '../../app/contract/pushes.ts';
import type { HostState, Problem } from '../../app/contract/state.ts';
import { useAction, CopyButton } from './parts/action.tsx';
import { Button, IconButton } from '../kit/button.tsx';
import type { IconName } from '../kit/icon-shapes.ts';
import { Icon } from '../kit/icon.tsx';
import { UntilTime } from '../kit/time.tsx';
import { useToasts } from '../kit/toast.tsx';
import { Message } from '../kit/blocks.tsx';
import { useCopyDiagnostics } from './settings/about.tsx';
import type { SettingId } from './settings/catalog.ts';
import { keyWords } from '../kit/keys.ts';
import {
  useDashboardCommand,
  useNavigation,
  useIsDisconnected,
  useWindowState,
} from './state/window-context.tsx';

export const viewTitles: Record<ViewName, string> = {
  overview: t('common.overview'),
  documents: t('common.documents'),
  locks: t('common.locks'),
  sessions: t('common.sessions'),
  tokens: t('common.tokens'),
  activity: t('common.activity'),
  settings: t('common.settings'),
};

interface Count {
  shown: number;
  /** It needs attention: shown in this tone, as the host's state above it. */
  tone?: 'warn' | 'bad';
  /** Some of them need attention. */
  hasMark?: boolean;
  words?: string;
}

function useCounts({ attention, tone }: ShownStatus): Partial<Record<ViewName, Count>> {
  const stale = useWindowState(({ locks }) => locks.filter(({ state }) => state === 'stale').length);
  const locks = useWindowState((state) => state.locks.length);
  const sessions = useWindowState((state) => state.sessions.length);
  const tokens = useWindowState((state) => state.tokens.length);
  return {
    overview: {
      shown: attention,
      tone: tone === 'bad' ? 'bad' : 'warn',
      words: t('window.need-attention', { count: attention }),
    },
    locks: {
      shown: locks,
      ...(stale > 0 && { hasMark: true, words: t('window.count-of-them-stale', { count: stale }) }),
    },
    sessions: { shown: sessions },
    tokens: { shown: tokens },
  };
}

export function Rail(props: { onHelp(): void; isMac: boolean }) {
  const appName = useWindowState((state) => state.app.name);
  const status = useHostStatus();
  const counts = useCounts(status);
  return <RailFrame {...props} appName={appName} status={status} counts={counts} />;
}

/** Before the state is there, or when it can't be read. */
export function StatelessRail({ isLoading, isMac }: { isLoading: boolean; isMac: boolean }) {
  const short = isLoading ? t('common.loading') : t('window.not-responding');
  const look = isLoading
    ? ({ icon: 'refresh', tone: 'muted' } as const)
    : ({ icon: 'error', tone: 'bad' } as const);
  return <RailFrame appName="DocTray" status={{ ...look, short, long: short }} counts={{}} isMac={isMac} />;
}

interface FrameProps {
  appName: string;
  status: Pick<ShownStatus, 'icon' | 'tone' | 'short' | 'long'>;
  counts: Partial<Record<ViewName, Count>>;
  isMac: boolean;
  /** Left out: neither the help nor quick open can be shown yet. */
  onHelp?(): void;
}

/** In the narrow rail, where a longer number doesn't fit beside the sign. */
const mostShown = 9;

function RailFrame({ appName, status, counts, ...props }: FrameProps) {
  const { place, go, setQuickOpen } = useNavigation();
  const rail = useRef<HTMLElement>(null);
  const quickKeys = props.isMac ? '⌘K' : keyWords('Ctrl+K', false);
  const { landmarkProps } = useLandmark({ role: 'navigation', 'aria-label': t('window.views') }, rail);

  return (
    <nav {...landmarkProps} ref={rail} className="rail">
      <div className={`rail-status tone-${status.tone}`} title={status.long}>
        <span className="rail-sign">
          <Icon name={status.icon} size={20} />
        </span>
        <div className="rail-status-words">
          <div className="rail-app">{appName}</div>
          <div className="rail-state cut">{status.short}</div>
        </div>
      </div>
      <button
        type="button"
        className="rail-search"
        aria-keyshortcuts={`${props.isMac ? 'Meta' : 'Control'}+K`}
        title={`${t('window.quick-open')} (${quickKeys})`}
        disabled={props.onHelp === undefined}
        onClick={() => setQuickOpen(true)}
      >
        <Icon name="search" />
        <span className="grow rail-name">{t('window.quick-open')}</span>
        <kbd className="rail-keys" aria-hidden="true">
          {quickKeys}
        </kbd>
      </button>
      <ul className="rail-list">
        {viewNames.map((view, index) => {
          const count = counts[view];
          return (
            <li key={view}>
              <button
                type="button"
                className="rail-item"
                aria-current={place.view === view ? 'page' : undefined}
                aria-keyshortcuts={`${props.isMac ? 'Meta' : 'Control'}+${index + 1}`}
                title={`${viewTitles[view]} (${props.isMac ? `⌘${index + 1}` : keyWords(`Ctrl+${index + 1}`, false)})`}
                onClick={() => go(view)}
              >
                <Icon name={view} />
                <span className="grow rail-name">{viewTitles[view]}</span>
                {count !== undefined && count.shown > 0 && <RailCount {...count} />}
              </button>
            </li>
          );
        })}
      </ul>
      <div className="rail-foot">
        <button
          type="button"
          className="rail-item"
          disabled={props.onHelp === undefined}
          onClick={props.onHelp}
          title={t('window.keyboard-f1')}
        >
          <Icon name="help" />
          <span className="grow rail-name">{t('window.keyboard')}</span>
        </button>
      </div>
    </nav>
  );
}

function RailCount({ shown, tone, hasMark, words }: Count) {
  const isLong = shown > mostShown;
  return (
    <>
      {hasMark === true && <span className="rail-mark" />}
      <span className={tone === undefined ? 'rail-count' : `rail-count rail-alert tone-${tone}`}>
        <span className="visually-hidden">, </span>
        <span className={isLong ? 'rail-number' : undefined}>{formatCount(shown)}</span>
        {isLong && (
          <span className="rail-most" aria-hidden="true">
            {t('window.count-or-more', { count: mostShown })}
          </span>
        )}
        {words !== undefined && (
          <span className="visually-hidden">{`${tone === undefined ? ', ' : ' '}${words}`}</span>
        )}
      </span>
    </>
  );
}

interface ShownStatus extends HostStatus {
  icon: IconName;
  tone: 'good' | 'info' | 'warn' | 'bad' | 'muted';
}

export function useHostStatus(): ShownStatus {
  const isDisconnected = useIsDisconnected();
  const state = useAttentionState();
  return useMemo(() => {
    const status = hostStatus(state);
    if (!isDisconnected) return { ...status, ...lookOf(status, state.host.status) };
    return {
      ...status,
      mark: 'error',
      short: t('window.disconnected'),
      long: t('window.doctray-isnt-reachable'),
      icon: 'error',
      tone: 'bad',
    };
  }, [isDisconnected, state]);
}

/** The same object until something changed that may need attention. */
export function useAttentionState() {
  const host = useWindowState((state) => state.host);
  const editors = useWindowState((state) => state.editors);
  const recovered = useWindowState((state) => state.recovered);
  const conflicts = useWindowState((state) => state.conflicts);
  const locks = useWindowState((state) => state.locks);
  return useMemo(
    () => ({ host, editors, recovered, conflicts, locks }),
    [host, editors, recovered, conflicts, locks],
  );
}

function lookOf({ mark }: HostStatus, status: HostState['status']): Pick<ShownStatus, 'icon' | 'tone'> {
  switch (mark) {
    case 'error':
      return { icon: 'error', tone: 'bad' };
    case 'attention':
      return status === 'idle' ? { icon: 'folder', tone: 'muted' } : { icon: 'warning', tone: 'warn' };
    case 'editing':
    case 'serving':
      return { icon: 'good', tone: 'good' };
    case 'paused':
      if (status === 'paused') return { icon: 'pause', tone: 'warn' };
      return { icon: status === 'stopping' ? 'stop' : 'refresh', tone: 'muted' };
  }
}

// The banner: while nothing is served, while the host is paused, after DocTray was restarted because of an error, and in a dashboard that
// lost its host. The Overview shows the host's own state itself.

export function Banner() {
  const { place } = useNavigation();
  const isDisconnected = useIsDisconnected();
  const status = useWindowState((state) => state.host.status);
  const problem = useWindowState((state) => state.host.problem);
  const hasCrashed = useWindowState((state) => state.app.hasCrashed);
  // These show it in the view itself, with the same buttons; Documents not while the host still starts or has no folder.
  const isInView = place.view === 'overview' || (place.view === 'documents' && status === 'error');
  const showsProblem = problem !== null && !isInView;
  const showsPause = status === 'paused' && place.view !== 'overview';
  useListenerMessages();
  if (isDisconnected) return <DisconnectedBanner />;
  if (!showsProblem && !showsPause && !hasCrashed) return null;
  return (
    <div className="banners">
      {hasCrashed && <Crash />}
      {showsProblem && <HostProblem problem={problem} />}
      {showsPause && <Paused />}
    </div>
  );
}

/** What is shown below is from before the connection was lost. */
export function DisconnectedBanner() {
  const command = useDashboardCommand();
  const values = { command: <code className="code selectable">{command}</code> };
  return (
    <div className="banners">
      <Line
        tone="bad"
        icon="error"
        role="alert"
        words={<Message of="window.disconnected-from-doctray-if-its" values={values} />}
      >
        <CopyButton text={command} what={t('window.command')} />
      </Line>
    </div>
  );
}

/** A line with what to press. */
function Line(props: {
  tone: 'info' | 'warn' | 'bad';
  icon: IconName;
  role?: 'alert';
  label?: string;
  words: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={`row banner tone-${props.tone}`} role={props.role} aria-label={props.label}>
      <Icon name={props.icon} />
      <p className="banner-words">{props.words}</p>
      {props.children}
    </section>
  );
}

function HostProblem({ problem }: { problem: Problem }) {
  const { short } = useHostStatus();
  return (
    <Line tone="bad" icon="error" label={short} words={problem.message}>
      <ProblemActions problem={problem} />
    </Line>
  );
}

function Crash() {
  const { go } = useNavigation();
  const copy = useCopyDiagnostics();
  const dismiss = useAction('app.dismissCrash', { failure: t('window.couldnt-dismiss-it') });
  return (
    <Line
      tone="info"
      icon="info"
      label={t('window.doctray-was-restarted')}
      words={t('window.doctray-closed-because-of-an')}
    >
      <Button onPress={() => go('settings', 'log')}>{t('window.show-log')}</Button>
      <Button isPending={copy.isPending} onPress={() => void copy.run()}>
        {t('window.copy-diagnostics')}
      </Button>
      <IconButton icon="close" label={t('common.dismiss')} onPress={() => void dismiss.run({})} />
    </Line>
  );
}

function Paused() {
  const untilMs = useWindowState((state) => state.host.pausedUntilMs);
  const resume = useAction('host.resume', { failure: t('window.couldnt-resume') });
  return (
    <Line
      tone="warn"
      icon="pause"
      label={t('common.paused')}
      words={
        <>
          <strong>{t('common.paused')}.</strong>{' '}
          <span>
            <PausedUntil atMs={untilMs} />
          </span>
        </>
      }
    >
      <Button isPending={resume.isPending} onPress={() => void resume.run({})}>
        {t('common.resume')}
      </Button>
    </Line>
  );
}

/** Null: until it's resumed. */
export function PausedUntil({ atMs }: { atMs: number | null }) {
  return atMs === null ? (
    t('window.until-you-resume-documents-can')
  ) : (
    <UntilTime atMs={atMs} of={(until) => t('window.until-time-when-documents-can', until)} />
  );
}

/** Listens at the changed address. */
export function RestartConnection() {
  const restart = useAction('host.restart', {
    failure: restartFailed,
    success: t('window.the-connection-was-restarted'),
  });
  return (
    <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
      {t('window.restart-connection')}
    </Button>
  );
}

const restartFailed = t('window.couldnt-restart-the-connection');
const startFailed = t('window.still-not-serving');

/** Closes a failure message once it's no longer true. */
function useListenerMessages(): void {
  const { closeFailures } = useToasts();
  const problem = useWindowState((state) => state.host.problem?.message);
  const needsRestart = useWindowState((state) => state.host.needsListenerRestart);
  const address = useWindowState(({ settings }) => `${settings.host} ${settings.port}`);
  useEffect(() => {
    if (problem === undefined) closeFailures(startFailed);
    if (!needsRestart) closeFailures(restartFailed);
  }, [closeFailures, problem, needsRestart]);
  useEffect(() => {
    closeFailures(startFailed);
    closeFailures(restartFailed);
  }, [closeFailures, address]);
}

/** The setting that fixes the problem. */
function settingOf(problem: Problem | null): { id: SettingId; button: string } | undefined {
  switch (problem?.code) {
    case 'port-taken':
    case 'port-forbidden':
      return { id: 'port', button: t('window.change-port') };
    case 'address-unavailable':
      return { id: 'host', button: t('window.change-bind-address') };
    default:
      return undefined;
  }
}

export function ProblemActions({ problem }: { problem: Problem | null }) {
  const restart = useAction('host.restart', {
    failure: startFailed,
    success: t('window.serving-again'),
  });
  const choose = useAction('host.chooseFolder', { failure: t('window.couldnt-use-this-folder') });
  const { go } = useNavigation();
  const isStarting = useWindowState((state) => state.host.status === 'starting');
  // It continues automatically once the keychain's prompt is answered.
  if (isStarting) return null;
  const isFolder = isFolderProblem(problem);
  const setting = settingOf(problem);
  return (
    <>
      {isFolder && (
        <Button isPending={choose.isPending} onPress={() => void choose.run({})}>
          {t('window.change-folder')}
        </Button>
      )}
      {setting !== undefined && (
        <Button look="primary" onPress={() => go('settings', setting.id)}>
          {setting.button}
        </Button>
      )}
      <Button
        look={setting === undefined ? 'primary' : 'plain'}
        isPending={restart.isPending}
        onPress={() => void restart.run({})}
      >
        {t('common.try-again')}
      </Button>
    </>
  );
}
