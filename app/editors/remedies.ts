// What the connection test found, in words: what was seen, what to do, and the exact lines for the editor's own
// configuration. Collabora and ONLYOFFICE each have their own names for the same two things: who may be called, and whose
// certificate is believed.

import type { ConnectionStepName } from '../contract/editors.ts';
import type { Editor } from './editor.ts';
import { isLoopbackHost, isPrivateHost } from '../network/addresses.ts';

export interface Finding {
  /** Kebab case; null where nothing is wrong. */
  code: string | null;
  sentence: string;
  remedy: string | null;
  lines: string[];
}

export interface FindingPlace {
  editor: Pick<Editor, 'id' | 'name' | 'kind' | 'url' | 'proofMode'>;
  /** The address the editor is given for this host. */
  baseUrl: string;
}

export function good(sentence: string): Finding {
  return { code: null, sentence, remedy: null, lines: [] };
}

function found(code: string, sentence: string, remedy: string | null, lines: string[] = []): Finding {
  return { code, sentence, remedy, lines };
}

const anotherAddress =
  'Give it another address of this machine (`editors addresses`, then `editors use-address`).';

/** Words for steps that were not come to. */
export const notReached: Record<ConnectionStepName, string> = {
  discovery: 'Its discovery was not read.',
  page: 'Its page was not asked for.',
  callback: 'It was not waited for its call.',
  proof: 'There was no call whose signature could be looked at.',
  clock: 'There was no call that tells its time.',
};

/** The lines that switch WOPI on, where that may be what is missing. */
export function discoveryLines(kind: Editor['kind']): string[] {
  return kind === 'onlyoffice' || kind === 'other'
    ? ['-e WOPI_ENABLED=true', '"wopi": { "enable": true }']
    : [];
}

export function noShownType({ editor }: FindingPlace): Finding {
  return found(
    'no-view-action',
    `${editor.name} names no type of document that it shows.`,
    'Look whether it has started whole; then `editors refresh`.',
  );
}

export function pageRefused({ editor }: FindingPlace, status: number): Finding {
  return found(
    'page-status',
    `The page of ${editor.name} answered ${status}.`,
    status >= 500
      ? 'Look into its log, and into that of a proxy before it.'
      : 'Look into its log for the reason.',
  );
}

export function pageSendsOn({ editor }: FindingPlace, place: string | null): Finding {
  return found(
    'page-redirected',
    `The page of ${editor.name} sends on to ${place ?? 'another address'}.`,
    'A document cannot be opened behind a sign-in: let the addresses below /hosting and its pages through.',
  );
}

/** @param within origin of the page around it; `page` is the address of the editor's own. */
export function pageNotFramed({ editor }: FindingPlace, within: string, page: string): Finding {
  const lines = editor.kind === 'collabora' ? framingLines(within, page) : [];
  return found(
    'page-not-framed',
    `${editor.name} forbids to show its page within ${within}.`,
    lines.length > 0
      ? 'Add the first line to the extra_params of its container, or put the second into <net> of coolwsd.xml.'
      : 'Let its X-Frame-Options or Content-Security-Policy header allow that address; a proxy before it may add them.',
    lines,
  );
}

export function pageMixed({ editor }: FindingPlace, pageOrigin: string): Finding {
  return found(
    'page-mixed',
    `Documents open at ${pageOrigin}, and browsers show no page of ${editor.name} there, since that comes by http.`,
    'Give the editor an address with https, or DocTray one with http.',
  );
}

export function pageFailed({ editor }: FindingPlace, reason: string): Finding {
  return found(
    'page-failed',
    `The page of ${editor.name} could not be shown: ${reason}.`,
    'Try its address in a browser on this machine.',
  );
}

/**
 * What Collabora Online's own check says of the way from it to this host.
 * @returns undefined where it sees nothing wrong, or says something that is not known here
 */
