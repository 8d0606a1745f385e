// HTTPS and the local authority, whose certificate lets DocTray use HTTPS on the network. Its key never leaves the host; its
// certificate is for everyone.

import type { TlsState } from '../contract/state.ts';
import { command } from './command.ts';

const certificateName = 'DocTray authority.crt';

export const tlsCommands = {
  'tls.show': command({
    needs: 'services',
    from: 'terminal',
    async run({ services: { tls } }): Promise<TlsState> {
      await tls.check();
      return tls.state();
    },
  }),

  /** Creates the local authority and a certificate, and uses it on the network. */
  'tls.useLocalAuthority': command({
    needs: 'services',
    from: 'both',
    async run({ services: { tls } }): Promise<TlsState> {
      await tls.useLocalAuthority();
      return tls.state();
    },
  }),

  /** The authority's certificate as PEM; not a secret. */
  'tls.authority': command({
    needs: 'services',
    from: 'terminal',
    async run({ services: { tls } }) {
      const certificate = await tls.authorityCertificate();
      await tls.check();
      return { certificate, fingerprint: tls.state().authorityFingerprint };
    },
  }),

  /** Asks where to save; null if the user cancels. */
  'tls.saveAuthority': command({
    needs: 'window',
    from: 'window',
    async run({ requireHost, desktop }) {
      const certificate = await requireHost().services.tls.authorityCertificate();
      return { savedTo: (await desktop.saveFile(certificateName, 'crt', certificate)) ?? null };
    },
  }),
};
