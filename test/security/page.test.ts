// What a malicious script in the window's page can do. Every attack runs as a script of the page.
//
// Electron's security checklist and where each item is tested:
//    1  only secure content is loaded         page: "the policy blocks …"; contents: "no session loads …"
//    2  no Node.js in pages                   page: "the page has no Node.js and no Electron"; unit/desktop/page-window
//    3  context isolation                     page: "the page can't reach the preload script's world"; unit/desktop/page-window
//    4  process sandboxing                    sources; unit/desktop/page-window
//    5  permission requests                   page: "denies every permission …"; unit/desktop/guards
//    6  webSecurity                           unit/desktop/page-window; sources
//    7  Content-Security-Policy               page: "the policy blocks …"; unit/desktop/protocol
//    8  allowRunningInsecureContent           unit/desktop/page-window; sources
//    9  experimentalFeatures                  unit/desktop/page-window; sources
//   10  enableBlinkFeatures                   sources
//   11  webview: allowpopups                  sources; there is no webview
//   12  webview: options                      contents: "the webview element is disabled"
//   13  navigation                            page: "the page can't navigate anywhere"; unit/desktop/guards
//   14  new windows                           page: "the page can't open another window"
//   15  openExternal                          e2e/first-run; unit/desktop/guards; sources
//   16  a current Electron                    package.json
//   17  senders of messages                   messages; unit/desktop/ipc
//   18  no file: protocol                     contents: "no spelling of a URL …"; sources
//   19  fuses                                 test/pack reads them back from the packed app
//   20  no Electron APIs for pages            page: "the bridge has three functions …"

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Bridge } from '../../app/contract/bridge.ts';
import { isRealElectron } from '../stand-in/launch.ts';
import { settle, startSecuredApp, type SecuredApp } from './secured-app.ts';

let secured: SecuredApp;
before(async () => {
  secured = await startSecuredApp();
});
after(() => secured.close());

interface Outcome {
  /** The policy's directives that were violated. */
  violated: string[];
  /** The result of the attack, or undefined if it was blocked. */
  got: unknown;
}

declare global {
  interface Window {
    got: unknown;
  }
}

/** Adds an element to the page and returns it. */
type Add = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
) => HTMLElementTagNameMap[Tag];

type Attack = (otherOrigin: string, add: Add) => unknown;

/**
 * Runs the attack in a task of the page, because the policy doesn't apply to code that the debugger evaluates.
 * @param isBlocked waits for the policy to block something, otherwise for the end of the attack
 */
function attack(run: Attack, isBlocked = false): Promise<Outcome> {
  const watch = (body: Attack, otherOrigin: string, waitsForBlock: boolean): Promise<Outcome> =>
    new Promise((resolve) => {
      const violated: string[] = [];
      const end = (): void => {
        document.removeEventListener('securitypolicyviolation', note);
        resolve({ violated, got: window.got });
      };
      const note = (event: SecurityPolicyViolationEvent): void => {
        violated.push(event.effectiveDirective);
        setTimeout(end);
      };
      const add: Add = (tag, properties) => {
        const element = Object.assign(document.createElement(tag), properties);
        document.body.append(element);
        return element;
      };
      document.addEventListener('securitypolicyviolation', note);
      delete window.got;
      const keep = (got: unknown) => (window.got ??= got);
      setTimeout(
        () =>
          void Promise.resolve(otherOrigin)
            .then((origin) => body(origin, add))
            .then(keep, () => undefined)
            .then(() => void setTimeout(end, waitsForBlock ? 30_000 : 0)),
      );
    });
  return secured.page.evaluate(
    `(${watch.toString()})(${run.toString()}, ${JSON.stringify(secured.otherOrigin)}, ${isBlocked})`,
  );
}

test('the bridge has three functions, which the page can’t change', async () => {
  const { got } = await attack(() => {
    const bridge = (window as unknown as { doctray: Record<string, unknown> }).doctray;
    try {
      bridge['call'] = () => 'changed';
    } catch {
      // Assigning to a frozen object throws in strict mode.
    }
    const descriptor = Object.getOwnPropertyDescriptor(window, 'doctray');
    return {
      members: Reflect.ownKeys(bridge).map((name) => `${String(name)}: ${typeof bridge[String(name)]}`),
      isChanged: String(bridge['call']).includes('changed'),
      isReplaceable: descriptor?.configurable === true || descriptor?.writable === true,
    };
  });
  assert.deepEqual(got, {
    members: ['call: function', 'onPush: function', 'importFiles: function'],
    isChanged: false,
    isReplaceable: false,
  });
});

test('the page has no Node.js and no Electron', async () => {
  const { got } = await attack(() =>
    'require process module Buffer global electron ipcRenderer contextBridge setImmediate'
      .split(' ')
      .filter((name) => name in window),
  );
  assert.deepEqual(got, []);
});

