// Connections secured by the certificate of the moment: a new one counts with the next connection, and those that are open go
// on with theirs.

import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import type { KeyAndCertificate } from '../tls/key-and-certificate.ts';
import type { ListenerTls } from './http-server.ts';

export function createTlsSockets(deps: {
  isOn: () => boolean;
  /** The same object for as long as the certificate is the same. */
  context: () => KeyAndCertificate | undefined;
}): ListenerTls {
  let of: KeyAndCertificate | undefined;
  let context: SecureContext | undefined;
  return {
    isOn: deps.isOn,
    secure(socket) {
      const now = deps.context();
      if (now === undefined) return undefined;
      if (context === undefined || now !== of) {
        context = createSecureContext({ ...now, minVersion: 'TLSv1.2' });
        of = now;
      }
      // What goes wrong on the wire is told by the secured socket.
      socket.on('error', () => undefined);
      return new TLSSocket(socket, { isServer: true, secureContext: context, ALPNProtocols: ['http/1.1'] });
    },
  };
}
