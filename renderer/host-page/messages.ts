// What an editor's frame says to its host page and what the page says back, in both dialects: the WOPI messages that ONLYOFFICE
// and Microsoft's editors post, and Collabora's larger set. Whoever runs in the frame may post anything, so a message is
// read by shape and what is not understood is ignored. ONLYOFFICE listens to texts alone, so texts are what is sent.

import type { EditorKind } from '../../app/contract/editors.ts';

export type EditorMessage =
  /** `started`: there is somebody. `frame-ready`: the page of the editor is drawn. `loaded`: the document is shown. */
  | { kind: 'loading'; stage: 'started' | 'frame-ready' | 'loaded' | 'failed' }
  /** Collabora: the document could not be loaded. That it could be is reported long before it is. */
  | { kind: 'load-failed'; text: string | null; isTriedAgain: boolean }
  /** Collabora: whether the editor has unsaved changes. False says nothing about the file: a refused save clears it too. */
  | { kind: 'modified'; isModified: boolean }
  /** ONLYOFFICE and Microsoft: somebody writes; nobody says when it was saved. */
  | { kind: 'edited' }
  | {
      kind: 'save-answered';
      /** Not failed is not saved: nothing to save, or an empty answer, is reported the same way. */
      hasFailed: boolean;
      /** Of the copy, after a save under another name. */
      fileName: string | null;
      /** The frame stays with the document it had. */
      isExport: boolean;
      text: string | null;
    }
  | { kind: 'close' }
  | { kind: 'edit' }
  /** Text editor: the answer to `Action_Edit`. */
  | { kind: 'edit-answered'; isEditing: boolean }
  | { kind: 'share' }
  /** The format is an extension without the dot. */
  | { kind: 'save-as'; format: string | null }
  | { kind: 'renamed' }
  | { kind: 'versions' }
  | { kind: 'token-wanted' }
  /** Microsoft: wants the named tokens by `Host_RefreshSessionInfo`. */
  | { kind: 'session-info-wanted'; names: string[] }
  | { kind: 'session-closed' };

/** The built-in editor has Collabora's dialect: it saves when asked, says what is unsaved, and takes a new token by a message. */
export function speaksCollabora(kind: EditorKind | undefined): boolean {
  return kind === 'collabora' || kind === 'text-editor';
}

type Values = Record<string, unknown>;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(data: unknown): Values | undefined {
  if (typeof data !== 'string') return isObject(data) ? data : undefined;
  // a message of the known ones is short; nobody makes this page parse megabytes
  if (data.length > 100_000) return undefined;
  try {
    const parsed: unknown = JSON.parse(data);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A short text to be shown, or null: an editor's own words are shown as text, never as HTML. */
function shortText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 300) : null;
}

const stages = new Map<string, 'frame-ready' | 'loaded' | 'failed'>([
  ['Frame_Ready', 'frame-ready'],
  ['Document_Loaded', 'loaded'],
  ['Failed', 'failed'],
]);

const readers: Record<string, (values: Values) => EditorMessage | undefined> = {
  App_LoadingStatus: ({ Status }) => ({
    kind: 'loading',
    // Microsoft's editors and older ONLYOFFICE send no status: theirs is sent once, when all is loaded
    stage: typeof Status === 'string' ? (stages.get(Status) ?? 'started') : 'loaded',
  }),
  Action_Load_Resp: ({ success, errorMsg, errorType }) =>
    success === false
      ? { kind: 'load-failed', text: shortText(errorMsg), isTriedAgain: errorType === 'clusterscaling' }
      : undefined,
  // whatever is not a clear no may be a change
  Doc_ModifiedStatus: ({ Modified }) => ({ kind: 'modified', isModified: Modified !== false }),
  Edit_Notification: () => ({ kind: 'edited' }),
  Action_Save_Resp: ({ success, result, fileName, errorMsg }) => ({
    kind: 'save-answered',
    hasFailed: success === false && result !== 'unmodified',
    fileName: shortText(fileName),
    isExport: result === 'exportas',
    text: shortText(errorMsg),
  }),
  UI_Close: () => ({ kind: 'close' }),
  UI_Edit: () => ({ kind: 'edit' }),
  Action_Edit_Resp: ({ success }) => ({ kind: 'edit-answered', isEditing: success === true }),
  UI_Sharing: () => ({ kind: 'share' }),
  UI_Share: () => ({ kind: 'share' }),
  UI_SaveAs: ({ format }) => ({
    kind: 'save-as',
    format: typeof format === 'string' && /^[a-z0-9]{1,10}$/i.test(format) ? format.toLowerCase() : null,
  }),
  // the new name may lack its extension or be refused by the host: the host is asked instead
  File_Rename: () => ({ kind: 'renamed' }),
  UI_FileVersions: () => ({ kind: 'versions' }),
  App_TokenExpiring: () => ({ kind: 'token-wanted' }),
  App_TokenExpired: () => ({ kind: 'token-wanted' }),
  App_RefreshSessionInfo: ({ Tokens }) => ({
    kind: 'session-info-wanted',
    names: Array.isArray(Tokens)
      ? Tokens.filter((name): name is string => typeof name === 'string').slice(0, 10)
      : [],
  }),
  Session_Closed: () => ({ kind: 'session-closed' }),
};

/** Undefined for what is no message of an editor, or none this page has a use for. */
export function readMessage(data: unknown): EditorMessage | undefined {
  const message = parse(data);
  const name = message?.['MessageId'];
  if (message === undefined || typeof name !== 'string' || !Object.hasOwn(readers, name)) return undefined;
  const values = message['Values'];
  return readers[name]?.(isObject(values) ? values : {});
}

/** The text to post to the frame. */
export function messageText(name: string, values: Values, nowMs: number): string {
  return JSON.stringify({ MessageId: name, SendTime: nowMs, Values: values });
}

/**
 * The answer to Microsoft's `App_RefreshSessionInfo`.
 * @param expiryMs an instant; it is sent as a text, as their documentation has it
 */
export function sessionInfo(names: readonly string[], token: string, expiryMs: number): Values {
  return {
    Tokens: (names.length === 0 ? ['AccessToken'] : names).map((name) =>
      name === 'AccessToken'
        ? { Name: name, Expiry: String(expiryMs), Value: token }
        : { Name: name, Errors: [{ Id: 'UnknownToken', Details: 'DocTray has no such token.' }] },
    ),
  };
}
