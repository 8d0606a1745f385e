// The part of `doctor` about the network: whether the base address for editors reaches this host, what other computers can reach,
// and the certificate. Sends a real request to the base address; another server may answer there.

import type { CallerName } from '../contract/errors.ts';
import { isLoopbackHost } from '../network/addresses.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import { codeOf, type Finding } from './finding.ts';

const addressTimeoutMs = 5000;
/** DocTray's own answer is shorter. */
const maxAnswerLength = 64 * 1024;

export async function checkAddress({ tls }: Services, host: RunningHost | undefined): Promise<Finding> {
  const check = 'address';
  if (host === undefined) {
    return { check, verdict: 'note', text: 'Not tested: DocTray isn’t running with this data folder.' };
  }
  const address = host.publicUrl();
  try {
    // This computer doesn't have to trust the local authority; only editors do.
    const { mode } = tls.state();
    const authority = mode === 'local-authority' ? await tls.authorityCertificate() : undefined;
    const { status, body } = await requestProfile(address, authority);
    const isOurs =
      (status === 401 && body.includes('"statusCode":401')) ||
      (status === 403 && body.includes('"network-closed"'));
    if (isOurs) return { check, verdict: 'ok', text: `${address} reaches this DocTray.` };
    const advice = status === 421 ? ' Add its name to the setting allowedHosts.' : '';
    return { check, verdict: 'failed', text: `${address} responds with status ${status}.${advice}` };
  } catch (error) {
    const code = codeOf(error);
    const text = isTrustFailure(code)
      ? `This computer doesn’t trust the certificate at ${address} (${code}). Editors must trust it.`
      : `${address} can’t be reached from this computer (${code}).`;
    return { check, verdict: 'failed', text };
  }
}

/** Without a token, so that a DocTray refuses it; the refusal identifies DocTray. */
async function requestProfile(
  address: string,
  authority: string | undefined,
): Promise<{ status: number; body: string }> {
  const { get } = await (address.startsWith('https:') ? import('node:https') : import('node:http'));
  const { rootCertificates } = await import('node:tls');
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(addressTimeoutMs),
      ...(authority !== undefined && { ca: [...rootCertificates, authority] }),
    };
    get(`${address}/api/2.0/people/@self.json`, options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
        if (body.length > maxAnswerLength) response.destroy();
      });
      response.on('error', reject);
      response.once('close', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}

function isTrustFailure(code: string): boolean {
  return /^(?:CERT_|ERR_TLS_CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:GET_ISSUER|VERIFY))/u.test(code);
}

/** What other computers can reach. */
export function checkNetwork({ settings }: Services, host: RunningHost | undefined, by: CallerName): Finding {
  const check = 'network';
  const { networkApi, networkPages, tls, trustedProxies, ...current } = settings.current();
  const isOpen =
    host === undefined
      ? !isLoopbackHost(current.host)
      : host.addresses().some(({ isListening, kind }) => isListening && kind === 'interface');
  const proxies = trustedProxies.length === 0 ? '' : ` Trusted proxies: ${trustedProxies.join(', ')}.`;
  if (!isOpen && proxies === '') {
    return { check, verdict: 'ok', text: 'Only this computer can reach DocTray.' };
  }
  const answers = `Other computers can reach /wopi (for editors) and ${networkApi ? (networkPages ? 'the JSON API and the pages' : 'the JSON API') : networkPages ? 'the pages' : 'nothing else'}.`;
  const isPlain = isOpen && tls === 'off';
  const remedy = by === 'window' ? 'Turn on HTTPS in Settings.' : '`tls authority` switches HTTPS on.';
  const plain = isPlain ? ` The connection isn’t encrypted. ${remedy}` : '';
  return { check, verdict: isPlain ? 'note' : 'ok', text: answers + plain + proxies };
}

export function checkTls({ tls }: Services): Finding {
  const check = 'tls';
  const { mode, problem, validUntilMs } = tls.state();
  if (mode === 'off') return { check, verdict: 'ok', text: 'HTTPS is off.' };
  if (problem !== null) {
    const isServed = validUntilMs !== null && problem.code !== 'certificate-expired';
    return { check, verdict: isServed ? 'note' : 'failed', text: problem.message };
  }
  const until = new Date(validUntilMs ?? 0).toISOString().slice(0, 10);
  return {
    check,
    verdict: 'ok',
    text: `HTTPS is on. The certificate expires on ${until}.`,
  };
}
