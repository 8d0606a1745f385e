// TLS connections with the current certificate: a new one applies to the next connection, and open connections keep theirs.

import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import type { KeyAndCertificate } from '../tls/key-and-certificate.ts';
import type { ListenerTls } from './http-server.ts';

export function createTlsSockets(deps: {
  isOn: () => boolean;
  /** The same object while the certificate is unchanged. */
  context: () => KeyAndCertificate | undefined;
}): ListenerTls {
  let usedCertificate: KeyAndCertificate | undefined;
  let context: SecureContext | undefined;
  return {
    isOn: deps.isOn,
    secure(socket) {
      const now = deps.context();
      if (now === undefined) return undefined;
      if (context === undefined || now !== usedCertificate) {
        context = createSecureContext({ ...now, minVersion: 'TLSv1.2' });
        usedCertificate = now;
      }
      // The TLS socket reports network errors.
      socket.on('error', () => undefined);
      return new TLSSocket(socket, { isServer: true, secureContext: context, ALPNProtocols: ['http/1.1'] });
    },
  };
}
