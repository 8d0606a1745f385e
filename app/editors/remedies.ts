// The connection test's findings as text: what was found, what to do, and the exact lines for the editor's own configuration.
// Collabora and ONLYOFFICE each have their own names for the same two things: who may be called, and whose certificate is
// trusted. Commands and settings of the terminal are in parentheses, which the window leaves out.

import type { ConnectionStepName } from '../contract/editors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import type { Editor } from '../store/editors.ts';
import type { EditorFault } from './editor-fault.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { isPrivateHost } from '../network/addresses.ts';

export interface Finding {
  /** Kebab case; null if nothing is wrong. */
  code: string | null;
  sentence: string;
  remedy: string | null;
  lines: string[];
}

/** Words a finding for whoever reads it, in their language. */
export type Words = () => Finding;

export interface FindingPlace {
  editor: Pick<Editor, 'id' | 'name' | 'kind' | 'url' | 'proofMode'>;
  /** The editor's base address. */
  baseUrl: string;
}

export function good(sentence: string): Finding {
  return { code: null, sentence, remedy: null, lines: [] };
}

function found(code: string, sentence: string, remedy: string | null, lines: string[] = []): Finding {
  return { code, sentence, remedy, lines };
}

export function ofFault({ code, sentence, remedy }: EditorFault, lines: string[] = []): Finding {
  return found(code, sentence, remedy, lines);
}

/** For steps that didn't run. */
export const notReached: Record<ConnectionStepName, MessageKey> = {
  discovery: 'host.discovery-not-read',
  page: 'host.page-not-requested',
  callback: 'host.not-tested',
  proof: 'host.no-signed-call',
  clock: 'host.no-call-with-timestamp',
};

/** The lines that switch WOPI on, which may be what is missing. */
export function discoveryLines(kind: Editor['kind']): string[] {
  return kind === 'onlyoffice' || kind === 'other'
    ? ['-e WOPI_ENABLED=true', '"wopi": { "enable": true }']
    : [];
}

export function noShownType({ editor }: FindingPlace): Finding {
  return found(
    'no-view-action',
    t('host.shows-no-type', { editor: editor.name }),
    t('host.wait-then-refresh'),
  );
}

export function pageRefused({ editor }: FindingPlace, status: number): Finding {
  return found(
    'page-status',
    t('host.page-answered-status', { editor: editor.name, status }),
    t(status >= 500 ? 'host.check-log-and-proxy' : 'host.check-log-for-reason'),
  );
}

export function pageRedirected({ editor }: FindingPlace, origin: string | null): Finding {
  return found(
    'page-redirected',
    origin === null
      ? t('host.page-redirects-elsewhere', { editor: editor.name })
      : t('host.page-redirects', { editor: editor.name, origin }),
    t('host.allow-access-without-sign-in'),
  );
}

/** @param within origin of the page around it; `page` is the URL of the editor's own. */
export function pageNotFramed({ editor }: FindingPlace, within: string, page: string): Finding {
  const lines = editor.kind === 'collabora' ? framingLines(within, page) : [];
  return found(
    'page-not-framed',
    t('host.page-not-framed', { editor: editor.name, origin: within }),
    lines.length > 0 ? t('host.add-framing-lines', { element: '<net>' }) : t('host.allow-framing-header'),
    lines,
  );
}

export function pageMixed({ editor }: FindingPlace, origin: string): Finding {
  return found(
    'page-mixed',
    t('host.page-mixed-http', { editor: editor.name, origin }),
    t('host.use-https-or-http'),
  );
}

export function pageFailed({ editor }: FindingPlace, reason: string): Finding {
  return found(
    'page-failed',
    t('host.page-not-shown', { editor: editor.name, reason }),
    t('host.try-address-in-browser'),
  );
}

/**
 * What Collabora Online's own check says about reaching this host.
 * @returns undefined if it found nothing wrong, or reports something unknown
 */
export function collaboraFinding(place: FindingPlace, status: string): Finding | undefined {
  const { baseUrl } = place;
  const { host, hostname } = new URL(baseUrl);
  switch (status) {
    case 'WopiHostNotAllowed':
      return found(
        'host-not-allowed',
        t('host.collabora-refuses-host', { host }),
        t('host.start-with-allow-lines', { element: '<wopi>' }),
        allowLines(baseUrl),
      );
    case 'HostNotFound':
      return found(
        'callback-name-not-resolved',
        t('host.collabora-cant-resolve', { host: hostname }),
        t(hostname === 'host.docker.internal' ? 'host.start-with-this-line' : 'host.give-another-address'),
        gatewayLines(hostname),
      );
    case 'ConnectionAborted':
    // Also its result for a refused connection.
    case 'UnspecifiedError':
      return found(
        'callback-refused',
        t('host.collabora-couldnt-connect', { host }),
        isLoopbackHost(hostname)
          ? t('host.loopback-is-container', { host: hostname })
          : t('host.check-listens-no-firewall'),
      );
    case 'Timeout':
      return found(
        'callback-timed-out',
        t('host.collabora-no-response', { host }),
        t('host.firewall-or-another-address'),
      );
    case 'CertificateValidation':
    case 'SelfSignedCertificate':
    case 'ExpiredCertificate':
      return found(
        'callback-tls-not-trusted',
        t(
          status === 'ExpiredCertificate'
            ? 'host.collabora-certificate-expired'
            : 'host.collabora-distrusts-certificate',
          { host },
        ),
        t('host.make-it-trust-authority'),
        [
          '-v ./doctray-authority.pem:/etc/coolwsd/doctray-authority.pem:ro',
          '--o:storage.ssl.ca_file_path=/etc/coolwsd/doctray-authority.pem',
        ],
      );
    case 'SslHandshakeFail':
    case 'MissingSsl':
      return found(
        'callback-tls-failed',
        t('host.no-https-for-collabora', { host }),
        t('host.give-http-or-switch-https-on'),
      );
    case 'NotHttps':
      return found(
        'mixed-schemes',
        t('host.collabora-mixes-schemes', { url: baseUrl }),
        t('host.collabora-needs-https-proxy'),
        ['--o:ssl.termination=true'],
      );
    default:
      return undefined;
  }
}

