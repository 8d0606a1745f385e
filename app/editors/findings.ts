// The connection test's findings: what was found, what to do, and the exact lines for the editor's own configuration. Commands and
// settings of the terminal are in parentheses, which the window leaves out.

import type { ConnectionStep } from '../contract/editors.ts';
import { formatDuration } from '../contract/format.ts';
import { t, type MessageKey, type MessageValues } from '../contract/messages.ts';
import type { Editor } from '../store/editors.ts';
import type { EditorFault } from './editor-fault.ts';
import { hostOf, portOf } from '../network/addresses.ts';

/** Its getters word it for whoever reads it, in their language. */
export type Finding = Readonly<Pick<ConnectionStep, 'code' | 'sentence' | 'remedy' | 'lines'>>;

export interface FindingPlace {
  editor: Pick<Editor, 'id' | 'name' | 'kind' | 'url'>;
  /** The editor's base address. */
  baseUrl: string;
}

/** What containers call this computer, if they are started with the line for it. */
const dockerName = 'host.docker.internal';

/** @param values of the sentence */
type Lines = (place: FindingPlace, values: MessageValues) => string[];
type Words = readonly [sentence: MessageKey, remedy: MessageKey, lines?: Lines];

const words = {
  'no-view-action': ['host.shows-no-type', 'host.wait-then-refresh'],
  'page-status': ['host.page-answered-status', 'host.check-log-and-proxy'],
  'page-redirected': ['host.page-redirects', 'host.allow-access-without-sign-in'],
  'page-not-framed': ['host.page-not-framed', 'host.allow-framing-header'],
  'collabora-not-framed': ['host.page-not-framed', 'host.add-framing-lines', framingLines],
  'page-mixed': ['host.page-mixed-http', 'host.use-https-or-http'],
  'page-failed': ['host.page-not-shown', 'host.try-address-in-browser'],
  'host-not-allowed': ['host.collabora-refuses-host', 'host.start-with-allow-lines', allowLines],
  'callback-name-not-resolved': ['host.collabora-cant-resolve', 'host.give-another-address'],
  'callback-no-gateway': ['host.collabora-cant-resolve', 'host.start-with-this-line', gatewayLines],
  'callback-refused': ['host.collabora-couldnt-connect', 'host.firewall-or-another-address'],
  'callback-tls-not-trusted': [
    'host.collabora-distrusts-certificate',
    'host.make-it-trust-authority',
    () => [
      '-v ./doctray-authority.pem:/etc/coolwsd/doctray-authority.pem:ro',
      '--o:storage.ssl.ca_file_path=/etc/coolwsd/doctray-authority.pem',
    ],
  ],
  'callback-tls-failed': ['host.no-https-for-collabora', 'host.give-http-or-switch-https-on'],
  'mixed-schemes': [
    'host.collabora-mixes-schemes',
    'host.collabora-needs-https-proxy',
    () => ['--o:ssl.termination=true'],
  ],
  'wrong-public-address': ['host.another-server-responds', 'host.correct-public-address'],
  'not-listening': ['host.doctray-doesnt-listen-at', 'host.choose-address-again'],
  'address-is-loopback': ['host.address-is-loopback', 'host.give-another-or-check-log'],
  'private-address-refused': ['host.private-address-uncalled', 'host.allow-private-addresses', privateLines],
  // Its own check compares only the name; documents are allowed by scheme and port too.
  'page-does-not-run': ['host.own-check-reached-doctray', 'host.other-port-or-websocket', allowLines],
  'no-call': ['host.no-call', 'host.check-log-and-firewall', callLines],
  // An older Collabora Online, without a window: nothing was proved and nothing is wrong.
  'needs-browser': ['host.needs-browser', 'host.test-in-window'],
  'address-not-allowed': ['host.called-from-unallowed-address', 'host.add-that-address'],
  'proof-missing': ['host.call-not-signed', 'host.proxy-may-change-headers'],
  'proof-malformed': ['host.signature-unreadable', 'host.proxy-may-change-headers'],
  'proof-no-keys': ['host.keys-required', 'host.generate-keys', keyLines],
  'proof-wrong-address': ['host.signature-for-other-address', 'host.make-proxy-pass-host'],
  'proof-wrong-key': ['host.signature-doesnt-match-keys', 'host.share-and-keep-keys', keyLines],
  'clock-skew': ['host.clock-off', 'host.set-clocks'],
} as const satisfies Record<string, Words>;

export type FindingCode = keyof typeof words;

