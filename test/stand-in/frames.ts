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

export type Frames = ReturnType<typeof createFrames>;

export function createFrames(processId: number) {
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
    /** Its id is '' until the page is open. */
    main,
    setMain(id: string): void {
      main.id = id;
      frames.set(id, main);
    },
    attach,
    detach: (id: string) => void frames.delete(id),
    navigated(id: string, details: { url: string; origin: string; parentId: string | undefined }) {
      const frame = attach(id, details.parentId);
      frame.url = hub.alias.fromChromium(details.url);
      const origin = hub.alias.fromChromium(details.origin);
      frame.origin = origin === '://' || origin === '' ? 'null' : origin;
      if (frame === main) for (const other of frames.values()) if (other !== main) frames.delete(other.id);
      return frame;
    },
    get: (id: string) => frames.get(id),
    byContext: (context: number) => [...frames.values()].find((frame) => frame.isolatedContext === context),
    /** All contexts are gone. */
    clear(): void {
      for (const frame of frames.values()) frame.isolatedContext = undefined;
    },
  };
}
