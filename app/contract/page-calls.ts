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
