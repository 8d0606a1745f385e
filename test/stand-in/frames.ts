// The frames of a page, for `senderFrame`, `mainFrame` and the initiators of navigations.

import type { WebFrameMain } from 'electron';

import { hub, nextId } from './hub.ts';
import { strict, type Some } from './strict.ts';

export interface FrameState {
  id: string;
  parentId: string | undefined;
  url: string;
  origin: string;
  /** The execution context of the preload's world. */
  isolatedContext: number | undefined;
  facade: WebFrameMain;
}

export interface Frames {
  /** Its id is '' until the page is open. */
  main: FrameState;
  setMain(id: string): void;
  attach(id: string, parentId: string | undefined): FrameState;
  detach(id: string): void;
  navigated(id: string, details: { url: string; origin: string; parentId: string | undefined }): FrameState;
  get(id: string): FrameState | undefined;
  byContext(context: number): FrameState | undefined;
  /** All contexts are gone. */
  clear(): void;
}

export function createFrames(processId: number): Frames {
  const frames = new Map<string, FrameState>();

  function createFrame(id: string, parentId: string | undefined): FrameState {
    const members: Some<WebFrameMain> = {
      get url() {
        return frame.url;
      },
      get origin() {
        return frame.origin;
      },
      get parent() {
        return (parentId === undefined ? undefined : frames.get(parentId)?.facade) ?? null;
      },
      processId,
      routingId: nextId(),
      frameTreeNodeId: nextId(),
    };
    const facade = strict(members, 'WebFrameMain') as unknown as WebFrameMain;
    const frame: FrameState = { id, parentId, url: '', origin: 'null', isolatedContext: undefined, facade };
    return frame;
  }

  function attach(id: string, parentId: string | undefined): FrameState {
    const frame = frames.get(id) ?? createFrame(id, parentId);
    frames.set(id, frame);
    return frame;
  }

  const main = createFrame('', undefined);
  return {
    main,
    setMain(id) {
      main.id = id;
      frames.set(id, main);
    },
    attach,
    detach: (id) => void frames.delete(id),
    navigated(id, details) {
      const frame = attach(id, details.parentId);
      frame.url = hub.alias.fromChromium(details.url);
      const origin = hub.alias.fromChromium(details.origin);
      frame.origin = origin === '://' || origin === '' ? 'null' : origin;
      if (frame === main) for (const other of frames.values()) if (other !== main) frames.delete(other.id);
      return frame;
    },
    get: (id) => frames.get(id),
    byContext: (context) => [...frames.values()].find((frame) => frame.isolatedContext === context),
    clear() {
      for (const frame of frames.values()) frame.isolatedContext = undefined;
    },
  };
}
