// What the window's page can do when somebody else writes it: every test runs as a script of the page would.
//
// Electron's security checklist and where each item is tested:
//    1  only secure content is loaded         page: "nothing is loaded from elsewhere"; contents: "no session loads …"
//    2  no Node.js in pages                   page: "the page has no Node.js and no Electron"; unit/desktop/window
//    3  context isolation                     page: "the page cannot reach the preload script's world"; unit/desktop/window
//    4  process sandboxing                    sources: "the sandbox is on …"; unit/desktop/window
//    5  permission requests                   page: "every permission …"; contents: "every permission …"; unit/desktop/guards
//    6  webSecurity                           unit/desktop/window; sources
//    7  Content-Security-Policy               page: "… is refused by the policy"; unit/desktop/protocol
//    8  allowRunningInsecureContent           unit/desktop/window; sources
//    9  experimentalFeatures                  unit/desktop/window; sources
//   10  enableBlinkFeatures                   sources
//   11  webview: allowpopups                  sources; there is no webview
//   12  webview: options                      contents: "a webview is never attached"
//   13  navigation                            page: "the page stays …"; contents: "a redirect …"; unit/desktop/guards
//   14  new windows                           page: "no other window opens"
//   15  openExternal                          contents: "only the host's own page …"; unit/desktop/external-pages; sources
//   16  a current Electron                    sources: "Electron is a version that is still mended"
//   17  senders of messages                   messages; unit/ipc
//   18  no file: protocol                     contents: "no spelling of an address …"; sources
//   19  fuses                                 test/pack reads them back from the packed app
//   20  no Electron APIs for pages            page: "the bridge is three functions"

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
  /** What the attack got to run or to know; undefined when it was stopped. */
  got: unknown;
}

declare global {
  interface Window {
    got: unknown;
  }
}

