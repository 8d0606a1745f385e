// `app://doctray/…`: the window's pages, from the list of its files and from nowhere else. Every answer carries the rules
// under which Chromium draws it: nothing from elsewhere, nothing inline, no connection anywhere.

import type { Protocol } from 'electron';
import { readFile } from 'node:fs/promises';
import { appScheme } from './app-address.ts';
import type { AppFiles } from './app-files.ts';

export const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `font-src 'self'`,
  `connect-src 'none'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `object-src 'none'`,
].join('; ');

/** Features of the web platform that no page of ours uses. */
const noFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': noFeatures,
  'Cache-Control': 'no-cache',
};

/** Before `ready`. Neither fetch nor service workers: the pages use neither. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  const privileges = { standard: true, secure: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges }]);
}

/** For `protocol.handle`. Never rejects. */
export function createAppAnswer(files: AppFiles): (request: Request) => Promise<Response> {
  return async ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET is answered here.');
    const file = files.get(url);
    if (file === undefined) return plain(404, 'There is nothing here.');
    try {
      const content = method === 'GET' ? new Uint8Array(await readFile(file.path)) : null;
      return new Response(content, { headers: { ...headers, 'Content-Type': file.contentType } });
    } catch {
      return plain(500, 'This part of DocTray cannot be read. Install it again.');
    }
  };
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } });
}
