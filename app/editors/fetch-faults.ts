// Sentences for everything that may go wrong when connecting to a document server, from Node's errors.

import { errorCode } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { EditorFault, type EditorFaultCode } from './editor-fault.ts';

/** @param isLate the time limit was exceeded, whatever the error says. */
export function faultOfConnection(url: URL, error: unknown, isLate: boolean): EditorFault {
  const { host, hostname, origin } = url;
  const code = isLate ? 'ETIMEDOUT' : errorCode(error) || 'unknown';
  const fault = (kind: EditorFaultCode, sentence: MessageKey, remedy: MessageKey): EditorFault =>
    new EditorFault(kind, () => [t(sentence, { host, hostname, origin, code }), t(remedy)], error);
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
  return new EditorFault('not-allowed-address', () => [
    t('host.address-never-connected', { host }),
    t('host.use-another-address-of-server'),
  ]);
}

export function redirectFault({ origin: from }: URL, target: URL | null): EditorFault {
  const to = target !== null && /^https?:$/u.test(target.protocol) ? target.origin : undefined;
  return new EditorFault('redirected', () =>
    to === undefined
      ? [t('host.redirect-isnt-web', { from }), t('host.check-the-address')]
      : [t('host.redirect-not-followed', { from, to }), t('host.connect-redirect-target', { to })],
  );
}

const statusRemedies: Readonly<Record<number, MessageKey>> = {
  401: 'host.discovery-needs-sign-in',
  403: 'host.discovery-forbidden',
  404: 'host.check-address-and-wopi',
};

export function statusFault({ origin }: URL, status: number): EditorFault {
  const remedy =
    statusRemedies[status] ?? (status >= 500 ? 'host.may-still-be-starting' : 'host.check-the-address');
  return new EditorFault('status', () => [
    t('host.status-instead-of-discovery', { origin, status }),
    t(remedy),
  ]);
}

export function sizeFault({ origin }: URL): EditorFault {
  return new EditorFault('too-large', () => [
    t('host.too-large-for-discovery', { origin }),
    t('host.check-the-address'),
  ]);
}

function isDistrust(code: string): boolean {
  return (
    /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|INVALID_|PATH_LENGTH_|HOSTNAME_MISMATCH)/u.test(
      code,
    ) || code === 'ERR_TLS_CERT_ALTNAME_INVALID'
  );
}
