// The window's copy of the state, and the hooks that hand it, the commands and the pushes to every part and view: the only way to them.
// The state is asked for once, then each push replaces the parts that changed. After a lost connection, everything is pushed.

import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useSyncExternalStore,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import type { Bridge, ImportedFiles } from '../../../app/contract/bridge.ts';
import { viewNames, type PushName, type Pushes, type ViewName } from '../../../app/contract/pushes.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { CallError, resultOf, sentenceOf, type Call } from './call.ts';

type Snapshot =
  | { status: 'loading' }
  | { status: 'failed'; message: string; code: string }
  | { status: 'ready'; state: WindowState };

export function createWindowStore(deps: { bridge: Bridge; call: Call }) {
  const { bridge, call } = deps;
  const listeners = new Set<() => void>();
  let snapshot: Snapshot = { status: 'loading' };

  const show = (next: Snapshot) => {
    snapshot = next;
    for (const listener of listeners) listener();
  };

  const ask = async () => {
    try {
      show({ status: 'ready', state: await call('state.get', {}) });
    } catch (error) {
      const code = error instanceof CallError ? error.code : 'internal';
      // What is on the screen stays there: it is old, but nearer to the truth than an empty window.
      if (snapshot.status !== 'ready') show({ status: 'failed', code, message: sentenceOf(error) });
    }
  };

  // Answers and pushes arrive in the order in which the host sent them.
  bridge.onPush('state-changed', (change) => {
    if (snapshot.status === 'ready') show({ status: 'ready', state: { ...snapshot.state, ...change } });
  });
  void ask();

  return {
    /** The same object until something changed. */
    snapshot: () => snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Asks for the whole again, say after `failed`. */
    reload: () => {
      if (snapshot.status === 'failed') show({ status: 'loading' });
      void ask();
    },
  };
}

interface WindowServices {
  bridge: Bridge;
  call: Call;
  store: ReturnType<typeof createWindowStore>;
}

const ServicesContext = createContext<WindowServices | undefined>(undefined);

export function WindowProvider(props: { services: WindowServices; children: ReactNode }) {
  return <ServicesContext value={props.services}>{props.children}</ServicesContext>;
}

function useServices(): WindowServices {
  const services = useContext(ServicesContext);
  if (services === undefined) throw new Error('Outside WindowProvider.');
  return services;
}

/** Commands of app/commands. @see Call; throws CallError. Buttons use `useAction` instead. */
export function useCall(): Call {
  return useServices().call;
}

const DisconnectedContext = createContext<{ command: string } | null>(null);

/** Around a dashboard's window, whose connection to the host may be lost. `command`: prints a new link. */
export const DisconnectedProvider = DisconnectedContext.Provider;

/** What the window shows is from before the connection was lost. */
export function useIsDisconnected(): boolean {
  return useContext(DisconnectedContext) !== null;
}

/** What prints a new link to the dashboard. */
export function useDashboardCommand(): string {
  return useContext(DisconnectedContext)?.command ?? '';
}

/** For the app's frame alone: views are drawn only once the state is there. */
export function useSnapshot(): Snapshot {
  const { store } = useServices();
  return useSyncExternalStore(store.subscribe, store.snapshot);
}

export function useReload(): () => void {
  return useServices().store.reload;
}

/**
 * A part of the state; the component is drawn again only when that part is another object or value.
 * The selector must return something out of the state (or a primitive), never a new array or object: derive with useMemo.
 * @example const locks = useWindowState((state) => state.locks);
 */
export function useWindowState<Selected>(selector: (state: WindowState) => Selected): Selected {
  const { store } = useServices();
  return useSyncExternalStore(store.subscribe, () => {
    const snapshot = store.snapshot();
    if (snapshot.status !== 'ready') throw new Error('A view was drawn before the state was there.');
    return selector(snapshot.state);
  });
}

/** Listens to a push while the component is there. The listener should be stable (useCallback), or it is renewed on each draw. */
export function usePush<Name extends PushName>(name: Name, listener: (push: Pushes[Name]) => void): void {
  const { bridge } = useServices();
  useEffect(() => bridge.onPush(name, listener), [bridge, name, listener]);
}

