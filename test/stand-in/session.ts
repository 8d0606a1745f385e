// Sessions: the protocol handlers, permission handlers and request listener of a partition. All partitions share one Chromium profile,
// but each has its own handlers here. `protocol` is the default session's.

import type { Protocol, Session, WebRequest } from 'electron';

import { hub } from './hub.ts';
import { StrictEmitter, checkOptions, missing, strict, type Some } from './strict.ts';

type Handler<Name extends keyof Session> = Session[Name] extends (
  handler: infer Given,
  ...rest: never
) => void
  ? Given
  : never;

export interface StandInSession {
  facade: Session;
  protocolHandlers: Map<string, Parameters<Protocol['handle']>[1]>;
  permissionRequest: Handler<'setPermissionRequestHandler'>;
  permissionCheck: Handler<'setPermissionCheckHandler'>;
  certificateVerify: Handler<'setCertificateVerifyProc'>;
  beforeRequest: ((details: never, callback: (answer: Electron.CallbackResponse) => void) => void) | null;
  /** Called after each change, so that open pages start to intercept their requests. */
  onRequestsChanged: (() => void)[];
}

const sessions = new Map<string, StandInSession>();

export function createProtocol(handlers: () => StandInSession['protocolHandlers']): Protocol {
  const members: Some<Protocol> = {
    registerSchemesAsPrivileged(schemes) {
      if (hub.isReady) throw new Error('registerSchemesAsPrivileged should be called before app is ready');
      for (const { scheme, privileges, ...others } of schemes) {
        checkOptions('registerSchemesAsPrivileged', others, '');
        if (privileges?.standard !== true) throw missing(`scheme ${scheme} that isn’t standard`);
        hub.alias.register(scheme);
      }
    },
    handle(scheme, handler) {
      if (!hub.alias.isRegistered(scheme)) throw missing(`handler for ${scheme}:, which isn’t registered`);
      if (handlers().has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      handlers().set(scheme, handler);
    },
  };
  return strict(members, 'protocol') as unknown as Protocol;
}

function createSession(partition: string): StandInSession {
  const state: StandInSession = {
    facade: undefined as unknown as Session,
    protocolHandlers: new Map(),
    permissionRequest: null,
    permissionCheck: null,
    certificateVerify: null,
    beforeRequest: null,
    onRequestsChanged: [],
  };
  const onBeforeRequest = (listener: StandInSession['beforeRequest']): void => {
    state.beforeRequest = listener;
    for (const changed of state.onRequestsChanged) changed();
  };
  const members: Some<Session> = {
    protocol: createProtocol(() => state.protocolHandlers),
    webRequest: strict({ onBeforeRequest }, 'session.webRequest') as unknown as WebRequest,
    setPermissionRequestHandler: (handler) => void (state.permissionRequest = handler),
    setPermissionCheckHandler: (handler) => void (state.permissionCheck = handler),
    setCertificateVerifyProc: (proc) => void (state.certificateVerify = proc),
    setDevicePermissionHandler: () => undefined,
    setDisplayMediaRequestHandler: () => undefined,
    setSpellCheckerEnabled: () => undefined,
    clearStorageData: async () => undefined,
    isPersistent: () => partition === '' || partition.startsWith('persist:'),
  };
  state.facade = Object.assign(new StrictEmitter('session', 'will-download'), members) as unknown as Session;
  return state;
}

/** The session of a partition; '' is the default one. */
export function sessionOf(partition: string): StandInSession {
  if (!hub.isReady) throw new Error('Session can only be received when app is ready');
  let found = sessions.get(partition);
  if (found === undefined) {
    found = createSession(partition);
    sessions.set(partition, found);
    hub.app.emit('session-created', found.facade);
  }
  return found;
}

export function sessionBehind(facade: Session): StandInSession {
  return [...sessions.values()].find((session) => session.facade === facade)!;
}
