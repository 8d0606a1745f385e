// The stand-in's part in the page's own world, before any script of the page: the page's end of the context bridge, and window.open and
// permissions as the app's handlers decide. The page may be hostile, so this saves the globals that it needs later, and the name of its
// events is a secret of this window.

import type { BridgeEnd, BridgeMessage } from './bridge-end.ts';

export function runMainWorld(
  config: { secret: string },
  createBridgeEnd: (send: (message: BridgeMessage) => void) => BridgeEnd,
): void {
  const { CustomEvent, Event, DOMException } = globalThis;
  const dispatch = document.dispatchEvent.bind(document);
  const prompt = window.prompt.bind(window);
  const nativeOpen = window.open.bind(window);
  const { stringify } = JSON;

  const bridge = createBridgeEnd(
    (message) => void dispatch(new CustomEvent(`${config.secret}:preload`, { detail: message })),
  );

  document.addEventListener(`${config.secret}:page`, (event) => {
    const message = (event as CustomEvent<BridgeMessage>).detail;
    if (message.type === 'expose') {
      const value = Object.fromEntries(message.members.map(([name, wire]) => [name, bridge.decode(wire)]));
      Object.defineProperty(window, message.key, { value: Object.freeze(value), enumerable: true });
    } else if (message.type === 'visibility') {
      const { isHidden } = message;
      const state = isHidden ? 'hidden' : 'visible';
      Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      dispatch(new Event('visibilitychange'));
    } else bridge.receive(message);
  });

  const define = (owner: object, name: string, value: unknown): void => {
    Object.defineProperty(owner, name, { value, configurable: true, enumerable: true, writable: true });
  };
  define(window, 'open', (url: string | undefined, target?: string, features?: string) => {
    // a page may pass anything
    if (['_self', '_top', '_parent'].includes(String(target).toLowerCase()))
      return nativeOpen(url, target, features);
    const address = url === undefined || url === '' ? 'about:blank' : new URL(url, document.URL).href;
    prompt(`standin:${config.secret}:${stringify({ kind: 'window-open', url: address })}`);
    return null;
  });
  define(window, 'prompt', () => {
    throw new Error('prompt() is not supported.');
  });

  // Permissions: only what the app's handlers grant reaches Chromium.
  type Method = (...args: unknown[]) => unknown;
  const guard = (
    owner: unknown,
    method: string,
    name: string,
    refuse: Method = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError')),
  ): void => {
    const holder = owner as Record<string, Method> | undefined;
    const native = holder?.[method];
    if (holder === undefined || native === undefined) return;
    define(holder, method, async function guarded(this: unknown, ...args: unknown[]): Promise<unknown> {
      const isGranted = await (bridge.call(1 /* askPermission */, [name]) as Promise<boolean>);
      return isGranted ? native.apply(this, args) : refuse(...args);
    });
  };
  const { MediaDevices, Notification, Clipboard, Geolocation } = globalThis as unknown as Partial<
    Record<string, { prototype: unknown }>
  >;
  guard(MediaDevices?.prototype, 'getUserMedia', 'media');
  guard(MediaDevices?.prototype, 'getDisplayMedia', 'display-capture');
  guard(Notification, 'requestPermission', 'notifications', () => 'denied');
  guard(Clipboard?.prototype, 'readText', 'clipboard-read');
  guard(Geolocation?.prototype, 'getCurrentPosition', 'geolocation', (_onFound, onError) =>
    (onError as ((error: object) => void) | undefined)?.({ code: 1, message: 'User denied Geolocation' }),
  );
}
