// The frames of a page, for `senderFrame` and `mainFrame`.

import type { WebFrameMain } from 'electron';

import type { SchemeAlias } from './scheme-alias.ts';
import { StrictEmitter } from './strict.ts';

export interface FrameState {
  id: string;
  parentId: string | undefined;
  name: string;
  url: string;
  origin: string;
  routingId: number;
  frameTreeNodeId: number;
  isDetached: boolean;
  /** The execution contexts of the frame's two worlds. */
  isolatedContext: number | undefined;
  mainContext: number | undefined;
  facade: WebFrameMain | undefined;
}

export interface FramesDeps {
  alias: SchemeAlias;
  processId: number;
  nextId: () => number;
  isDestroyed: () => boolean;
  execute: (frame: FrameState, code: string) => Promise<unknown>;
  send: (frame: FrameState, channel: string, args: unknown[]) => void;
  reload: () => void;
}

export interface Frames {
  attach(id: string, parentId: string | undefined): FrameState;
  detach(id: string): void;
  navigated(
    id: string,
    details: { url: string; origin: string; name: string | undefined; parentId: string | undefined },
  ): FrameState;
  get(id: string): FrameState | undefined;
  byContext(context: number): FrameState | undefined;
  main(): FrameState | undefined;
  all(): FrameState[];
  facade(frame: FrameState): WebFrameMain;
  clear(): void;
}

type Facade = Pick<
  WebFrameMain,
  | 'url'
  | 'origin'
  | 'name'
  | 'parent'
  | 'top'
  | 'frames'
  | 'processId'
  | 'routingId'
  | 'frameTreeNodeId'
  | 'detached'
  | 'visibilityState'
  | 'isDestroyed'
  | 'executeJavaScript'
  | 'send'
  | 'reload'
>;

export function createFrames(deps: FramesDeps): Frames {
  const frames = new Map<string, FrameState>();

  class StandInFrame extends StrictEmitter implements Facade {
    #frame: FrameState;
    constructor(frame: FrameState) {
      super('WebFrameMain', ['dom-ready']);
      this.#frame = frame;
    }
    get url(): string {
      return this.#frame.url;
    }
    get origin(): string {
      return this.#frame.origin;
    }
    get name(): string {
      return this.#frame.name;
    }
    get parent(): WebFrameMain | null {
      const parent = this.#frame.parentId === undefined ? undefined : frames.get(this.#frame.parentId);
      return parent ? facade(parent) : null;
    }
    get top(): WebFrameMain | null {
      const top = main();
      return top ? facade(top) : null;
    }
    get frames(): WebFrameMain[] {
      return [...frames.values()].filter((frame) => frame.parentId === this.#frame.id).map(facade);
    }
    get processId(): number {
      return deps.processId;
    }
    get routingId(): number {
      return this.#frame.routingId;
    }
    get frameTreeNodeId(): number {
      return this.#frame.frameTreeNodeId;
    }
    get detached(): boolean {
      return this.#frame.isDetached;
    }
    get visibilityState(): 'visible' {
      return 'visible';
    }
    isDestroyed(): boolean {
      return this.#frame.isDetached || deps.isDestroyed();
    }
    // as Electron declares it
    // oxlint-disable-next-line typescript/no-explicit-any
    executeJavaScript(code: string): Promise<any> {
      return deps.execute(this.#frame, code);
    }
    send(channel: string, ...args: unknown[]): void {
      deps.send(this.#frame, channel, args);
    }
    reload(): boolean {
      deps.reload();
      return true;
    }
  }

  function facade(frame: FrameState): WebFrameMain {
    frame.facade ??= new StandInFrame(frame) as unknown as WebFrameMain;
    return frame.facade;
  }

  function attach(id: string, parentId: string | undefined): FrameState {
    const known = frames.get(id);
    if (known) return known;
    const frame: FrameState = {
      id,
      parentId,
      name: '',
      url: '',
      origin: 'null',
      routingId: deps.nextId(),
      frameTreeNodeId: deps.nextId(),
      isDetached: false,
      isolatedContext: undefined,
      mainContext: undefined,
      facade: undefined,
    };
    frames.set(id, frame);
    return frame;
  }

  function main(): FrameState | undefined {
    return [...frames.values()].find((frame) => frame.parentId === undefined);
  }

  return {
    attach,
    detach(id) {
      const frame = frames.get(id);
      if (frame) frame.isDetached = true;
      frames.delete(id);
    },
    navigated(id, details) {
      const frame = attach(id, details.parentId);
      frame.url = deps.alias.fromChromium(details.url);
      const origin = deps.alias.fromChromium(details.origin);
      frame.origin = origin === '://' || origin === '' ? 'null' : origin;
      frame.name = details.name ?? '';
      return frame;
    },
    get: (id) => frames.get(id),
    byContext: (context) =>
      [...frames.values()].find(
        (frame) => frame.isolatedContext === context || frame.mainContext === context,
      ),
    main,
    all: () => [...frames.values()],
    facade,
    clear() {
      for (const frame of frames.values()) frame.isolatedContext = frame.mainContext = undefined;
    },
  };
}
