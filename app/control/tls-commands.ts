// The terminal's commands about TLS on the network. They need no running host: what they change counts where one runs at once,
// else with its start.

import type { TlsState } from '../contract/state.ts';
import { command, nothing } from './command.ts';

export const tlsCommands = {
  tls: command(nothing, async ({ services: { tls } }): Promise<TlsState> => {
    await tls.look();
    return tls.state();
  }),
  'use-local-authority': command(nothing, async ({ services: { tls } }): Promise<TlsState> => {
    await tls.useLocalAuthority();
    return tls.state();
  }),
  /** PEM; no secret. */
  'tls-authority': command(nothing, async ({ services: { tls } }) => {
    const certificate = await tls.authorityCertificate();
    return { certificate, fingerprint: tls.state().authorityFingerprint };
  }),
};
