// The app's own schemes and their policy, and what guards navigation, redirects, popups, permissions and web requests. Runs on the
// stand-in and, with ELECTRON=real, on Electron.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';

import { openFixtureApp } from './fixture-app.ts';
import type { FixtureApp, FixtureGlobals } from './fixture-app.ts';
import type { StandInHooks } from './hooks.ts';
import { isRealElectron } from './launch.ts';

interface PageGlobals {
  scriptRan?: boolean;
  location: { href: string };
  fetch: typeof fetch;
  open(url: string, target?: string, features?: string): unknown;
  document: {
    createElement(name: string): Record<string, unknown>;
    body: { append(node: object): void };
    querySelector(text: string): { click(): void };
    addEventListener(name: string, listener: (event: { violatedDirective: string }) => void): void;
  };
  Notification: { requestPermission(): Promise<string> };
  navigator: {
    geolocation: { getCurrentPosition(done: () => void, failed: (error: { code: number }) => void): void };
  };
}

describe('addresses and guards', { timeout: 60_000 }, () => {
  let opened: FixtureApp;
  before(async () => {
    opened = await openFixtureApp({ needsWholeChromium: true });
  });
  after(() => opened.close());
  beforeEach(() => opened.goHome());

  /** The URLs that the protocol handler got since the last call. */
  const heard = (): Promise<string[]> =>
    opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.heard.splice(0).map((item) => item.url),
    );

  const download = (name: string): Promise<void> =>
    opened.page.evaluate((fileName) => {
      const { document } = globalThis as unknown as PageGlobals;
      const link = document.createElement('a') as unknown as { click(): void };
      Object.assign(link, { href: URL.createObjectURL(new Blob(['a,b'])), download: fileName });
      link.click();
    }, name);

  it('registers privileged schemes only before ready', async () => {
    const text = await opened.application.evaluate(({ protocol }) => {
      try {
        protocol.registerSchemesAsPrivileged([{ scheme: 'late' }]);
        return 'fine';
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.match(text, /should be called before app is ready/);
  });

  it('rejects a second handler of a scheme, and accepts one after unhandle', async () => {
    const seen = await opened.application.evaluate(({ protocol, session }) => {
      const failing = (task: () => void): boolean => {
        try {
          task();
          return false;
        } catch {
          return true;
        }
      };
      const own = session.fromPartition('other').protocol;
      const list = [failing(() => protocol.handle('app', () => new Response('')))];
      own.handle('app', () => new Response('other'));
      list.push(own.isProtocolHandled('app'));
      own.unhandle('app');
      list.push(own.isProtocolHandled('app'), protocol.isProtocolHandled('app'));
      return list;
    });
    assert.deepEqual(seen, [true, true, false, true]);
  });

  it('passes method, headers and body to the handler, and status and body to the page', async () => {
    const seen = await opened.page.evaluate(async () => {
      const { fetch } = globalThis as unknown as PageGlobals;
      const echo = await fetch('/echo?a=1', { method: 'POST', body: 'größe', headers: { 'x-own': 'yes' } });
      const teapot = await fetch('/teapot');
      const missing = await fetch('/missing');
      return {
        echo: (await echo.json()) as unknown,
        teapot: [teapot.status, await teapot.text()],
        missing: missing.status,
      };
    });
    assert.deepEqual(seen, {
      echo: { url: 'app://fixture/echo?a=1', method: 'POST', body: 'größe', own: 'yes' },
      teapot: [418, 'short and stout'],
      missing: 404,
    });
  });

  it('passes URLs to the handler as Chromium normalizes them', async () => {
    await heard();
    await opened.page.evaluate(async () => {
      const { fetch } = globalThis as unknown as PageGlobals;
      for (const path of [
        '/../../etc/passwd',
        '/%2e%2e/%2e%2e/etc/passwd',
        '/..%2f..%2fetc%2fpasswd',
        '/a/%2e%2e%2fb',
        '//etc/passwd',
        '/a\\..\\..\\etc',
        '/x%00y',
      ]) {
        await fetch(new URL(`app://fixture${path}`, 'app://fixture/').href);
      }
    });
    assert.deepEqual(await heard(), [
      'app://fixture/etc/passwd',
      'app://fixture/etc/passwd',
      'app://fixture/..%2f..%2fetc%2fpasswd',
      'app://fixture/a/%2e%2e%2fb',
      'app://fixture//etc/passwd',
      'app://fixture/etc',
      'app://fixture/x%00y',
    ]);
  });

  it("applies the handler's Content-Security-Policy", async () => {
    const seen = await opened.page.evaluate(async () => {
      const page = globalThis as unknown as PageGlobals;
      const broken: string[] = [];
      page.document.addEventListener(
        'securitypolicyviolation',
        (event) => void broken.push(event.violatedDirective),
      );
      const script = page.document.createElement('script');
      script['textContent'] = 'globalThis.inlineRan = true';
      page.document.body.append(script);
      const outside = await page.fetch('https://example.invalid/').then(
        () => 'fetched',
        () => 'blocked',
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { own: page.scriptRan, inline: 'inlineRan' in globalThis, outside, broken };
    });
    assert.deepEqual(
      { ...seen, broken: seen.broken.length >= 2 },
      { own: true, inline: false, outside: 'blocked', broken: true },
    );
  });

  it('reports the app’s URL to the app', async () => {
    const seen = await opened.application.evaluate(() => {
      const { webContents } = (globalThis as unknown as FixtureGlobals).fixtureApp.window;
      return [webContents.getURL(), webContents.mainFrame.url, webContents.mainFrame.origin];
    });
    assert.deepEqual(seen, ['app://fixture/index.html', 'app://fixture/index.html', 'app://fixture']);
    assert.equal(opened.page.url(), 'app://fixture/index.html');
  });

  it('emits will-navigate for a link and a script, and doesn’t navigate when prevented', async () => {
    await opened.application.evaluate(() => {
      const { fixtureApp } = globalThis as unknown as FixtureGlobals;
      const asked: unknown[] = [];
      Object.assign(globalThis, { asked });
      fixtureApp.window.webContents.on('will-navigate', (event, url) => {
        asked.push([url, event.url, event.isMainFrame, event.initiator?.url]);
        event.preventDefault();
      });
    });
    await opened.page.evaluate(() =>
      (globalThis as unknown as PageGlobals).document.querySelector('#next').click(),
    );
    await opened.page.evaluate(() => {
      (globalThis as unknown as PageGlobals).location.href = 'https://example.invalid/evil';
    });
    await opened.page.waitForTimeout(150);
    const asked = await opened.application.evaluate(
      () => (globalThis as unknown as { asked: unknown[] }).asked,
    );
    assert.deepEqual(asked, [
      ['app://fixture/next.html', 'app://fixture/next.html', true, 'app://fixture/index.html'],
      ['https://example.invalid/evil', 'https://example.invalid/evil', true, 'app://fixture/index.html'],
    ]);
    assert.equal(opened.page.url(), 'app://fixture/index.html');
    assert.equal(await opened.page.evaluate(() => (globalThis as unknown as PageGlobals).scriptRan), true);
  });

  it('navigates unless prevented, and doesn’t emit will-navigate for loads by the app', async () => {
    await opened.application.evaluate(() => {
      const asked: unknown[] = [];
      Object.assign(globalThis, { asked });
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.webContents.on(
        'will-navigate',
        (_event, url) => void asked.push(url),
      );
    });
    await opened.page.getByRole('link', { name: 'next' }).click();
    await opened.page.getByRole('heading', { name: 'Next' }).waitFor();
    await opened.application.evaluate(() =>
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.loadURL('app://fixture/index.html'),
    );
    const asked = await opened.application.evaluate(
      () => (globalThis as unknown as { asked: unknown[] }).asked,
    );
    assert.deepEqual(asked, ['app://fixture/next.html']);
  });

  it('emits will-frame-navigate for a subframe', async () => {
    await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      await window.loadURL('app://fixture/frames.html');
      const asked = new Promise((resolve) => {
        window.webContents.on('will-frame-navigate', (event) => {
          event.preventDefault();
          resolve([event.url, event.isMainFrame, event.frame?.name]);
        });
      });
      Object.assign(globalThis, { asked });
    });
    const element = await opened.page.waitForSelector('iframe[name="inner"]', { state: 'attached' });
    const inner = (await element.contentFrame())!;
    await inner.evaluate(() => {
      (globalThis as unknown as PageGlobals).location.href = '/index.html';
    });
    const asked = await opened.application.evaluate(
      () => (globalThis as unknown as { asked: Promise<unknown> }).asked,
    );
    assert.deepEqual(asked, ['app://fixture/index.html', false, 'inner']);
    assert.equal(inner.url(), 'app://fixture/next.html');
  });

  it('follows a redirect of the handler unless will-redirect is prevented', async () => {
    const seen = await opened.application.evaluate(async () => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      await window.loadURL('app://fixture/redirect');
      const followed = window.webContents.getURL();
      let asked = '';
      window.webContents.on('will-redirect', (event, url) => {
        asked = url;
        event.preventDefault();
      });
      await window.loadURL('app://fixture/index.html');
      const stopped = await window.loadURL('app://fixture/redirect').then(
        () => 'loaded',
        (error: unknown) => (error as { code: string }).code,
      );
      return { followed, asked, stopped };
    });
    assert.deepEqual(seen, {
      followed: 'app://fixture/next.html',
      asked: 'app://fixture/next.html',
      stopped: 'ERR_ABORTED',
    });
  });

  it('opens no popup that the handler denies, from a script or a link', async () => {
    await opened.application.evaluate(() => {
      const asked: unknown[] = [];
      Object.assign(globalThis, { asked });
      (globalThis as unknown as FixtureGlobals).fixtureApp.window.webContents.setWindowOpenHandler(
        (details) => {
          asked.push(details.url);
          return { action: 'deny' };
        },
      );
    });
    const answer = await opened.page.evaluate(
      () => (globalThis as unknown as PageGlobals).open('https://example.invalid/one') === null,
    );
    assert.equal(answer, true);
    await opened.page.locator('#blank').click();
    await opened.page.waitForTimeout(300);
    const asked = await opened.application.evaluate(
      () => (globalThis as unknown as { asked: unknown[] }).asked,
    );
    assert.deepEqual(asked, ['https://example.invalid/one', 'https://example.invalid/']);
    assert.equal(opened.application.windows().length, 1);
    assert.equal(
      await opened.application.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length),
      1,
    );
  });

  it('opens a popup that the handler allows, as a window with its options', async () => {
    await opened.application.evaluate(() => {
      const { webContents } = (globalThis as unknown as FixtureGlobals).fixtureApp.window;
      webContents.setWindowOpenHandler(() => ({
        action: 'allow',
        overrideBrowserWindowOptions: { width: 320, height: 200, show: false },
      }));
      const created = new Promise((resolve) =>
        webContents.once('did-create-window', (window, details) =>
          resolve([window.getBounds().width, details.url]),
        ),
      );
      Object.assign(globalThis, { created });
    });
    const [popup] = await Promise.all([
      opened.application.waitForEvent('window'),
      opened.page.evaluate(
        () => (globalThis as unknown as PageGlobals).open('app://fixture/next.html', 'side') !== null,
      ),
    ]);
    await popup.getByRole('heading', { name: 'Next' }).waitFor();
    const created = await opened.application.evaluate(
      () => (globalThis as unknown as { created: Promise<unknown> }).created,
    );
    assert.deepEqual(created, [320, 'app://fixture/next.html']);
    await popup.close();
    assert.equal(opened.application.windows().length, 1);
  });

  it("asks the app's permission handlers, and gives the page their result", async () => {
    await opened.application.evaluate(({ session }) => {
      const asked: string[] = [];
      Object.assign(globalThis, { asked });
      session.defaultSession.setPermissionCheckHandler(() => true);
      session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
        asked.push(`${permission} ${new URL(details.requestingUrl).host}`);
        answer(false);
      });
    });
    const seen = await opened.page.evaluate(async () => {
      const page = globalThis as unknown as PageGlobals;
      const code = await new Promise((resolve) =>
        page.navigator.geolocation.getCurrentPosition(
          () => resolve('found'),
          (error) => resolve(error.code),
        ),
      );
      return [await page.Notification.requestPermission(), code];
    });
    assert.deepEqual(seen, ['denied', 1]);
    const asked = await opened.application.evaluate(
      () => (globalThis as unknown as { asked: string[] }).asked,
    );
    assert.deepEqual([...new Set(asked)].toSorted(), ['geolocation fixture', 'notifications fixture']);
  });

  it('observes and cancels requests with webRequest', async () => {
    const seen = await opened.application.evaluate(async ({ session }) => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const urls: string[] = [];
      session.defaultSession.webRequest.onBeforeRequest((details, answer) => {
        urls.push(`${details.resourceType} ${details.url}`);
        answer({ cancel: details.url.startsWith('https:') });
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const code = await window.loadURL('https://example.invalid/').then(
        () => 'loaded',
        (error: unknown) => (error as { code: string }).code,
      );
      session.defaultSession.webRequest.onBeforeRequest(null);
      return { urls, code };
    });
    assert.deepEqual(seen, { urls: ['mainFrame https://example.invalid/'], code: 'ERR_BLOCKED_BY_CLIENT' });
  });

  it('emits will-download, which the app can prevent', async () => {
    const fileName = opened.application.evaluate(
      ({ session }) =>
        new Promise((resolve) => {
          session.defaultSession.once('will-download', (event, item) => {
            event.preventDefault();
            resolve(item.getFilename());
          });
        }),
    );
    await opened.application.evaluate(() => undefined);
    await download('locks.csv');
    assert.equal(await fileName, 'locks.csv');
  });

  it('asks where to save a download, with the app’s options', async () => {
    if (isRealElectron) {
      // A real dialog would stay open, so only set the options and cancel the item.
      const given = opened.application.evaluate(
        ({ session }) =>
          new Promise((resolve) => {
            session.defaultSession.once('will-download', (_event, item) => {
              item.setSaveDialogOptions({ defaultPath: '/tmp/b.csv' });
              resolve(item.getSaveDialogOptions().defaultPath);
              item.cancel();
            });
          }),
      );
      await download('a.csv');
      assert.equal(await given, '/tmp/b.csv');
      return;
    }
    await opened.application.evaluate(({ session }) => {
      session.defaultSession.once('will-download', (_event, item) => {
        item.setSaveDialogOptions({ defaultPath: '/tmp/b.csv' });
      });
    });
    await download('a.csv');
    const asked = await opened.application.evaluate(async () => {
      const { deeds } = (globalThis as unknown as Record<string, StandInHooks>)['__standin']!;
      const find = () => deeds.find(({ kind }) => kind === 'download-asked');
      for (let tries = 0; tries < 200 && find() === undefined; tries += 1)
        await new Promise((resolve) => void setTimeout(resolve, 25));
      return find();
    });
    assert.ok(asked);
    const { url: _url, ...deed } = asked;
    assert.deepEqual(deed, {
      kind: 'download-asked',
      fileName: 'a.csv',
      options: { defaultPath: '/tmp/b.csv' },
    });
  });

  it('posts a form with loadURL once, with its body and headers, and webRequest sees a POST', async () => {
    const heardThere: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.url !== '/favicon.ico')
          heardThere.push(`${request.method} ${request.headers['content-type'] ?? ''} ${body}`);
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.end('<title>there</title>');
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/form?a=1`;
      const methods = await opened.application.evaluate(async ({ session }, address) => {
        const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
        const seen: string[] = [];
        session.defaultSession.webRequest.onBeforeRequest((details, callback) => {
          if (details.url === address) seen.push(`${details.resourceType} ${details.method}`);
          callback({});
        });
        await window.loadURL(address, {
          postData: [{ type: 'rawData', bytes: Buffer.from('token=a%20b') }],
          extraHeaders: 'Content-Type: application/x-www-form-urlencoded',
        });
        await window.loadURL(address);
        session.defaultSession.webRequest.onBeforeRequest(null);
        return seen;
      }, url);
      assert.deepEqual(heardThere, ['POST application/x-www-form-urlencoded token=a%20b', 'GET  ']);
      assert.deepEqual(methods, ['mainFrame POST', 'mainFrame GET']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
