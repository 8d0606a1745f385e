// The connection test's findings: what was found, what to do, and the exact lines for the editor's own configuration. Collabora and
// ONLYOFFICE each have their own names for the same two things: who may be called, and whose certificate is trusted. Commands and
// settings of the terminal are in parentheses, which the window leaves out.

import type { ConnectionStep } from '../contract/editors.ts';
import { t, type MessageKey, type MessageValues } from '../contract/messages.ts';
import type { Editor } from '../store/editors.ts';
import type { EditorFault } from './editor-fault.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { isPrivateHost } from '../network/addresses.ts';

/** Its getters word it for whoever reads it, in their language. */
export type Finding = Readonly<Pick<ConnectionStep, 'code' | 'sentence' | 'remedy' | 'lines'>>;

export interface FindingPlace {
  editor: Pick<Editor, 'id' | 'name' | 'kind' | 'url' | 'proofMode'>;
  /** The editor's base address. */
  baseUrl: string;
}

/** What was found, and what to do, by code. */
const words = {
  'no-view-action': ['host.shows-no-type', 'host.wait-then-refresh'],
  'page-status': ['host.page-answered-status', 'host.check-log-for-reason'],
  'page-redirected': ['host.page-redirects', 'host.allow-access-without-sign-in'],
  'page-not-framed': ['host.page-not-framed', 'host.allow-framing-header'],
  'page-mixed': ['host.page-mixed-http', 'host.use-https-or-http'],
  'page-failed': ['host.page-not-shown', 'host.try-address-in-browser'],
  'host-not-allowed': ['host.collabora-refuses-host', 'host.start-with-allow-lines'],
  'callback-name-not-resolved': ['host.collabora-cant-resolve', 'host.give-another-address'],
  'callback-refused': ['host.collabora-couldnt-connect', 'host.check-listens-no-firewall'],
  'callback-timed-out': ['host.collabora-no-response', 'host.firewall-or-another-address'],
  'callback-tls-not-trusted': ['host.collabora-distrusts-certificate', 'host.make-it-trust-authority'],
  'callback-tls-failed': ['host.no-https-for-collabora', 'host.give-http-or-switch-https-on'],
  'mixed-schemes': ['host.collabora-mixes-schemes', 'host.collabora-needs-https-proxy'],
  'wrong-public-address': ['host.another-server-responds', 'host.correct-public-address'],
  'not-listening': ['host.doctray-doesnt-listen-at', 'host.choose-address-again'],
  'address-is-loopback': ['host.address-is-loopback', 'host.give-another-address'],
  'private-address-refused': ['host.private-address-uncalled', 'host.allow-private-addresses'],
  // Its own check compares only the name; documents are allowed by scheme and port too.
  'page-does-not-run': ['host.own-check-reached-doctray', 'host.other-port-or-websocket'],
  'no-call': ['host.no-call-within', 'host.check-log-for-address'],
  // An older Collabora Online, without a window: nothing was proved and nothing is wrong.
  'needs-browser': ['host.needs-browser', 'host.test-in-window'],
  'address-not-allowed': ['host.called-from-unallowed-address', 'host.add-that-address'],
  'proof-missing': ['host.call-not-signed', 'host.proxy-may-remove-headers'],
  'proof-no-keys': ['host.keys-required', 'host.generate-keys'],
  'proof-wrong-address': ['host.signature-for-other-address', 'host.make-proxy-pass-host'],
  'proof-wrong-key': ['host.signature-doesnt-match-keys', 'host.share-and-keep-keys'],
  'proof-malformed': ['host.signature-unreadable', 'host.proxy-may-change-headers'],
  'clock-skew': ['host.clock-ahead', 'host.set-clocks'],
} as const satisfies Record<string, readonly [sentence: MessageKey, remedy: MessageKey]>;

interface Details {
  /** Besides `editor`, `id`, `url`, `host` and `hostname` of the place. */
  values?: MessageValues;
  lines?: string[];
  /** Instead of the usual ones. */
  sentence?: MessageKey;
  remedy?: MessageKey;
  /** What else to do. */
  more?: readonly MessageKey[];
}

