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
  /** The server knows of the changes. */
  isNoticed: boolean;
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

/** How a product calls the host. */
export interface ClientDialect {
  newLockId(fileId: string): string;
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
  /** Names are encoded as UTF-7. */
  renameHeaders(name: string, lockId: string, info: FileInfo): HeaderList;
  keepAlive: 'RefreshLock' | 'Lock';
  /** Only the first tab of a document takes the lock. */
  isLockedOnce: boolean;
  /** Saves a template into an empty file before it locks. */
  isFilling: boolean;
  /** Doesn't read a document again that hasn't changed since it was opened, and shows a refused save instead of the document. */
  isCaching: boolean;
  /** Saves with the token of the user who changed the document last. */
  isSavedByLastEditor: boolean;
  /** Saves once more when it is closed if it has saved before. */
  isSavedOnExit: boolean;
  /**
   * Saves to its own disk first. So nothing is left to send after a failed save, and nothing is sent unless something has changed.
   * It also saves before it renames, and takes the document's time from every answer.
   */
  isSavedFirst: boolean;
}

/** What a product serves to browsers. */
export interface ServerDialect {
  /** The XML at `/hosting/discovery`. */
  discovery(baseUrl: string, proofKey: string): string;
  /** The answer at `/hosting/capabilities`; undefined: 404. */
  capabilities: object | undefined;
  /** Undefined if the URL isn't a page of the server. */
  pageOf(url: URL): PageRequest | undefined;
  /** `form`: calls the host when the form is posted. `socket`: calls the host only once a browser runs the page. */
  opensOn: 'form' | 'socket';
  /** Only the document's host may frame its page. */
  isFramedByHostOnly: boolean;
  /** Whether the button saves to the host, by the form's `docs_api_config`. */
  isForcingSaves(docsApiConfig: string): boolean;
  /** Its page shows the copy after Save As, without a message about it. */
  isMovedByCopying: boolean;
}

export interface Dialect extends ClientDialect, ServerDialect {
  readonly kind: DialectKind;
}