export function collaboraFinding(place: FindingPlace, status: string): Finding | undefined {
  const { baseUrl } = place;
  const { host, hostname } = new URL(baseUrl);
  switch (status) {
    case 'WopiHostNotAllowed':
      return found(
        'host-not-allowed',
        `Collabora Online does not let documents come from ${host}.`,
        'Start its container with the first line; without a container, start it with the second or put the third into <wopi> of coolwsd.xml.',
        allowLines(baseUrl),
      );
    case 'HostNotFound':
      return found(
        'callback-name-not-resolved',
        `Collabora Online does not know the name ${hostname}.`,
        hostname === 'host.docker.internal' ? 'Start its container with this line.' : anotherAddress,
        gatewayLines(hostname),
      );
    case 'ConnectionAborted':
    // What it says of a connection that was refused, too.
    case 'UnspecifiedError':
      return found(
        'callback-refused',
        `Collabora Online could not connect to ${host}.`,
        isLoopbackHost(hostname)
          ? `In a container ${hostname} is the container itself. ${anotherAddress}`
          : `Look whether DocTray listens there (\`editors addresses\`) and whether a firewall is in between.`,
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
          ? `To Collabora Online the certificate of ${host} has expired.`
          : `Collabora Online does not trust the certificate of ${host}.`,
        'Have it trust the authority: put its certificate (`tls save FILE`) into the container and start it with these lines.',
        [
          '-v ./doctray-authority.pem:/etc/coolwsd/doctray-authority.pem:ro',
          '--o:storage.ssl.ca_file_path=/etc/coolwsd/doctray-authority.pem',
        ],
      );
    case 'SslHandshakeFail':
    case 'MissingSsl':
      return found(
        'callback-tls-failed',
        `${host} does not speak TLS with Collabora Online.`,
        'Give it the address with http://, or switch TLS on (setting tls).',
      );
    case 'NotHttps':
      return found(
        'mixed-schemes',
        `Collabora Online speaks plain http, but was given ${baseUrl}: browsers refuse such a mixture.`,
        'Put a proxy with TLS before Collabora Online and start it with this line, or give it an address with http://.',
        ['--o:ssl.termination=true'],
      );
    default:
      return undefined;
  }
}

/** Something answers at the address the editor was given, and it is not this host. */
export function elsewhere({ baseUrl, editor }: FindingPlace, hasAddressList: boolean): Finding {
  const filter = hasAddressList
    ? ' It may also be DocTray that refuses: look at the setting allowedAddresses.'
    : '';
  return found(
    'wrong-public-address',
    `${editor.name} was given ${baseUrl}, but what answers there is not this DocTray.`,
    `Correct the public address (\`editors change ${editor.id} --public-url URL\`, or the setting publicUrl), or have the proxy there lead here.${filter}`,
  );
}

export function notListening({ baseUrl, editor }: FindingPlace): Finding {
  return found(
    'not-listening',
    `DocTray does not listen at ${baseUrl}, which is an address of this machine.`,
    `Choose the address again (\`editors use-address ${editor.id} ${baseUrl}\`): DocTray then listens there.`,
  );
}

export interface Silence {
  /** How long the call was waited for. */
  seconds: number;
  /** The setting allowedAddresses is not empty. */
  hasAddressList: boolean;
  /** Its own check went through. */
  isWayOpen: boolean;
}

/** No call came, and nobody says why: by what is likely. */
export function noCall(place: FindingPlace, { seconds, hasAddressList, isWayOpen }: Silence): Finding {
  const { editor, baseUrl } = place;
  const { hostname } = new URL(baseUrl);
  const waited = `${editor.name} did not call ${baseUrl} within ${seconds} s.`;
  const isHere = isLoopbackHost(new URL(editor.url).hostname);
  if (isLoopbackHost(hostname) && !isHere) {
    return found(
      'address-is-loopback',
      `${waited} To it that address is its own machine, not this one.`,
      anotherAddress,
    );
  }
  const container = isLoopbackHost(hostname)
    ? ` If it runs in a container, ${hostname} is the container itself: ${lowerFirst(anotherAddress)}`
    : '';
  const firewall = isLoopbackHost(hostname) ? '' : ' Look for a firewall in between.';
  const filter = hasAddressList ? ' The setting allowedAddresses may keep it out.' : '';
  const tls = baseUrl.startsWith('https:')
    ? ' It must also trust the certificate there (see the help page Network).'
    : '';
  const log = 'Look into its log for what it says of that address.';
  if (editor.kind === 'onlyoffice' && isPrivateHost(hostname)) {
    return found(
      'private-address-refused',
      `${waited} Some versions of ONLYOFFICE Docs call no private address unless they are told to.`,
      `${log} Where it refuses private addresses, start its container with the first line, or put the second into local.json.${container}${firewall}${filter}${tls}`,
      [
        '-e ALLOW_PRIVATE_IP_ADDRESS=true',
        '"services": { "CoAuthoring": { "request-filtering-agent": { "allowPrivateIPAddress": true } } }',
        ...trustLines(editor.kind, baseUrl),
        ...gatewayLines(hostname),
      ],
    );
  }
  if (isWayOpen) {
    return found(
      'page-does-not-run',
      `${waited} Its own check found the way here.`,
      // That check looks at the name alone, documents are let in by scheme and port as well.
      `Either its list of hosts has ${hostname} with another port (the lines are for this one), or its page does not run: it speaks over a WebSocket, which a proxy before it must pass on. Its log says which.`,
      allowLines(baseUrl),
    );
  }
  return found('no-call', waited, `${log}${container}${firewall}${filter}${tls}`, [
    ...(editor.kind === 'collabora' ? allowLines(baseUrl) : []),
    ...trustLines(editor.kind, baseUrl),
    ...gatewayLines(hostname),
  ]);
}

