// A scripted Collabora Online. It makes the calls of its `WopiStorage.cpp`, in the same order and with the same headers.
// What hosts can get wrong: the token is both in the query and in Authorization, every save has all three flags and a timestamp
// that must equal the document's, LOCK is also the keep-alive, and a rename has the document as its body. Whether the user modified
// the document is reported late: a save within a second of the first keys is sent as not modified.
// @see wopi-behaviour.md sections 0 and 6

import { randomBytes } from 'node:crypto';
import { encodeUtf7 } from './utf7-encoder.ts';
import { createWire, fileIdOf, jsonOf } from './wire.ts';
import type {
  Access,
  Exchange,
  FileInfo,
  HeaderList,
  PutRelativeAnswer,
  RenameAnswer,
  SavedAnswer,
  WireOptions,
} from './wire.ts';

/**
 * How Collabora handles a save: `changed` shows the dialog "document has been changed in storage". `unmodified` means that nothing
 * was sent, which also happens after a failed save, because Collabora's own copy on disk was saved by then.
 */
export type UploadResult =
  'ok' | 'unmodified' | 'changed' | 'conflict' | 'unauthorized' | 'too-large' | 'failed';

export interface CollaboraSave {
  isAutosave?: boolean;
  isExitSave?: boolean;
  /** "Overwrite" in that dialog: saves without a timestamp. */
  isForced?: boolean;
}

export interface CollaboraView {
  readonly mode: 'edit' | 'view';
  /** The host's reason for refusing the lock, shown to the user. */
  readonly lockFailureReason: string | undefined;
  readonly fileInfo: FileInfo;
  content(): Buffer;
  edit(content: Buffer): void;
  /** Typed a moment ago: the document process saves it, but the server hasn't heard yet that the document is modified. */
  editUnnoticed(content: Buffer): void;
  /** The 15-minute timer, which sends LOCK again. */
  keepAlive(): Promise<Exchange>;
  /** `exchange` is undefined if nothing was sent. */
  save(how?: CollaboraSave): Promise<{ exchange: Exchange | undefined; result: UploadResult }>;
  /** Whether there are changes that Collabora hasn't written to its own disk. */
  isModified(): boolean;
  saveAs(name: string): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  /** Saves, then renames. `answer` is undefined if the host sent no `Url`, which Collabora reports as a failure. */
  rename(name: string): Promise<{ exchange: Exchange; answer: RenameAnswer | undefined }>;
  close(): Promise<void>;
}

export interface Collabora {
  readonly exchanges: Exchange[];
  /** `access` is read at every call, because the page may have renewed the token. */
  open(access: Access, options?: { mode?: 'edit' | 'view' }): Promise<CollaboraView>;
  crash(): void;
}

/** A `DocumentBroker`: a document that is open on the server, with all its views. */
interface Broker {
  lockToken: string;
  content: Buffer;
  lastModifiedTime: string;
  isChanged: boolean;
  /** The server knows of the changes. */
  isNoticed: boolean;
  /** The last upload failed, so the next one is still modified by the user. */
  wasRefused: boolean;
  views: Set<object>;
}

