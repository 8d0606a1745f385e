// `protocol`: handlers of the app's own schemes, called with the app's URLs. The handler's Response is used as a whole; Chromium itself
// applies its Content-Security-Policy.

import type { CustomScheme, Privileges, Protocol } from 'electron';

import { checkOptions, missing, strict } from './strict.ts';
import type { Hub } from './hub.ts';

type Handler = Parameters<Protocol['handle']>[1];

export interface ProtocolHandlers {
  facade: Protocol;
  handler(scheme: string): Handler | undefined;
  privileges(scheme: string): Privileges;
}

const schemeKeys: readonly (keyof CustomScheme)[] = ['scheme', 'privileges'];
const privilegeKeys: readonly (keyof Privileges)[] = [
  'standard',
  'secure',
  'bypassCSP',
  'allowServiceWorkers',
  'supportFetchAPI',
  'corsEnabled',
  'stream',
  'codeCache',
];

/** Schemes that Chromium serves itself; the stand-in can't intercept them. */
const builtIn = ['http', 'https', 'file', 'ws', 'wss', 'data', 'blob', 'about', 'javascript'];

type Facade = Pick<Protocol, 'registerSchemesAsPrivileged' | 'handle' | 'unhandle' | 'isProtocolHandled'>;

export function createProtocol(hub: Hub): ProtocolHandlers {
  const handlers = new Map<string, Handler>();
  const members: Facade = {
    registerSchemesAsPrivileged(schemes) {
      if (hub.isReady) {
        throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
      }
      for (const entry of schemes) {
        checkOptions('protocol.registerSchemesAsPrivileged', entry, schemeKeys);
        checkOptions('protocol.registerSchemesAsPrivileged privileges', entry.privileges, privilegeKeys);
        hub.privileges.set(entry.scheme, entry.privileges ?? {});
        if (entry.privileges?.standard) hub.alias.register(entry.scheme);
      }
    },
    handle(scheme, handler) {
      if (!hub.isReady) throw new Error('protocol.handle can only be used after app is ready');
      if (builtIn.includes(scheme)) throw missing('protocol', `handle for ${scheme}:`);
      if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      if (!hub.alias.isRegistered(scheme)) {
        throw new Error(
          `stand-in serves only schemes registered as standard; register ${scheme} before ready`,
        );
      }
      handlers.set(scheme, handler);
    },
    unhandle(scheme) {
      if (!handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`);
    },
    isProtocolHandled: (scheme) => handlers.has(scheme) || builtIn.includes(scheme),
  };

  return {
    facade: strict(members, 'protocol') as unknown as Protocol,
    handler: (scheme) => handlers.get(scheme),
    privileges: (scheme) => hub.privileges.get(scheme) ?? {},
  };
}
