// The built app for a security test: its page, its main process, and a web server at another origin, which must get no requests.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { buildApp, projectRoot } from '../e2e/running-app.ts';
import { sharedInGroup } from '../group.ts';
import { launchElectron } from '../stand-in/launch.ts';

export interface SecuredApp {
  app: ElectronApplication;
  page: Page;
  /** The origin of a server that isn't the host: `http://127.0.0.1:…`. */
  otherOrigin: string;
  /** Method and path of every request to that server, in order. */
  requests: string[];
  /** The app's standard error. */
  log(): string;
  dataDir: string;
  close(): Promise<void>;
}

/** One app for all files of a process. Every file leaves one window with the app's page. */
export const startSecuredApp = sharedInGroup(async (): Promise<SecuredApp> => {
  await buildApp();
  const root = await mkdtemp(join(tmpdir(), 'doctray-security-'));
  const dataDir = join(root, 'data');
  const folder = join(root, 'documents');
  await mkdir(folder);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const isRedirect = request.url === '/redirect';
    response.writeHead(isRedirect ? 302 : 200, {
      'Content-Type': 'text/html',
      'Access-Control-Allow-Origin': '*',
      ...(isRedirect && { Location: '/arrived' }),
    });
    response.end('<title>elsewhere</title>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const app = await launchElectron({
    appDir: projectRoot,
    args: [`--data=${dataDir}`, `--folder=${folder}`, '--port=0'],
    env: {
      DBUS_SESSION_BUS_ADDRESS: '',
      DOCTRAY_TRAY: 'off',
      DOCTRAY_OWNER_PASSWORD: 'a password for tests',
    },
  });
  let output = '';
  app.process().stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  async function close(): Promise<void> {
    await app.close();
    server.closeAllConnections();
    server.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
  try {
    const page = await app.firstWindow();
    await page.waitForFunction(
      () => document.readyState === 'complete' && document.querySelector('#root') !== null,
    );
    const { port } = server.address() as AddressInfo;
    return {
      app,
      page,
      otherOrigin: `http://127.0.0.1:${port}`,
      requests,
      log: () => output,
      dataDir,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
});

/** Waits long enough for an unwanted request to arrive. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
}
