// What happens in the host, as data: printed line by line by `serve --json`, applied to the window's state, followed by services
// that keep data about what changed. An event never contains a token, password, lock id or document content.

export interface FileEvent {
  fileId: string;
  /** Path inside the hosted folder, with '/'. */
  path: string;
}

export type DomainEvent =
  | { event: 'listening'; pid: number; baseUrl: string; folder: string | null; owner: string }
  | { event: 'stopping' }
  | { event: 'stopped' }
  | ({ event: 'lock-taken'; user: string } & FileEvent)
  | ({ event: 'lock-released' } & FileEvent)
  | ({ event: 'lock-lapsed' } & FileEvent)
  | ({ event: 'lock-regained' } & FileEvent)
  | ({ event: 'lock-force-cleared'; by: string } & FileEvent)
  | ({ event: 'lock-restored'; by: string } & FileEvent)
  | ({ event: 'file-saved'; itemVersion: string; bytes: number } & FileEvent)
  | ({ event: 'file-created' } & FileEvent)
  | ({ event: 'file-renamed'; from: string } & FileEvent)
  | ({ event: 'file-trashed' } & FileEvent)
  | ({ event: 'file-restored'; itemVersion: string } & FileEvent)
  | ({ event: 'conflict-copy-made'; copy: string } & FileEvent)
  | ({ event: 'save-recovered'; recoveredId: string; reason: string; bytes: number } & FileEvent)
  /** `superseded`: a newer save of the same user and document. `expired`: older than `recoveredDays`. */
  | {
      event: 'recovered-save-ended';
      recoveredId: string;
      how: 'restored' | 'discarded' | 'saved' | 'superseded' | 'expired';
    }
  /** A complete body couldn't be saved, and couldn't be kept either because the quota is used up. The reason says what to do. */
  | ({ event: 'recovered-save-refused'; reason: string; bytes: number } & FileEvent)
  | { event: 'token-revoked'; tokenId: string }
  | { event: 'settings-changed'; keys: readonly string[] }
  /** An editor was connected, changed, refreshed, tested or removed: fetch all again. */
  | { event: 'editors-changed' }
  /** Its discovery can no longer be read; what was known of it is kept. */
  | { event: 'editor-unreachable'; editorId: string; name: string }
  | { event: 'editor-reachable'; editorId: string; name: string }
  /** The previous accounts, locks and tokens are gone; the sentence says what was done. */
  | { event: 'database-rebuilt'; sentence: string; renamedTo: string | null }
  /** Paths on this computer; null if no folder was served before. */
  | { event: 'folder-switched'; from: string | null; to: string }
  /** Status, address or problem changed: fetch it again. */
  | { event: 'host-changed' };

/** A row that the window shows may have changed. Every call of an editor emits this, so `serve --json` leaves it out. */
export interface RowChanged {
  event: 'row-changed';
  table:
    | 'locks'
    | 'sessions'
    | 'tokens'
    | 'users'
    | 'documentServers'
    | 'editors'
    | 'recent'
    | 'conflicts'
    | 'jobs';
}

export type HostEvent = DomainEvent | RowChanged;
export type EmitEvent = (event: HostEvent) => void;
type NamedEvent<Name> = Extract<HostEvent, { event: Name }>;

export interface Events {
  /** Calls every listener, in the order of registration, before it returns. */
  emit: EmitEvent;
  /** Returns a function that removes the listener. */
  onAny(listener: (event: HostEvent) => void): () => void;
  on<Name extends HostEvent['event']>(name: Name, listener: (event: NamedEvent<Name>) => void): () => void;
}

/** @param onError a listener threw; that must not break the save or start that emitted the event */
export function createEvents(onError: (error: unknown, event: HostEvent) => void): Events {
  const listeners = new Set<{ name?: string; listener: (event: never) => void }>();
  const add = (one: { name?: string; listener: (event: never) => void }): (() => void) => {
    listeners.add(one);
    return () => void listeners.delete(one);
  };
  return {
    emit(event) {
      for (const { name, listener } of listeners) {
        if (name !== undefined && name !== event.event) continue;
        try {
          listener(event as never);
        } catch (error) {
          onError(error, event);
        }
      }
    },
    onAny: (listener) => add({ listener }),
    on: (name, listener) => add({ name, listener }),
  };
}