/** @param options.isLegacy LibreOffice Online of 2020: other vendor headers, and RenameFile without a lock id */
export function createCollabora(options: WireOptions & { isLegacy?: boolean } = {}): Collabora {
  const wire = createWire(options);
  const { isLegacy = false } = options;
  const brokers = new Map<string, Broker>();
  const serverId = randomBytes(4).toString('hex');

  function standardHeaders(access: Access): HeaderList {
    return {
      'User-Agent': isLegacy ? 'LOOLWSD WOPI Agent 6.4.10' : 'COOLWSD WOPI Agent 24.04.13.2',
      Authorization: `Bearer ${access.accessToken}`,
      ...vendor('ServerId', serverId),
    };
  }

  function vendor(name: string, value: string | undefined): HeaderList {
    if (value === undefined) return {};
    return { [`X-${isLegacy ? 'LOOL' : 'COOL'}-WOPI-${name}`]: value };
  }

  // Query parameters of the page are passed on.
  const query = 'access_token_ttl=0&permission=edit';

  async function lockCall(override: 'LOCK' | 'UNLOCK', access: Access, lockToken: string): Promise<Exchange> {
    return wire.call({
      operation: override === 'LOCK' ? 'Lock' : 'Unlock',
      access,
      query,
      headers: {
        ...standardHeaders(access),
        'X-WOPI-Override': override,
        'X-WOPI-Lock': lockToken,
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': 0,
      },
    });
  }

  async function checkFileInfo(access: Access): Promise<FileInfo | undefined> {
    const exchange = await wire.call({
      operation: 'CheckFileInfo',
      method: 'GET',
      access,
      query,
      headers: standardHeaders(access),
    });
    return exchange.status === 200 ? (jsonOf(exchange) as FileInfo | undefined) : undefined;
  }

  async function getFile(access: Access): Promise<Exchange> {
    return wire.call({
      operation: 'GetFile',
      method: 'GET',
      suffix: '/contents',
      access,
      query,
      headers: standardHeaders(access),
    });
  }

  async function putFile(
    access: Access,
    broker: Broker,
    how: CollaboraSave,
  ): Promise<{ exchange: Exchange; result: UploadResult }> {
    const timestamp =
      how.isForced === true || broker.lastModifiedTime === '' ? undefined : broker.lastModifiedTime;
    const { content } = broker;
    const isModifiedByUser = (broker.isChanged && broker.isNoticed) || broker.wasRefused;
    // Collabora saves to its own disk before the upload, and doesn't retry a failed upload.
    broker.isChanged = false;
    broker.isNoticed = false;
    const exchange = await wire.call({
      operation: 'PutFile',
      suffix: '/contents',
      access,
      query,
      headers: {
        ...standardHeaders(access),
        'X-WOPI-Lock': broker.lockToken,
        'X-WOPI-Override': 'PUT',
        ...vendor('IsModifiedByUser', String(isModifiedByUser)),
        ...vendor('IsAutosave', String(how.isAutosave === true)),
        ...vendor('IsExitSave', String(how.isExitSave === true)),
        ...vendor('Timestamp', timestamp),
        'Content-Type': 'application/octet-stream',
      },
      body: content,
    });
    const answer = jsonOf(exchange) as SavedAnswer | undefined;
    const result = uploadResult(exchange.status, answer);
    broker.wasRefused = result !== 'ok';
    if (result === 'ok') {
      broker.lastModifiedTime = answer?.LastModifiedTime ?? '';
    }
    return { exchange, result };
  }

  async function open(
    access: Access,
    { mode = 'edit' }: { mode?: 'edit' | 'view' } = {},
  ): Promise<CollaboraView> {
    const checked = await checkFileInfo(access);
    if (checked === undefined) throw new Error('the document cannot be opened');
    const info = mode === 'view' ? { ...checked, UserCanWrite: false } : checked;
    const key = fileIdOf(access.wopiSrc);
    const running = brokers.get(key);
    if (running !== undefined && info.UserCanWrite === true) return editingView(access, info, key, running);
    const lockToken = `cool-lock${randomBytes(4).toString('hex')}`;
    const lock = info.UserCanWrite === true ? await lockCall('LOCK', access, lockToken) : undefined;
    const fetched = await getFile(access);
    if (fetched.status !== 200) throw new Error('the document cannot be read');
    if (lock?.status !== 200) return viewingView(info, fetched.body, reasonOf(lock));
    const broker = {
      lockToken,
      content: fetched.body,
      lastModifiedTime: info.LastModifiedTime ?? '',
      isChanged: false,
      isNoticed: false,
      wasRefused: false,
      views: new Set<object>(),
    };
    brokers.set(key, broker);
    return editingView(access, info, key, broker);
  }

  function viewingView(
    info: FileInfo,
    content: Buffer,
    lockFailureReason: string | undefined,
  ): CollaboraView {
    const readOnly = (): never => {
      throw new Error('open for reading only');
    };
    return {
      mode: 'view',
      isModified: () => false,
      lockFailureReason,
      fileInfo: info,
      content: () => content,
      edit: readOnly,
      editUnnoticed: readOnly,
      keepAlive: readOnly,
      save: readOnly,
      saveAs: readOnly,
      rename: readOnly,
      close: async () => undefined,
    };
  }

  function editingView(access: Access, info: FileInfo, key: string, broker: Broker): CollaboraView {
    /** If a keep-alive fails, Collabora makes the document read-only and doesn't save it any more. */
    let isCutOff = false;
    const view: CollaboraView = {
      mode: 'edit',
      lockFailureReason: undefined,
      fileInfo: info,
      content: () => broker.content,
      edit(content) {
        broker.content = content;
        broker.isChanged = true;
        broker.isNoticed = true;
      },
      editUnnoticed(content) {
        broker.content = content;
        broker.isChanged = true;
      },
      async keepAlive() {
        const exchange = await lockCall('LOCK', access, broker.lockToken);
        isCutOff ||= exchange.status !== 200;
        return exchange;
      },
      isModified: () => broker.isChanged,
      save: async (how = {}) =>
        broker.isChanged || how.isForced === true
          ? putFile(access, broker, how)
          : { exchange: undefined, result: 'unmodified' },
      async saveAs(name) {
        const exchange = await wire.call({
          operation: 'PutRelativeFile',
          access,
          query,
          headers: {
            ...standardHeaders(access),
            'X-WOPI-Override': 'PUT_RELATIVE',
            'X-WOPI-Size': broker.content.length,
            'X-WOPI-SuggestedTarget': encodeUtf7(name, 'terse'),
            'Content-Type': 'application/octet-stream',
          },
          body: broker.content,
        });
        const answer =
          exchange.status === 200
            ? (jsonOf(exchange) as (PutRelativeAnswer & SavedAnswer) | undefined)
            : undefined;
        // Collabora takes the time from this answer too, although it is about the copy. So the host must not send one.
        if (answer !== undefined) broker.lastModifiedTime = answer.LastModifiedTime ?? '';
        return { exchange, answer };
      },
      async rename(name) {
        await putFile(access, broker, {});
        const exchange = await wire.call({
          operation: 'RenameFile',
          access,
          query,
          headers: {
            ...standardHeaders(access),
            'X-WOPI-Lock': isLegacy ? undefined : broker.lockToken,
            'X-WOPI-Override': 'RENAME_FILE',
            'X-WOPI-RequestedName': encodeUtf7(name, 'terse'),
            'Content-Type': 'application/octet-stream',
          },
          body: broker.content,
        });
        const answer = exchange.status === 200 ? (jsonOf(exchange) as RenameAnswer | undefined) : undefined;
        if (answer !== undefined) broker.lastModifiedTime = answer.LastModifiedTime ?? '';
        return { exchange, answer: answer?.Url === undefined ? undefined : answer };
      },
      async close() {
        if (!broker.views.delete(view) || broker.views.size > 0) return;
        brokers.delete(key);
        if (broker.isChanged && !isCutOff) await putFile(access, broker, { isExitSave: true });
        await lockCall('UNLOCK', access, broker.lockToken);
      },
    };
    broker.views.add(view);
    return view;
  }

  return { exchanges: wire.exchanges, open, crash: () => brokers.clear() };
}

const documentChanged = 1010;

function uploadResult(status: number, answer: SavedAnswer | undefined): UploadResult {
  if (status === 200) return 'ok';
  if (status === 413) return 'too-large';
  if (status === 401 || status === 403 || status === 404) return 'unauthorized';
  if (status !== 409) return 'failed';
  return answer?.COOLStatusCode === documentChanged || answer?.LOOLStatusCode === documentChanged
    ? 'changed'
    : 'conflict';
}

function reasonOf(lock: Exchange | undefined): string | undefined {
  const reason = lock?.received['x-wopi-lockfailurereason'];
  return typeof reason === 'string' ? reason : undefined;
}
