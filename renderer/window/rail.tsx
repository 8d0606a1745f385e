// The left rail: the host's state, the seven views with their counts, help.

import { useRef } from 'react';
import { useLandmark } from 'react-aria';
import { viewNames, type ViewName } from '../../app/contract/pushes.ts';
import { useHostStatus } from './host-status.ts';
import { t } from '../../app/contract/messages.ts';
import { formatCount } from '../../app/contract/format.ts';
import { Icon } from './parts/icon.tsx';
import { useNavigation } from './state/navigation.tsx';
import { useWindowState } from './state/window-context.tsx';

export const viewTitles: Record<ViewName, string> = {
  overview: t('Overview'),
  documents: t('Documents'),
  locks: t('Locks'),
  sessions: t('Sessions'),
  tokens: t('Tokens'),
  activity: t('Activity'),
  settings: t('Settings'),
};

interface Count {
  shown: number;
  /** Needs attention: shown with a color, and as words. */
  isAlert: boolean;
  /** Some of them need attention. */
  hasMark?: boolean;
  words: string;
}

function useCounts(attention: number): Partial<Record<ViewName, Count>> {
  const stale = useWindowState((state) =>
    state.locks.reduce((sum, lock) => sum + (lock.state === 'stale' ? 1 : 0), 0),
  );
  const locks = useWindowState((state) => state.locks.length);
  const sessions = useWindowState((state) => state.sessions.length);
  const tokens = useWindowState((state) => state.tokens.length);
  return {
    ...(attention > 0 && {
      overview: {
        shown: attention,
        isAlert: true,
        words: t('{count, plural, one {needs attention} other {need attention}}', { count: attention }),
      },
    }),
    ...(locks > 0 && {
      locks: {
        shown: locks,
        isAlert: false,
        hasMark: stale > 0,
        words: stale > 0 ? t('{count, number} of them stale', { count: stale }) : '',
      },
    }),
    ...(sessions > 0 && { sessions: { shown: sessions, isAlert: false, words: '' } }),
    ...(tokens > 0 && { tokens: { shown: tokens, isAlert: false, words: '' } }),
  };
}

export function Rail(props: { onHelp(): void; isMac: boolean }) {
  const { place, go, setQuickOpen } = useNavigation();
  const appName = useWindowState((state) => state.app.name);
  const status = useHostStatus();
  const counts = useCounts(status.attention);
  const rail = useRef<HTMLElement>(null);
  const { landmarkProps } = useLandmark({ role: 'navigation', 'aria-label': t('Views') }, rail);

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
        title={`${t('Quick open')} (${props.isMac ? '⌘K' : 'Ctrl+K'})`}
        onClick={() => setQuickOpen(true)}
      >
        <Icon name="search" />
        <span className="rail-name">{t('Quick open')}</span>
        <kbd className="rail-keys" aria-hidden="true">
          {props.isMac ? '⌘K' : 'Ctrl+K'}
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
                title={`${viewTitles[view]} (${props.isMac ? '⌘' : 'Ctrl+'}${index + 1})`}
                onClick={() => go(view)}
              >
                <Icon name={view} />
                <span className="rail-name">{viewTitles[view]}</span>
                {count?.hasMark === true && <span className="rail-mark" />}
                {count !== undefined && (
                  <span className={count.isAlert ? 'rail-count rail-alert' : 'rail-count'}>
                    <span className="visually-hidden">, </span>
                    {formatCount(count.shown)}
                    <span className="visually-hidden"> {count.words}</span>
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      <div className="rail-foot">
        <button type="button" className="rail-item" onClick={props.onHelp} title={t('Keyboard (F1)')}>
          <Icon name="help" />
          <span className="rail-name">{t('Keyboard')}</span>
        </button>
      </div>
    </nav>
  );
}
