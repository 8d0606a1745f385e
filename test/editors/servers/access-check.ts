// Collabora's check whether it can reach a host: POST /hosting/wopiAccessCheck with the URL, answered with a status.

import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';

const limitMs = 5_000;

export async function checkAccess(
  callbackUrl: string,
  authority: string | undefined,
): Promise<{ status: string; details?: string }> {
  const url = URL.parse(callbackUrl);
  if (url === null) return { status: 'WopiHostNotAllowed' };
  return new Promise((resolve) => {
    const trust = authority === undefined ? {} : { ca: authority };
    const get = url.protocol === 'https:' ? httpsGet : httpGet;
    const request = get(url, { agent: false, timeout: limitMs, ...trust }, (response) => {
      response.resume();
      resolve({ status: response.statusCode === 200 ? 'Ok' : 'NotHttpSuccess' });
    });
    request.on('timeout', () =>
      request.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ status: statusOf(error.code ?? ''), details: error.message });
    });
  });
}

function statusOf(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'HostNotFound';
  if (/^E(?:CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH)$/u.test(code)) return 'ConnectionAborted';
  if (code === 'ETIMEDOUT') return 'Timeout';
  if (/CERT|SIGNED|SIGNATURE|ISSUER/u.test(code)) return 'CertificateValidation';
  if (/SSL|TLS/u.test(code)) return 'SslHandshakeFail';
  return 'UnspecifiedError';
}