export function finding(code: keyof typeof words, place: FindingPlace, details: Details = {}): Finding {
  const { editor, baseUrl } = place;
  const { host, hostname } = new URL(baseUrl);
  const values = { editor: editor.name, id: editor.id, url: baseUrl, host, hostname, ...details.values };
  const [usual, usualRemedy] = words[code];
  const { sentence = usual, remedy = usualRemedy, more = [], lines = [] } = details;
  return {
    code,
    get sentence() {
      return t(sentence, values);
    },
    get remedy() {
      return [remedy, ...more].map((key) => t(key, values)).join(' ');
    },
    lines,
  };
}

/** Nothing is wrong. */
export function good(sentence: MessageKey, values?: MessageValues): Finding {
  return {
    code: null,
    get sentence() {
      return t(sentence, values);
    },
    remedy: null,
    lines: [],
  };
}

export function ofFault(fault: EditorFault, lines: string[] = []): Finding {
  return {
    code: fault.code,
    get sentence() {
      return fault.sentence;
    },
    get remedy() {
      return fault.remedy;
    },
    lines,
  };
}

/** The lines that switch WOPI on, which may be what is missing. */
export function discoveryLines(kind: Editor['kind']): string[] {
  return kind === 'onlyoffice' || kind === 'other'
    ? ['-e WOPI_ENABLED=true', '"wopi": { "enable": true }']
    : [];
}

/** @param within origin of the page around it; `page` is the URL of the editor's own. */
export function pageNotFramed(place: FindingPlace, within: string, page: string): Finding {
  const values = { origin: within, element: '<net>' };
  if (place.editor.kind !== 'collabora') return finding('page-not-framed', place, { values });
  const lines = framingLines(within, page);
  return finding('page-not-framed', place, { values, remedy: 'host.add-framing-lines', lines });
}

/**
 * What Collabora Online's own check says about reaching this host.
 * @returns undefined if it found nothing wrong, or reports something unknown
 */
export function collaboraFinding(place: FindingPlace, status: string | undefined): Finding | undefined {
  const { baseUrl } = place;
  const { hostname } = new URL(baseUrl);
  switch (status) {
    case 'WopiHostNotAllowed':
      return finding('host-not-allowed', place, {
        values: { element: '<wopi>' },
        lines: allowLines(baseUrl),
      });
    case 'HostNotFound': {
      const lines = gatewayLines(hostname);
      const isGateway = lines.length > 0;
      return finding('callback-name-not-resolved', place, {
        ...(isGateway && { remedy: 'host.start-with-this-line' }),
        lines,
      });
    }
    case 'ConnectionAborted':
    // Also its result for a refused connection.
    case 'UnspecifiedError':
      return finding(
        'callback-refused',
        place,
        isLoopbackHost(hostname) ? { remedy: 'host.loopback-is-container' } : {},
      );
    case 'Timeout':
      return finding('callback-timed-out', place);
    case 'CertificateValidation':
    case 'SelfSignedCertificate':
    case 'ExpiredCertificate':
      return finding('callback-tls-not-trusted', place, {
        ...(status === 'ExpiredCertificate' && { sentence: 'host.collabora-certificate-expired' }),
        lines: [
          '-v ./doctray-authority.pem:/etc/coolwsd/doctray-authority.pem:ro',
          '--o:storage.ssl.ca_file_path=/etc/coolwsd/doctray-authority.pem',
        ],
      });
    case 'SslHandshakeFail':
    case 'MissingSsl':
      return finding('callback-tls-failed', place);
    case 'NotHttps':
      return finding('mixed-schemes', place, { lines: ['--o:ssl.termination=true'] });
    default:
      return undefined;
  }
}

/** Another server responds at the editor's base address. */
export function elsewhere(place: FindingPlace, hasAddressList: boolean): Finding {
  const more = hasAddressList ? (['host.or-allowed-addresses-block'] as const) : [];
  return finding('wrong-public-address', place, { more });
}

export interface Silence {
  /** How long the test waited for the call. */
  seconds: number;
  /** The setting allowedAddresses isn't empty. */
  hasAddressList: boolean;
  /** Its own check succeeded. */
  isReachable: boolean;
}