/** Another server responds at the editor's base address. */
export function elsewhere({ baseUrl, editor }: FindingPlace, hasAddressList: boolean): Finding {
  const correct = t('host.correct-public-address', { id: editor.id });
  return found(
    'wrong-public-address',
    t('host.another-server-responds', { editor: editor.name, url: baseUrl }),
    hasAddressList ? `${correct} ${t('host.or-allowed-addresses-block')}` : correct,
  );
}

export function notListening({ baseUrl, editor }: FindingPlace): Finding {
  return found(
    'not-listening',
    t('host.doctray-doesnt-listen-at', { url: baseUrl }),
    t('host.choose-address-again', { id: editor.id, url: baseUrl }),
  );
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
  const waited = { editor: editor.name, url: baseUrl, seconds };
  const isHere = isLoopbackHost(new URL(editor.url).hostname);
  if (isLoopbackHost(hostname) && !isHere) {
    return found(
      'address-is-loopback',
      t('host.address-is-loopback', waited),
      t('host.give-another-address'),
    );
  }
  const advice = (first: string): string =>
    [
      first,
      isLoopbackHost(hostname) ? t('host.if-in-container', { host: hostname }) : t('host.check-no-firewall'),
      hasAddressList ? t('host.allowed-addresses-may-block') : [],
      baseUrl.startsWith('https:') ? t('host.must-trust-certificate') : [],
    ]
      .flat()
      .join(' ');
  if (editor.kind === 'onlyoffice' && isPrivateHost(hostname)) {
    return found(
      'private-address-refused',
      t('host.private-address-uncalled', waited),
      advice(t('host.allow-private-addresses')),
      [
        '-e ALLOW_PRIVATE_IP_ADDRESS=true',
        '"services": { "CoAuthoring": { "request-filtering-agent": { "allowPrivateIPAddress": true } } }',
        ...trustLines(editor.kind, baseUrl),
        ...gatewayLines(hostname),
      ],
    );
  }
  if (isReachable) {
    return found(
      'page-does-not-run',
      t('host.own-check-reached-doctray', waited),
      // That check compares only the name; documents are allowed by scheme and port too.
      t('host.other-port-or-websocket', { host: hostname }),
      allowLines(baseUrl),
    );
  }
  return found('no-call', t('host.no-call-within', waited), advice(t('host.check-log-for-address')), [
    ...(editor.kind === 'collabora' ? allowLines(baseUrl) : []),
    ...trustLines(editor.kind, baseUrl),
    ...gatewayLines(hostname),
  ]);
}

/** An older Collabora Online, without a window: nothing was proved and nothing is wrong. */
export function needsBrowser({ editor }: FindingPlace): Finding {
  return found('needs-browser', t('host.needs-browser', { editor: editor.name }), t('host.test-in-window'));
}

export function addressRefused({ editor }: FindingPlace, address: string): Finding {
  return found(
    'address-not-allowed',
    t('host.called-from-unallowed-address', { editor: editor.name, address }),
    t('host.add-that-address'),
  );
}

export function proofMissing({ editor }: FindingPlace, isRequired: boolean): Finding {
  return found(
    'proof-missing',
    t('host.call-not-signed', { editor: editor.name }),
    t(isRequired ? 'host.make-it-sign' : 'host.proxy-may-remove-headers'),
  );
}

export function noKeys({ editor }: FindingPlace, isRequired: boolean): Finding {
  if (!isRequired) return good(t('host.editor-doesnt-sign', { editor: editor.name }));
  return found(
    'proof-no-keys',
    t('host.keys-required', { editor: editor.name }),
    t('host.generate-keys'),
    editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [],
  );
}

export function proofWrong({ editor, baseUrl: url }: FindingPlace, received: string): Finding {
  if (received !== url) {
    return found(
      'proof-wrong-address',
      t('host.signature-for-other-address', { editor: editor.name, url, received }),
      t('host.make-proxy-pass-host'),
    );
  }
  return found(
    'proof-wrong-key',
    t('host.signature-doesnt-match-keys', { editor: editor.name }),
    t('host.share-and-keep-keys'),
    editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [],
  );
}

export function proofMalformed({ editor }: FindingPlace): Finding {
  return found(
    'proof-malformed',
    t('host.signature-unreadable', { editor: editor.name }),
    t('host.proxy-may-change-headers'),
  );
}

/** @param skewMs how far the editor's clock is ahead. */
export function clockOff({ editor }: FindingPlace, skewMs: number, isTooFar: boolean): Finding {
  const values = { editor: editor.name, span: spanOf(Math.abs(skewMs)) };
  return found(
    'clock-skew',
    t(skewMs > 0 ? 'host.clock-ahead' : 'host.clock-behind', values),
    t(isTooFar ? 'host.set-clocks-refused' : 'host.set-clocks'),
  );
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
