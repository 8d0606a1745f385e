// `app://doctray/…`: the window's pages and the session they live in. The files are listed once; an address is looked up in that
// list and never turned into a path, so no spelling of it leads out of the folder. Every response carries the rules under which
// Chromium renders it: nothing from elsewhere, nothing inline, no connection to anywhere.

import type { Protocol, Session } from 'electron';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { t } from '../contract/messages.ts';

const scheme = 'app';
/** As Chromium writes it: the origin of a standard scheme is scheme and host. */
export const appOrigin = 'app://doctray';
export const appPage = `${appOrigin}/index.html`;

interface AppFile {
  path: string;
  contentType: string;
}

/** By complete address, such as `app://doctray/assets/main.js`. */
export type AppFiles = ReadonlyMap<string, AppFile>;

/** What a page consists of. Nothing else in the folder is served. */
const contentTypes: Partial<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** Names that need no encoding in an address; others would have several spellings. */
const plainName = /^[\w.-]+$/;

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
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ');

/** Features of the web platform that the app's pages don't use. */
const disabledFeatures =
  'accelerometer camera display-capture geolocation gyroscope hid idle-detection local-fonts magnetometer microphone midi payment ' +
  'publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking';

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': disabledFeatures.replaceAll(/\S+/gu, '$&=()').replaceAll(' ', ', '),
  'Cache-Control': 'no-cache',
};

/** Before `ready`. The pages use neither fetch nor service workers, so the scheme supports neither. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  const privileges = { standard: true, secure: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }]);
}

/** After `ready`. Not Electron's default session, so that nothing else shares the window's storage or its rules. */
export function openAppSession(fromPartition: (partition: string) => Session, files: AppFiles): Session {
  const session = fromPartition('persist:window');
  session.protocol.handle(scheme, createAppAnswer(files));
  return session;
}

export async function listAppFiles(folder: string): Promise<AppFiles> {
  const files = new Map<string, AppFile>();
  await addFolder(files, folder, `${appOrigin}/`);
  return files;
}

async function addFolder(files: Map<string, AppFile>, folder: string, address: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const contentType = contentTypes[extname(entry.name)];
    if (!plainName.test(entry.name)) continue;
    // A symbolic link is neither a directory nor a file here, wherever it leads.
    if (entry.isDirectory()) await addFolder(files, path, `${address}${entry.name}/`);
    else if (entry.isFile() && contentType !== undefined)
      files.set(address + entry.name, { path, contentType });
  }
}

/** For `protocol.handle`. Never rejects. */
export function createAppAnswer(files: AppFiles): (request: Request) => Promise<Response> {
  return async ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Only GET is supported.');
    const file = files.get(url);
    if (file === undefined) return plain(404, 'Not found.');
    try {
      const content = method === 'GET' ? new Uint8Array(await readFile(file.path)) : null;
      return new Response(content, { headers: { ...headers, 'Content-Type': file.contentType } });
    } catch {
      return plain(500, t('desktop.part-cant-be-read'));
    }
  };
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } });
}
