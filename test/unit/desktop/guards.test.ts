// What the guards block, with fakes of Electron's objects. test/security checks that Chromium obeys.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { App, DownloadItem, Session } from 'electron';
import {
  createOpenExternal,
  editorUrls,
  hostPageUrls,
  installGuards,
  type PagesHost,
  type Ruling,
} from '../../../app/desktop/guards.ts';

interface Handlers {
  [name: string]: (...args: never[]) => unknown;
}

function makeSession(): { session: Session; handlers: Handlers; spelling: boolean[] } {
  const handlers: Handlers = {};
  const spelling: boolean[] = [];
  const keep = (name: string) => (handler: Handlers[string]) => {
    handlers[name] = handler;
  };
  const session = {
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
    setDisplayMediaRequestHandler: keep('display'),
    setSpellCheckerEnabled: (isOn: boolean) => spelling.push(isOn),
    webRequest: { onBeforeRequest: keep('before') },
    on: (event: string, handler: Handlers[string]) => keep(event)(handler),
  };
  return { session: session as unknown as Session, handlers, spelling };
}

/** Of a session without a ruling. */
function guardedSession(hasDevTools = false): { handlers: Handlers; refused: string[] } {
  const refused: string[] = [];
  const onRefused = (what: string): void => void refused.push(what);
  const { guardSession } = installGuards(new EventEmitter() as unknown as App, { hasDevTools, onRefused });
  const { session, handlers } = makeSession();
  guardSession(session);
  return { handlers, refused };
}

function call(handlers: Handlers, name: string, ...args: unknown[]): unknown {
  return (handlers[name] as (...args: unknown[]) => unknown)(...args);
}

test('blocks navigation, webviews and new windows in every web contents', () => {
  const app = new EventEmitter();
  const refused: string[] = [];
  installGuards(app as unknown as Pick<App, 'on'>, {
    hasDevTools: false,
    onRefused: (what) => refused.push(what),
  });
  let open: ((details: unknown) => unknown) | undefined;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: typeof open) => {
      open = handler;
    },
  });
  app.emit('web-contents-created', {}, contents);
  for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
    let isPrevented = false;
    contents.emit(event, { preventDefault: () => (isPrevented = true), url: 'app://doctray/index.html' });
    assert.ok(isPrevented, event);
  }
  assert.deepEqual(open?.({ url: 'https://evil.example/secret' }), { action: 'deny' });
  assert.deepEqual(refused, [
    'a navigation',
    'a navigation of a frame',
    'a redirect',
    'a webview',
    'another window',
  ]);
});

test('guards every new session', () => {
  const app = new EventEmitter();
  const { guardSession: guard } = installGuards(app as unknown as Pick<App, 'on'>, {
    hasDevTools: false,
    onRefused: () => undefined,
  });
  const { session, handlers, spelling } = makeSession();
  app.emit('session-created', session);
  guard(session);
  assert.deepEqual(Object.keys(handlers).toSorted(), [
    'before',
    'check',
    'device',
    'display',
    'request',
    'will-download',
  ]);
  assert.deepEqual(spelling, [false]);
});

test('denies every permission', () => {
  const { handlers } = guardedSession(true);
  for (const permission of ['media', 'geolocation', 'clipboard-sanitized-write', 'openExternal', 'unknown']) {
    const answers: unknown[] = [];
    call(handlers, 'request', {}, permission, (isGranted: boolean) => answers.push(isGranted), {});
    assert.deepEqual(answers, [false], permission);
    assert.equal(call(handlers, 'check', {}, permission, 'app://doctray', {}), false, permission);
  }
  assert.equal(call(handlers, 'device', { deviceType: 'usb' }), false);
  const streams: unknown[] = [];
  call(handlers, 'display', {}, (given: unknown) => streams.push(given));
  assert.deepEqual(streams, [null]);
});

test('loads only the app’s own pages, and developer tools if they are enabled', () => {
  const own = ['app://doctray/index.html', 'app://doctray/assets/a.js'];
  const tools = 'devtools://devtools/bundled/devtools_app.html';
  const others = [
    'https://example.com/',
    'http://127.0.0.1:8790/',
    'ws://127.0.0.1/',
    'file:///etc/passwd',
    'app://doctray.evil/',
    'app://other/',
    'app://doctray',
    'data:text/html,x',
    'blob:app://doctray/1',
    'chrome://gpu',
    '',
  ];
  for (const hasDevTools of [false, true]) {
    const { handlers } = guardedSession(hasDevTools);
    const isLoaded = (url: string): boolean => {
      let answer: { cancel?: boolean } = {};
      call(handlers, 'before', { url }, (given: { cancel?: boolean }) => (answer = given));
      return answer.cancel === false;
    };
    for (const url of own) assert.equal(isLoaded(url), true, url);
    assert.equal(isLoaded(tools), hasDevTools);
    for (const url of others) assert.equal(isLoaded(url), false, url);
  }
});

