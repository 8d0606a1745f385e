// Sessions: the protocol handlers, permission handlers and web requests of a partition. All partitions share one Chromium profile, but
// each has its own handlers here.

import type { Session } from 'electron';

import { createProtocol } from './protocol.ts';
import type { ProtocolHandlers } from './protocol.ts';
import { StrictEmitter } from './strict.ts';
import { createWebRequest } from './web-request.ts';
import type { WebRequestState } from './web-request.ts';
import type { Hub } from './hub.ts';

type PermissionRequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;
type CertificateVerifyProc = NonNullable<Parameters<Session['setCertificateVerifyProc']>[0]>;
type PermissionCheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;

export interface StandInSession {
  partition: string;
  facade: Session;
  protocol: ProtocolHandlers;
  webRequest: WebRequestState;
  permissionRequest: PermissionRequestHandler | null;
  permissionCheck: PermissionCheckHandler | null;
  certificateVerify: CertificateVerifyProc | null;
}

type Facade = Pick<
  Session,
  | 'protocol'
  | 'webRequest'
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setCertificateVerifyProc'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setSpellCheckerEnabled'
  | 'clearStorageData'
  | 'isPersistent'
>;

const events = ['will-download'];

export function createSession(hub: Hub, partition: string): StandInSession {
  const protocol = createProtocol(hub);
  const webRequest = createWebRequest();

  const state: StandInSession = {
    partition,
    facade: undefined as unknown as Session,
    protocol,
    webRequest,
    permissionRequest: null,
    permissionCheck: null,
    certificateVerify: null,
  };

  const members: Facade = {
    protocol: protocol.facade,
    webRequest: webRequest.facade,
    setPermissionRequestHandler: (handler) => void (state.permissionRequest = handler),
    setPermissionCheckHandler: (handler) => void (state.permissionCheck = handler),
    setCertificateVerifyProc: (proc) => void (state.certificateVerify = proc),
    setDevicePermissionHandler: () => undefined,
    setDisplayMediaRequestHandler: () => undefined,
    setSpellCheckerEnabled: () => undefined,
    clearStorageData: async () => undefined,
    isPersistent: () => partition === '' || partition.startsWith('persist:'),
  };

  class StandInSessionFacade extends StrictEmitter {
    constructor() {
      super('session', events);
      Object.defineProperties(this, Object.getOwnPropertyDescriptors(members));
    }
  }
  state.facade = new StandInSessionFacade() as unknown as Session;
  return state;
}
