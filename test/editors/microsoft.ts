// A scripted Microsoft 365 for the web or Office Online Server, based on Microsoft's WOPI reference and validator.
// What hosts can get wrong: lock ids are JSON, UnlockAndRelock happens during an edit, copies can have exact names
// (RelativeTarget) and overwrite, X-WOPI-Editors names several users, and the TimeStamp exceeds a double.
// @see wopi-behaviour.md sections 3 and 6

import { randomBytes, randomUUID } from 'node:crypto';
import { encodeUtf7 } from './utf7-encoder.ts';
import { createWire, fileIdOf, jsonOf, ticksNow } from './wire.ts';
import type {
  Access,
  Exchange,
  FileInfo,
  HeaderList,
  PutRelativeAnswer,
  RenameAnswer,
  WireOptions,
} from './wire.ts';

export interface MicrosoftTab {
  readonly mode: 'edit' | 'view';
  readonly fileInfo: FileInfo;
  lockId(): string;
  content(): Buffer;
  edit(content: Buffer): void;
  /** RefreshLock, a few times an hour. */
  keepAlive(): Promise<Exchange>;
  /** Every 30 seconds to two minutes while there are changes. */
  autosave(): Promise<Exchange>;
  /** Another front end takes over the document: UnlockAndRelock. */
  relock(): Promise<Exchange>;
  getLock(): Promise<Exchange>;
  saveAs(name: string): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  /** Creates a copy with exactly this name. */
  saveExactly(
    name: string,
    options?: { isOverwriting?: boolean },
  ): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  rename(name: string): Promise<{ exchange: Exchange; answer: RenameAnswer | undefined }>;
  putUserInfo(text: string): Promise<Exchange>;
  close(): Promise<void>;
}

export interface Microsoft {
  readonly exchanges: Exchange[];
  /** In view mode, it takes no lock. */
  open(access: Access, options?: { mode?: 'edit' | 'view' }): Promise<MicrosoftTab>;
  /** Converts an old binary format, which can't be edited. */
  convert(
    access: Access,
    toExtension: string,
    convertBytes: (original: Buffer) => Buffer,
  ): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  deleteFile(access: Access): Promise<Exchange>;
  crash(): void;
}

interface OpenDocument {
  lockId: string;
  content: Buffer;
  isChanged: boolean;
  editors: Set<string>;
  tabs: Set<object>;
}