test('the page can’t reach the preload script’s world', async () => {
  // An object of the preload script's world would give access to that world's Function constructor, and so to everything there.
  const { got } = await attack(async () => {
    const { call, onPush, importFiles } = (window as unknown as { doctray: Bridge }).doctray;
    const answer = await call('state.get', {});
    const returned = [answer, call('state.get', {}), onPush('navigate', () => undefined)];
    const values = [call, onPush, importFiles, ...returned];
    return values.filter((value) => !(value instanceof Object) || value.constructor.constructor !== Function)
      .length;
  });
  assert.equal(got, 0);
});

test('a script in the page can’t import a file that the user didn’t drop', async () => {
  const { got } = await attack(async () => {
    const { call, importFiles } = (window as unknown as { doctray: Bridge }).doctray;
    const fake = { name: 'hostname', path: '/etc/hostname' };
    return [
      await call('documents.import', { folderPath: '', sources: ['/etc/hostname'] }),
      await importFiles('', ['/etc/hostname', fake]),
    ];
  });
  assert.deepEqual(got, [
    {
      isDone: false,
      error: { code: 'permission-denied', message: 'Drop files onto the window to import them.' },
    },
    { isDone: true, result: { jobIds: [], withoutPath: 2, failure: null } },
  ]);
});

const scripts: [name: string, directive: string, run: Attack][] = [
  [
    'an inline script',
    'require-trusted-types-for',
    (_, add) => void add('script', { textContent: 'window.got = 1' }),
  ],
  [
    'an inline event handler',
    'require-trusted-types-for',
    () => document.body.insertAdjacentHTML('beforeend', '<img src="no.png" onerror="window.got = 1" alt="">'),
  ],
  // oxlint-disable-next-line no-eval
  ['eval', 'require-trusted-types-for', () => globalThis.eval('window.got = 1')],
  // oxlint-disable-next-line typescript/no-implied-eval
  ['new Function', 'require-trusted-types-for', () => new Function('window.got = 1')()],
  [
    'a timer with a string',
    'require-trusted-types-for',
    () => {
      const later = setTimeout as (code: string) => void;
      later('window.got = 1');
    },
  ],
  [
    'a javascript: URL',
    'script-src-elem',
    (_, add) => {
      const link = add('a', {});
      link.setAttribute('href', 'javascript:void(window.got = 1)');
      link.click();
      link.remove();
    },
  ],
  [
    'a script from another origin',
    'require-trusted-types-for',
    (otherOrigin, add) =>
      void add('script', { src: `${otherOrigin}/script.js`, onload: () => (window.got = 1) }),
  ],
  [
    'a module from another origin',
    'script-src-elem',
    (otherOrigin) => import(`${otherOrigin}/module.js`).then(() => 1),
  ],
  [
    'a module from a data: URL',
    'script-src-elem',
    () => import(['data:text/javascript', 'export default 1'].join(',')).then(() => 1),
  ],
  [
    'a worker',
    'require-trusted-types-for',
    () => (new Worker('data:text/javascript,postMessage(1)').onmessage = () => (window.got = 1)),
  ],
  [
    'an inline style sheet',
    'style-src-elem',
    (_, add) => {
      add('style', { textContent: 'body { --got: 1 }' });
      return getComputedStyle(document.body).getPropertyValue('--got') || undefined;
    },
  ],
  [
    'a style attribute',
    'style-src-attr',
    () => {
      document.body.setAttribute('style', '--got: 1');
      return getComputedStyle(document.body).getPropertyValue('--got') || undefined;
    },
  ],
  [
    'an image from another origin',
    'img-src',
    (otherOrigin, add) =>
      void add('img', { onload: () => (window.got = 1), src: `${otherOrigin}/image.png` }),
  ],
  [
    'an image from a data: URL',
    'img-src',
    (_, add) => {
      const src = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
      add('img', { onload: () => (window.got = 1), src });
    },
  ],
  ['fetch', 'connect-src', (otherOrigin) => fetch(`${otherOrigin}/fetch`).then(() => 1)],
  ['fetch of the page’s files', 'connect-src', () => fetch('/index.html').then(() => 1)],
  ['a web socket', 'connect-src', (otherOrigin) => void new WebSocket(otherOrigin.replace('http', 'ws'))],
  ['server-sent events', 'connect-src', (otherOrigin) => void new EventSource(`${otherOrigin}/events`)],
  ['a beacon', 'connect-src', (otherOrigin) => void navigator.sendBeacon(`${otherOrigin}/beacon`, 'secret')],
  [
    'a base element',
    'base-uri',
    (otherOrigin, add) => {
      add('base', { href: otherOrigin });
      return document.baseURI.startsWith(otherOrigin) ? 1 : undefined;
    },
  ],
  ['a frame', 'frame-src', (otherOrigin, add) => void add('iframe', { src: `${otherOrigin}/frame` })],
  [
    'an object',
    'require-trusted-types-for',
    (otherOrigin, add) => void add('object', { data: `${otherOrigin}/object` }),
  ],
  ['a video', 'media-src', (otherOrigin, add) => void add('video', { src: `${otherOrigin}/video` })],
];

