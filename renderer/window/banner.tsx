// A line above every view: while the host is paused, with the button that ends it; and after DocTray was restarted because of an error.

import { useCallback } from 'react';
import { formatRelative, relativeChangesInMs } from '../../app/contract/format.ts';
import { currentLocale, t } from '../../app/contract/messages.ts';
import { Button, IconButton } from './parts/button.tsx';
import { Icon } from './parts/icon.tsx';
import { useTimedText } from './parts/ticker.tsx';
import { useCopyDiagnostics } from './settings/diagnostics.tsx';
import { useNavigation } from './state/navigation.tsx';
import { useAction } from './state/use-action.ts';
import { useWindowState } from './state/window-context.tsx';

export function Banner() {
  const isPaused = useWindowState((state) => state.host.status === 'paused');
  const hasCrashed = useWindowState((state) => state.app.hasCrashed);
  if (!isPaused && !hasCrashed) return null;
  return (
    <div className="banners">
      {hasCrashed && <Crash />}
      {isPaused && <Paused />}
    </div>
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
          t('Paused until you resume it. No document can be opened; open ones can be saved.')
        ) : (
          <Until atMs={untilMs} />
        )}
      </p>
      <Button isPending={resume.isPending} onPress={() => void resume.run({})}>
        {t('Resume')}
      </Button>
    </section>
  );
}

const clockTime = new Intl.DateTimeFormat(currentLocale(), { timeStyle: 'short' });

function Until({ atMs }: { atMs: number }) {
  return useTimedText(
    useCallback(
      (nowMs: number) =>
        t('Paused until {time} ({when}). No document can be opened; open ones can be saved.', {
          time: clockTime.format(atMs),
          when: formatRelative(atMs, nowMs),
        }),
      [atMs],
    ),
    useCallback((nowMs: number) => relativeChangesInMs(atMs, nowMs), [atMs]),
  );
}