/** Copies files that were dropped onto the window into a folder. Throws CallError. */
export function useImportFiles(): (folderPath: string, files: readonly File[]) => Promise<ImportedFiles> {
  const { bridge } = useServices();
  return useCallback(
    async (folderPath, files) => resultOf(await bridge.importFiles(folderPath, files)),
    [bridge],
  );
}

// Which view is shown and what it shows, and whether quick open is. A view that is left keeps only what it stores itself.

interface Place {
  view: ViewName;
  /** What the view is to show: a document or folder inside the hosted folder, a pane or a setting. */
  path: string | undefined;
  /** The row to reveal, where a view has several for one document: a session, a token. In Documents: the document, by its file id. */
  id: string | undefined;
  /** Grows with every step, so that the same place asked for twice is seen twice. */
  step: number;
}

interface Navigation {
  place: Place;
  go(view: ViewName, path?: string, id?: string): void;
  isQuickOpen: boolean;
  setQuickOpen(isOpen: boolean): void;
}

/** What the address doesn't contain: names of documents stay out of the browser's history. */
type HistoryEntry = Partial<Pick<Place, 'path' | 'id'>>;

function viewInAddress(): ViewName | undefined {
  return viewNames.find((view) => location.hash === `#/${view}`);
}

const NavigationContext = createContext<Navigation | undefined>(undefined);

/** @param props.isInAddress in a browser: a reload keeps the view, and Back and Forward lead to the ones before and after */
export function NavigationProvider(props: { isInAddress: boolean; children: ReactNode }) {
  const { isInAddress } = props;
  const [place, setPlace] = useState<Place>(() => ({
    view: (isInAddress ? viewInAddress() : undefined) ?? 'overview',
    path: undefined,
    id: undefined,
    step: 0,
  }));
  const [isQuickOpen, setQuickOpen] = useState(false);
  const go = useCallback(
    (view: ViewName, path?: string, id?: string) => {
      setPlace((before) => ({ view, path, id, step: before.step + 1 }));
      if (!isInAddress) return;
      // Back leads to the pane, without opening what it opened.
      const shown = view === 'settings' ? path?.split('/')[0] : path;
      const entry: HistoryEntry = { path: shown, id };
      if (viewInAddress() === view && shown === undefined) history.replaceState(entry, '');
      else history.pushState(entry, '', `#/${view}`);
    },
    [isInAddress],
  );
  useEffect(() => {
    if (!isInAddress) return undefined;
    const show = ({ state }: PopStateEvent) => {
      const { path, id } = (state ?? {}) as HistoryEntry;
      setPlace((before) => ({ view: viewInAddress() ?? 'overview', path, id, step: before.step + 1 }));
    };
    addEventListener('popstate', show);
    return () => removeEventListener('popstate', show);
  }, [isInAddress]);
  usePush(
    'navigate',
    useCallback(
      (push) => {
        // Over whichever view is shown.
        if (push.quickOpen === true) setQuickOpen(true);
        else go(push.view, push.path);
      },
      [go],
    ),
  );
  const navigation = useMemo(() => ({ place, go, isQuickOpen, setQuickOpen }), [place, go, isQuickOpen]);
  return <NavigationContext value={navigation}>{props.children}</NavigationContext>;
}

/** `go('documents', 'Budget.xlsx')` leads to a view; `place` is where the window is. */
export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === undefined) throw new Error('Outside NavigationProvider.');
  return navigation;
}

/** For `reveal` of a table: the row that the view was opened for, by its id or its document. */
export function useReveal(
  view: ViewName,
  rows: readonly { id: string; path: string | null }[],
): { id: string; step: number } | undefined {
  const { place } = useNavigation();
  const { path, id, step } = place;
  const isWanted = place.view === view && (path !== undefined || id !== undefined);
  const rowId = isWanted
    ? rows.find((row) => (id === undefined ? row.path === path : row.id === id))?.id
    : undefined;
  return useMemo(() => (rowId === undefined ? undefined : { id: rowId, step }), [rowId, step]);
}
