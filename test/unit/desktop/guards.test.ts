// What the guards block and open, as tables, with fakes of Electron's objects. test/security checks that Chromium obeys.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { App, DownloadItem, Session } from 'electron';
import { createOpenExternal, editorUrls, hostPageUrls, installGuards } from '../../../app/desktop/guards.ts';
import type { PagesHost, Ruling } from '../../../app/desktop/guards.ts';

const page = 'http://127.0.0.1:8790';
const office = 'http://office.example:9980';
const kinds = ['window', 'editor', 'probe'] as const;
type Kind = (typeof kinds)[number];

/** Guards with one session of this kind and one web contents in it. A session without a ruling is of the app's window. */
function guarded(kind: Kind, hasDevTools = false) {
  const app = new EventEmitter();
  const refused: string[] = [];
  const opened: string[] = [];
  const named: unknown[] = [];
  const handlers: Record<string, (...args: unknown[]) => unknown> = {};
  const keep = (name: string) => (handler: (typeof handlers)[string]) => void (handlers[name] = handler);
  const guards = installGuards(app as unknown as App, {
    hasDevTools,
    onRefused: (what) => refused.push(what),
  });
  const session = {
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
    setDisplayMediaRequestHandler: keep('display'),
    setSpellCheckerEnabled: (isOn: boolean) => assert.equal(isOn, false),
    webRequest: { onBeforeRequest: keep('before') },
    on: (event: string, handler: (typeof handlers)[string]) => keep(event)(handler),
  } as unknown as Session;
  app.emit('session-created', session);
  if (kind !== 'window') {
    guards.rule(session, {
      kind: kind satisfies Ruling['kind'],
      pageUrls: () => [page, 'not an address'],
      editorUrls: () => [office, 'https://docs.example/office'],
      openOutside: (url) => void opened.push(url),
      nameDownload: (item) => void named.push(item),
    });
  }
  const contents = Object.assign(new EventEmitter(), { session, setWindowOpenHandler: keep('open') });
  app.emit('web-contents-created', {}, contents);
  const call = (name: string, ...args: unknown[]): unknown => handlers[name]?.(...args);
  const isAllowed = (event: string, details: object): boolean => {
    let isPrevented = false;
    contents.emit(event, { preventDefault: () => (isPrevented = true), ...details });
    return !isPrevented;
  };
  const isLoaded = (url: string, resourceType: string): boolean => {
    let isCanceled: boolean | undefined;
    call('before', { url, resourceType }, (given: { cancel: boolean }) => (isCanceled = given.cancel));
    return isCanceled === false;
  };
  return { isAllowed, isLoaded, call, refused, opened, named };
}

