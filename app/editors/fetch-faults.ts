// Sentences for everything that may go wrong when connecting to a document server, from Node's errors.

import { errorCode } from '../contract/errors.ts';
import { EditorFault } from './editor-fault.ts';

/** @param isLate the time limit was exceeded, whatever the error says. */
export function faultOfConnection(url: URL, error: unknown, isLate: boolean): EditorFault {
  const { host, hostname, origin } = url;
  const code = isLate ? 'ETIMEDOUT' : errorCode(error);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ENODATA':
      return new EditorFault(
        'name-not-resolved',
        `This computer can’t resolve the name ${hostname}.`,
        'Check the spelling, or use the IP address.',
        error,
      );
    case 'ECONNREFUSED':
      return new EditorFault(
        'refused',
        `Nothing is listening at ${host} (connection refused).`,
        'Start the document server, or check the port.',
        error,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return new EditorFault(
        'no-route',
        `There is no route to ${host}.`,
        'Check the address, the network and the VPN.',
        error,
      );
    case 'ETIMEDOUT':
      return new EditorFault(
        'timed-out',
        `${host} didn’t respond in time.`,
        'Check that the document server is running, and that no firewall blocks the connection.',
        error,
      );
    default:
      if (isDistrust(code)) {
        return new EditorFault(
          'tls-not-trusted',
          `This computer doesn’t trust the certificate of ${host} (${code}).`,
          'Trust the authority that signed it and restart DocTray, or use the host name in the certificate.',
          error,
        );
      }
      if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
        return new EditorFault(
          'tls-failed',
          `${host} doesn’t support HTTPS, or only a TLS version that DocTray doesn’t accept.`,
          'Check the port, or use http:// instead of https://.',
          error,
        );
      }
      return new EditorFault(
        'broken',
        `The connection to ${origin} was lost (${code === '' ? 'no reason given' : code}).`,
        'Check that a document server uses this port, and whether it needs http:// or https://.',
        error,
      );
  }
}

export function forbiddenFault(host: string): EditorFault {
  return new EditorFault(
    'not-allowed-address',
    `${host} resolves to an address that DocTray never connects to (link-local, or cloud metadata).`,
    'Use another address of the document server.',
  );
}

export function redirectFault(url: URL, to: URL | null): EditorFault {
  const isWeb = to !== null && /^https?:$/u.test(to.protocol);
  return new EditorFault(
    'redirected',
    `${url.origin} redirects to ${isWeb ? to.origin : 'something that isn’t a web address'}, and DocTray doesn’t follow that.`,
    isWeb ? `If that is the document server, connect ${to.origin}.` : 'Check the address.',
  );
}

export function statusFault(url: URL, status: number): EditorFault {
  const remedies: Record<number, string> = {
    401: 'It requires a sign-in. Let this computer read /hosting/discovery without one.',
    403: 'The server, or a proxy in front of it, doesn’t allow this computer to read /hosting/discovery.',
    404: 'Check the address. In ONLYOFFICE Docs, WOPI must be on (WOPI_ENABLED=true).',
  };
  const { [status]: remedy } = remedies;
  return new EditorFault(
    'status',
    `${url.origin} answered ${status} instead of its discovery document.`,
    remedy ?? (status >= 500 ? 'It may still be starting. Try again in a minute.' : 'Check the address.'),
  );
}

export function sizeFault(url: URL): EditorFault {
  return new EditorFault(
    'too-large',
    `${url.origin} answered with more than 1 MB instead of its discovery document.`,
    'Check the address.',
  );
}

function isDistrust(code: string): boolean {
  return (
    /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CRL_|INVALID_|PATH_LENGTH_|HOSTNAME_MISMATCH)/u.test(
      code,
    ) || code === 'ERR_TLS_CERT_ALTNAME_INVALID'
  );
}
