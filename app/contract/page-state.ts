// What the page around an editor's frame is told of its document, by the host that serves it.

/** Saves of a document by one editor, numbered in the order they began. */
export interface SaveCounts {
  /** Of this run of the host: the numbers start again with the next one. */
  run: string;
  /** Saves that began, whatever came of them. */
  begun: number;
  /** The number of the latest of them that became the document. */
  written: number;
}

export interface SiblingDocument {
  fileId: string;
  name: string;
  path: string;
  madeAtMs: number;
}

export interface PageState {
  name: string;
  path: string;
  /** Saves by the page's editor. Nothing that another program or another editor does to the document counts. */
  saves: SaveCounts | null;
  /** Whose lock the document has; null: nobody's. */
  holder: {
    userName: string | null;
    editorName: string | null;
    /** The page's own editor holds it, for this user or another. */
    isThisEditor: boolean;
    /** Lapsed: the holder can take it up again while the document is unchanged. */
    hasLapsed: boolean;
  } | null;
  /** The page's editor has read or written the document's content lately. */
  isRead: boolean;
  /** Created out of this page and still there; oldest first. `isOpen`: the editor in the page's frame has opened it. */
  copies: (SiblingDocument & { isOpen: boolean })[];
  /** What another program wrote, kept beside the document when an editor's save replaced it; newest first. */
  conflicts: SiblingDocument[];
  /** Saves of this document that could not be written; newest first. */
  recovered: { id: string; receivedAtMs: number }[];
  /** The user may restore those. */
  canRestore: boolean;
  /** The page's session is over: nothing else is told. */
  hasEnded: boolean;
}
