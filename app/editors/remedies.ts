// The connection test's findings as text: what was found, what to do, and the exact lines for the editor's own configuration.
// Collabora and ONLYOFFICE each have their own names for the same two things: who may be called, and whose certificate is
// trusted. Commands and settings of the terminal are in parentheses, which the window leaves out.

import type { ConnectionStepName } from '../contract/editors.ts';
import type { Editor } from './editor.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { isPrivateHost } from '../network/addresses.ts';

export interface Finding {
  /** Kebab case; null if nothing is wrong. */
  code: string | null;
  sentence: string;
  remedy: string | null;
  lines: string[];
}

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

const anotherAddress =
  'Give it another address of this computer (`editors addresses`, then `editors use-address`).';

/** Sentences for steps that didn't run. */
export const notReached: Record<ConnectionStepName, string> = {
  discovery: 'Its discovery document wasn’t read.',
  page: 'Its page wasn’t requested.',
  callback: 'Not tested.',
  proof: 'There was no call with a signature to check.',
  clock: 'There was no call with a timestamp.',
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
    `${editor.name} lists no type of document it can show.`,
    'Wait until it has started completely, then read its discovery document again (`editors refresh`).',
  );
}

export function pageRefused({ editor }: FindingPlace, status: number): Finding {
  return found(
    'page-status',
    `The page of ${editor.name} answered ${status}.`,
    status >= 500
      ? 'Check its log, and the log of any proxy in front of it.'
      : 'Check its log for the reason.',
  );
}

export function pageRedirected({ editor }: FindingPlace, place: string | null): Finding {
  return found(
    'page-redirected',
    `The page of ${editor.name} redirects to ${place ?? 'another address'}.`,
    'Documents can’t be opened behind a sign-in page. Allow access to /hosting and to its pages without one.',
  );
}

/** @param within origin of the page around it; `page` is the URL of the editor's own. */
export function pageNotFramed({ editor }: FindingPlace, within: string, page: string): Finding {
  const lines = editor.kind === 'collabora' ? framingLines(within, page) : [];
  return found(
    'page-not-framed',
    `${editor.name} doesn’t allow ${within} to show its page in a frame.`,
    lines.length > 0
      ? 'Add the first line to the extra_params of its container, or put the second one into <net> in coolwsd.xml.'
      : 'Allow that address in its X-Frame-Options or Content-Security-Policy header. A proxy in front of it may add these.',
    lines,
  );
}

export function pageMixed({ editor }: FindingPlace, pageOrigin: string): Finding {
  return found(
    'page-mixed',
    `Documents open at ${pageOrigin}, and browsers don’t show the page of ${editor.name} there because it uses HTTP.`,
    'Use HTTPS for the editor, or HTTP for DocTray.',
  );
}

export function pageFailed({ editor }: FindingPlace, reason: string): Finding {
  return found(
    'page-failed',
    `The page of ${editor.name} couldn’t be shown: ${reason}.`,
    'Try its address in a browser on this computer.',
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
        `Collabora Online doesn’t accept documents from ${host}.`,
        'Start its container with the first line. Without a container, start it with the second line, or put the third one into <wopi> in coolwsd.xml.',
        allowLines(baseUrl),
      );
    case 'HostNotFound':
      return found(
        'callback-name-not-resolved',
        `Collabora Online can’t resolve the name ${hostname}.`,
        hostname === 'host.docker.internal' ? 'Start its container with this line.' : anotherAddress,
        gatewayLines(hostname),
      );
    case 'ConnectionAborted':
    // Also its result for a refused connection.
    case 'UnspecifiedError':
      return found(
        'callback-refused',
        `Collabora Online couldn’t connect to ${host}.`,
        isLoopbackHost(hostname)
          ? `In a container, ${hostname} is the container itself. ${anotherAddress}`
          : `Check that DocTray listens there (\`editors addresses\`), and that no firewall blocks it.`,
        [],
      );
    case 'Timeout':
      return timedOut('Collabora Online', host);
    case 'CertificateValidation':
    case 'SelfSignedCertificate':
    case 'ExpiredCertificate':
      return found(
        'callback-tls-not-trusted',
        status === 'ExpiredCertificate'
          ? `The certificate of ${host} has expired, according to Collabora Online.`
          : `Collabora Online doesn’t trust the certificate of ${host}.`,
        'Make it trust the authority: save the certificate (`tls save FILE`) and start the container with these lines.',
        [
          '-v ./doctray-authority.pem:/etc/coolwsd/doctray-authority.pem:ro',
          '--o:storage.ssl.ca_file_path=/etc/coolwsd/doctray-authority.pem',
        ],
      );
    case 'SslHandshakeFail':
    case 'MissingSsl':
      return found(
        'callback-tls-failed',
        `${host} doesn’t support HTTPS for Collabora Online.`,
        'Give it the address with http://, or switch HTTPS on (setting `tls`).',
      );
    case 'NotHttps':
      return found(
        'mixed-schemes',
        `Collabora Online uses HTTP, but its address for DocTray is ${baseUrl}. Browsers block that mix.`,
        'Put an HTTPS proxy in front of Collabora Online and start it with this line, or give it an address with http://.',
        ['--o:ssl.termination=true'],
      );
    default:
      return undefined;
  }
}

/** Another server responds at the editor's base address. */
export function elsewhere({ baseUrl, editor }: FindingPlace, hasAddressList: boolean): Finding {
  const filter = hasAddressList
    ? ' Or DocTray itself blocks the call: check the allowed addresses (setting `allowedAddresses`).'
    : '';
  return found(
    'wrong-public-address',
    `${editor.name} uses ${baseUrl} to reach DocTray, but another server responds there.`,
    `Correct the public address (\`editors change ${editor.id} --public-url URL\`, or the setting \`publicUrl\`), or make the proxy there forward to DocTray.${filter}`,
  );
}

