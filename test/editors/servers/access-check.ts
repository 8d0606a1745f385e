// Collabora's check whether it can reach a host: POST /hosting/wopiAccessCheck with the URL, answered with a status.

import { ask } from './visitor.ts';

export async function checkAccess(callbackUrl: string, authority: string | undefined) {
  if (!URL.canParse(callbackUrl)) return { status: 'WopiHostNotAllowed' };
  try {
    const { status } = await ask(callbackUrl, authority === undefined ? {} : { authority });
    return { status: status === 200 ? 'Ok' : 'NotHttpSuccess' };
  } catch (error) {
    return { status: statusOf((error as NodeJS.ErrnoException).code ?? '') };
  }
}

function statusOf(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'HostNotFound';
  if (/^E(?:CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH)$/u.test(code)) return 'ConnectionAborted';
  if (/CERT|SIGNED|SIGNATURE|ISSUER/u.test(code)) return 'CertificateValidation';
  if (/SSL|TLS/u.test(code)) return 'SslHandshakeFail';
  return 'UnspecifiedError';
}
