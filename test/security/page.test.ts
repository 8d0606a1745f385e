// What a malicious script in the window's page can do. Every attack runs as a script of the page.
//
// Electron's security checklist and where each item is tested:
//    1  only secure content is loaded         page: "nothing was loaded from another origin"; contents: "no session loads …"
//    2  no Node.js in pages                   page: "the page has no Node.js and no Electron"; unit/desktop/page-window
//    3  context isolation                     page: "the page can't reach the preload script's world"; unit/desktop/page-window
//    4  process sandboxing                    sources: "enables the sandbox …"; unit/desktop/page-window
//    5  permission requests                   page: "denies every permission …"; contents: "denies every permission …"; unit/desktop/guards
//    6  webSecurity                           unit/desktop/page-window; sources
//    7  Content-Security-Policy               page: "the policy blocks …"; unit/desktop/protocol
//    8  allowRunningInsecureContent           unit/desktop/page-window; sources
//    9  experimentalFeatures                  unit/desktop/page-window; sources
//   10  enableBlinkFeatures                   sources
//   11  webview: allowpopups                  sources; there is no webview
//   12  webview: options                      contents: "the webview element is disabled"
//   13  navigation                            page: "the page can't navigate by …"; contents: "prevents redirects …"; unit/desktop/guards
//   14  new windows                           page: "the page can't open another window"
//   15  openExternal                          contents: "opens the host's help page …"; unit/desktop/guards; sources
//   16  a current Electron                    sources: "Electron is a supported version"
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

/** Runs the attack in a task of the page, because the policy doesn't apply to code that the debugger evaluates. */
function attack(run: (otherOrigin: string) => unknown): Promise<Outcome> {
  const watch = (body: (otherOrigin: string) => unknown, otherOrigin: string): Promise<Outcome> =>
    new Promise((resolve) => {
      const violated: string[] = [];
      const note = (event: SecurityPolicyViolationEvent): void =>
        void violated.push(event.effectiveDirective);
      document.addEventListener('securitypolicyviolation', note);
      delete window.got;
      setTimeout(() => {
        void Promise.resolve(otherOrigin)
          .then(body)
          .then(
            (got) => (window.got ??= got),
            () => undefined,
          );
      }, 0);
      setTimeout(() => {
        document.removeEventListener('securitypolicyviolation', note);
        resolve({ violated: [...new Set(violated)].toSorted(), got: window.got });
      }, 300);
    });
  return secured.page.evaluate(
    `(${watch.toString()})(${run.toString()}, ${JSON.stringify(secured.otherOrigin)})`,
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
    [
      'require',
      'process',
      'module',
      'Buffer',
      'global',
      'electron',
      'ipcRenderer',
      'contextBridge',
      'setImmediate',
    ].filter((name) => name in window),
  );
  assert.deepEqual(got, []);
});

