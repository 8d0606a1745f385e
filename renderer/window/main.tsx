// The window's entry: connects the state to the bridge, and draws the frame and the view that is shown. In the app's window, the preload
// script provides the bridge; in a browser, the page connects to the host itself. Rail and title are there at once, before the state and
// without it.

import '../kit/language.ts';
import '@fontsource-variable/inter/wght.css';
import '../kit/tokens.css';
import '../kit/base.css';
import '../kit/kit.css';
import './table/table.css';
import './styles/app.css';
import {
  Component,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { I18nProvider, useLandmark } from 'react-aria';
import { createRoot } from 'react-dom/client';
import type { Bridge } from '../../app/contract/bridge.ts';
import { t } from '../../app/contract/messages.ts';
import type { ViewName } from '../../app/contract/pushes.ts';
import { ActivityView } from './activity/activity.tsx';
import { Dashboard } from './dashboard.tsx';
import { DocumentsView } from './documents/documents.tsx';
import { FirstRun } from './first-run/first-run.tsx';
import { Banner, DisconnectedBanner, Rail, StatelessRail, viewTitles } from './frame.tsx';
import { LocksView } from './locks/locks.tsx';
import { OverviewSkeleton, OverviewView } from './overview/overview.tsx';
import { Button } from '../kit/button.tsx';
import { ConfirmProvider } from '../kit/dialog.tsx';
import { locale } from './parts/format.ts';
import { afterOverlay, focusHeading, useKeptFocus } from './parts/kept-focus.ts';
import { TickerProvider } from '../kit/time.tsx';
import { ToastProvider } from '../kit/toast.tsx';
import { Failure, TableSkeleton } from '../kit/blocks.tsx';
import { View } from './parts/view.tsx';
import { QuickOpen } from './quick-open.tsx';
import { SessionsView } from './sessions/sessions.tsx';
import { useCopyDiagnostics } from './settings/about.tsx';
import { Log } from './settings/log.tsx';
import { SettingsSkeleton, SettingsView } from './settings/settings.tsx';
import { isMac, ShortcutHelp, useShortcuts } from './shortcuts.tsx';
import { createCall } from './state/call.ts';
import { hostTime } from './state/clock.ts';
import { openDashboardBridge } from './state/dashboard-bridge.ts';
import {
  NavigationProvider,
  useNavigation,
  useIsDisconnected,
  useReload,
  useSnapshot,
  useWindowState,
  createWindowStore,
  WindowProvider,
} from './state/window-context.tsx';
import { TokensView } from './tokens/tokens.tsx';

declare global {
  interface Window {
    /** From the preload script; undefined in a browser. Nothing else in the window touches it. */
    doctray?: Bridge;
  }
}

const views: Record<ViewName, ComponentType> = {
  overview: OverviewView,
  documents: DocumentsView,
  locks: LocksView,
  sessions: SessionsView,
  tokens: TokensView,
  activity: ActivityView,
  settings: SettingsView,
};

function App() {
  useKeptFocus();
  return (
    <ErrorBoundary of="window">
      <I18nProvider locale={locale}>
        <TickerProvider clock={hostTime}>
          <ToastProvider>
            <ConfirmProvider>
              <NavigationProvider isInAddress={ofApp === undefined}>
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
  const { place } = useNavigation();
  const snapshot = useSnapshot();
  const reload = useReload();
  if (snapshot.status === 'loading') {
    return (
      <StatelessFrame isLoading>
        <p className="visually-hidden" role="status">
          {t('window.loading')}
        </p>
        {place.view === 'settings' ? (
          <SettingsSkeleton />
        ) : place.view === 'overview' ? (
          <View title={viewTitles.overview}>
            <OverviewSkeleton />
          </View>
        ) : (
          <View title={viewTitles[place.view]}>
            <TableSkeleton />
          </View>
        )}
      </StatelessFrame>
    );
  }
  if (snapshot.status === 'failed') {
    return (
      <StatelessFrame isLoading={false}>
        <View title={viewTitles[place.view]}>
          <NotResponding code={snapshot.code} problem={snapshot.message} onRetry={reload} />
        </View>
      </StatelessFrame>
    );
  }
  return (
    <Appearance>
      <Window />
    </Appearance>
  );
}

/** Before the state is there, or when it can't be read. */
function StatelessFrame({ isLoading, children }: { isLoading: boolean; children: ReactNode }) {
  const { place } = useNavigation();
  const isDisconnected = useIsDisconnected();
  const shortcuts = useShortcuts(isMac);
  return (
    <div className="app" aria-busy={isLoading}>
      <StatelessRail isLoading={isLoading} isMac={isMac} />
      <main className="main" aria-label={viewTitles[place.view]}>
        {isDisconnected && <DisconnectedBanner />}
        {children}
      </main>
      <ShortcutHelp isOpen={shortcuts.isHelpOpen} isMac={isMac} onClose={shortcuts.closeHelp} />
    </div>
  );
}

/** DocTray answered that it couldn't, so it runs. Whether it serves isn't known here, only that saves don't come this way. */
function NotResponding({ code, problem, onRetry }: { code: string; problem: string; onRetry(): void }) {
  const [isLogOpen, setIsLogOpen] = useState(false);
  return (
    <div className="stack">
      <Failure
        title={
          code === 'internal' ? t('window.this-window-couldnt-load') : t('window.doctray-isnt-responding')
        }
        sentence={code === 'internal' ? t('window.editors-can-save-without-this') : problem}
        action={
          <>
            <Button look="primary" autoFocus onPress={onRetry}>
              {t('common.try-again')}
            </Button>
            <Button onPress={() => setIsLogOpen(!isLogOpen)}>
              {isLogOpen ? t('window.hide-log') : t('window.show-log')}
            </Button>
            <CopyDiagnostics />
          </>
        }
      />
      {isLogOpen && <Log />}
    </div>
  );
}

function CopyDiagnostics() {
  const copy = useCopyDiagnostics();
  return (
    <Button isPending={copy.isPending} onPress={() => void copy.run()}>
      {t('window.copy-diagnostics')}
    </Button>
  );
}

/** The setting wins over the system's; styles/base.css reads the attribute. */
function Appearance(props: { children: ReactNode }) {
  const appearance = useWindowState((state) => state.settings.appearance);
  useEffect(() => {
    document.documentElement.dataset.appearance = appearance;
  }, [appearance]);
  return props.children;
}

function Window() {
  const { place, go, isQuickOpen, setQuickOpen } = useNavigation();
  const isDisconnected = useIsDisconnected();
  const isFirstRun = useWindowState((state) => state.app.isFirstRun);
  const shortcuts = useShortcuts(isMac);
  const main = useRef<HTMLElement>(null);
  const title = viewTitles[place.view];
  const { landmarkProps } = useLandmark({ role: 'main', 'aria-label': title }, main);
  const ShownView = views[place.view];

  // In a short window, it scrolls as a whole.
  useLayoutEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [place.view]);
  useEffect(() => {
    document.title = isFirstRun ? 'DocTray' : `${title} – DocTray`;
  }, [title, isFirstRun]);

  const startStep = useRef(place.step);
  useEffect(() => {
    // The view is already shown, and one of its fields has the focus: its heading takes it. A path may lead to a field, which keeps it.
    if (place.path === undefined)
      main.current?.querySelector<HTMLElement>(':is(input, textarea):focus')?.blur();
    // The focused element left with the previous view. Focus the heading, not a row: a focused row keeps its place among new ones.
    if (place.step !== startStep.current) afterOverlay(() => focusHeading(main.current));
  }, [place.step]);

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
    <div className={isDisconnected ? 'app app-stale' : 'app'}>
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('window.skip-to-view', { view: title })}
      </a>
      <Rail onHelp={shortcuts.openHelp} isMac={isMac} />
      <main {...landmarkProps} ref={main} id="main" tabIndex={-1} className="main">
        <Banner />
        <ErrorBoundary
          of={`${place.view} ${place.step}`}
          title={t('window.this-view-stopped-working')}
          sentence={t('window.doctray-keeps-serving-and-nothing')}
          actions={
            <>
              <Button onPress={() => go('settings', 'log')}>{t('window.show-log')}</Button>
              <CopyDiagnostics />
            </>
          }
        >
          <ShownView key={place.view} />
        </ErrorBoundary>
      </main>
      <QuickOpen isOpen={isQuickOpen} isMac={isMac} onClose={() => setQuickOpen(false)} />
      <ShortcutHelp isOpen={shortcuts.isHelpOpen} isMac={isMac} onClose={shortcuts.closeHelp} />
    </div>
  );
}