test('blocks downloads', () => {
  const { handlers } = guardedSession();
  let isPrevented = false;
  call(handlers, 'will-download', { preventDefault: () => (isPrevented = true) });
  assert.ok(isPrevented);
});

test('reports a blocked request without its URL', () => {
  const { handlers, refused } = guardedSession();
  call(handlers, 'before', { url: 'https://evil.example/?access_token=secret' }, () => undefined);
  assert.deepEqual(refused, ['a request']);
});

const page = 'http://127.0.0.1:8790';
const office = 'http://office.example:9980';

/** Guards with one session of this kind and one web contents in it. */
function guarded(kind: Ruling['kind'] | undefined, hasDevTools = false) {
  const app = new EventEmitter();
  const refused: string[] = [];
  const opened: string[] = [];
  const named: unknown[] = [];
  const guards = installGuards(app as unknown as Pick<App, 'on'>, {
    hasDevTools,
    onRefused: (what) => refused.push(what),
  });
  const { session, handlers } = makeSession();
  app.emit('session-created', session);
  if (kind !== undefined) {
    guards.rule(session, {
      kind,
      pageUrls: () => [page, 'not an address'],
      editorUrls: () => [office, 'https://docs.example/office'],
      openOutside: (url) => void opened.push(url),
      nameDownload: (item) => void named.push(item),
    });
  }
  let open: ((details: unknown) => unknown) | undefined;
  const contents = Object.assign(new EventEmitter(), {
    session,
    setWindowOpenHandler: (handler: typeof open) => {
      open = handler;
    },
  });
  app.emit('web-contents-created', {}, contents);
  const isAllowed = (event: string, details: object): boolean => {
    let isPrevented = false;
    contents.emit(event, { preventDefault: () => (isPrevented = true), ...details });
    return !isPrevented;
  };
  const isLoaded = (url: string, resourceType: string): boolean => {
    let answer: { cancel?: boolean } = {};
    call(handlers, 'before', { url, resourceType }, (given: { cancel?: boolean }) => (answer = given));
    return answer.cancel === false;
  };
  return { isAllowed, isLoaded, handlers, refused, opened, named, open: (url: string) => open?.({ url }) };
}

const addresses = {
  app: 'app://doctray/index.html',
  page: `${page}/edit/id`,
  editor: `${office}/cool?WOPISrc=x`,
  editorSocket: 'ws://office.example:9980/ws',
  secureEditor: 'https://docs.example/web-apps/a.html',
  blank: 'about:blank',
  srcdoc: 'about:srcdoc',
  blob: `blob:${office}/1`,
  foreignBlob: 'blob:https://evil.example/1',
  data: 'data:text/html,x',
  secure: 'https://cdn.example/a.js',
  plain: 'http://192.168.1.1/admin',
  otherPort: 'http://127.0.0.1:1/',
  editorOtherPort: 'http://office.example:1/',
  file: 'file:///etc/passwd',
  chrome: 'chrome://gpu',
  script: 'javascript:alert(1)',
  nothing: '',
};
type Address = keyof typeof addresses;
const all = Object.keys(addresses) as Address[];

const loads: Record<Ruling['kind'], Record<'mainFrame' | 'subFrame' | 'script', Address[]>> = {
  editor: {
    mainFrame: ['page', 'editor', 'editorSocket', 'secureEditor'],
    subFrame: ['editor', 'editorSocket', 'secureEditor', 'blank', 'srcdoc', 'blob'],
    script: [
      ...(['page', 'editor', 'editorSocket', 'secureEditor', 'blank', 'srcdoc', 'blob', 'data'] as const),
      'secure',
    ],
  },
  probe: {
    mainFrame: ['editor', 'editorSocket', 'secureEditor'],
    subFrame: ['editor', 'editorSocket', 'secureEditor', 'blank', 'srcdoc', 'blob'],
    script: ['editor', 'editorSocket', 'secureEditor', 'blank', 'srcdoc', 'blob', 'data', 'secure'],
  },
};

for (const kind of ['editor', 'probe'] as const) {
  for (const type of ['mainFrame', 'subFrame', 'script'] as const) {
    test(`a session of kind ${kind} loads only permitted URLs as ${type}`, () => {
      for (const hasDevTools of [false, true]) {
        const { isLoaded } = guarded(kind, hasDevTools);
        assert.deepEqual(
          all.filter((name) => isLoaded(addresses[name], type)),
          loads[kind][type],
        );
        assert.equal(isLoaded('devtools://devtools/bundled/devtools_app.html', type), false);
      }
    });
  }
}

