// The messages between an editor's frame and its host page, in both dialects: the WOPI messages of ONLYOFFICE and Microsoft's
// editors, and Collabora's larger set. A frame can post anything, so messages are checked, and unknown ones are ignored. ONLYOFFICE
// reads only strings, so all messages are sent as strings.

import type { EditorKind } from '../../app/contract/editors.ts';

export type EditorMessage =
  /** `started`: the editor responds. `frame-ready`: its page is drawn. `loaded`: the document is shown. */
  | { kind: 'loading'; stage: 'started' | 'frame-ready' | 'loaded' | 'failed' }
  /** Collabora: the document couldn't be loaded. Its report of success is ignored, because it comes too early. */
  | { kind: 'load-failed'; text: string | null; isTriedAgain: boolean }
  /** Collabora: whether the editor has unsaved changes. False doesn't mean that they are in the file: a rejected save clears it, too. */
  | { kind: 'modified'; isModified: boolean }
  /** ONLYOFFICE and Microsoft: a user is typing. When that is saved isn't reported. */
  | { kind: 'edited' }
  | {
      kind: 'save-answered';
      /** False doesn't mean that it was saved: without changes, or with an empty answer, it is false, too. */
      hasFailed: boolean;
      /** The name of the copy, after Save As. */
      fileName: string | null;
      /** The frame still shows the original document. */
      isExport: boolean;
      text: string | null;
    }
  | { kind: 'close' }
  | { kind: 'edit' }
  /** Text editor: whether it has the lock. Also the answer to `Action_Edit`. */
  | { kind: 'editing-status'; isEditing: boolean }
  | { kind: 'share' }
  /** The format is an extension without the dot. */
  | { kind: 'save-as'; format: string | null }
  | { kind: 'renamed' }
  | { kind: 'versions' }
  | { kind: 'token-wanted' }
  /** Microsoft: wants the named tokens by `Host_RefreshSessionInfo`. */
  | { kind: 'session-info-wanted'; names: string[] }
  | { kind: 'session-closed' };

/** The text editor uses Collabora's dialect, too: it saves on request, reports unsaved changes, and gets a new token by message. */
export function speaksCollabora(kind: EditorKind | undefined): boolean {
  return kind === 'collabora' || kind === 'text-editor';
}

type Values = Record<string, unknown>;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(data: unknown): Values | undefined {
  if (typeof data !== 'string') return isObject(data) ? data : undefined;
  // Known messages are short. A frame mustn't make this page parse megabytes.
  if (data.length > 100_000) return undefined;
  try {
    const parsed: unknown = JSON.parse(data);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A short text to show as text, never as HTML; null if there is none. */
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
    // Microsoft's editors and older ONLYOFFICE send it once, without a status, when everything is loaded.
    stage: typeof Status === 'string' ? (stages.get(Status) ?? 'started') : 'loaded',
  }),
  Action_Load_Resp: ({ success, errorMsg, errorType }) =>
    success === false
      ? { kind: 'load-failed', text: shortText(errorMsg), isTriedAgain: errorType === 'clusterscaling' }
      : undefined,
  // Anything but a clear no may be a change.
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
  App_EditingStatus: ({ Editing }) => ({ kind: 'editing-status', isEditing: Editing === true }),
  UI_Sharing: () => ({ kind: 'share' }),
  UI_Share: () => ({ kind: 'share' }),
  UI_SaveAs: ({ format }) => ({
    kind: 'save-as',
    format: typeof format === 'string' && /^[a-z0-9]{1,10}$/i.test(format) ? format.toLowerCase() : null,
  }),
  // The new name may lack its extension, or the host may have rejected it, so the host is asked.
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

/** Undefined for anything but an editor's message that this page uses. */
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
 * @param expiryMs since 1970; sent as a string, as Microsoft documents it
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
