// Hands the store and the call function to every part and view. Hooks here are the only way to them.

import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { Bridge, ImportedFiles } from '../../../app/contract/bridge.ts';
import type { PushName, Pushes } from '../../../app/contract/pushes.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { resultOf, type Call } from './call.ts';
import type { Snapshot, WindowStore } from './window-store.ts';

export interface WindowServices {
  bridge: Bridge;
  call: Call;
  store: WindowStore;
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

const DisconnectedContext = createContext(false);

/** Around a dashboard's window, whose connection to the host may be lost. */
export const DisconnectedProvider = DisconnectedContext.Provider;

/** What the window shows is from before the connection was lost. */
export function useIsDisconnected(): boolean {
  return useContext(DisconnectedContext);
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