/** No call came, and no reason is known: reports what is likely. */
export function noCall(place: FindingPlace, { seconds, hasAddressList, isReachable }: Silence): Finding {
  const { editor, baseUrl } = place;
  const { hostname } = new URL(baseUrl);
  const values = { seconds };
  const isLoopback = isLoopbackHost(hostname);
  if (isLoopback && !isLoopbackHost(new URL(editor.url).hostname))
    return finding('address-is-loopback', place, { values });
  const more: MessageKey[] = [isLoopback ? 'host.if-in-container' : 'host.check-no-firewall'];
  if (hasAddressList) more.push('host.allowed-addresses-may-block');
  if (baseUrl.startsWith('https:')) more.push('host.must-trust-certificate');
  const lines = [...trustLines(editor.kind, baseUrl), ...gatewayLines(hostname)];
  if (editor.kind === 'onlyoffice' && isPrivateHost(hostname)) {
    lines.unshift(
      '-e ALLOW_PRIVATE_IP_ADDRESS=true',
      '"services": { "CoAuthoring": { "request-filtering-agent": { "allowPrivateIPAddress": true } } }',
    );
    return finding('private-address-refused', place, { values, more, lines });
  }
  if (isReachable) return finding('page-does-not-run', place, { values, lines: allowLines(baseUrl) });
  if (editor.kind === 'collabora') lines.unshift(...allowLines(baseUrl));
  return finding('no-call', place, { values, more, lines });
}

/** The signature is for another address, or with another key. @param received the address that was called */
export function proofWrong(place: FindingPlace, received: string): Finding {
  return received === place.baseUrl
    ? finding('proof-wrong-key', place, { lines: keyLines(place) })
    : finding('proof-wrong-address', place, { values: { received } });
}

export function noKeys(place: FindingPlace): Finding {
  return finding('proof-no-keys', place, { lines: keyLines(place) });
}

/** @param skewMs how far the editor's clock is ahead. */
export function clockOff(place: FindingPlace, skewMs: number, isTooFar: boolean): Finding {
  return finding('clock-skew', place, {
    values: { span: spanOf(Math.abs(skewMs)) },
    sentence: skewMs > 0 ? 'host.clock-ahead' : 'host.clock-behind',
    remedy: isTooFar ? 'host.set-clocks-refused' : 'host.set-clocks',
  });
}

function keyLines({ editor }: FindingPlace): string[] {
  return editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [];
}

/** For Collabora Online, where a host without a port means port 80 or 443. */
function allowLines(baseUrl: string): string[] {
  const url = new URL(baseUrl);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  // It reads the host as a regular expression.
  const address = `${url.protocol}//${url.hostname.replaceAll(/[[\]]/gu, String.raw`\$&`)}:${port}`;
  return [
    `-e "aliasgroup1=${address}"`,
    `--o:storage.wopi.alias_groups[@mode]=groups --o:storage.wopi.alias_groups.group[0].host=${address} --o:storage.wopi.alias_groups.group[0].host[@allow]=true`,
    `<alias_groups mode="groups"><group><host desc="DocTray" allow="true">${address}</host></group></alias_groups>`,
  ];
}

/**
 * For Collabora Online. Its container splits its parameters at every space, so the one there has none. A source without a scheme
 * matches that of its page and https; the page's script accepts messages only from such sources, unless the browser itself
 * reports the parent page, which Firefox may not.
 */
function framingLines(within: string, page: string): string[] {
  const { host, protocol } = new URL(within);
  const isHostEnough = protocol === 'https:' || page.startsWith('http:');
  return [
    `--o:net.frame_ancestors=${isHostEnough ? host : within}`,
    `<content_security_policy>frame-ancestors ${isHostEnough ? host : `${within} ${host}`};</content_security_policy>`,
  ];
}

function gatewayLines(hostname: string): string[] {
  return hostname === 'host.docker.internal' ? ['--add-host=host.docker.internal:host-gateway'] : [];
}

function trustLines(kind: Editor['kind'], baseUrl: string): string[] {
  if (kind !== 'onlyoffice' || !baseUrl.startsWith('https:')) return [];
  return ['-v ./doctray-authority.pem:/var/www/onlyoffice/Data/certs/extra-ca-certs.pem:ro'];
}

function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
