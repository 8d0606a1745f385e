// What the server tells its own page: once in the HTML, then over the page's stream of events.

import type { DialectKind } from './dialect.ts';

export interface PageConfig {
  kind: DialectKind;
  /** Of `collabora`: its ancestor, LibreOffice Online. */
  isLegacy: boolean;
  /** Below it are the page's calls: `/session/…`. */
  session: string;
  /** The page says nothing to the one around it, as where a proxy swallows its script's requests. */
  isSilent: boolean;
}

export interface PageState {
  /** Why the document cannot be shown; '' where it can. */
  failure: string;
  /** ONLYOFFICE, opened for viewing: a modal warning that this user may not edit; '' where there is none. */
  warning: string;
  mode: 'edit' | 'view';
  name: string;
  text: string;
  isModified: boolean;
  people: string[];
  /** Where messages go. */
  origin: string;
  closeUrl: string;
  hostEditUrl: string;
  /** The host asked to be told; else the editor goes its own way. */
  says: {
    close: boolean;
    edit: boolean;
    edited: boolean;
    sharing: boolean;
    versions: boolean;
    tokenEnd: boolean;
  };
  /** The token ends soon. */
  isEnding: boolean;
}

/** Of a call of the page. */
export interface DeedResult {
  /** The host's answer to the one WOPI call behind it. */
  status: number;
  /** Of a copy or a renamed document, as the host made it. */
  name?: string;
  /** Nothing was sent to the host: by its own account the editor has nothing unsaved. */
  isUnmodified?: true;
}
