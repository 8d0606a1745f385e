// The stand-in's part in the page's own world, before any script of the page: the page's end of the context bridge, and window.open and
// permissions as the app's handlers decide. The page may be hostile, so this saves the globals that it needs later, and the name of its
// events is a secret of this window.

import type { BridgeEnd, BridgeMessage } from './bridge-end.ts';
import type { PageWindow } from './page-globals.ts';

export interface MainWorldConfig {
  secret: string;
}

export const reservedFunctions = { askPermission: 1, checkPermission: 2 };

export function runMainWorld(
  config: MainWorldConfig,
  createBridgeEnd: (send: (message: BridgeMessage) => void) => BridgeEnd,
): void {
  const window = globalThis as unknown as PageWindow;
  const { document, CustomEvent } = window;
  const dispatch = document.dispatchEvent.bind(document);
  const prompt = window.prompt.bind(window);
  const nativeOpen = window.open.bind(window);
  const { parse, stringify } = JSON;

  const bridge = createBridgeEnd((message) =>
    dispatch(new CustomEvent(`${config.secret}:preload`, { detail: message })),
  );

  function freeze(value: unknown): unknown {
    if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) freeze(item);
      Object.freeze(value);
    }
    return value;
  }

  let isHidden = false;
  document.addEventListener(`${config.secret}:page`, (event) => {
    const message = event.detail as BridgeMessage;
    if (message.type === 'expose') {
      Object.defineProperty(window, message.key, {
        value: freeze(bridge.decode(message.value)),
        enumerable: true,
        writable: false,
        configurable: false,
      });
    } else if (message.type === 'visibility') {
      isHidden = message.isHidden;
      Object.defineProperty(document, 'hidden', { get: () => isHidden, configurable: true });
      Object.defineProperty(document, 'visibilityState', {
        get: () => (isHidden ? 'hidden' : 'visible'),
        configurable: true,
      });
      dispatch(new window.Event('visibilitychange'));
    } else bridge.receive(message);
  });

  const define = (owner: object, name: string, value: unknown): void => {
    Object.defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  };

  // a page may pass anything
  const text = (value: unknown): string => (value === undefined || value === null ? '' : (value as string));
  define(window, 'open', (url?: unknown, target?: unknown, features?: unknown) => {
    const name = text(target);
    if (['_self', '_top', '_parent'].includes(name.toLowerCase()))
      return nativeOpen(url as string, target as string, features as string);
    const address = url === undefined || url === '' ? 'about:blank' : new URL(text(url), document.URL).href;
    const question = {
      kind: 'window-open',
      url: address,
      frameName: name === '_blank' ? '' : name,
      features: text(features),
    };
    const answer = prompt(`standin:${config.secret}:${stringify(question)}`);
    return answer !== null && parse(answer) === true
      ? nativeOpen(url as string, target as string, features as string)
      : null;
  });
  define(window, 'prompt', () => {
    throw new Error('prompt() is not supported.');
  });

  // Permissions: only what the app's handlers grant reaches Chromium.
  const ask = (name: string, details: object): Promise<boolean> =>
    bridge.call(1 /* askPermission */, [name, details]) as Promise<boolean>;
  const denied = (): Error => {
    const Exception = window['DOMException'] as new (message: string, name: string) => Error;
    return new Exception('Permission denied', 'NotAllowedError');
  };
  type Method = (...args: unknown[]) => unknown;
  const guard = (
    owner: unknown,
    method: string,
    name: string,
    details: (args: unknown[]) => object,
    refuse: (args: unknown[]) => unknown = () => Promise.reject(denied()),
  ): void => {
    const holder = owner as Record<string, Method> | undefined | null;
    const native = holder?.[method];
    if (!holder || !native) return;
    define(holder, method, function guarded(this: unknown, ...args: unknown[]): unknown {
      return ask(name, details(args)).then((isGranted) =>
        isGranted ? native.apply(this, args) : refuse(args),
      );
    });
  };
  const prototypeOf = (name: string): unknown =>
    (window[name] as { prototype: unknown } | undefined)?.prototype;
  guard(prototypeOf('MediaDevices'), 'getUserMedia', 'media', ([wish]) => {
    const { audio, video } = (wish ?? {}) as { audio?: unknown; video?: unknown };
    return { mediaTypes: [...(audio ? ['audio'] : []), ...(video ? ['video'] : [])] };
  });
  guard(prototypeOf('MediaDevices'), 'getDisplayMedia', 'display-capture', () => ({}));
  guard(
    window['Notification'],
    'requestPermission',
    'notifications',
    () => ({}),
    () => Promise.resolve('denied'),
  );
  guard(prototypeOf('Clipboard'), 'readText', 'clipboard-read', () => ({}));
  guard(prototypeOf('Clipboard'), 'read', 'clipboard-read', () => ({}));
  guard(window.navigator, 'requestMIDIAccess', 'midi', () => ({}));
  guard(
    prototypeOf('Element'),
    'requestFullscreen',
    'fullscreen',
    () => ({}),
    () => Promise.reject(new TypeError('fullscreen error')),
  );
  guard(prototypeOf('Element'), 'requestPointerLock', 'pointerLock', () => ({}));
  guard(window, 'getScreenDetails', 'window-management', () => ({}));
  guard(
    prototypeOf('StorageManager'),
    'persist',
    'persistent-storage',
    () => ({}),
    () => Promise.resolve(false),
  );
  for (const method of ['getCurrentPosition', 'watchPosition']) {
    guard(
      prototypeOf('Geolocation'),
      method,
      'geolocation',
      () => ({}),
      ([, onError]) =>
        (onError as ((error: object) => void) | undefined)?.({
          code: 1,
          message: 'User denied Geolocation',
          PERMISSION_DENIED: 1,
        }),
    );
  }
}