test('the policy blocks everything that isn’t a file of the page', async () => {
  for (const [name, directive, run] of scripts) {
    const { violated, got } = await attack(run, true);
    assert.deepEqual(
      { violated: [...new Set(violated)], got },
      { violated: [directive], got: undefined },
      name,
    );
  }
  await settle();
  assert.equal(await secured.page.evaluate('window.got'), undefined, 'the last ones didn’t run later');
  assert.deepEqual(secured.requests, []);
});

const navigations: Attack[] = [
  (otherOrigin) => (location.href = `${otherOrigin}/location`),
  (otherOrigin) => location.replace(`${otherOrigin}/replace`),
  (otherOrigin, add) => {
    const link = add('a', { href: `${otherOrigin}/link` });
    link.click();
    link.remove();
  },
  (otherOrigin, add) => add('form', { method: 'post', action: `${otherOrigin}/form` }).submit(),
  (otherOrigin, add) => void add('meta', { httpEquiv: 'refresh', content: `0; url=${otherOrigin}/refresh` }),
  () => (location.href = 'file:///etc/passwd'),
  () => (location.href = 'app://doctray/assets/'),
  () => (location.href = 'mailto:somebody@example.com'),
];

test('the page can’t navigate anywhere', async () => {
  await secured.page.evaluate('window.stays = true');
  for (const run of navigations) {
    await attack(run);
    await settle();
    assert.deepEqual(
      await secured.page.evaluate('[location.href, window.stays]'),
      ['app://doctray/index.html', true],
      run.toString(),
    );
  }
  assert.deepEqual(secured.requests, []);
});

test('the page can’t open another window, not even by a click with Ctrl or Shift', async () => {
  const { got } = await attack((otherOrigin, add) => {
    const link = add('a', { href: otherOrigin, target: '_blank' });
    link.click();
    link.remove();
    return [otherOrigin, 'about:blank', 'app://doctray/index.html', 'file:///etc/passwd', ''].map(
      (address) => window.open(address) === null,
    );
  });
  assert.deepEqual(got, [true, true, true, true, true]);
  await settle();
  assert.deepEqual(secured.requests, []);
  await attack((otherOrigin, add) => {
    const link = add('a', { href: otherOrigin });
    for (const key of ['ctrlKey', 'shiftKey'])
      link.dispatchEvent(new MouseEvent('click', { [key]: true, bubbles: true, cancelable: true }));
    link.remove();
  });
  await settle();
  assert.equal(secured.app.windows().length, 1);
  assert.equal(await secured.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 1);
  // The stand-in's Chromium has already requested the page when it can be stopped.
  if (isRealElectron) assert.deepEqual(secured.requests, []);
  secured.requests.length = 0;
});

test('a frame of the page gets no bridge', async () => {
  const { got } = await attack((_, add) => {
    const frame = add('iframe', {});
    const inside = frame.contentWindow as unknown as Record<string, unknown> | null;
    const found = inside?.['doctray'] !== undefined;
    frame.remove();
    return found;
  });
  assert.equal(got, false);
});

test('denies every permission that the page requests', async () => {
  const { got } = await attack(async () => {
    const refusal = (asked: Promise<unknown> | undefined): Promise<string> =>
      Promise.race([
        (asked ?? Promise.reject(new Error('absent'))).then(
          () => 'granted',
          () => 'refused',
        ),
        new Promise<string>((resolve) => void setTimeout(() => resolve('no answer'), 30_000)),
      ]);
    const { mediaDevices, clipboard, geolocation } = navigator;
    const { usb } = navigator as unknown as { usb?: { requestDevice(options: object): Promise<unknown> } };
    return [
      await Notification.requestPermission(),
      await refusal(mediaDevices.getUserMedia({ video: true, audio: true })),
      await refusal(new Promise((resolve, reject) => geolocation.getCurrentPosition(resolve, reject))),
      await refusal(clipboard.readText()),
      await refusal(mediaDevices.getDisplayMedia()),
      await refusal(usb?.requestDevice({ filters: [] })),
    ];
  });
  assert.deepEqual(got, ['denied', 'refused', 'refused', 'refused', 'refused', 'refused']);
});

test('the app logged refused requests, without the URLs', () => {
  const lines = secured.log();
  assert.match(lines, /A page’s request was blocked/);
  assert.ok(!lines.includes(secured.otherOrigin));
});
