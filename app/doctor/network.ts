// The part of `doctor` about the network: whether the base address for editors reaches this host, what other computers can reach,
// and the certificate. Sends a real request to the base address; another server may answer there.

import type { CallerName } from '../contract/errors.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import { codeOf, notTested, type Finding } from './finding.ts';

const addressTimeoutMs = 5000;

export async function checkAddress(
  { tls }: Services,
  host: RunningHost | undefined,
  by: CallerName,
): Promise<Finding> {
  const check = 'address';
  if (host === undefined) return notTested(check, by);
  const address = host.publicUrl();
  const probe = host.probes.begin('', 'txt');
  try {
    // This computer doesn't have to trust the local authority; only editors do.
    const { mode } = tls.state();
    const authority = mode === 'local-authority' ? await tls.authorityCertificate() : undefined;
    const status = await statusOf(`${address}/wopi/files/${probe.fileId}`, authority);
    if (probe.tokenlessCallers().length > 0)
      return { check, verdict: 'ok', text: `${address} reaches this DocTray.` };
    const advice =
      status === 421 ? 'Add its name to the setting allowedHosts.' : 'Another server may be running there.';
    return { check, verdict: 'failed', text: `${address} responds with status ${status}. ${advice}` };
  } catch (error) {
    const code = codeOf(error);
    const text = isTrustFailure(code)
      ? `This computer doesn’t trust the certificate at ${address} (${code}). Editors must trust it.`
      : `${address} can’t be reached from this computer (${code}).`;
    return { check, verdict: 'failed', text };
  } finally {
    probe.end();
  }
}

async function statusOf(url: string, authority: string | undefined): Promise<number> {
  const { get } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const { rootCertificates } = await import('node:tls');
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(addressTimeoutMs),
      ...(authority !== undefined && { ca: [...rootCertificates, authority] }),
    };
    get(url, options, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
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
  if (mode === 'off') return { check, verdict: 'note', text: 'HTTPS is off.' };
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