const addresses = {
  app: 'app://doctray/index.html',
  otherApp: 'app://doctray.evil/',
  appWithoutPath: 'app://doctray',
  tools: 'devtools://devtools/bundled/devtools_app.html',
  page: `${page}/edit/id`,
  editor: `${office}/cool?WOPISrc=x`,
  editorSocket: 'ws://office.example:9980/ws',
  secureEditor: 'https://docs.example/web-apps/a.html',
  blank: 'about:blank',
  srcdoc: 'about:srcdoc',
  blob: `blob:${office}/1`,
  appBlob: 'blob:app://doctray/1',
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
const toEditor: Address[] = ['editor', 'editorSocket', 'secureEditor'];
const inFrame: Address[] = [...toEditor, 'blank', 'srcdoc', 'blob'];

const ofEditor: Address[] = [...inFrame, 'data', 'secure'];
const loads: Record<Kind, Record<'mainFrame' | 'subFrame' | 'script', Address[]>> = {
  window: { mainFrame: ['app'], subFrame: ['app'], script: ['app'] },
  editor: { mainFrame: ['page', ...toEditor], subFrame: inFrame, script: ['page', ...ofEditor] },
  probe: { mainFrame: toEditor, subFrame: inFrame, script: ofEditor },
};

for (const kind of kinds) {
  test(`a session of kind ${kind} loads only permitted URLs, and developer tools only in the app’s window`, () => {
    for (const type of ['mainFrame', 'subFrame', 'script'] as const) {
      for (const hasDevTools of [false, true]) {
        const { isLoaded } = guarded(kind, hasDevTools);
        const tools: Address[] = kind === 'window' && hasDevTools ? ['tools'] : [];
        assert.deepEqual(
          all.filter((name) => isLoaded(addresses[name], type)).toSorted(),
          [...loads[kind][type], ...tools].toSorted(),
          type,
        );
      }
    }
  });
}

const bySelf = { initiator: { parent: null } };
const byFrame = { initiator: { parent: {} } };
const disposed = {
  initiator: {
    get parent(): never {
      throw new Error('Render frame was disposed');
    },
  },
};
const steps: [what: string, event: string, details: object, editor: Address[], probe: Address[]][] = [
  ['by the page', 'will-navigate', bySelf, ['page', ...toEditor], toEditor],
  ['by a frame', 'will-navigate', byFrame, ['page'], toEditor],
  ['by an unknown initiator', 'will-navigate', { initiator: null }, ['page'], toEditor],
  ['by a disposed frame', 'will-navigate', disposed, ['page'], toEditor],
  ['of the page by a frame', 'will-frame-navigate', { ...byFrame, isMainFrame: true }, ['page'], toEditor],
  ['of a frame by the page', 'will-frame-navigate', { ...bySelf, isMainFrame: false }, inFrame, inFrame],
  ['of a frame by itself', 'will-frame-navigate', { ...byFrame, isMainFrame: false }, inFrame, inFrame],
  ['of the page', 'will-redirect', { isMainFrame: true }, ['page', ...toEditor], toEditor],
  ['of a frame', 'will-redirect', { isMainFrame: false }, inFrame, inFrame],
];
for (const [what, event, details, editor, probe] of steps) {
  test(`${event} ${what} goes only to permitted URLs`, () => {
    for (const [kind, wanted] of Object.entries<Address[]>({ window: [], editor, probe })) {
      const { isAllowed } = guarded(kind as Kind);
      const reached = all.filter((name) => isAllowed(event, { ...details, url: addresses[name] }));
      assert.deepEqual(reached.toSorted(), wanted.toSorted(), kind);
    }
  });
}

test('blocks webviews, and new windows, downloads and screen recordings, except an editor’s', () => {
  for (const kind of kinds) {
    const isEditor = kind === 'editor';
    const { isAllowed, call, opened, named, refused } = guarded(kind);
    assert.equal(isAllowed('will-attach-webview', {}), false);
    assert.deepEqual(call('open', { url: 'https://example.org/' }), { action: 'deny' });
    assert.deepEqual(opened, isEditor ? ['https://example.org/'] : []);
    assert.equal(refused.includes('another window'), !isEditor);
    const item = {} as DownloadItem;
    let isPrevented = false;
    call('will-download', { preventDefault: () => (isPrevented = true) }, item);
    assert.deepEqual([isPrevented, named], isEditor ? [false, [item]] : [true, []]);
    assert.equal(call('device', { deviceType: 'usb' }), false);
    call('display', {}, (stream: unknown) => assert.equal(stream, null));
  }
});

const permissions =
  'clipboard-read clipboard-sanitized-write display-capture fullscreen geolocation idle-detection media mediaKeySystem midi midiSysex ' +
  'notifications pointerLock keyboardLock openExternal speaker-selection storage-access window-management fileSystem hid serial usb unknown';

test('grants only an editor, and only clipboard writes and full screen', () => {
  for (const kind of kinds) {
    const { call } = guarded(kind);
    for (const origin of ['editor', 'page', 'app', 'secure'] as const) {
      const granted = permissions.split(' ').filter((name) => {
        let isAllowed: unknown;
        call('request', {}, name, (given: unknown) => (isAllowed = given), {
          requestingUrl: addresses[origin],
        });
        assert.equal(call('check', {}, name, addresses[origin]), isAllowed, name);
        return isAllowed;
      });
      const isEditor = kind === 'editor' && origin === 'editor';
      assert.deepEqual(granted, isEditor ? ['clipboard-sanitized-write', 'fullscreen'] : [], kind);
    }
  }
});

type PagesEditor = ReturnType<PagesHost['services']['editors']['list']>[number];

function editor(url: string, urlsrcs: string[], change: Partial<PagesEditor> = {}): PagesEditor {
  const actions = urlsrcs.map((urlsrc) => {
    return { app: 'Word', name: 'edit', extension: 'docx', urlsrc, isDefault: false };
  });
  const discovery = { actions, proofKeys: null };
  return { id: 'a', kind: 'other', url, acceptsOtherHosts: false, discovery, ...change };
}

function host(editors: PagesEditor[], baseUrl = page): PagesHost {
  const publicUrl = baseUrl === '' ? '' : 'https://docs.example.org';
  return {
    baseUrl,
    publicUrl: () => publicUrl,
    baseUrlOf: (id) => (id === 'docker' ? 'http://host.docker.internal:8790' : publicUrl),
    services: { editors: { list: () => editors } },
  };
}

test('hostPageUrls lists every address that editors and browsers use for the host', () => {
  assert.deepEqual(hostPageUrls(undefined), []);
  const own = ['http://localhost:8790', page, 'https://docs.example.org'];
  assert.deepEqual(hostPageUrls(host([])), own);
  const docker = editor('http://localhost:9980', [], { id: 'docker' });
  assert.deepEqual(hostPageUrls(host([docker])), [...own, 'http://host.docker.internal:8790']);
  assert.deepEqual(hostPageUrls(host([], '')), []);
});

test('editorUrls lists an editor’s own host, other hosts only if the user allowed them', () => {
  assert.deepEqual(editorUrls(undefined), []);
  const urlsrcs = [
    'http://office.example:9981/x/edit?<ui=UI_LLCC&>',
    'https://office.example/y?',
    'https://elsewhere.example/z?<ui=UI_LLCC&>',
    'javascript:alert(1)',
    'nothing',
  ];
  const own = [office, 'http://office.example:9981', 'https://office.example'];
  assert.deepEqual(editorUrls(host([editor(office, urlsrcs)])), own);
  const accepting = editor(office, urlsrcs, { acceptsOtherHosts: true });
  assert.deepEqual(editorUrls(host([accepting])), [...own, 'https://elsewhere.example']);
  const builtIn = editor('http://localhost:8791', ['http://localhost:8791/edit?'], { kind: 'text-editor' });
  assert.deepEqual(editorUrls(host([builtIn])), ['http://localhost:8791', 'http://127.0.0.1:8791']);
});

test('opens in the browser only HTTPS, and HTTP of the host and its editors', async () => {
  const own = [page, 'http://nas.local:80/doctray', 'file:///', 'not an address', ''];
  const opened: string[] = [];
  const open = createOpenExternal(
    async (target) => void opened.push(target),
    () => own,
  );
  const allowed = ['https://docs.example/page?a=b#c', `${page}/open/1`, 'http://nas.local/other'];
  for (const url of allowed) await open(url);
  assert.deepEqual(opened, allowed);
  const refused = String.raw`
    http://127.0.0.1:8791/ http://127.0.0.1/ http://nas.local.evil/ HTTP://example.com/ javascript:alert(1) file:///etc/passwd
    smb://server/share ms-msdt:/id vscode://file/etc/passwd app://doctray/index.html data:text/html,x calc.exe
    https://user:secret@example.com/ https://example.com@evil.example/ \\server\share`;
  for (const url of [...refused.trim().split(/\s+/u), '', `https://example.com/${'a'.repeat(3000)}`])
    await assert.rejects(open(url), { code: 'permission-denied' }, url);
  assert.deepEqual(opened, allowed);
});
