// The part of `doctor` about the network: whether the base address for editors reaches this host, what other computers can reach,
// and the certificate. Sends a real request to the base address; another server may answer there.

import type { CallerName } from '../contract/errors.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { isCertificateBroken } from '../contract/attention.ts';
import { t, type MessageKey } from '../contract/messages.ts';
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
    if (probe.tokenlessCallers.length > 0)
      return { check, verdict: 'ok', text: t('host.doctor-address-reaches', { url: address }) };
    const key = status === 421 ? 'host.doctor-host-not-allowed' : 'host.doctor-another-server';
    return { check, verdict: 'failed', text: t(key, { url: address, status }) };
  } catch (error) {
    const code = codeOf(error);
    const key = isTrustFailure(code)
      ? 'host.doctor-certificate-not-trusted'
      : 'host.doctor-address-unreachable';
    return { check, verdict: 'failed', text: t(key, { url: address, code }) };
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
  if (!isOpen && trustedProxies.length === 0) {
    return { check, verdict: 'ok', text: t('host.doctor-only-this-computer') };
  }
  const isPlain = isOpen && tls === 'off';
  const texts = [t(reachableKey(networkApi, networkPages))];
  if (isPlain)
    texts.push(t(by === 'window' ? 'host.doctor-not-encrypted' : 'host.doctor-not-encrypted-terminal'));
  if (trustedProxies.length > 0)
    texts.push(t('host.doctor-trusted-proxies', { proxies: trustedProxies.join(', ') }));
  return { check, verdict: isPlain ? 'note' : 'ok', text: texts.join(' ') };
}

function reachableKey(hasApi: boolean, hasPages: boolean): MessageKey {
  if (hasApi) return hasPages ? 'host.doctor-others-reach-api-and-pages' : 'host.doctor-others-reach-api';
  return hasPages ? 'host.doctor-others-reach-pages' : 'host.doctor-others-reach-wopi';
}

export function checkTls({ tls }: Services): Finding {
  const check = 'tls';
  const state = tls.state();
  const { mode, problem, validUntilMs } = state;
  if (mode === 'off') return { check, verdict: 'note', text: t('host.doctor-tls-off') };
  if (problem !== null)
    return { check, verdict: isCertificateBroken(state) ? 'failed' : 'note', text: problem.message };
  return { check, verdict: 'ok', text: t('host.doctor-tls-on', { day: new Date(validUntilMs ?? 0) }) };
}
