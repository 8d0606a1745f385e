// The messages between an editor's frame and its host page, in both dialects: the WOPI messages of ONLYOFFICE and Microsoft's
// editors, and Collabora's larger set. A frame can post anything, so messages are checked, and unknown ones are ignored. ONLYOFFICE
// reads only strings, so all messages are sent as strings.

import type { EditorKind } from '../../app/contract/editors.ts';
import type { IssuedToken } from '../../app/contract/page-calls.ts';

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

const stages = new Map<unknown, 'frame-ready' | 'loaded'>([
  // Microsoft's editors and older ONLYOFFICE send it once, without a status, when everything is loaded.
  [undefined, 'loaded'],
  ['Frame_Ready', 'frame-ready'],
  ['Document_Loaded', 'loaded'],
]);

const bare =
  <const Kind extends string>(kind: Kind) =>
  () => ({ kind });

/** By the name of the message: what it means to this page. */
const readers = {
  /** `started`: the editor responds. `frame-ready`: its page is drawn. `loaded`: the document is shown. */
  App_LoadingStatus: ({ Status }: Values) => {
    if (Status === 'Failed') return { kind: 'load-failed' as const, text: null };
    const stage = stages.get(typeof Status === 'string' ? Status : undefined) ?? ('started' as const);
    return { kind: 'loading' as const, stage };
  },
  /** Collabora: the document couldn't be loaded. Its report of success is ignored, because it comes too early. */
  Action_Load_Resp: ({ success, errorMsg }: Values) =>
    success === false ? { kind: 'load-failed' as const, text: shortText(errorMsg) } : undefined,
  /**
   * Collabora: whether the editor has unsaved changes. False doesn't mean that they are in the file: a rejected save clears it, too.
   * Anything but a clear no may be a change.
   */
  Doc_ModifiedStatus: ({ Modified }: Values) => ({
    kind: 'modified' as const,
    isModified: Modified !== false,
  }),
  /** ONLYOFFICE and Microsoft: a user is typing. When that is saved isn't reported. */
  Edit_Notification: bare('edited'),
  Action_Save_Resp: ({ success, result, fileName, errorMsg }: Values) => ({
    kind: 'save-answered' as const,
    /** False doesn't mean that it was saved: without changes, or with an empty answer, it is false, too. */
    hasFailed: success === false && result !== 'unmodified',
    isUnmodified: result === 'unmodified',
    /** The name of the copy, after Save As. */
    fileName: shortText(fileName),
    /** About a copy, without a name if there is none. */
    isExport: result === 'exportas',
    text: shortText(errorMsg),
  }),
  /** Collabora: the user asks it to save. */
  UI_Save: bare('save-asked'),
  UI_Close: bare('close'),
  UI_Edit: bare('edit'),
  /** Text editor: whether it has the lock. Also the answer to `Action_Edit`. */
  App_EditingStatus: ({ Editing }: Values) => ({
    kind: 'editing-status' as const,
    isEditing: Editing === true,
  }),
  UI_Sharing: bare('share'),
  UI_Share: bare('share'),
  /** The format is an extension without the dot. */
  UI_SaveAs: ({ format }: Values) => ({
    kind: 'save-as' as const,
    format: typeof format === 'string' && /^[a-z0-9]{1,10}$/i.test(format) ? format.toLowerCase() : null,
  }),
  /** The new name may lack its extension, or the host may have rejected it, so the host is asked. */
  File_Rename: bare('renamed'),
  UI_FileVersions: bare('versions'),
  App_TokenExpiring: bare('token-wanted'),
  App_TokenExpired: bare('token-wanted'),
  /** Microsoft: wants a token by `Host_RefreshSessionInfo`. */
  App_RefreshSessionInfo: bare('session-info-wanted'),
  Session_Closed: bare('session-closed'),
};

export type EditorMessage = NonNullable<ReturnType<(typeof readers)[keyof typeof readers]>>;

/** Undefined for anything but an editor's message that this page uses. */
export function readMessage(data: unknown): EditorMessage | undefined {
  const message = parse(data);
  const name = message?.['MessageId'];
  if (message === undefined || typeof name !== 'string' || !Object.hasOwn(readers, name)) return undefined;
  const values = message['Values'];
  return readers[name as keyof typeof readers](isObject(values) ? values : {});
}

/** The answer to Microsoft's `App_RefreshSessionInfo`: the only token there is. `Expiry` is a string, as Microsoft documents it. */
export function sessionInfo({ accessToken, accessTokenTtl }: IssuedToken): Values {
  return { Tokens: [{ Name: 'AccessToken', Expiry: String(accessTokenTtl), Value: accessToken }] };
}