const bySelf = { initiator: { parent: null } };
const byFrame = { initiator: { parent: {} } };
const unknown = {
  initiator: {
    get parent(): never {
      throw new Error('Render frame was disposed');
    },
  },
};
const toEditor: Address[] = ['editor', 'editorSocket', 'secureEditor'];
const inFrame: Address[] = [...toEditor, 'blank', 'srcdoc', 'blob'];
const steps: [what: string, event: string, details: object, editor: Address[], probe: Address[]][] = [
  ['by the page', 'will-navigate', bySelf, ['page', ...toEditor], toEditor],
  ['by a frame', 'will-navigate', byFrame, ['page'], toEditor],
  ['by an unknown initiator', 'will-navigate', { initiator: null }, ['page'], toEditor],
  ['by a disposed frame', 'will-navigate', unknown, ['page'], toEditor],
  [
    'of the main frame by a frame',
    'will-frame-navigate',
    { ...byFrame, isMainFrame: true },
    ['page'],
    toEditor,
  ],
  ['of a frame by the page', 'will-frame-navigate', { ...bySelf, isMainFrame: false }, inFrame, inFrame],
  ['of a frame by itself', 'will-frame-navigate', { ...byFrame, isMainFrame: false }, inFrame, inFrame],
  ['of the main frame', 'will-redirect', { isMainFrame: true }, ['page', ...toEditor], toEditor],
  ['of a frame', 'will-redirect', { isMainFrame: false }, inFrame, inFrame],
];
for (const [what, event, details, editor, probe] of steps) {
  test(`${event} ${what} goes only to permitted URLs`, () => {
    for (const [kind, wanted] of [
      ['editor', editor],
      ['probe', probe],
      [undefined, []],
    ] as const) {
      const { isAllowed } = guarded(kind);
      assert.deepEqual(
        all.filter((name) => isAllowed(event, { ...details, url: addresses[name] })),
        wanted,
        kind,
      );
    }
  });
}

test('blocks webviews and new windows for every kind of page, and opens an editor’s links outside', () => {
  for (const kind of ['editor', 'probe', undefined] as const) {
    const { isAllowed, open, opened, refused } = guarded(kind);
    assert.equal(isAllowed('will-attach-webview', {}), false);
    assert.deepEqual(open('https://example.org/'), { action: 'deny' });
    assert.deepEqual(opened, kind === 'editor' ? ['https://example.org/'] : []);
    assert.equal(refused.includes('another window'), kind !== 'editor');
  }
});

test('lets only editor pages write to the clipboard and go fullscreen, and denies everything else', () => {
  for (const kind of ['editor', 'probe'] as const) {
    const { handlers } = guarded(kind);
    const isGranted = (permission: string, origin: string): boolean => {
      const answers: boolean[] = [];
      const answer = (given: boolean): void => void answers.push(given);
      call(handlers, 'request', {}, permission, answer, { requestingUrl: `${origin}/x` });
      const check = call(handlers, 'check', {}, permission, `${origin}/`, {});
      assert.equal(check, answers[0], permission);
      return answers[0] === true;
    };
    for (const permission of ['clipboard-sanitized-write', 'fullscreen']) {
      assert.equal(isGranted(permission, office), kind === 'editor', permission);
      assert.equal(isGranted(permission, 'https://evil.example'), false, permission);
      assert.equal(isGranted(permission, page), false, permission);
    }
    for (const permission of [
      'clipboard-read',
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'hid',
    ])
      assert.equal(isGranted(permission, office), false, permission);
    assert.equal(call(handlers, 'device', { deviceType: 'usb' }), false);
  }
});

test('allows downloads only in editor sessions', () => {
  const item = {} as DownloadItem;
  for (const kind of ['editor', 'probe', undefined] as const) {
    const { handlers, named } = guarded(kind);
    let isPrevented = false;
    call(handlers, 'will-download', { preventDefault: () => (isPrevented = true) }, item, {});
    assert.equal(isPrevented, kind !== 'editor');
    assert.deepEqual(named, kind === 'editor' ? [item] : []);
  }
});

test('reports the same blocked request at most once a second', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const { isLoaded, refused } = guarded('editor');
  for (let count = 0; count < 1000; count += 1) isLoaded(addresses.plain, 'script');
  assert.deepEqual(refused, ['a request']);
  nowMs = 1000;
  isLoaded(addresses.plain, 'script');
  assert.equal(refused.length, 2);
});

type PagesEditor = ReturnType<PagesHost['services']['editors']['list']>[number];