export function notListening({ baseUrl, editor }: FindingPlace): Finding {
  return found(
    'not-listening',
    `DocTray doesn’t listen at ${baseUrl}, an address of this computer.`,
    `Choose the address again (\`editors use-address ${editor.id} ${baseUrl}\`), and DocTray will listen there.`,
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
  const waited = `${editor.name} didn’t call ${baseUrl} within ${seconds} s.`;
  const isHere = isLoopbackHost(new URL(editor.url).hostname);
  if (isLoopbackHost(hostname) && !isHere) {
    return found(
      'address-is-loopback',
      `${waited} For the editor, that address is the computer it runs on, not this one.`,
      anotherAddress,
    );
  }
  const container = isLoopbackHost(hostname)
    ? ` If it runs in a container, ${hostname} is the container itself. ${anotherAddress}`
    : '';
  const firewall = isLoopbackHost(hostname) ? '' : ' Check that no firewall blocks it.';
  const filter = hasAddressList ? ' The allowed addresses (setting `allowedAddresses`) may block it.' : '';
  const tls = baseUrl.startsWith('https:')
    ? ' It must also trust the certificate there (see the help page Network).'
    : '';
  const log = 'Check its log for that address.';
  if (editor.kind === 'onlyoffice' && isPrivateHost(hostname)) {
    return found(
      'private-address-refused',
      `${waited} Some versions of ONLYOFFICE Docs don’t call private addresses by default.`,
      `${log} If it refuses private addresses, start its container with the first line, or put the second one into local.json.${container}${firewall}${filter}${tls}`,
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
      `${waited} Its own connection check reached DocTray.`,
      // That check compares only the name; documents are allowed by scheme and port too.
      `Either its list of hosts has ${hostname} with another port (these lines have the right one), or a proxy in front of it doesn’t pass on its WebSocket. Its log shows which.`,
      allowLines(baseUrl),
    );
  }
  return found('no-call', waited, `${log}${container}${firewall}${filter}${tls}`, [
    ...(editor.kind === 'collabora' ? allowLines(baseUrl) : []),
    ...trustLines(editor.kind, baseUrl),
    ...gatewayLines(hostname),
  ]);
}

/** An older Collabora Online, without a window: nothing was proved and nothing is wrong. */
export function needsBrowser({ editor }: FindingPlace): Finding {
  return found(
    'needs-browser',
    `${editor.name} calls DocTray only when its page runs in a browser, and the terminal has none.`,
    'Test it in the DocTray window, or open a document.',
  );
}

export function addressRefused({ editor }: FindingPlace, clientAddress: string): Finding {
  return found(
    'address-not-allowed',
    `It called DocTray from ${clientAddress}, which isn’t an allowed address of ${editor.name}.`,
    'Add that address (`editors change --allow-addresses`).',
  );
}

export function proofMissing({ editor }: FindingPlace, isRequired: boolean): Finding {
  return found(
    'proof-missing',
    `${editor.name} has keys, but didn’t sign its call.`,
    isRequired
      ? 'Make it sign its calls, or don’t require signatures (`editors change --proof if-present`).'
      : 'A proxy may have removed the headers X-WOPI-Proof and X-WOPI-TimeStamp.',
  );
}

export function noKeys({ editor }: FindingPlace, isRequired: boolean): Finding {
  if (!isRequired) return good(`${editor.name} doesn’t sign its calls. Its discovery document has no keys.`);
  return found(
    'proof-no-keys',
    `Signatures are required, but the discovery document of ${editor.name} has no keys.`,
    'Generate keys for it, or don’t require signatures (`editors change --proof if-present`).',
    editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [],
  );
}

export function proofWrong({ editor, baseUrl }: FindingPlace, receivedBase: string): Finding {
  if (receivedBase !== baseUrl) {
    return found(
      'proof-wrong-address',
      `The signature is invalid: ${editor.name} should call ${baseUrl}, and its call arrived for ${receivedBase}.`,
      'Make the proxy pass on host and path unchanged, or add it to the trusted proxies (setting `trustedProxies`) and correct the public address.',
    );
  }
  return found(
    'proof-wrong-key',
    `The signature doesn’t match the keys in the discovery document of ${editor.name}.`,
    'Servers behind one address must share their keys, and a server must keep its keys when it restarts.',
    editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [],
  );
}

export function proofMalformed({ editor }: FindingPlace): Finding {
  return found(
    'proof-malformed',
    `The signature of ${editor.name} can’t be read.`,
    'A proxy may have changed the headers X-WOPI-Proof, X-WOPI-ProofOld or X-WOPI-TimeStamp.',
  );
}

/** @param skewMs how far the editor's clock is ahead. */
export function clockOff({ editor }: FindingPlace, skewMs: number, isTooFar: boolean): Finding {
  return found(
    'clock-skew',
    `The clock of ${editor.name} is ${spanOf(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this computer’s.`,
    isTooFar
      ? 'Set both clocks. DocTray refuses signatures if they are 20 min or more apart.'
      : 'Set both clocks. If they drift 20 min apart, DocTray refuses signatures.',
  );
}

function timedOut(who: string, host: string): Finding {
  return found(
    'callback-timed-out',
    `${who} got no response from ${host} in time.`,
    `A firewall may block the connection. ${anotherAddress}`,
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
