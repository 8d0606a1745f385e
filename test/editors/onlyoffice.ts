// A scripted ONLYOFFICE Docs. It makes the calls of its `wopiClient.js`, in the same order and with the same headers.
// What hosts can get wrong: all users share one lock id (the file id), an empty file gets a PutFile before the first LOCK, flags are
// sent only if true (except for an exit save after a forced one), a lock failure opens the document read-only, and a rejected save
// is kept: the next time, ONLYOFFICE shows that copy without reading the document. Nor does it read a document again that hasn't
// changed since it was closed without changes. A conversion that fails is saved as if it were the document.
// @see wopi-behaviour.md sections 0 and 6

import { randomUUID } from 'node:crypto';
import { encodeUtf7 } from './utf7-encoder.ts';
import { createWire, fileIdOf, jsonOf, ticksNow } from './wire.ts';
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

/** @see https://github.com/Euro-Office/server/issues/42 */
export const failedConversion = Buffer.from('conversion failed: error -86');

const mimeTypes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
};

export interface OnlyOfficeTab {
  /** Also `view` if the lock was refused. */
  readonly mode: 'edit' | 'view';
  readonly fileInfo: FileInfo;
  content(): Buffer;
  /** A change by this user. Nothing is sent until a save. */
  edit(content: Buffer): void;
  /** The 10-minute timer. */
  keepAlive(): Promise<Exchange>;
  /** The save button with "force save" on, or its timer. */
  forceSave(how?: 'button' | 'timer'): Promise<Exchange>;
  /** `onRequestSaveAs`: Save Copy As. */
  saveAs(name: string): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  rename(name: string): Promise<{ exchange: Exchange; answer: RenameAnswer | undefined }>;
  /** The last tab to close saves the changes and unlocks. */
  close(): Promise<void>;
}

export interface OnlyOffice {
  readonly exchanges: Exchange[];
  /** Saves that the host rejected. The next time, ONLYOFFICE shows the last one of the document instead of calling GetFile. */
  readonly forgotten: Buffer[];
  open(access: Access, options?: { mode?: 'edit' | 'view' }): Promise<OnlyOfficeTab>;
  /** The `convert-and-edit` page: creates a copy in another format. */
  convert(
    access: Access,
    toExtension: string,
    convertBytes: (original: Buffer) => Buffer,
  ): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  /** Kills the process: nothing is saved or unlocked. What it has cached or forgotten is kept, since that is on its disk. */
  crash(): void;
}

interface OpenDocument {
  lockId: string;
  content: Buffer;
  lastModifiedTime: string | undefined;
  isChanged: boolean;
  /** A forced save already saved the changes, so the exit save isn't modified by the user. */
  wasForceSaved: boolean;
  lastEditor: { access: Access; userId: string } | undefined;
  tabs: Set<object>;
}

/** A document that was opened and not changed. */
interface CachedDocument {
  version: string;
  lastModifiedTime: string | undefined;
  content: Buffer;
}

export interface OnlyOfficeOptions extends WireOptions {
  /** Conversions into the document's format fail. */
  isFailing?: () => boolean;
  /** The template of a type, for empty files. */
  template?: (extension: string) => Buffer;
}

