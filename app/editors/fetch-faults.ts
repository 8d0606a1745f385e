// Sentences for everything that may go wrong when connecting to a document server, from Node's errors.

import { errorCode } from '../contract/errors.ts';
import type { MessageKey } from '../contract/messages.ts';
import { EditorFault, type EditorFaultCode, type FaultWords } from './editor-fault.ts';

/** @param isLate the time limit was exceeded, whatever the error says. */
export function faultOfConnection(url: URL, error: unknown, isLate: boolean): EditorFault {
  const { host, hostname, origin } = url;
  const code = isLate ? 'ETIMEDOUT' : errorCode(error) || 'unknown';
  const fault = (kind: EditorFaultCode, ...words: FaultWords): EditorFault =>
    new EditorFault(kind, words, { host, hostname, origin, code }, error);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ENODATA':
      return fault('name-not-resolved', 'host.name-not-resolved', 'host.check-spelling-or-use-ip');
    case 'ECONNREFUSED':
      return fault('refused', 'host.connection-refused', 'host.start-server-or-check-port');
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return fault('no-route', 'host.no-route', 'host.check-address-network-vpn');
    case 'ETIMEDOUT':
      return fault('timed-out', 'host.no-response-in-time', 'host.check-server-runs-no-firewall');
    default:
      if (isDistrust(code))
        return fault('tls-not-trusted', 'host.certificate-not-trusted', 'host.trust-its-authority');
      if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_'))
        return fault('tls-failed', 'host.https-unsupported', 'host.check-port-or-use-http');
      return fault('broken', 'host.connection-lost', 'host.check-port-and-scheme');
  }
}

export function forbiddenFault(host: string): EditorFault {
  const words = ['host.address-never-connected', 'host.use-another-address-of-server'] as const;
  return new EditorFault('not-allowed-address', words, { host });
}

export function redirectFault({ origin: from }: URL, target: URL | null): EditorFault {
  const to = target !== null && /^https?:$/u.test(target.protocol) ? target.origin : undefined;
  return to === undefined
    ? new EditorFault('redirected', ['host.redirect-isnt-web', 'host.check-the-address'], { from })
    : new EditorFault('redirected', ['host.redirect-not-followed', 'host.connect-redirect-target'], {
        from,
        to,
      });
}

const statusRemedies: Readonly<Record<number, MessageKey>> = {
  401: 'host.discovery-needs-sign-in',
  403: 'host.discovery-forbidden',
  404: 'host.check-address-and-wopi',
};

export function statusFault({ origin }: URL, status: number): EditorFault {
  const remedy =
    statusRemedies[status] ?? (status >= 500 ? 'host.may-still-be-starting' : 'host.check-the-address');
  return new EditorFault('status', ['host.status-instead-of-discovery', remedy], { origin, status });
}

export function sizeFault({ origin }: URL): EditorFault {
  return new EditorFault('too-large', ['host.too-large-for-discovery', 'host.check-the-address'], { origin });
}

function isDistrust(code: string): boolean {
  return (
    /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|INVALID_|PATH_LENGTH_|HOSTNAME_MISMATCH)/u.test(
      code,
    ) || code === 'ERR_TLS_CERT_ALTNAME_INVALID'
  );
}
