// A line above every view, with what to press: while nothing is served, while the host is paused, after DocTray was restarted because of
// an error, and in a dashboard that lost its host. The Overview shows the host's own state itself.

import { t } from '../../app/contract/messages.ts';
import type { Problem } from '../../app/contract/state.ts';
import { useAction } from './parts/action.tsx';
import { Button, IconButton } from './parts/button.tsx';
import { Icon } from './parts/icon.tsx';
import { UntilTime } from './parts/time.tsx';
import { Message } from './parts/view.tsx';
import { useHostStatus } from './rail.tsx';
import { useCopyDiagnostics } from './settings/about.tsx';
import { useNavigation, useIsDisconnected, useWindowState } from './state/window-context.tsx';

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

const command = <code className="code selectable">doctray dashboard</code>;

/** What is shown below is from before the connection was lost. */
export function DisconnectedBanner() {
  return (
    <div className="banners">
      <div className="banner tone-bad" role="alert">
        <Icon name="error" />
        <p className="banner-words">
          <Message
            of="Disconnected from DocTray. This page reconnects automatically. If DocTray was restarted, run {command} for a new link."
            values={{ command }}
          />
        </p>
      </div>
    </div>
  );
}

function HostProblem({ problem }: { problem: Problem }) {
  const status = useHostStatus();
  return (
    <section className="banner tone-bad" aria-label={status.short}>
      <Icon name="error" />
      <p className="banner-words">{problem.message}</p>
      <ProblemActions problem={problem} />
    </section>
  );
}

function Crash() {
  const { go } = useNavigation();
  const copy = useCopyDiagnostics();
  const dismiss = useAction('app.dismissCrash', { failure: t('Couldn’t dismiss it') });
  return (
    <section className="banner tone-info" aria-label={t('DocTray was restarted')}>
      <Icon name="info" />
      <p className="banner-words">
        {t('DocTray closed because of an error and started again. Everything that was saved is safe.')}
      </p>
      <Button onPress={() => go('settings', 'log')}>{t('Show log')}</Button>
      <Button isPending={copy.isPending} onPress={() => void copy.run()}>
        {t('Copy diagnostics')}
      </Button>
      <IconButton icon="close" label={t('Dismiss')} onPress={() => void dismiss.run({})} />
    </section>
  );
}

function Paused() {
  const untilMs = useWindowState((state) => state.host.pausedUntilMs);
  const resume = useAction('host.resume', { failure: t('Couldn’t resume') });
  return (
    <section className="banner tone-warn" aria-label={t('Paused')}>
      <Icon name="pause" />
      <p className="banner-words">
        {untilMs === null ? (
          t('Paused until you resume it. Documents can’t be opened, but open ones can still be saved.')
        ) : (
          <UntilTime
            atMs={untilMs}
            of={(until) =>
              t(
                'Paused until {time} ({when}). Documents can’t be opened, but open ones can still be saved.',
                until,
              )
            }
          />
        )}
      </p>
      <Button isPending={resume.isPending} onPress={() => void resume.run({})}>
        {t('Resume')}
      </Button>
    </section>
  );
}

/** The folder is missing or can't be served: another one solves it, and there is nothing to open in the file manager. */
export function isFolderProblem(problem: Problem | null): boolean {
  return problem?.code.startsWith('folder-') === true;
}

export function ProblemActions({ problem }: { problem: Problem | null }) {
  const restart = useAction('host.restart', {
    failure: t('Still not serving'),
    success: t('Serving again'),
  });
  const choose = useAction('host.chooseFolder', { failure: t('Couldn’t use this folder') });
  const { go } = useNavigation();
  const isStarting = useWindowState((state) => state.host.status === 'starting');
  // It goes on by itself once the keychain's prompt is answered.
  if (isStarting) return null;
  const isFolder = isFolderProblem(problem);
  const isPort = problem?.code === 'port-taken';
  return (
    <>
      {isFolder && (
        <Button look="primary" isPending={choose.isPending} onPress={() => void choose.run({})}>
          {t('Choose another folder…')}
        </Button>
      )}
      {isPort && (
        <Button look="primary" onPress={() => go('settings', 'port')}>
          {t('Change port')}
        </Button>
      )}
      <Button
        look={isFolder || isPort ? 'plain' : 'primary'}
        isPending={restart.isPending}
        onPress={() => void restart.run({})}
      >
        {t('Try again')}
      </Button>
    </>
  );
}