/** An older Collabora Online, where no window can be shown: nothing was proved and nothing is wrong. */
export function needsBrowser({ editor }: FindingPlace): Finding {
  return found(
    'needs-browser',
    `${editor.name} calls only once its page runs in a browser, and here is none.`,
    'Test it from the window of DocTray, or open a document.',
  );
}

export function addressRefused({ editor }: FindingPlace, clientAddress: string): Finding {
  return found(
    'address-not-allowed',
    `Its call came from ${clientAddress}, which is not among the addresses allowed for ${editor.name}.`,
    'Add that address (`editors change --allow-addresses`).',
  );
}

export function proofMissing({ editor }: FindingPlace, isRequired: boolean): Finding {
  return found(
    'proof-missing',
    `${editor.name} has keys, but did not sign its call.`,
    isRequired
      ? 'Have it sign its calls, or require no signature of it (`editors change --proof if-present`).'
      : 'A proxy in between may drop the headers X-WOPI-Proof and X-WOPI-TimeStamp.',
  );
}

export function noKeys({ editor }: FindingPlace, isRequired: boolean): Finding {
  if (!isRequired) return good(`${editor.name} signs nothing: its discovery has no keys.`);
  return found(
    'proof-no-keys',
    `Signatures are required, but the discovery of ${editor.name} has no keys.`,
    'Make keys for it, or require none (`editors change --proof if-present`).',
    editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [],
  );
}

export function proofWrong({ editor, baseUrl }: FindingPlace, receivedBase: string): Finding {
  if (receivedBase !== baseUrl) {
    return found(
      'proof-wrong-address',
      `The signature is wrong for both addresses: ${editor.name} was given ${baseUrl}, and its call arrived as ${receivedBase}.`,
      'Have the proxy in between pass the host and path on as they are, or add it to the setting trustedProxies; then correct the public address.',
    );
  }
  return found(
    'proof-wrong-key',
    `The signature was not made with the keys in the discovery of ${editor.name}.`,
    'Several servers behind one address need the same keys; so does one that makes new keys at every start.',
    editor.kind === 'collabora' ? ['coolconfig generate-proof-key'] : [],
  );
}

export function proofMalformed({ editor }: FindingPlace): Finding {
  return found(
    'proof-malformed',
    `The signature of ${editor.name} cannot be read.`,
    'A proxy in between may change the headers X-WOPI-Proof, X-WOPI-ProofOld or X-WOPI-TimeStamp.',
  );
}

/** @param skewMs how far the editor's clock is ahead. */
export function clockOff({ editor }: FindingPlace, skewMs: number, isTooFar: boolean): Finding {
  const way = skewMs > 0 ? 'ahead of' : 'behind';
  return found(
    'clock-skew',
    `The clock of ${editor.name} is ${spanOf(Math.abs(skewMs))} ${way} that of this machine.`,
    isTooFar
      ? 'Set both clocks: from 20 minutes on its signatures are refused.'
      : 'Set both clocks, before it becomes 20 minutes and signatures are refused.',
  );
}

function timedOut(who: string, host: string): Finding {
  return found(
    'callback-timed-out',
    `${who} got no answer from ${host} in time.`,
    `A firewall may drop the connection. ${anotherAddress}`,
  );
}

/** For Collabora Online, to whom a host without its port is port 80 or 443. */
function allowLines(baseUrl: string): string[] {
  const url = new URL(baseUrl);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  // It takes the host for a regular expression.
  const address = `${url.protocol}//${url.hostname.replaceAll(/[[\]]/gu, String.raw`\$&`)}:${port}`;
  return [
    `-e "aliasgroup1=${address}"`,
    `--o:storage.wopi.alias_groups[@mode]=groups --o:storage.wopi.alias_groups.group[0].host=${address} --o:storage.wopi.alias_groups.group[0].host[@allow]=true`,
    `<alias_groups mode="groups"><group><host desc="DocTray" allow="true">${address}</host></group></alias_groups>`,
  ];
}

/**
 * For Collabora Online. Its container takes its parameters apart at every space, so the one there has none. A source without a
 * scheme is good for that of its page and for https; the page's script lets in messages of such sources alone, unless
 * the browser itself says who is around it, as Firefox may not.
 */
function framingLines(within: string, page: string): string[] {
  const { host, protocol } = new URL(within);
  const isPlainEnough = protocol === 'https:' || page.startsWith('http:');
  return [
    `--o:net.frame_ancestors=${isPlainEnough ? host : within}`,
    `<content_security_policy>frame-ancestors ${isPlainEnough ? host : `${within} ${host}`};</content_security_policy>`,
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

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
