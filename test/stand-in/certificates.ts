// Certificate errors of a page, judged by its session's certificate verify procedure. Chromium's protocol reports only the address, so the
// certificate is read with a connection of our own.

import type { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import type { StandInSession } from './session.ts';

type Request = Parameters<NonNullable<StandInSession['certificateVerify']>>[0];

/** @returns what `Security.handleCertificateError` expects */
export async function judgeCertificate(
  { certificateVerify }: StandInSession,
  { requestURL, errorType }: { requestURL: string; errorType: string },
): Promise<'continue' | 'cancel'> {
  if (certificateVerify === null) return 'cancel';
  const { hostname, port } = new URL(requestURL);
  const presented = await presentedCertificate(hostname, port === '' ? 443 : Number(port));
  const certificate = { data: presented.toString() } as Request['certificate'];
  const request = { hostname, certificate, verificationResult: errorType, errorCode: -202 };
  return new Promise((resolve) => {
    certificateVerify(request as Request, (result) => resolve(result === 0 ? 'continue' : 'cancel'));
  });
}

function presentedCertificate(host: string, port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}