export function createMicrosoft(options: WireOptions = {}): Microsoft {
  const wire = createWire(options);
  const documents = new Map<string, OpenDocument>();
  const machine = randomBytes(6).toString('hex').toUpperCase();
  const sessionId = randomUUID();

  function standardHeaders(access: Access): HeaderList {
    return {
      Authorization: `Bearer ${access.accessToken}`,
      'X-WOPI-ClientVersion': '16.0.17928.40050',
      'X-WOPI-CorrelationId': randomUUID(),
      'X-WOPI-DeviceId': sessionId,
      'X-WOPI-MachineName': machine,
      'X-WOPI-SessionId': sessionId,
      'X-WOPI-TimeStamp': ticksNow(),
      'User-Agent': 'MSWAC',
    };
  }

  function newLockId(): string {
    return JSON.stringify({ S: randomUUID(), F: 4, E: 2, M: machine, P: randomUUID().toUpperCase() });
  }

  async function post(
    operation: string,
    access: Access,
    headers: HeaderList,
    body?: Buffer,
    suffix?: string,
  ): Promise<Exchange> {
    return wire.call({
      operation,
      access,
      headers: { ...headers, ...standardHeaders(access) },
      ...(body === undefined ? {} : { body }),
      ...(suffix === undefined ? {} : { suffix }),
    });
  }

  async function get(
    operation: string,
    access: Access,
    headers: HeaderList,
    suffix?: string,
  ): Promise<Exchange> {
    return wire.call({
      operation,
      method: 'GET',
      access,
      headers: { ...headers, ...standardHeaders(access) },
      ...(suffix === undefined ? {} : { suffix }),
    });
  }

  async function putRelative(
    access: Access,
    target: HeaderList,
    content: Buffer,
  ): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }> {
    const headers = { 'X-WOPI-Override': 'PUT_RELATIVE', ...target, 'X-WOPI-Size': content.length };
    const exchange = await post('PutRelativeFile', access, headers, content);
    return {
      exchange,
      answer: exchange.status === 200 ? (jsonOf(exchange) as PutRelativeAnswer | undefined) : undefined,
    };
  }

  async function open(
    access: Access,
    { mode = 'edit' }: { mode?: 'edit' | 'view' } = {},
  ): Promise<MicrosoftTab> {
    const checked = await get('CheckFileInfo', access, { 'X-WOPI-SessionContext': 'doctray' });
    const info = checked.status === 200 ? (jsonOf(checked) as FileInfo | undefined) : undefined;
    if (info === undefined) throw new Error('the document cannot be opened');
    const key = fileIdOf(access.wopiSrc);
    const running = documents.get(key);
    const lockId = running?.lockId ?? newLockId();
    const canLock =
      mode === 'edit' &&
      info.UserCanWrite === true &&
      (await post('Lock', access, { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': lockId })).status === 200;
    const fetched = running?.content ?? (await read(access));
    if (!canLock) return tabOf(access, info, key, { lockId: '', content: fetched, ...empty() }, 'view');
    const document = running ?? { lockId, content: fetched, ...empty() };
    documents.set(key, document);
    return tabOf(access, info, key, document, 'edit');
  }

  async function read(access: Access): Promise<Buffer> {
    const fetched = await get('GetFile', access, { 'X-WOPI-MaxExpectedSize': 2_147_483_647 }, '/contents');
    if (fetched.status !== 200) throw new Error('the document cannot be read');
    return fetched.body;
  }

  async function save(access: Access, document: OpenDocument): Promise<Exchange> {
    const { content } = document;
    const exchange = await post(
      'PutFile',
      access,
      {
        'X-WOPI-Override': 'PUT',
        'X-WOPI-Lock': document.lockId,
        'X-WOPI-Editors': [...document.editors].join(','),
        'X-WOPI-Size': content.length,
      },
      content,
      '/contents',
    );
    // Changes during the save aren't saved yet.
    if (exchange.status === 200 && document.content === content) {
      document.isChanged = false;
      document.editors.clear();
    }
    return exchange;
  }

  function tabOf(
    access: Access,
    info: FileInfo,
    key: string,
    document: OpenDocument,
    mode: 'edit' | 'view',
  ): MicrosoftTab {
    const tab: MicrosoftTab = {
      mode,
      fileInfo: info,
      lockId: () => document.lockId,
      content: () => document.content,
      edit(content) {
        if (mode === 'view') throw new Error('open for reading only');
        document.content = content;
        document.isChanged = true;
        document.editors.add(info.UserId);
      },
      keepAlive: async () =>
        post('RefreshLock', access, { 'X-WOPI-Override': 'REFRESH_LOCK', 'X-WOPI-Lock': document.lockId }),
      autosave: async () => save(access, document),
      async relock() {
        const lockId = newLockId();
        const headers = {
          'X-WOPI-Override': 'LOCK',
          'X-WOPI-Lock': lockId,
          'X-WOPI-OldLock': document.lockId,
        };
        const exchange = await post('UnlockAndRelock', access, headers);
        if (exchange.status === 200) document.lockId = lockId;
        return exchange;
      },
      getLock: async () => post('GetLock', access, { 'X-WOPI-Override': 'GET_LOCK' }),
      saveAs: async (name) =>
        putRelative(access, { 'X-WOPI-SuggestedTarget': encodeUtf7(name, 'terse') }, document.content),
      saveExactly: async (name, exactly = {}) =>
        putRelative(
          access,
          {
            'X-WOPI-RelativeTarget': encodeUtf7(name, 'terse'),
            'X-WOPI-OverwriteRelativeTarget': exactly.isOverwriting === true ? 'True' : undefined,
          },
          document.content,
        ),
      async rename(name) {
        const headers = {
          'X-WOPI-Override': 'RENAME_FILE',
          'X-WOPI-Lock': document.lockId,
          'X-WOPI-RequestedName': encodeUtf7(name, 'terse'),
        };
        const exchange = await post('RenameFile', access, headers);
        return {
          exchange,
          answer: exchange.status === 200 ? (jsonOf(exchange) as RenameAnswer | undefined) : undefined,
        };
      },
      putUserInfo: async (text) =>
        post('PutUserInfo', access, { 'X-WOPI-Override': 'PUT_USER_INFO' }, Buffer.from(text, 'utf8')),
      async close() {
        if (!document.tabs.delete(tab) || document.tabs.size > 0 || mode === 'view') return;
        documents.delete(key);
        if (document.isChanged) await save(access, document);
        await post('Unlock', access, { 'X-WOPI-Override': 'UNLOCK', 'X-WOPI-Lock': document.lockId });
      },
    };
    document.tabs.add(tab);
    return tab;
  }

  return {
    exchanges: wire.exchanges,
    open,
    async convert(access, toExtension, convertBytes) {
      await get('CheckFileInfo', access, {});
      const original = await read(access);
      const target = { 'X-WOPI-SuggestedTarget': `.${toExtension}`, 'X-WOPI-FileConversion': 'true' };
      return putRelative(access, target, convertBytes(original));
    },
    deleteFile: async (access) => post('DeleteFile', access, { 'X-WOPI-Override': 'DELETE' }),
    crash: () => documents.clear(),
  };
}

function empty(): Pick<OpenDocument, 'isChanged' | 'editors' | 'tabs'> {
  return { isChanged: false, editors: new Set(), tabs: new Set() };
}
