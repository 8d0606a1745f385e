// The stand-in's part in the preload's world: `require` of a sandboxed preload, ipcRenderer over a binding that only this world sees, and
// the preload's end of the context bridge. Runs in every frame as source text; the preload itself runs only in the main frame, unless the
// window asks for subframes.

import type { BridgeEnd, BridgeMessage } from './bridge-end.ts';
import type { PageWindow } from './page-globals.ts';
import type { Codec } from './structured-clone.ts';

export interface PreloadConfig {
  secret: string;
  binding: string;
  runsInSubFrames: boolean;
  hasPreload: boolean;
  process: Record<string, unknown>;
}

export type PageToMain =
  | { type: 'send'; channel: string; args: string }
  | { type: 'invoke'; id: number; channel: string; args: string }
  | { type: 'permission'; id: number; name: string; details: object }
  | { type: 'title'; title: string }
  | { type: 'preload-error'; message: string; stack: string };

export type MainToPage =
  | { type: 'event'; channel: string; args: string }
  | { type: 'reply'; id: number; value: string }
  | { type: 'failure'; id: number; message: string }
  | { type: 'visibility'; isHidden: boolean };

type Preload = (
  require: (name: string) => unknown,
  module: { exports: object },
  exports: object,
  process: object,
  global: object,
  setImmediate: unknown,
  clearImmediate: unknown,
) => void;

