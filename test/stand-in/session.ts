// Sessions: protocol handlers, permission handlers and web requests of one partition. All partitions share one Chromium
// profile; what the app sets on each is kept apart here.

import type { Session } from 'electron';

import { createCookies } from './cookies.ts';
import { createProtocol } from './protocol.ts';
import type { ProtocolHandlers } from './protocol.ts';
import { StrictEmitter } from './strict.ts';
import { createWebRequest } from './web-request.ts';
import type { WebRequestState } from './web-request.ts';
import type { Hub } from './hub.ts';

type PermissionRequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;
type PermissionCheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;

export interface StandInSession {
  partition: string;
  facade: Session;
  protocol: ProtocolHandlers;
  webRequest: WebRequestState;
  permissionRequest: PermissionRequestHandler | null;
  permissionCheck: PermissionCheckHandler | null;
  /** Handlers that no Chromium API of the stand-in consults: a test asks for them through the hooks. */
  recorded: Map<string, unknown>;
}

type Facade = Pick<
  Session,
  | 'protocol'
  | 'webRequest'
  | 'cookies'
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setUSBProtectedClassesHandler'
  | 'setBluetoothPairingHandler'
  | 'setCertificateVerifyProc'
  | 'setSpellCheckerEnabled'
  | 'isSpellCheckerEnabled'
  | 'setSpellCheckerLanguages'
  | 'setSpellCheckerDictionaryDownloadURL'
  | 'setUserAgent'
  | 'getUserAgent'
  | 'setDownloadPath'
  | 'setPreloads'
  | 'getPreloads'
  | 'clearStorageData'
  | 'clearCache'
  | 'clearCodeCaches'
  | 'clearHostResolverCache'
  | 'clearAuthCache'
  | 'clearData'
  | 'flushStorageData'
  | 'setProxy'
  | 'resolveProxy'
  | 'closeAllConnections'
  | 'isPersistent'
  | 'getStoragePath'
  | 'storagePath'
  | 'enableNetworkEmulation'
  | 'disableNetworkEmulation'
  | 'fetch'
>;

const events = [
  'will-download',
  'preconnect',
  'select-hid-device',
  'select-serial-port',
  'select-usb-device',
  'spellcheck-dictionary-initialized',
  'extension-loaded',
];

export function createSession(
  hub: Hub,
  partition: string,
  deps: { storagePath: () => string; userAgent: () => string },
): StandInSession {
  const protocol = createProtocol(hub);
  const webRequest = createWebRequest();
  const recorded = new Map<string, unknown>();
  const record = (name: string) => (value: unknown) => void recorded.set(name, value);
  let userAgent: string | undefined;
  let preloads: string[] = [];
  let hasSpellChecker = true;

  const state: StandInSession = {
    partition,
    facade: undefined as unknown as Session,
    protocol,
    webRequest,
    permissionRequest: null,
    permissionCheck: null,
    recorded,
  };

  const members: Facade = {
    protocol: protocol.facade,
    webRequest: webRequest.facade,
    cookies: createCookies(),
    setPermissionRequestHandler: (handler) => void (state.permissionRequest = handler),
    setPermissionCheckHandler: (handler) => void (state.permissionCheck = handler),
    setDevicePermissionHandler: record('device-permission'),
    setDisplayMediaRequestHandler: record('display-media-request'),
    setUSBProtectedClassesHandler: record('usb-protected-classes'),
    setBluetoothPairingHandler: record('bluetooth-pairing'),
    setCertificateVerifyProc: record('certificate-verify'),
    setSpellCheckerEnabled: (isEnabled) => void (hasSpellChecker = isEnabled),
    isSpellCheckerEnabled: () => hasSpellChecker,
    setSpellCheckerLanguages: record('spell-checker-languages'),
    setSpellCheckerDictionaryDownloadURL: record('spell-checker-address'),
    setUserAgent: (text) => void (userAgent = text),
    getUserAgent: () => userAgent ?? deps.userAgent(),
    setDownloadPath: record('download-path'),
    setPreloads: (paths) => {
      if (paths.length > 0) throw new Error('stand-in has no session.setPreloads with preloads');
      preloads = paths;
    },
    getPreloads: () => preloads,
    clearStorageData: async () => void recorded.set('cleared-storage', true),
    clearCache: async () => void recorded.set('cleared-cache', true),
    clearCodeCaches: async () => undefined,
    clearHostResolverCache: async () => undefined,
    clearAuthCache: async () => undefined,
    clearData: async () => void recorded.set('cleared-data', true),
    flushStorageData: () => undefined,
    setProxy: async (config) => void recorded.set('proxy', config),
    resolveProxy: async () => 'DIRECT',
    closeAllConnections: async () => undefined,
    isPersistent: () => partition === '' || partition.startsWith('persist:'),
    getStoragePath: () => deps.storagePath(),
    get storagePath() {
      return deps.storagePath();
    },
    enableNetworkEmulation: record('network-emulation'),
    disableNetworkEmulation: () => void recorded.delete('network-emulation'),
    fetch: (input, init) => protocol.fetch(input, init),
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