interface Props {
  /** Another value tries again: the view's name. */
  of: string;
  title?: string;
  sentence?: string;
  /** Next to *Try again*. */
  actions?: ReactNode;
  children: ReactNode;
}

class ErrorBoundary extends Component<Props, { isBroken: boolean; of: string }> {
  override state = { isBroken: false, of: this.props.of };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  static getDerivedStateFromProps(props: Props, state: { of: string }) {
    return props.of === state.of ? null : { isBroken: false, of: props.of };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <div className="broken">
        <Failure
          title={this.props.title ?? t('window.this-window-stopped-working')}
          sentence={this.props.sentence ?? t('window.doctray-keeps-serving-and-nothing-was')}
          action={
            <>
              <Button look="primary" autoFocus onPress={() => this.setState({ isBroken: false })}>
                {t('common.try-again')}
              </Button>
              {this.props.actions}
            </>
          }
        />
      </div>
    );
  }
}

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');
const ofApp = window.doctray;
const ofBrowser = ofApp === undefined ? openDashboardBridge() : undefined;
const bridge = ofApp ?? ofBrowser;

if (bridge !== undefined) {
  const call = createCall(bridge);
  const store = createWindowStore({ bridge, call });
  const app = (
    <WindowProvider services={{ bridge, call, store }}>
      <App />
    </WindowProvider>
  );
  createRoot(root).render(ofBrowser === undefined ? app : <Dashboard bridge={ofBrowser}>{app}</Dashboard>);
}