/** @param more values of the sentence, besides `editor`, `id`, `url`, `host`, `hostname` and `scheme` of the place */
export function finding(code: FindingCode, place: FindingPlace, more: MessageValues = {}): Finding {
  const { editor, baseUrl } = place;
  const { host, hostname, protocol } = new URL(baseUrl);
  const scheme = protocol.slice(0, -1);
  const values = { editor: editor.name, id: editor.id, url: baseUrl, host, hostname, scheme, ...more };
  const [sentence, remedy, lines]: Words = words[code];
  return worded(code, [sentence, remedy], values, lines?.(place, values));
}

/** Nothing is wrong. */
export function good(sentence: MessageKey, values?: MessageValues): Finding {
  return worded(null, [sentence], values);
}

export function ofFault(fault: EditorFault, lines?: string[]): Finding {
  return worded(fault.code, fault.words, fault.values, lines);
}

function worded(
  code: string | null,
  [sentence, remedy]: readonly [sentence: MessageKey, remedy?: MessageKey],
  values?: MessageValues,
  lines: string[] = [],
): Finding {
  return {
    code,
    get sentence() {
      return t(sentence, values);
    },
    get remedy() {
      return remedy === undefined ? null : t(remedy, values);
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

const collaboraCodes: Readonly<Record<string, FindingCode>> = {
  WopiHostNotAllowed: 'host-not-allowed',
  HostNotFound: 'callback-name-not-resolved',
  ConnectionAborted: 'callback-refused',
  // Also its result for a refused connection.
  UnspecifiedError: 'callback-refused',
  Timeout: 'callback-refused',
  CertificateValidation: 'callback-tls-not-trusted',
  SelfSignedCertificate: 'callback-tls-not-trusted',
  ExpiredCertificate: 'callback-tls-not-trusted',
  SslHandshakeFail: 'callback-tls-failed',
  MissingSsl: 'callback-tls-failed',
  NotHttps: 'mixed-schemes',
};

/**
 * What Collabora Online's own check says about reaching this host.
 * @returns undefined if it found nothing wrong, or reports something unknown
 */
export function collaboraFinding(place: FindingPlace, status = ''): Finding | undefined {
  const { [status]: code } = collaboraCodes;
  const isGateway = status === 'HostNotFound' && hostOf(place.baseUrl) === dockerName;
  return code && finding(isGateway ? 'callback-no-gateway' : code, place);
}

/** @param skewMs how far the editor's clock is ahead. */
export function clockOff(place: FindingPlace, skewMs: number): Finding {
  const span = formatDuration(Math.abs(skewMs));
  return finding('clock-skew', place, { span, direction: skewMs > 0 ? 'ahead' : 'behind' });
}

function keyLines({ editor }: FindingPlace): string[] {
  return editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [];
}

/** For Collabora Online, where a host without a port means port 80 or 443. */
function allowLines({ baseUrl }: FindingPlace): string[] {
  const url = new URL(baseUrl);
  // It reads the host as a regular expression.
  const name = url.hostname.replaceAll(/[[\]]/gu, String.raw`\$&`);
  const address = `${url.protocol}//${name}:${portOf(url)}`;
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
function framingLines({ editor }: FindingPlace, { origin }: MessageValues): string[] {
  const within = String(origin);
  const { host, protocol } = new URL(within);
  const isHostEnough = protocol === 'https:' || editor.url.startsWith('http:');
  return [
    `--o:net.frame_ancestors=${isHostEnough ? host : within}`,
    `<content_security_policy>frame-ancestors ${isHostEnough ? host : `${within} ${host}`};</content_security_policy>`,
  ];
}

function gatewayLines({ baseUrl }: FindingPlace): string[] {
  return hostOf(baseUrl) === dockerName ? [`--add-host=${dockerName}:host-gateway`] : [];
}

function privateLines(place: FindingPlace): string[] {
  return [
    '-e ALLOW_PRIVATE_IP_ADDRESS=true',
    '"services": { "CoAuthoring": { "request-filtering-agent": { "allowPrivateIPAddress": true } } }',
    ...callLines(place),
  ];
}

function callLines(place: FindingPlace): string[] {
  const { editor, baseUrl } = place;
  const allow = editor.kind === 'collabora' ? allowLines(place) : [];
  const trust =
    editor.kind === 'onlyoffice' && baseUrl.startsWith('https:')
      ? ['-v ./doctray-authority.pem:/var/www/onlyoffice/Data/certs/extra-ca-certs.pem:ro']
      : [];
  return [...allow, ...trust, ...gatewayLines(place)];
}
