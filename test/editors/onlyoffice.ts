// A scripted ONLYOFFICE Docs: the calls its `wopiClient.js` makes, in its order, with its headers and its habits.
// The habits that break hosts: one lock id for everybody (the file id), a PutFile before the first LOCK where the file is
// empty, flags that travel only when true (but for an exit save after a forced one), a lock failure answered by opening for reading,
// and a refused save put aside: the next opening shows that copy and reads nothing.
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

const mimeTypes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
};

export interface OnlyOfficeTab {
  /** `view` also where editing was asked for and the lock was not to be had. */
  readonly mode: 'edit' | 'view';
  readonly fileInfo: FileInfo;
  content(): Buffer;
  /** This user's change; nothing is sent until a save. */
  edit(content: Buffer): void;
  /** The ten-minute timer. */
  keepAlive(): Promise<Exchange>;
  /** The save button with "force save" on, or its timer. */
  forceSave(how?: 'button' | 'timer'): Promise<Exchange>;
  /** `onRequestSaveAs`: Save Copy As. */
  saveAs(name: string): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  rename(name: string): Promise<{ exchange: Exchange; answer: RenameAnswer | undefined }>;
  /** Leaves. The last one to leave saves what changed and releases the lock. */
  close(): Promise<void>;
}

export interface OnlyOffice {
  readonly exchanges: Exchange[];
  /** Saves the host did not take. The next opening of the document shows the last of its own, without GetFile. */
  readonly forgotten: Buffer[];
  open(access: Access, options?: { mode?: 'edit' | 'view' }): Promise<OnlyOfficeTab>;
  /** The `convert-and-edit` page: a copy in another format, then on to its `HostEditUrl`. */
  convert(
    access: Access,
    toExtension: string,
    convertBytes: (original: Buffer) => Buffer,
  ): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  /** The process dies: nothing is saved, nothing unlocked; only the forgotten saves are on its disk. */
  crash(): void;
}

interface OpenDocument {
  lockId: string;
  content: Buffer;
  lastModifiedTime: string | undefined;
  isChanged: boolean;
  /** What it holds is saved already: an exit save says that the user changed nothing. */
  wasForceSaved: boolean;
  lastEditor: { access: Access; userId: string } | undefined;
  tabs: Set<object>;
}

export interface OnlyOfficeOptions extends WireOptions {
  /** The new document of a type, for files of no bytes. */
  template?: (extension: string) => Buffer;
}

export function createOnlyOffice(options: OnlyOfficeOptions = {}): OnlyOffice {
  const wire = createWire(options);
  const forgotten: Buffer[] = [];
  const documents = new Map<string, OpenDocument>();
  const forgottenByKey = new Map<string, Buffer>();
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

  // Its HTTP library labels an empty POST as a form.
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
    // A false flag is no header at all.
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

  async function editingTab(access: Access, info: FileInfo, key: string): Promise<OnlyOfficeTab> {
    let found = documents.get(key);
    const kept = forgottenByKey.get(key);
    if (found === undefined) {
      const fetched = kept === undefined ? await getFile(access) : undefined;
      if (fetched !== undefined && fetched.status !== 200) throw new OpeningFailed(info);
      found = {
        lockId: key,
        content: kept ?? fetched?.body ?? Buffer.alloc(0),
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
      const editor = document.lastEditor ?? { access, userId: info.UserId };
      const { lockId, lastModifiedTime } = document;
      const isModifiedByUser = document.isChanged || (flags.isExitSave ? ('false' as const) : false);
      const saved = await putFile({
        ...editor,
        info,
        lockId,
        content,
        lastModifiedTime,
        flags: { isModifiedByUser, ...flags },
      });
      if (saved.status === 200) {
        // What was typed while it was saved is not saved.
        if (document.content === content) document.isChanged = false;
        document.wasForceSaved = !flags.isExitSave;
        forgottenByKey.delete(key);
        document.lastModifiedTime =
          (jsonOf(saved) as SavedAnswer | undefined)?.LastModifiedTime ?? document.lastModifiedTime;
      } else {
        forgotten.push(content);
        forgottenByKey.set(key, content);
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

/** The page is there and has said that it is loaded; the document is not. */
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