function action(urlsrc: string) {
  return { app: 'Word', name: 'edit', extension: 'docx', urlsrc, isDefault: false };
}

function editor(id: string, url: string, urlsrcs: string[], acceptsOtherHosts = false): PagesEditor {
  return {
    id,
    kind: 'other',
    url,
    acceptsOtherHosts,
    discovery: { actions: urlsrcs.map(action), proofKeys: null },
  };
}

function host(editors: PagesEditor[], baseUrl = 'http://127.0.0.1:8790'): PagesHost {
  const publicUrls: Record<string, string> = { docker: 'http://host.docker.internal:8790' };
  return {
    baseUrl,
    publicUrl: () => 'https://docs.example.org',
    baseUrlOf: (id) => publicUrls[id ?? ''] ?? 'https://docs.example.org',
    services: { editors: { list: () => editors } },
  };
}

test('hostPageUrls lists every address that editors and browsers use for the host', () => {
  assert.deepEqual(hostPageUrls(undefined), []);
  assert.deepEqual(hostPageUrls(host([])), [
    'http://localhost:8790',
    'http://127.0.0.1:8790',
    'https://docs.example.org',
  ]);
  const urls = hostPageUrls(host([editor('docker', 'http://localhost:9980', [])]));
  assert.ok(urls.includes('http://host.docker.internal:8790'));
  assert.deepEqual(hostPageUrls({ ...host([], ''), publicUrl: () => '' }), []);
});

test('editorUrls lists an editor’s address and those of its discovery on the same host', () => {
  assert.deepEqual(editorUrls(undefined), []);
  const found = editorUrls(
    host([
      editor('a', 'http://office.example:9980', [
        'http://office.example:9981/x/edit?<ui=UI_LLCC&>',
        'https://office.example/y?',
        'https://elsewhere.example/z?<ui=UI_LLCC&>',
        'javascript:alert(1)',
        'nothing',
      ]),
    ]),
  );
  assert.deepEqual(found, [
    'http://office.example:9980',
    'http://office.example:9981',
    'https://office.example',
  ]);
});

test('editorUrls lists another host only if the user allowed it', () => {
  const office = editor('a', 'http://office.example', ['https://elsewhere.example/z?'], true);
  assert.deepEqual(editorUrls(host([office])), ['http://office.example', 'https://elsewhere.example']);
  assert.deepEqual(editorUrls(host([{ ...office, acceptsOtherHosts: false }])), ['http://office.example']);
});

test('editorUrls lists the text editor at both localhost and 127.0.0.1', () => {
  const builtIn = {
    ...editor('text', 'http://localhost:8791', ['http://localhost:8791/edit?']),
    kind: 'text-editor',
  };
  assert.deepEqual(editorUrls(host([builtIn as PagesEditor])), [
    'http://localhost:8791',
    'http://127.0.0.1:8791',
  ]);
});

async function opens(url: string, own: string[] = []): Promise<string | undefined> {
  const opened: string[] = [];
  const open = createOpenExternal(
    async (target) => void opened.push(target),
    () => own,
  );
  try {
    await open(url);
    return opened[0];
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'permission-denied');
    assert.deepEqual(opened, []);
    return undefined;
  }
}

test('opens HTTPS pages in the browser', async () => {
  assert.equal(await opens('https://docs.example/page?a=b#c'), 'https://docs.example/page?a=b#c');
});

test('opens HTTP pages only of the host itself', async () => {
  const own = ['http://127.0.0.1:8790', 'http://nas.local:80/doctray'];
  assert.equal(await opens('http://127.0.0.1:8790/open/1', own), 'http://127.0.0.1:8790/open/1');
  assert.equal(await opens('http://nas.local/other', own), 'http://nas.local/other');
  for (const url of [
    'http://127.0.0.1:8791/',
    'http://127.0.0.1/',
    'http://nas.local.evil/',
    'http://evil/',
  ]) {
    assert.equal(await opens(url, own), undefined, url);
  }
});

test('rejects other schemes, plain HTTP, credentials, and invalid or oversized URLs', async () => {
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'smb://server/share',
    'ms-msdt:/id',
    'vscode://file/etc/passwd',
    'app://doctray/index.html',
    'data:text/html,x',
    'http://example.com/',
    'HTTP://example.com/',
    'https://user:secret@example.com/',
    'https://example.com@evil.example/',
    '\\\\server\\share',
    'calc.exe',
    '',
    `https://example.com/${'a'.repeat(3000)}`,
  ]) {
    assert.equal(
      await opens(url, ['http://127.0.0.1:8790', 'file:///', 'not an address', '']),
      undefined,
      url,
    );
  }
});