/** In a task of the page's own: what the debugger runs directly, the policy does not judge. */
function attack(run: (elsewhere: string) => unknown): Promise<Outcome> {
  const watch = (body: (elsewhere: string) => unknown, elsewhere: string): Promise<Outcome> =>
    new Promise((resolve) => {
      const violated: string[] = [];
      const note = (event: SecurityPolicyViolationEvent): void =>
        void violated.push(event.effectiveDirective);
      document.addEventListener('securitypolicyviolation', note);
      delete window.got;
      setTimeout(() => {
        void Promise.resolve(elsewhere)
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
    `(${watch.toString()})(${run.toString()}, ${JSON.stringify(secured.elsewhere)})`,
  );
}

test('the bridge is three functions, and the page cannot change them', async () => {
  const { got } = await attack(() => {
    const bridge = (window as unknown as { doctray: Record<string, unknown> }).doctray;
    try {
      bridge['call'] = () => 'changed';
    } catch {
      // frozen, in strict code
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

test('the page cannot reach the preload script’s world', async () => {
  // A function of the other world would give its world's Function, and with it everything there; the policy forbids
  // making code in this one, so that only the other world's could answer.
  const { got } = await attack(async () => {
    const { call, onPush, importFiles } = (window as unknown as { doctray: Bridge }).doctray;
    const answer = await call('state.get', {});
    const strangers = [
      call,
      onPush,
      importFiles,
      answer,
      call('state.get', {}),
      onPush('navigate', () => undefined),
    ];
    return strangers.filter(
      (stranger) => !(stranger instanceof Object) || stranger.constructor.constructor !== Function,
    ).length;
  });
  assert.equal(got, 0);
});

test('a script in the page can’t import a file that the user didn’t drop', async () => {
  const { got } = await attack(async () => {
    const { call, importFiles } = (window as unknown as { doctray: Bridge }).doctray;
    const made = { name: 'hostname', path: '/etc/hostname' };
    return [
      await call('documents.import', { folderPath: '', sources: ['/etc/hostname'] }),
      await importFiles('', ['/etc/hostname', made]),
    ];
  });
  assert.deepEqual(got, [
    {
      isDone: false,
      error: { code: 'permission-denied', message: 'Drop files onto the window to copy them in.' },
    },
    { isDone: true, result: { jobIds: [], withoutPath: 2, failure: null } },
  ]);
});

const scripts: [name: string, directive: string, run: (elsewhere: string) => unknown][] = [
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
    'an inline handler',
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
    'a timer of text',
    'require-trusted-types-for',
    () => {
      const later = setTimeout as (code: string) => void;
      later('window.got = 1');
    },
  ],
  [
    'a javascript: address',
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
    'a script from elsewhere',
    'require-trusted-types-for',
    (elsewhere) => {
      const script = document.createElement('script');
      script.src = `${elsewhere}/script.js`;
      script.onload = () => (window.got = 1);
      document.head.append(script);
    },
  ],
  [
    'a module from elsewhere',
    'script-src-elem',
    (elsewhere) => import(`${elsewhere}/module.js`).then(() => 1),
  ],
  [
    'a module of text',
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
    'an image from elsewhere',
    'img-src',
    (elsewhere) => {
      const image = new Image();
      image.onload = () => (window.got = 1);
      image.src = `${elsewhere}/image.png`;
    },
  ],
  [
    'an image of text',
    'img-src',
    () => {
      const image = new Image();
      image.onload = () => (window.got = 1);
      image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
    },
  ],
  ['fetch', 'connect-src', (elsewhere) => fetch(`${elsewhere}/fetch`).then(() => 1)],
  ['fetch of the page’s own files', 'connect-src', () => fetch('/index.html').then(() => 1)],
  ['a web socket', 'connect-src', (elsewhere) => void new WebSocket(elsewhere.replace('http', 'ws'))],
  ['server-sent events', 'connect-src', (elsewhere) => void new EventSource(`${elsewhere}/events`)],
  ['a beacon', 'connect-src', (elsewhere) => void navigator.sendBeacon(`${elsewhere}/beacon`, 'secret')],
  [
    'another base',
    'base-uri',
    (elsewhere) => {
      const base = document.createElement('base');
      base.href = elsewhere;
      document.head.append(base);
      return document.baseURI.startsWith(elsewhere) ? 1 : undefined;
    },
  ],
  [
    'a frame',
    'frame-src',
    (elsewhere) => {
      const frame = document.createElement('iframe');
      frame.src = `${elsewhere}/frame`;
      document.body.append(frame);
    },
  ],
  [
    'an object',
    'require-trusted-types-for',
    (elsewhere) => {
      const object = document.createElement('object');
      object.data = `${elsewhere}/object`;
      document.body.append(object);
    },
  ],
  [
    'a medium',
    'media-src',
    (elsewhere) => {
      const video = document.createElement('video');
      video.src = `${elsewhere}/video`;
      document.body.append(video);
    },
  ],
];

for (const [name, directive, run] of scripts) {
  test(`${name} is refused by the policy`, async () => {
    const { violated, got } = await attack(run);
    assert.deepEqual({ violated, got }, { violated: [directive], got: undefined });
  });
}

test('nothing is loaded from elsewhere, whichever way it was tried', async () => {
  await settle();
  assert.deepEqual(secured.heard, []);
});

const ways: [name: string, run: (elsewhere: string) => unknown][] = [
  ['location', (elsewhere) => (location.href = elsewhere)],
  ['location.replace', (elsewhere) => location.replace(elsewhere)],
  [
    'a link',
    (elsewhere) => {
      const link = document.createElement('a');
      link.href = elsewhere;
      document.body.append(link);
      link.click();
      link.remove();
    },
  ],
  [
    'a form',
    (elsewhere) => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = `${elsewhere}/form`;
      document.body.append(form);
      form.submit();
    },
  ],
  [
    'a refresh',
    (elsewhere) => {
      const meta = document.createElement('meta');
      meta.httpEquiv = 'refresh';
      meta.content = `0; url=${elsewhere}`;
      document.head.append(meta);
    },
  ],
  ['a file', () => (location.href = 'file:///etc/passwd')],
  ['another page of the app', () => (location.href = 'app://doctray/assets/')],
  ['another program', () => (location.href = 'mailto:somebody@example.com')],
];

for (const [name, run] of ways) {
  test(`the page stays where it is: ${name}`, async () => {
    await secured.page.evaluate('window.stays = true');
    await attack(run);
    await settle();
    assert.deepEqual(await secured.page.evaluate('[location.href, window.stays]'), [
      'app://doctray/index.html',
      true,
    ]);
    assert.deepEqual(secured.heard, []);
  });
}

test('no other window opens', async () => {
  const { got } = await attack((elsewhere) => {
    const link = document.createElement('a');
    link.href = elsewhere;
    link.target = '_blank';
    document.body.append(link);
    link.click();
    link.remove();
    return [elsewhere, 'about:blank', 'app://doctray/index.html', 'file:///etc/passwd', ''].map(
      (address) => window.open(address) === null,
    );
  });
  assert.deepEqual(got, [true, true, true, true, true]);
  await settle();
  assert.equal(secured.app.windows().length, 1);
  assert.equal(await secured.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 1);
  assert.deepEqual(secured.heard, []);
});

test('a link pressed with a key that asks for another window opens none either', async () => {
  await attack((elsewhere) => {
    const link = document.createElement('a');
    link.href = elsewhere;
    document.body.append(link);
    for (const key of ['ctrlKey', 'shiftKey']) {
      link.dispatchEvent(new MouseEvent('click', { [key]: true, bubbles: true, cancelable: true }));
    }
    link.remove();
  });
  await settle();
  assert.equal(secured.app.windows().length, 1);
  assert.equal(await secured.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 1);
  // The stand-in's Chromium has asked for the page by the time it can be stopped.
  if (isRealElectron) assert.deepEqual(secured.heard, []);
  secured.heard.length = 0;
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

test('every permission the page asks for is refused', async () => {
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

test('the app said so, without an address of the attack', () => {
  const lines = secured.log();
  assert.match(lines, /A page was refused something/);
  assert.ok(!lines.includes(secured.elsewhere));
});
