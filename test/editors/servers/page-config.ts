// What the server sends to its page: the configuration in the HTML, and the state over the event stream.

import type { DialectKind } from '../dialects/dialect.ts';

export interface PageConfig {
  kind: DialectKind;
  /** For `collabora`: LibreOffice Online, its predecessor. */
  isLegacy: boolean;
  /** The path prefix of the page's calls: `/session/…`. */
  session: string;
}

export interface PageState {
  /** Why the document can't be shown, or ''. */
  failure: string;
  /** ONLYOFFICE in view mode: a modal warning that the user may not edit, or ''. */
  warning: string;
  mode: 'edit' | 'view';
  name: string;
  text: string;
  isModified: boolean;
  people: string[];
  /** The target origin of messages. */
  origin: string;
  closeUrl: string;
  hostEditUrl: string;
  /** Which messages the host requested in CheckFileInfo. Without them, the editor handles the action itself. */
  says: { close: boolean; edit: boolean; edited: boolean; sharing: boolean; versions: boolean };
}

/** A call of the page, with what its verb needs. */
export interface PageCall {
  text?: string;
  name?: string;
  token?: string;
  id?: string;
  values?: Record<string, unknown>;
}

/** The result of a call by the page. */
export interface PageCallResult {
  /** The status of the host's answer to the WOPI call. */
  status: number;
  /** The name that the host gave the copy or the renamed document. */
  name?: string;
  /** Nothing was sent to the host, because the editor has no unsaved changes. */
  isUnmodified?: true;
}
