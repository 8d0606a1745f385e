// What happens in the host, as data: printed line by line by `serve --json`, folded into the window's state.
// No token, password, lock id or document content is ever in an event.

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
  | ({ event: 'save-rescued'; rescuedId: string; reason: string; bytes: number } & FileEvent)
  /** A newer save of the same user and document took its room, or it was older than `recoveredDays`. */
  | {
      event: 'rescued-save-ended';
      rescuedId: string;
      how: 'restored' | 'discarded' | 'saved' | 'superseded' | 'expired';
    }
  /** A whole body that could not be saved was not kept either: the quota is used up. The reason says what to do. */
  | ({ event: 'rescued-save-refused'; reason: string; bytes: number } & FileEvent)
  | { event: 'token-revoked'; tokenId: string }
  | { event: 'settings-changed'; keys: string[] }
  /** One was connected, changed, read again, tested or removed: ask for all again. */
  | { event: 'editors-changed' }
  /** Its discovery could not be read any more; what was known of it is kept. */
  | { event: 'editor-unreachable'; editorId: string; name: string; sentence: string }
  | { event: 'editor-reachable'; editorId: string; name: string }
  /** The accounts, locks and tokens of before are not there any more; the sentence says what was done. */
  | { event: 'database-rebuilt'; sentence: string }
  /** Paths on this machine; null where no folder was served before. */
  | { event: 'folder-switched'; from: string | null; to: string }
  /** Another status, address or problem than before: ask for it again. */
  | { event: 'host-changed' };

export type EmitEvent = (event: DomainEvent) => void;