export function createOnlyOffice(options: OnlyOfficeOptions = {}): OnlyOffice {
  const wire = createWire(options);
  const forgotten: Buffer[] = [];
  const documents = new Map<string, OpenDocument>();
  const forgottenByKey = new Map<string, Buffer>();
  const cachedByKey = new Map<string, CachedDocument>();
  const sessionId = randomUUID();

  function standardHeaders(): HeaderList {
    return {
      'X-WOPI-TimeStamp': ticksNow(),
      'X-WOPI-ClientVersion': '8.3.1.24',
      'X-WOPI-CorrelationId': randomUUID(),
      'X-WOPI-SessionId': sessionId,
      'User-Agent': 'Node.js/6.13',
    };
  }

  // ONLYOFFICE's HTTP library sends an empty POST as a form.
  const emptyPost = { 'Content-Type': 'application/x-www-form-urlencoded' };

  async function checkFileInfo(access: Access): Promise<FileInfo | undefined> {
    const exchange = await wire.call({
      operation: 'CheckFileInfo',
      method: 'GET',
      access,
      headers: standardHeaders(),
    });
    return exchange.status === 200 ? (jsonOf(exchange) as FileInfo | undefined) : undefined;
  }

  async function lockCall(
    override: 'LOCK' | 'REFRESH_LOCK' | 'UNLOCK',
    access: Access,
    lockId: string,
  ): Promise<Exchange> {
    const names = { LOCK: 'Lock', REFRESH_LOCK: 'RefreshLock', UNLOCK: 'Unlock' };
    return wire.call({
      operation: names[override],
      access,
      headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': lockId, ...standardHeaders(), ...emptyPost },
      body: '',
    });
  }

  async function getFile(access: Access): Promise<Exchange> {
    return wire.call({
      operation: 'GetFile',
      method: 'GET',
      suffix: '/contents',
      access,
      headers: { 'X-WOPI-MaxExpectedSize': 104_857_600, ...standardHeaders() },
    });
  }

  async function putFile(save: {
    access: Access;
    info: FileInfo;
    lockId: string | undefined;
    userId: string;
    content: Buffer;
    lastModifiedTime: string | undefined;
    flags: { isModifiedByUser: boolean | 'false'; isAutosave: boolean; isExitSave: boolean };
  }): Promise<Exchange> {
    // A false flag is omitted.
    const onlyTrue = <Flag>(flag: Flag | boolean): Flag | true | undefined =>
      flag === false ? undefined : flag;
    return wire.call({
      operation: 'PutFile',
      suffix: '/contents',
      access: save.access,
      headers: {
        'X-WOPI-Override': 'PUT',
        'X-WOPI-Lock': save.lockId,
        'X-WOPI-Editors': save.userId,
        ...standardHeaders(),
        'X-LOOL-WOPI-IsModifiedByUser': onlyTrue(save.flags.isModifiedByUser),
        'X-LOOL-WOPI-IsAutosave': onlyTrue(save.flags.isAutosave),
        'X-LOOL-WOPI-IsExitSave': onlyTrue(save.flags.isExitSave),
        'X-LOOL-WOPI-Timestamp': save.lastModifiedTime,
        'Content-Type': mimeTypes[extensionOf(save.info)],
      },
      body: save.content,
    });
  }

  async function putRelative(
    access: Access,
    target: { suggested: string; isConversion: boolean; extension: string },
    content: Buffer,
  ): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }> {
    const exchange = await wire.call({
      operation: 'PutRelativeFile',
      access,
      headers: {
        'X-WOPI-Override': 'PUT_RELATIVE',
        'X-WOPI-SuggestedTarget': encodeUtf7(target.suggested, 'closed'),
        'X-WOPI-FileConversion': target.isConversion ? true : undefined,
        ...standardHeaders(),
        'Content-Type': mimeTypes[target.extension],
      },
      body: content,
    });
    return {
      exchange,
      answer: exchange.status === 200 ? (jsonOf(exchange) as PutRelativeAnswer | undefined) : undefined,
    };
  }

  async function fillEmptyFile(access: Access, info: FileInfo): Promise<void> {
    const content = options.template?.(extensionOf(info));
    if (info.Size !== 0 || content === undefined) return;
    const flags = { isModifiedByUser: false, isAutosave: false, isExitSave: false };
    const save = {
      access,
      info,
      lockId: undefined,
      userId: info.UserId,
      content,
      lastModifiedTime: undefined,
      flags,
    };
    const saved = await putFile(save);
    if (saved.status !== 200) return;
    info.Size = content.length;
    const time = (jsonOf(saved) as SavedAnswer | undefined)?.LastModifiedTime;
    if (time !== undefined) info.LastModifiedTime = time;
  }

  async function open(access: Access, openOptions: { mode?: 'edit' | 'view' } = {}): Promise<OnlyOfficeTab> {
    const info = await checkFileInfo(access);
    if (info === undefined) throw new Error('the document cannot be opened');
    await fillEmptyFile(access, info);
    const wanted = info.UserCanWrite === true ? (openOptions.mode ?? 'edit') : 'view';
    const key = fileIdOf(access.wopiSrc).replace(/[^0-9\-.a-zA-Z_=]/g, '_');
    const locked = wanted === 'edit' && (await lockCall('LOCK', access, key)).status === 200;
    return locked ? editingTab(access, info, key) : viewingTab(access, info);
  }

  async function viewingTab(access: Access, info: FileInfo): Promise<OnlyOfficeTab> {
    const fetched = await getFile(access);
    if (fetched.status !== 200) throw new OpeningFailed(info);
    const content = fetched.body;
    const readOnly = (): never => {
      throw new Error('open for reading only');
    };
    return {
      mode: 'view',
      fileInfo: info,
      content: () => content,
      edit: readOnly,
      keepAlive: readOnly,
      forceSave: readOnly,
      saveAs: async (name) =>
        putRelative(access, { suggested: name, isConversion: false, extension: extensionOf(info) }, content),
      rename: readOnly,
      close: async () => undefined,
    };
  }

  async function read(access: Access, info: FileInfo, key: string): Promise<Buffer> {
    const { Version: version, LastModifiedTime: lastModifiedTime } = info;
    const cached = cachedByKey.get(key);
    if (cached?.version === version && cached.lastModifiedTime === lastModifiedTime) return cached.content;
    const fetched = await getFile(access);
    if (fetched.status !== 200) throw new OpeningFailed(info);
    cachedByKey.set(key, { version, lastModifiedTime, content: fetched.body });
    return fetched.body;
  }

  async function editingTab(access: Access, info: FileInfo, key: string): Promise<OnlyOfficeTab> {
    let found = documents.get(key);
    const kept = forgottenByKey.get(key);
    if (found === undefined) {
      found = {
        lockId: key,
        content: kept ?? (await read(access, info, key)),
        lastModifiedTime: info.LastModifiedTime,
        isChanged: kept !== undefined,
        wasForceSaved: false,
        lastEditor: undefined,
        tabs: new Set(),
      };
      documents.set(key, found);
      if (kept !== undefined) await lockCall('REFRESH_LOCK', access, key);
    }
    const document = found;

    async function save(flags: { isAutosave: boolean; isExitSave: boolean }): Promise<Exchange> {
      const { content } = document;
      const body = options.isFailing?.() === true ? failedConversion : content;
      const editor = document.lastEditor ?? { access, userId: info.UserId };
      const { lockId, lastModifiedTime } = document;
      const isModifiedByUser = document.isChanged || (flags.isExitSave ? ('false' as const) : false);
      const saved = await putFile({
        ...editor,
        info,
        lockId,
        content: body,
        lastModifiedTime,
        flags: { isModifiedByUser, ...flags },
      });
      if (saved.status === 200) {
        // Changes during the save aren't saved yet.
        if (document.content === content) document.isChanged = false;
        document.wasForceSaved = !flags.isExitSave;
        forgottenByKey.delete(key);
        cachedByKey.delete(key);
        document.lastModifiedTime =
          (jsonOf(saved) as SavedAnswer | undefined)?.LastModifiedTime ?? document.lastModifiedTime;
      } else {
        forgotten.push(body);
        forgottenByKey.set(key, body);
      }
      return saved;
    }

    const tab: OnlyOfficeTab = {
      mode: 'edit',
      fileInfo: info,
      content: () => document.content,
      edit(content) {
        document.content = content;
        document.isChanged = true;
        document.lastEditor = { access, userId: info.UserId };
      },
      keepAlive: async () => lockCall('REFRESH_LOCK', access, document.lockId),
      forceSave: async (how = 'button') => save({ isAutosave: how === 'timer', isExitSave: false }),
      saveAs: async (name) =>
        putRelative(
          access,
          { suggested: name, isConversion: false, extension: extensionOf(info) },
          document.content,
        ),
      async rename(name) {
        const exchange = await wire.call({
          operation: 'RenameFile',
          access,
          headers: {
            'X-WOPI-Override': 'RENAME_FILE',
            'X-WOPI-Lock': document.lockId,
            'X-WOPI-RequestedName': encodeUtf7(name.slice(0, info.FileNameMaxLength ?? 255), 'closed'),
            ...standardHeaders(),
            ...emptyPost,
          },
          body: '',
        });
        return {
          exchange,
          answer: exchange.status === 200 ? (jsonOf(exchange) as RenameAnswer | undefined) : undefined,
        };
      },
      async close() {
        if (!document.tabs.delete(tab) || document.tabs.size > 0) return;
        documents.delete(key);
        if (document.isChanged || document.wasForceSaved) await save({ isAutosave: false, isExitSave: true });
        await lockCall('UNLOCK', access, document.lockId);
      },
    };
    document.tabs.add(tab);
    return tab;
  }

  return {
    exchanges: wire.exchanges,
    forgotten,
    open,
    async convert(access, toExtension, convertBytes) {
      if ((await checkFileInfo(access)) === undefined) throw new Error('the document cannot be opened');
      const original = (await getFile(access)).body;
      const target = { suggested: `.${toExtension}`, isConversion: true, extension: toExtension };
      return putRelative(access, target, convertBytes(original));
    },
    crash: () => documents.clear(),
  };
}

/** CheckFileInfo succeeded, so the page is loaded, but GetFile failed. */
export class OpeningFailed extends Error {
  readonly fileInfo: FileInfo;

  constructor(fileInfo: FileInfo) {
    super('the document cannot be read');
    this.fileInfo = fileInfo;
  }
}

function extensionOf(info: FileInfo): string {
  const extension =
    info.FileExtension?.slice(1) ?? info.BaseFileName.slice(info.BaseFileName.lastIndexOf('.') + 1);
  return extension.toLowerCase();
}
