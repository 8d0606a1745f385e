// What this editor and its host page say to each other, in Collabora's dialect. renderer/host-page/messages.ts is the other side.
// Alone in a tab there is no host page, and every message goes nowhere.

export type HostMessage =
  | { kind: 'save'; wantsAnswer: boolean }
  | { kind: 'save-as'; name: string }
  | { kind: 'close' }
  /** Take the lock, even from another tab of the user. */
  | { kind: 'edit' }
  /** `expiresAtMs`: in ms since 1970; 0: never. */
  | { kind: 'token'; token: string; expiresAtMs: number }
  | { kind: 'focus' };

export type HostMessages = ReturnType<typeof createHostMessages>;

type Values = Record<string, unknown>;

const readers: Record<string, (values: Values) => HostMessage | undefined> = {
  Action_Save: ({ Notify }) => ({ kind: 'save', wantsAnswer: Notify === true }),
  Action_SaveAs: ({ Filename }) =>
    typeof Filename === 'string' && Filename.trim() !== ''
      ? { kind: 'save-as', name: Filename.trim() }
      : undefined,
  Action_Close: () => ({ kind: 'close' }),
  Action_Edit: () => ({ kind: 'edit' }),
  Reset_Access_Token: ({ token, ttl }) =>
    typeof token === 'string' && token !== ''
      ? { kind: 'token', token, expiresAtMs: typeof ttl === 'number' ? ttl : 0 }
      : undefined,
  Grab_Focus: () => ({ kind: 'focus' }),
};

/** Undefined for whatever isn't a message of a host page, or none this editor acts on. */
export function readHostMessage(data: unknown): HostMessage | undefined {
  if (typeof data !== 'string' || data.length > 100_000) return undefined;
  try {
    const message = JSON.parse(data) as Values | null;
    const name = message?.['MessageId'];
    if (typeof name !== 'string' || !Object.hasOwn(readers, name)) return undefined;
    const values = message?.['Values'];
    return readers[name]?.(typeof values === 'object' && values !== null ? (values as Values) : {});
  } catch {
    return undefined;
  }
}

/**
 * @param hostOrigin the host page's exact origin, from CheckFileInfo; undefined: no messages are sent or received
 */
export function createHostMessages(
  hostOrigin: string | undefined,
  onMessage: (message: HostMessage) => void,
) {
  const isEmbedded = window.parent !== window && hostOrigin !== undefined;
  if (isEmbedded) {
    addEventListener('message', (event: MessageEvent<unknown>) => {
      if (event.source !== window.parent || event.origin !== hostOrigin) return;
      const message = readHostMessage(event.data);
      if (message !== undefined) onMessage(message);
    });
  }
  return {
    /** There is a host page around this one. */
    isEmbedded,
    post(name: string, values: Record<string, unknown> = {}): void {
      if (!isEmbedded) return;
      window.parent.postMessage(
        JSON.stringify({ MessageId: name, SendTime: Date.now(), Values: values }),
        hostOrigin,
      );
    },
  };
}
