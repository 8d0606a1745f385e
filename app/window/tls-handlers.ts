// The commands about the local authority, by whose certificate DocTray can speak TLS on the network. Its key never comes here;
// its certificate is for everybody.

import { writeFile } from 'node:fs/promises';
import { AppError } from '../contract/errors.ts';
import type { Desktop } from './desktop.ts';
import type { Handlers } from './handlers.ts';

export type TlsHandlers = Pick<Handlers, Extract<keyof Handlers, `tls.${string}`>>;

/** What of the host is asked here. */
export interface TlsHandlersHost {
  tls: {
    /** Makes it where there is none, and serves by it. */
    useLocalAuthority(): Promise<void>;
    /** PEM. */
    authorityCertificate(): Promise<string>;
  };
}

export interface TlsHandlerDeps {
  /** @throws AppError host-away, or what kept it from starting */
  requireHost: () => TlsHandlersHost;
  desktop: Pick<Desktop, 'chooseSavePath'>;
}

const certificateName = 'DocTray authority.crt';

export function createTlsHandlers({ requireHost, desktop }: TlsHandlerDeps): TlsHandlers {
  return {
    async 'tls.useLocalAuthority'() {
      await requireHost().tls.useLocalAuthority();
      return null;
    },

    async 'tls.saveAuthority'() {
      const certificate = await requireHost().tls.authorityCertificate();
      const path = await desktop.chooseSavePath(certificateName, 'crt');
      if (path === undefined) return { savedTo: null };
      try {
        await writeFile(path, certificate);
      } catch (cause) {
        throw new AppError('disk-refused', { cause, detail: 'Save it in another folder.' });
      }
      return { savedTo: path };
    },
  };
}
