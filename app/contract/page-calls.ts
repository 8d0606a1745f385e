// What the host answers to the calls of a document's page.

import type { EditorKind } from './editors.ts';
import type { CurrentVersion, VersionItem } from './results.ts';

export interface IssuedToken {
  accessToken: string;
  /** When it expires, in ms since 1970 by the host's clock; 0: never. WOPI's access_token_ttl, which editors get. */
  accessTokenTtl: number;
  /** Not secret. With it, the host tells the tabs of a browser apart, which share their page session. */
  tokenId: string;
}

/** A document that programs can't open, and its newest readable version; null if it has none. */
export interface DamagedDocument {
  versionId: string | null;
  writtenAtMs: number | null;
}

export interface OpenedPage extends IssuedToken {
  name: string;
  /** Inside the folder, '/'-separated. */
  path: string;
  /** The token's mode. */
  mode: 'edit' | 'view';
  /** Role, document and editor allow editing. */
  canEdit: boolean;
  /** The user can change settings and force-clear locks. */
  isOwner: boolean;
  editorId: string;
  kind: EditorKind;
  editorName: string;
  /** The full URL that the form is posted to. */
  action: string;
  /** Posted along with the token. */
  formFields: Record<string, string>;
  /** Origins that the editor's messages may come from. */
  editorOrigins: string[];
  canConvert: boolean;
  convertAction: string | null;
  closeUrl: string;
  /** Null if the document isn't damaged. */
  damaged: DamagedDocument | null;
}

/** A document's versions as its page shows them. */
export interface PageVersions {
  canRestore: boolean;
  /** A text document. */
  canCompare: boolean;
  current: Omit<CurrentVersion, 'itemVersion'>;
  /** Newest first. */
  versions: Omit<VersionItem, 'itemVersion' | 'keptAtMs'>[];
}

/** The texts of a version and of the current content. */
export interface PageComparison {
  old: string;
  now: string;
}

interface NamedDocument {
  fileId: string;
  name: string;
}

type Mode = 'edit' | 'view';

/** What a page posts to each call below its address, and the answer. */
export interface PageCalls {
  open: { sent: { mode: Mode } | { versionId: string }; answer: OpenedPage };
  /** A new one for the document that `open` opened. */
  token: { sent: Pick<OpenedPage, 'mode' | 'editorId'>; answer: IssuedToken };
  'compare-version': { sent: { versionId: string }; answer: PageComparison };
  /** As a new document next to this one. */
  'copy-version': { sent: { versionId: string }; answer: NamedDocument };
  'restore-version': { sent: { versionId: string; accessTokens: string[] }; answer: undefined };
  /** Also while it's open here: its editor keeps the lock. */
  rename: { sent: { name: string }; answer: { name: string } };
  /** Creates a document next to this one from a recovered save. */
  restore: { sent: { id: string }; answer: NamedDocument };
  /** Makes a recovered save that isn't a readable document the document's content. */
  'save-anyway': { sent: { id: string }; answer: undefined };
  /** The user decides for the file as it is, and against a recovered save or the newest save, by its time. */
  'keep-file': { sent: { id: string } | { missedAtMs: number }; answer: undefined };
  ticket: { sent: { fileId: string; mode: Mode }; answer: { url: string } };
  /** The browser leaves the page, perhaps to reload it. Without tokens, the browser may show it again as it is, so they stay valid. */
  left: { sent: { accessTokens?: string[] }; answer: undefined };
  close: { sent: Record<string, never>; answer: undefined };
}
