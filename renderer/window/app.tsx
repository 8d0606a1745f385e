// The app's frame: rail, banner, the view that is shown. While the state is on its way, its outline.

import { useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { I18nProvider, useLandmark } from 'react-aria';
import { t } from '../../app/contract/messages.ts';
import type { ViewName } from '../../app/contract/pushes.ts';
import { Banner } from './banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Button } from './parts/button.tsx';
import { ConfirmProvider } from './parts/dialog.tsx';
import { locale } from './parts/format.ts';
import { TickerProvider } from './parts/ticker.tsx';
import { ToastProvider } from './parts/toast.tsx';
import { Failure, Skeleton } from './parts/view.tsx';
import { QuickOpen } from './quick-open.tsx';
import { Rail, viewTitles } from './rail.tsx';
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx';
import { NavigationProvider, useNavigation } from './state/navigation.tsx';
import { useReload, useSnapshot, useWindowState } from './state/window-context.tsx';
import { ActivityView } from './activity/activity.tsx';
import { DocumentsView } from './documents/documents.tsx';
import { FirstRun } from './first-run/first-run.tsx';
import { LocksView } from './locks/locks.tsx';
import { OverviewView } from './overview/overview.tsx';
import { SessionsView } from './sessions/sessions.tsx';
import { SettingsView } from './settings/settings.tsx';
import { TokensView } from './tokens/tokens.tsx';

const views: Record<ViewName, ComponentType> = {
  overview: OverviewView,
  documents: DocumentsView,
  locks: LocksView,
  sessions: SessionsView,
  tokens: TokensView,
  activity: ActivityView,
  settings: SettingsView,
};

export function App() {
  return (
    <ErrorBoundary of="window">
      <I18nProvider locale={locale}>
        <TickerProvider>
          <ToastProvider>
            <ConfirmProvider>
              <NavigationProvider startAt="overview">
                <Ready />
              </NavigationProvider>
            </ConfirmProvider>
          </ToastProvider>
        </TickerProvider>
      </I18nProvider>
    </ErrorBoundary>
  );
}

function Ready() {
  const snapshot = useSnapshot();
  const reload = useReload();
  if (snapshot.status === 'loading') {
    return (
      <div className="app" aria-busy="true">
        <div className="rail">
          <Skeleton rows={7} />
        </div>
        <main className="main">
          <p className="visually-hidden" role="status">
            {t('Loading')}
          </p>
          <Skeleton rows={6} />
        </main>
      </div>
    );
  }
  if (snapshot.status === 'failed') {
    return (
      <main className="broken">
        <Failure
          sentence={t('The window couldn’t read the host’s state. {problem}', { problem: snapshot.message })}
          action={
            <Button look="primary" autoFocus onPress={reload}>
              {t('Try again')}
            </Button>
          }
        />
      </main>
    );
  }
  return (
    <Appearance>
      <Window />
    </Appearance>
  );
}

/** The setting wins over the system's; styles/tokens.css reads the attribute. */
function Appearance(props: { children: ReactNode }) {
  const appearance = useWindowState((state) => state.settings.appearance);
  useEffect(() => {
    document.documentElement.dataset.appearance = appearance;
  }, [appearance]);
  return props.children;
}

function Window() {
  const { place, isQuickOpen, setQuickOpen } = useNavigation();
  const isFirstRun = useWindowState((state) => state.app.isFirstRun);
  const shortcuts = useShortcuts();
  const main = useRef<HTMLElement>(null);
  const title = viewTitles[place.view];
  const { landmarkProps } = useLandmark({ role: 'main', 'aria-label': title }, main);
  const View = views[place.view];

  useEffect(() => {
    document.title = isFirstRun ? 'DocTray' : `${title} – DocTray`;
  }, [title, isFirstRun]);

  if (isFirstRun) {
    return (
      <main className="main">
        <ErrorBoundary of="first run">
          <FirstRun />
        </ErrorBoundary>
      </main>
    );
  }
  return (
    <div className="app">
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('Skip to {view}', { view: title })}
      </a>
      <Rail onHelp={shortcuts.openHelp} isMac={shortcuts.isMac} />
      <Banner />
      <main {...landmarkProps} ref={main} id="main" tabIndex={-1} className="main">
        <ErrorBoundary of={`${place.view} ${place.step}`}>
          <View key={place.view} />
        </ErrorBoundary>
      </main>
      <QuickOpen isOpen={isQuickOpen} isMac={shortcuts.isMac} onClose={() => setQuickOpen(false)} />
      <ShortcutHelp isOpen={shortcuts.isHelpOpen} isMac={shortcuts.isMac} onClose={shortcuts.closeHelp} />
    </div>
  );
}
