// Words for everything that may go wrong on the way to a document server, from what Node says of it.

import { errorCode } from '../contract/errors.ts';
import { EditorFault } from './editor-fault.ts';

/** @param isLate the time was up, whatever the error says. */
export function faultOfConnection(url: URL, error: unknown, isLate: boolean): EditorFault {
  const { host, hostname, origin } = url;
  const code = isLate ? 'ETIMEDOUT' : errorCode(error);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ENODATA':
      return new EditorFault(
        'name-not-resolved',
        `The name ${hostname} is not known here.`,
        'Check the spelling, or give the address in numbers.',
        error,
      );
    case 'ECONNREFUSED':
      return new EditorFault(
        'refused',
        `Nothing listens at ${host}: the connection was refused.`,
        'Start the document server, or check the port.',
        error,
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return new EditorFault(
        'no-route',
        `There is no way from here to ${host}.`,
        'Check the network, a VPN perhaps, and the address.',
        error,
      );
    case 'ETIMEDOUT':
      return new EditorFault(
        'timed-out',
        `${host} did not answer in time.`,
        'Check that the document server runs, and that no firewall drops the connection.',
        error,
      );
    default:
      if (isDistrust(code)) {
        return new EditorFault(
          'tls-not-trusted',
          `The certificate of ${host} is not trusted here (${code}).`,
          'Have this system trust the authority that signed it, then restart DocTray; or use the name the certificate is for.',
          error,
        );
      }
      if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
        return new EditorFault(
          'tls-failed',
          `${host} does not speak TLS, or none that DocTray takes.`,
          'Check the port, or use http:// in place of https://.',
          error,
        );
      }
      return new EditorFault(
        'broken',
        `The connection to ${origin} broke (${code === '' ? 'no reason was given' : code}).`,
        'Check that a document server listens at this port, and whether it takes http:// or https://.',
        error,
      );
  }
}

export function forbiddenFault(host: string): EditorFault {
  return new EditorFault(
    'not-allowed-address',
    `${host} stands for an address that DocTray never connects to (link-local, or of a cloud's metadata).`,
    'Use another address of the document server.',
  );
}

export function redirectFault(url: URL, to: URL | null): EditorFault {
  const isWeb = to !== null && /^https?:$/u.test(to.protocol);
  const place = isWeb ? to.origin : 'no address of the web';
  return new EditorFault(
    'redirected',
    `${url.origin} sends on to ${place}, and DocTray does not follow there.`,
    isWeb ? `If that is the document server, connect ${place}.` : 'Check the address.',
  );
}

export function statusFault(url: URL, status: number): EditorFault {
  const remedies: Record<number, string> = {
    401: 'It asks for a sign-in. Let this machine read /hosting/discovery without one.',
    403: 'Let this machine read /hosting/discovery: the server, or a proxy before it, does not allow that.',
    404: 'Check the address. For ONLYOFFICE Docs, switch WOPI on (WOPI_ENABLED=true).',
  };
  const { [status]: remedy } = remedies;
  return new EditorFault(
    'status',
    `${url.origin} answered ${status} where its discovery should be.`,
    remedy ?? (status >= 500 ? 'It may still be starting; try again in a minute.' : 'Check the address.'),
  );
}

export function sizeFault(url: URL): EditorFault {
  return new EditorFault(
    'too-large',
    `${url.origin} answered with more than 1 MB where its discovery should be.`,
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