test('the page can’t reach the preload script’s world', async () => {
  // An object of the preload script's world would give access to that world's Function constructor, and so to everything there.
  const { got } = await attack(async () => {
    const { call, onPush, importFiles } = (window as unknown as { doctray: Bridge }).doctray;
    const answer = await call('state.get', {});
    const values = [
      call,
      onPush,
      importFiles,
      answer,
      call('state.get', {}),
      onPush('navigate', () => undefined),
    ];
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

const scripts: [name: string, directive: string, run: (otherOrigin: string) => unknown][] = [
  [
    'an inline script',
    'require-trusted-types-for',
    () => {
      const script = document.createElement('script');
      script.textContent = 'window.got = 1';
      document.head.append(script);
    },
  ],
  [
    'an inline event handler',
    'require-trusted-types-for',
    () => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src="nothing.png" onerror="window.got = 1" alt="">',
      );
    },
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
    () => {
      const link = document.createElement('a');
      link.setAttribute('href', 'javascript:void(window.got = 1)');
      document.body.append(link);
      link.click();
      link.remove();
    },
  ],
  [
    'a script from another origin',
    'require-trusted-types-for',
    (otherOrigin) => {
      const script = document.createElement('script');
      script.src = `${otherOrigin}/script.js`;
      script.onload = () => (window.got = 1);
      document.head.append(script);
    },
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
    () => {
      const style = document.createElement('style');
      style.textContent = 'body { --got: 1 }';
      document.head.append(style);
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
    (otherOrigin) => {
      const image = new Image();
      image.onload = () => (window.got = 1);
      image.src = `${otherOrigin}/image.png`;
    },
  ],
  [
    'an image from a data: URL',
    'img-src',
    () => {
      const image = new Image();
      image.onload = () => (window.got = 1);
      image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
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
    (otherOrigin) => {
      const base = document.createElement('base');
      base.href = otherOrigin;
      document.head.append(base);
      return document.baseURI.startsWith(otherOrigin) ? 1 : undefined;
    },
  ],
  [
    'a frame',
    'frame-src',
    (otherOrigin) => {
      const frame = document.createElement('iframe');
      frame.src = `${otherOrigin}/frame`;
      document.body.append(frame);
    },
  ],
  [
    'an object',
    'require-trusted-types-for',
    (otherOrigin) => {
      const object = document.createElement('object');
      object.data = `${otherOrigin}/object`;
      document.body.append(object);
    },
  ],
  [
    'a video',
    'media-src',
    (otherOrigin) => {
      const video = document.createElement('video');
      video.src = `${otherOrigin}/video`;
      document.body.append(video);
    },
  ],
];

for (const [name, directive, run] of scripts) {
  test(`the policy blocks ${name}`, async () => {
    const { violated, got } = await attack(run);
    assert.deepEqual({ violated, got }, { violated: [directive], got: undefined });
  });
}

test('nothing was loaded from another origin by these attacks', async () => {
  await settle();
  assert.deepEqual(secured.requests, []);
});

const navigations: [name: string, run: (otherOrigin: string) => unknown][] = [
  ['location', (otherOrigin) => (location.href = otherOrigin)],
  ['location.replace', (otherOrigin) => location.replace(otherOrigin)],
  [
    'a link',
    (otherOrigin) => {
      const link = document.createElement('a');
      link.href = otherOrigin;
      document.body.append(link);
      link.click();
      link.remove();
    },
  ],
  [
    'a form',
    (otherOrigin) => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = `${otherOrigin}/form`;
      document.body.append(form);
      form.submit();
    },
  ],
  [
    'a meta refresh',
    (otherOrigin) => {
      const meta = document.createElement('meta');
      meta.httpEquiv = 'refresh';
      meta.content = `0; url=${otherOrigin}`;
      document.head.append(meta);
    },
  ],
  ['a file: URL', () => (location.href = 'file:///etc/passwd')],
  ['another page of the app', () => (location.href = 'app://doctray/assets/')],
  ['a mailto: URL', () => (location.href = 'mailto:somebody@example.com')],
];

for (const [name, run] of navigations) {
  test(`the page can’t navigate by ${name}`, async () => {
    await secured.page.evaluate('window.stays = true');
    await attack(run);
    await settle();
    assert.deepEqual(await secured.page.evaluate('[location.href, window.stays]'), [
      'app://doctray/index.html',
      true,
    ]);
    assert.deepEqual(secured.requests, []);
  });
}

test('the page can’t open another window', async () => {
  const { got } = await attack((otherOrigin) => {
    const link = document.createElement('a');
    link.href = otherOrigin;
    link.target = '_blank';
    document.body.append(link);
    link.click();
    link.remove();
    return [otherOrigin, 'about:blank', 'app://doctray/index.html', 'file:///etc/passwd', ''].map(
      (address) => window.open(address) === null,
    );
  });
  assert.deepEqual(got, [true, true, true, true, true]);
  await settle();
  assert.equal(secured.app.windows().length, 1);
  assert.equal(await secured.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 1);
  assert.deepEqual(secured.requests, []);
});

test('a click with Ctrl or Shift opens no window', async () => {
  await attack((otherOrigin) => {
    const link = document.createElement('a');
    link.href = otherOrigin;
    document.body.append(link);
    for (const key of ['ctrlKey', 'shiftKey']) {
      link.dispatchEvent(new MouseEvent('click', { [key]: true, bubbles: true, cancelable: true }));
    }
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
  const { got } = await attack(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const inside = frame.contentWindow as unknown as Record<string, unknown> | null;
    const found = inside?.['doctray'] !== undefined;
    frame.remove();
    return found;
  });
  assert.equal(got, false);
});

test('denies every permission that the page requests', async () => {
  const { got } = await attack(async () => {
    const refusal = (asked: Promise<unknown>): Promise<string> =>
      Promise.race([
        asked.then(
          () => 'granted',
          () => 'refused',
        ),
        new Promise<string>((resolve) => {
          setTimeout(() => resolve('no answer'), 200);
        }),
      ]);
    const devices = navigator as unknown as Record<
      string,
      { requestDevice(options: object): Promise<unknown> }
    >;
    return {
      notifications: await Notification.requestPermission(),
      camera: await refusal(navigator.mediaDevices.getUserMedia({ video: true, audio: true })),
      place: await refusal(
        new Promise((resolve, reject) => {
          navigator.geolocation.getCurrentPosition(resolve, reject);
        }),
      ),
      clipboard: await refusal(navigator.clipboard.readText()),
      screen: await refusal(navigator.mediaDevices.getDisplayMedia()),
      usb: await refusal(
        devices['usb']?.requestDevice({ filters: [] }) ?? Promise.reject(new Error('absent')),
      ),
    };
  });
  assert.deepEqual(got, {
    notifications: 'denied',
    camera: 'refused',
    place: 'refused',
    clipboard: 'refused',
    screen: 'refused',
    usb: 'refused',
  });
});

test('the app logged refused requests, without the URLs', () => {
  const lines = secured.log();
  assert.match(lines, /A page’s request was blocked/);
  assert.ok(!lines.includes(secured.otherOrigin));
});
