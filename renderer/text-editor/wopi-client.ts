// The WOPI operations this editor uses, by the relay on its own origin. Answers are values: a status and what the operation's
// headers say; only what couldn't be asked at all has status 0. The token is in a header, never in an address.

import { unlockHeader, wantedLockHeader } from '../../app/contract/text-documents.ts';
import { encodeUtf7 } from './utf7.ts';

/** The part of CheckFileInfo that this editor reads. Names and addresses are the host's; texts are shown as text only. */
export interface FileInfo {
  BaseFileName: string;
  Size: number;
  UserId: string;
  /** Changes with every save and every change on disk. */
  Version: string;
  UserCanWrite?: boolean;
  UserCanRename?: boolean;
  UserCanNotWriteRelative?: boolean;
  HostEditUrl?: string;
  /** The host page's origin. */
  PostMessageOrigin?: string;
  ClosePostMessage?: boolean;
  EditModePostMessage?: boolean;
  FileSharingPostMessage?: boolean;
  FileVersionPostMessage?: boolean;
}

export interface Answer {
  /** 0: neither host nor relay answered. */
  status: number;
  /** X-WOPI-Lock: the lock that is held, '' when none is, null when the answer doesn't say. */
  lock: string | null;
  /** X-WOPI-LockFailureReason, X-WOPI-ServerError or X-WOPI-InvalidFileNameError: a sentence for the user, or ''. */
  reason: string;
  /** X-WOPI-ItemVersion, or ''. */
  version: string;
  /** The locks of this document that another page of their user waits for. */
  wantedLocks: readonly string[];
}

/** An answer with what its body holds; undefined unless the call succeeded. */
export type AnswerWith<Body> = Answer & { body: Body | undefined };

export interface SaveOptions {
  lockId: string;
  isAutosave: boolean;
  /** False: the user has changed nothing, and what is on disk stays if it differs. */
  isModifiedByUser: boolean;
  /** The page is closing: the browser finishes the request without it, up to 64 KiB. */
  isExit: boolean;
}

export type WopiClient = ReturnType<typeof createWopiClient>;

/** Nothing was reached, or only the relay, which may be busy: ask again later. */
export function isUnreachable({ status }: Answer): boolean {
  return status === 0 || status === 429 || status === 502 || status === 503 || status === 504;
}

const callLimitMs = 20_000;
/** A document on a slow network. */
const contentLimitMs = 5 * 60_000;

interface Call {
  path?: '/contents';
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  content?: Uint8Array<ArrayBuffer>;
  keepalive?: boolean;
}

/** @param send to the page's own origin */
export function createWopiClient(
  fileId: string,
  accessToken: string,
  send: (path: string, init: RequestInit) => Promise<Response> = fetch,
) {
  let token = accessToken;

  async function call<Body>(
    { path, method, headers, content, keepalive }: Call,
    read?: (response: Response) => Promise<Body>,
  ): Promise<AnswerWith<Body>> {
    const isLong = content !== undefined || path !== undefined;
    try {
      const response = await send(`/wopi/files/${encodeURIComponent(fileId)}${path ?? ''}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...headers },
        ...(content !== undefined && { body: content }),
        cache: 'no-store',
        credentials: 'omit',
        keepalive: keepalive ?? false,
        signal: AbortSignal.timeout(isLong ? contentLimitMs : callLimitMs),
      });
      const header = (name: string): string => response.headers.get(name) ?? '';
      return {
        status: response.status,
        lock: response.headers.get('X-WOPI-Lock'),
        reason:
          header('X-WOPI-LockFailureReason') ||
          header('X-WOPI-ServerError') ||
          header('X-WOPI-InvalidFileNameError'),
        version: header('X-WOPI-ItemVersion'),
        wantedLocks: header(wantedLockHeader)
          .split(' ')
          .filter((lock) => lock !== ''),
        body: response.ok ? await read?.(response) : undefined,
      };
    } catch {
      // no connection, a connection lost in the middle, or a time limit: all the same to the user
      return { status: 0, lock: null, reason: '', version: '', wantedLocks: [], body: undefined };
    }
  }

  async function post<Body>(
    override: string,
    headers: Record<string, string> = {},
    more: Partial<Call> = {},
    read?: (response: Response) => Promise<Body>,
  ) {
    return call({ method: 'POST', headers: { 'X-WOPI-Override': override, ...headers }, ...more }, read);
  }

  async function read(maxBytes: number, headers: Record<string, string>) {
    const maxHeader = { 'X-WOPI-MaxExpectedSize': String(maxBytes) };
    return call({ method: 'GET', path: '/contents', headers: { ...maxHeader, ...headers } }, bytes);
  }

  const bytes = async (response: Response): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await response.arrayBuffer());

  const json = async <Body>(response: Response): Promise<Body> => (await response.json()) as Body;

  return {
    /** A new token for the same document. */
    setToken(next: string) {
      token = next;
    },
    checkFileInfo: async () => call({ method: 'GET' }, json<FileInfo>),
    /** 412 when the document is larger than `maxBytes`. */
    getFile: async (maxBytes: number) => read(maxBytes, {}),
    /** The same by a range of all bytes. The host doesn't record it as a read, and still reports a conflict with it. */
    async peekFile(maxBytes: number) {
      const answer = await read(maxBytes, { Range: 'bytes=0-' });
      // An empty file has no range.
      return answer.status === 416 ? { ...answer, body: new Uint8Array() } : answer;
    },
    lock: async (lockId: string) => post('LOCK', { 'X-WOPI-Lock': lockId }),
    /** In place of that one, in one step. */
    relock: async (lockId: string, oldLockId: string) =>
      post('LOCK', { 'X-WOPI-Lock': lockId, 'X-WOPI-OldLock': oldLockId }),
    refreshLock: async (lockId: string) => post('REFRESH_LOCK', { 'X-WOPI-Lock': lockId }),
    getLock: async () => post('GET_LOCK'),
    /** Also while the page goes away. */
    unlock: async (lockId: string) => post('UNLOCK', { 'X-WOPI-Lock': lockId }, { keepalive: true }),
    putFile: async (
      content: Uint8Array<ArrayBuffer>,
      { lockId, isAutosave, isModifiedByUser, isExit }: SaveOptions,
    ) =>
      post(
        'PUT',
        {
          'X-WOPI-Lock': lockId,
          'X-EXT-WOPI-IsModifiedByUser': String(isModifiedByUser),
          'X-EXT-WOPI-IsAutosave': String(isAutosave),
          'X-EXT-WOPI-IsExitSave': String(isExit),
          ...(isExit && { [unlockHeader]: 'true' }),
        },
        { path: '/contents', content, keepalive: isExit },
      ),
    /** A copy beside the document. The host makes the name legal and free. */
    putRelativeFile: async (content: Uint8Array<ArrayBuffer>, name: string) =>
      post(
        'PUT_RELATIVE',
        { 'X-WOPI-SuggestedTarget': encodeUtf7(name), 'X-WOPI-Size': String(content.length) },
        { content },
        json<{ Name: string; HostEditUrl?: string }>,
      ),
    /** @param name without extension @param lockId '' where no lock is held */
    renameFile: async (name: string, lockId: string) =>
      post(
        'RENAME_FILE',
        { 'X-WOPI-RequestedName': encodeUtf7(name), ...(lockId !== '' && { 'X-WOPI-Lock': lockId }) },
        {},
        json<{ Name: string }>,
      ),
  };
}
