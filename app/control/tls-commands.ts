// The terminal's commands about HTTPS. They need no running host: a change takes effect at once if one runs, otherwise at its start.

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
