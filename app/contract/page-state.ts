// What the host reports to the page around an editor's frame.

/** Saves of a document by one editor, numbered in the order they began. */
export interface SaveCounts {
  /** Identifies this run of the host: the numbers start again with the next one. */
  run: string;
  /** Saves that began, whatever their result. */
  begun: number;
  /** The number of the latest of them that was written to the document. */
  written: number;
}

/** The newest save of a document, if it isn't in the file. */
export interface MissedSave {
  /**
   * `recovered`, `unreadable`: a recovered save, the second one of bytes that aren't a document. `version`: the editor reported no
   * changes, and another program had changed the file. `nowhere`: DocTray doesn't have it.
   */
  kind: 'recovered' | 'unreadable' | 'version' | 'nowhere';
  /** The id of the recovered save or the version. */
  keptId: string | null;
  atMs: number;
}

export interface SiblingDocument {
  fileId: string;
  name: string;
  path: string;
  madeAtMs: number;
}

export interface PageState {
  /** Why the document can't be found: `file-missing` or `folder-missing`, and its sentence. Then name and path are empty. */
  gone: { code: string; message: string } | null;
  name: string;
  path: string;
  /** Saves by the page's editor only; null if it has none. */
  saves: SaveCounts | null;
  /** Null if the newest save by any editor is in the file. */
  missed: MissedSave | null;
  /** Who holds the document's lock; null if it isn't locked. */
  holder: {
    userName: string | null;
    editorName: string | null;
    /** The page's own editor holds it, for this user or another. */
    isThisEditor: boolean;
    /** Lapsed: the holder can resume it while the document is unchanged. */
    hasLapsed: boolean;
    /** Display names of other users whose pages edit the document under this lock, and may keep it when this page's editor closes. */
    otherUsers: string[];
    /** The page's user edits it under this lock in another browser, too. */
    isOpenElsewhere: boolean;
  } | null;
  /** Who force-cleared its last lock; null if that wasn't force-cleared, or if it is locked again. */
  clearedBy: string | null;
  /** Display names of other users who have the document open. */
  others: string[];
  /** The page's editor has recently read or written the document's content. */
  isRead: boolean;
  /** A session of the page's editor has read or written the present content, so its server may open it without reading it again. */
  isKnown: boolean;
  /** Created by the editor of this tab and still there; oldest first. `isOpen`: the editor in the page's frame has opened it. */
  copies: (SiblingDocument & { isOpen: boolean })[];
  /** What another program wrote, kept beside the document when an editor's save replaced it; newest first. */
  conflicts: SiblingDocument[];
  /** Saves of this document that could not be written; newest first. */
  recovered: { id: string; receivedAtMs: number; isUnreadable: boolean }[];
  /** The user may restore them. */
  canRestore: boolean;
  /** The page's session is over; nothing else is reported. */
  hasEnded: boolean;
}