export function runIsolatedWorld(
  config: PreloadConfig,
  createCodec: () => Codec,
  createBridgeEnd: (send: (message: BridgeMessage) => void) => BridgeEnd,
  preload: Preload,
): void {
  const window = globalThis as unknown as PageWindow;
  const { document } = window;
  const codec = createCodec();
  const post = (message: PageToMain): void =>
    (window[config.binding] as (text: string) => void)(JSON.stringify(message));
  const toPage = (message: BridgeMessage): void =>
    void document.dispatchEvent(new window.CustomEvent(`${config.secret}:page`, { detail: message }));
  const bridge = createBridgeEnd(toPage);
  document.addEventListener(`${config.secret}:preload`, (event) =>
    bridge.receive(event.detail as BridgeMessage),
  );

  const ask = (question: object): unknown =>
    JSON.parse(window.prompt(`standin:${config.secret}:${JSON.stringify(question)}`) ?? 'null');

  // Only navigations by the page fire this event; true allows them.
  window.navigation?.addEventListener('navigate', (event) => {
    if (event.destination.sameDocument || !event.cancelable || event.downloadRequest !== null) return;
    const isMainFrame = window === window.top;
    if (
      ask({ kind: 'will-navigate', url: event.destination.url, isMainFrame, from: document.URL }) === false
    ) {
      event.preventDefault();
    }
  });

  function strict(owner: string, target: object): object {
    return new Proxy(target, {
      get(object, member, receiver): unknown {
        if (typeof member === 'symbol' || member in object || member === 'then' || member === 'toJSON') {
          return Reflect.get(object, member, receiver) as unknown;
        }
        throw new Error(`stand-in has no ${owner}.${member}; write it in test/stand-in or do without`);
      },
    });
  }

  type Listener = (...args: unknown[]) => void;
  class Emitter {
    listenersOf = new Map<string, { listener: Listener; original: Listener }[]>();
    on(name: string, listener: Listener): this {
      return this.add(name, listener, listener);
    }
    addListener(name: string, listener: Listener): this {
      return this.on(name, listener);
    }
    once(name: string, listener: Listener): this {
      const once: Listener = (...args) => {
        this.off(name, listener);
        listener.apply(this, args);
      };
      return this.add(name, once, listener);
    }
    off(name: string, listener: Listener): this {
      const list = this.listenersOf.get(name) ?? [];
      const at = list.findLastIndex((entry) => entry.original === listener);
      if (at >= 0) this.listenersOf.set(name, list.toSpliced(at, 1));
      return this;
    }
    removeListener(name: string, listener: Listener): this {
      return this.off(name, listener);
    }
    removeAllListeners(name?: string): this {
      if (name === undefined) this.listenersOf.clear();
      else this.listenersOf.delete(name);
      return this;
    }
    emit(name: string, ...args: unknown[]): boolean {
      const list = this.listenersOf.get(name) ?? [];
      for (const { listener } of list) listener.apply(this, args);
      return list.length > 0;
    }
    listenerCount(name: string): number {
      return this.listenersOf.get(name)?.length ?? 0;
    }
    listeners(name: string): Listener[] {
      return (this.listenersOf.get(name) ?? []).map((entry) => entry.original);
    }
    eventNames(): string[] {
      return [...this.listenersOf.keys()];
    }
    setMaxListeners(): this {
      return this;
    }
    private add(name: string, listener: Listener, original: Listener): this {
      this.listenersOf.set(name, [...(this.listenersOf.get(name) ?? []), { listener, original }]);
      return this;
    }
  }

  let lastId = 0;
  const waiting = new Map<
    number,
    { channel: string; resolve(value: unknown): void; reject(error: Error): void }
  >();
  const permissions = new Map<number, (isGranted: boolean) => void>();
  class IpcRenderer extends Emitter {
    send(channel: string, ...args: unknown[]): void {
      post({ type: 'send', channel, args: codec.encode(args) });
    }
    async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const id = ++lastId;
      const text = codec.encode(args);
      return new Promise((resolve, reject) => {
        waiting.set(id, { channel, resolve, reject });
        post({ type: 'invoke', id, channel, args: text });
      });
    }
    sendSync(channel: string, ...args: unknown[]): unknown {
      const answer = ask({ kind: 'send-sync', channel, args: codec.encode(args) });
      return typeof answer === 'string' ? codec.decode(answer) : undefined;
    }
  }
  const ipcRenderer = strict('ipcRenderer', new IpcRenderer()) as IpcRenderer;

  window['__standinDeliver'] = (text: string): void => {
    const message = JSON.parse(text) as MainToPage;
    if (message.type === 'event') {
      ipcRenderer.emit(
        message.channel,
        strict('IpcRendererEvent', { sender: ipcRenderer, ports: [] }),
        ...(codec.decode(message.args) as unknown[]),
      );
    } else if (message.type === 'visibility') toPage(message);
    else if (permissions.has(message.id)) {
      permissions.get(message.id)?.(message.type === 'reply');
      permissions.delete(message.id);
    } else {
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === 'reply') call?.resolve(codec.decode(message.value));
      else call?.reject(new Error(`Error invoking remote method '${call.channel}': ${message.message}`));
    }
  };
  bridge.offer(1 /* askPermission */, (name: string, details: object) => {
    const id = ++lastId;
    return new Promise((resolve) => {
      permissions.set(id, resolve);
      post({ type: 'permission', id, name, details });
    });
  });

  const contextBridge = strict('contextBridge', {
    exposeInMainWorld(key: string, api: unknown): void {
      if (key in window || exposed.has(key))
        throw new Error('Cannot bind an API on top of an existing property on the window object');
      toPage({ type: 'expose', key, value: bridge.encode(api) });
      exposed.add(key);
    },
  });
  const exposed = new Set<string>();
  let zoomFactor = 1;
  const webFrame = strict('webFrame', {
    getZoomFactor: () => zoomFactor,
    setZoomFactor(factor: number) {
      zoomFactor = factor;
      (document as unknown as { documentElement: { style: { zoom: string } } }).documentElement.style.zoom =
        String(factor);
    },
  });
  const webUtils = strict('webUtils', {
    /** Playwright puts files into inputs by path, but the page's File hides the path, so only the file's name is known. */
    getPathForFile(file: File) {
      if (!(file instanceof File)) throw new TypeError('The argument is no File.');
      return (ask({ kind: 'path-for-file', name: file.name }) as string | null) ?? '';
    },
  });

  const setImmediate = (task: (...args: unknown[]) => void, ...args: unknown[]): unknown =>
    setTimeout(() => task(...args), 0);
  const electron = strict('electron (in a preload)', { contextBridge, ipcRenderer, webFrame, webUtils });
  const modules: Record<string, unknown> = {
    electron,
    'electron/renderer': electron,
    'electron/common': electron,
    events: Object.assign(Emitter, { EventEmitter: Emitter }),
    timers: {
      setTimeout,
      clearTimeout,
      setInterval,
      clearInterval,
      setImmediate,
      clearImmediate: clearTimeout,
    },
    url: { URL, URLSearchParams },
  };
  const require = (name: string): unknown => {
    const found = modules[name.replace(/^node:/, '')];
    if (found) return found;
    throw new Error(`module not found: ${name}`);
  };

  // Electron gets the title from the browser; CDP reports it too late or not at all.
  if (window === window.top) {
    let title: string | undefined;
    const tell = (): void => {
      const now = document.title;
      if (now === title || now === '') return;
      title = now;
      post({ type: 'title', title: now });
    };
    document.addEventListener('DOMContentLoaded', () => {
      tell();
      if (document.head)
        new window.MutationObserver(tell).observe(document.head, {
          childList: true,
          subtree: true,
          characterData: true,
        });
    });
  }

  if (!config.hasPreload || (window !== window.top && !config.runsInSubFrames)) return;
  const cjs = { exports: {} };
  try {
    preload(
      require,
      cjs,
      cjs.exports,
      strict('process (in a preload)', config.process),
      globalThis,
      setImmediate,
      clearTimeout,
    );
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    post({ type: 'preload-error', message, stack: stack ?? '' });
  }
}
