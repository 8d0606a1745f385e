// What differs between document servers: as a WOPI client, and as a server with pages.

import type { Access, FileInfo, HeaderList } from '../wire.ts';

export type DialectKind = 'onlyoffice' | 'collabora' | 'office';

/** `overwrite`: the user's answer to Collabora's dialog “document has been changed in storage”. */
export type SaveKind = 'button' | 'timer' | 'exit' | 'overwrite';

/** A document that is open on the server, with all its tabs. */
export interface OpenDocument {
  lockId: string;
  content: Buffer;
  lastModifiedTime: string | undefined;
  isChanged: boolean;
  /** The users who have changed it since the last save. */
  editors: Set<string>;
  lastEditor: { access: Access; userId: string } | undefined;
  /** A save before the one when it is closed has succeeded. */
  wasSaved: boolean;
  /** The last save failed. */
  wasRefused: boolean;
  /** A keep-alive failed. */
  isCutOff: boolean;
  tabs: Set<object>;
}

export interface PageRequest {
  purpose: 'view' | 'edit' | 'convert';
  wopiSrc: string;
  /** For a conversion. */
  toExtension?: string;
}

/** How a product calls the host, and what it serves to browsers. What is optional, most products don't do. */
export interface Dialect {
  readonly kind: DialectKind;
  newLockId(fileId: string): string;
  /** How it encodes names. */
  utf7: 'closed' | 'terse';
  /** Parameters of every call, after the token. */
  query?: string;
  /** Headers of every call. */
  headers(access: Access): HeaderList;
  /** More headers, by operation. */
  added: Readonly<Record<string, HeaderList>>;
  /** Headers that describe the body. */
  ofBody(operation: 'PutFile' | 'PutRelativeFile', body: Buffer, extension: string): HeaderList;
  saveHeaders(document: OpenDocument, how: SaveKind, info: FileInfo): HeaderList;
  keepAlive: 'RefreshLock' | 'Lock';
  renamesWithoutLock?: boolean;
  /** Only the first tab of a document takes the lock. */
  locksOnce?: true;
  /** Saves a template into an empty file before it locks. */
  fillsEmpty?: true;
  /** Doesn't read a document again that hasn't changed since it was opened, and shows a refused save instead of the document. */
  caches?: true;
  /** Saves with the token of the user who changed the document last. */
  savesAsLastEditor?: true;
  /** Saves once more when it is closed if it has saved before. */
  savesOnExit?: true;
  /**
   * Saves to its own disk first. So nothing is left to send after a failed save, and nothing is sent unless something has changed.
   * It also saves before it renames, and takes the document's time from every answer.
   */
  savesToDiskFirst?: true;

  /** The XML at `/hosting/discovery`. */
  discovery(baseUrl: string, proofKey: string): string;
  /** The answer at `/hosting/capabilities`; otherwise 404. */
  capabilities?: object;
  /** Undefined if the URL isn't a page of the server. */
  pageOf(url: URL): PageRequest | undefined;
  /** `form`: calls the host when the form is posted. `socket`: calls the host only once a browser runs the page. */
  opensOn: 'form' | 'socket';
  /** Only the document's host may frame its page. */
  isFramedByHostOnly?: true;
  /** Its button saves to the host only if the form's `docs_api_config` says so, otherwise to the document server. */
  forcesSavesOnRequest?: true;
  /** Its page shows the copy after Save As, without a message about it. */
  showsCopies?: boolean;
}
