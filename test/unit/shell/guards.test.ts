// What the guards refuse, asked with doubles of Electron's own objects; that Chromium obeys is test/security's.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { App, Session } from 'electron';
import { guardSession, installGuards } from '../../../app/shell/guards.ts';

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

function call(handlers: Handlers, name: string, ...args: unknown[]): unknown {
  return (handlers[name] as (...args: unknown[]) => unknown)(...args);
}

test('every web contents is kept on its page and without others', () => {
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

test('every session that is made is guarded', () => {
  const app = new EventEmitter();
  const guard = installGuards(app as unknown as Pick<App, 'on'>, {
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

test('every permission is refused, whoever asks for which', () => {
  const { session, handlers } = makeSession();
  guardSession(session, { hasDevTools: true, onRefused: () => undefined });
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

test('nothing is loaded but the app’s own pages, and developer tools where there are any', () => {
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
    const { session, handlers } = makeSession();
    guardSession(session, { hasDevTools, onRefused: () => undefined });
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

test('nothing is downloaded', () => {
  const { session, handlers } = makeSession();
  guardSession(session, { hasDevTools: false, onRefused: () => undefined });
  let isPrevented = false;
  call(handlers, 'will-download', { preventDefault: () => (isPrevented = true) });
  assert.ok(isPrevented);
});

test('what was refused is told without the address', () => {
  const { session, handlers } = makeSession();
  const refused: string[] = [];
  guardSession(session, { hasDevTools: false, onRefused: (what) => refused.push(what) });
  call(handlers, 'before', { url: 'https://evil.example/?access_token=secret' }, () => undefined);
  assert.deepEqual(refused, ['a request']);
});
