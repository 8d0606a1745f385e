// A scripted document server as a WOPI client. It makes the calls of the real product, in its order and with its headers; what
// differs between products is in `dialects/`. What hosts can get wrong: see there.
// @see wopi-behaviour.md sections 0, 3 and 6

import type { DialectKind, OpenDocument, SaveKind } from './dialects/dialect.ts';
import { createDialect } from './dialects/dialects.ts';
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

/** What an editor uses of the host's answer; `answer` is undefined if the call failed. */
export interface Answered<Body> {
  status: number;
  answer: Body | undefined;
}

/** A user's view of an open document. */
export type EditorTab = Awaited<ReturnType<ScriptedEditor['open']>>;
export type ScriptedEditor = ReturnType<typeof createEditor>;

export interface EditorOptions extends WireOptions {
  /** For `collabora`: behaves like LibreOffice Online of 2020, its predecessor. */
  isLegacy?: boolean;
  /** The template of a type, for empty files. */
  template?: (extension: string) => Buffer | undefined;
}

export function createEditor(kind: DialectKind, options: EditorOptions = {}) {
  const wire = createWire(options);
  const dialect = createDialect(kind, options.isLegacy);
  const documents = new Map<string, OpenDocument>();
  /** On ONLYOFFICE's disk: documents that were opened and not changed, and the last refused save of a document. */
  const cached = new Map<string, { version: string; time: string | undefined; content: Buffer }>();
  const refused = new Map<string, Buffer>();

  async function call(operation: string, access: Access, headers: HeaderList = {}, body?: Buffer) {
    const all = { ...headers, ...dialect.added[operation], ...dialect.headers(access) };
    return wire.call({ operation, access, query: dialect.query, headers: all, body });
  }

  async function putRelative(
    access: Access,
    target: { name: string; extension: string; isConversion?: true },
    content: Buffer,
  ): Promise<Answered<PutRelativeAnswer>> {
    const headers = {
      'X-WOPI-SuggestedTarget': encodeUtf7(target.name, dialect.utf7),
      'X-WOPI-FileConversion': target.isConversion,
      ...dialect.ofBody('PutRelativeFile', content, target.extension),
    };
    return answered(await call('PutRelativeFile', access, headers, content));
  }

  async function checkFileInfo(access: Access): Promise<FileInfo> {
    const { answer } = answered<FileInfo>(await call('CheckFileInfo', access));
    if (answer === undefined) throw new Error('the document cannot be opened');
    return answer;
  }

  async function read(access: Access, info: FileInfo): Promise<Buffer> {
    const fetched = await call('GetFile', access);
    if (fetched.status !== 200) throw new OpeningFailed(info);
    return fetched.body;
  }

  async function fillEmptyFile(access: Access, info: FileInfo): Promise<void> {
    const content = options.template?.(extensionOf(info));
    if (content === undefined) return;
    const headers = {
      'X-WOPI-Editors': info.UserId,
      ...dialect.ofBody('PutFile', content, extensionOf(info)),
    };
    const { answer } = answered<SavedAnswer>(await call('PutFile', access, headers, content));
    if (answer !== undefined) Object.assign(info, { Size: content.length, ...answer });
  }

  /** Opens the document on the server, for its first tab. */
  async function load(access: Access, info: FileInfo, key: string, lockId: string): Promise<OpenDocument> {
    const { Version: version, LastModifiedTime: time } = info;
    const kept = refused.get(key);
    const known = cached.get(key);
    const isKnown = known?.version === version && known.time === time;
    const content = kept ?? (isKnown ? known.content : await read(access, info));
    if (dialect.caches && kept === undefined) cached.set(key, { version, time, content });
    const state = { lockId, lastModifiedTime: time, isChanged: kept !== undefined };
    const document: OpenDocument = { ...unchanged(content), ...state };
    documents.set(key, document);
    if (kept !== undefined) await call('RefreshLock', access, { 'X-WOPI-Lock': lockId });
    return document;
  }

  /** `access` is read at every call, because the page may have renewed the token. @throws OpeningFailed if GetFile fails */
  async function open(access: Access, { mode = 'edit' }: { mode?: 'edit' | 'view' } = {}) {
    const info = await checkFileInfo(access);
    if (info.Size === 0 && dialect.fillsEmpty) await fillEmptyFile(access, info);
    const key = fileIdOf(access.wopiSrc);
    const running = documents.get(key);
    const lockId = running?.lockId ?? dialect.newLockId(key);
    const mayEdit = mode === 'edit' && info.UserCanWrite === true;
    const isLocking = mayEdit && (running === undefined || !dialect.locksOnce);
    const lock = isLocking ? await call('Lock', access, { 'X-WOPI-Lock': lockId }) : undefined;
    const isEditing = mayEdit && (lock === undefined || lock.status === 200);
    const document = isEditing
      ? (documents.get(key) ?? (await load(access, info, key, lockId)))
      : unchanged(await read(access, info));
    const refusal = String(lock?.received['x-wopi-lockfailurereason'] ?? '');
    return tabOf({ access, info, key, document, mode: isEditing ? 'edit' : 'view', refusal });
  }

  function tabOf(open: {
    access: Access;
    info: FileInfo;
    key: string;
    document: OpenDocument;
    mode: 'edit' | 'view';
    refusal: string;
  }) {
    const { access, info, key, document, mode, refusal } = open;
    const extension = extensionOf(info);
    /** After an answer without a time, Collabora sends none. */
    const takeTime = (answer: object | undefined): void => {
      if (answer !== undefined) document.lastModifiedTime = (answer as SavedAnswer).LastModifiedTime;
    };

    async function put(how: SaveKind): Promise<Exchange> {
      const { content, lockId, lastEditor } = document;
      const headers = dialect.saveHeaders(document, how, info);
      const markSaved = (): void => {
        document.isChanged = false;
        document.editors.clear();
      };
      if (dialect.savesToDiskFirst) markSaved();
      const by = dialect.savesAsLastEditor ? (lastEditor?.access ?? access) : access;
      const all = { 'X-WOPI-Lock': lockId, ...headers, ...dialect.ofBody('PutFile', content, extension) };
      const saved = await call('PutFile', by, all, content);
      document.wasRefused = saved.status !== 200;
      if (document.wasRefused) {
        if (dialect.caches) refused.set(key, content);
        return saved;
      }
      // Changes during the save aren't saved yet.
      if (document.content === content) markSaved();
      document.wasSaved ||= how !== 'exit';
      takeTime(answered<SavedAnswer>(saved).answer);
      refused.delete(key);
      cached.delete(key);
      return saved;
    }

    const tab = {
      /** Also `view` if the lock was refused. */
      mode,
      /** The host's reason for refusing the lock, or ''. Collabora shows it to the user. */
      refusal,
      fileInfo: info,
      lockId: () => document.lockId,
      content: () => document.content,
      /** A change by this user. Nothing is sent until a save. */
      edit(content: Buffer): void {
        if (mode === 'view') throw new Error('open for reading only');
        document.content = content;
        document.isChanged = true;
        document.editors.add(info.UserId);
        document.lastEditor = { access, userId: info.UserId };
      },
      isModified: () => document.isChanged,
      /** Sent by a timer, so that the lock doesn't lapse. */
      async keepAlive(): Promise<{ status: number }> {
        const exchange = await call(dialect.keepAlive, access, { 'X-WOPI-Lock': document.lockId });
        document.isCutOff ||= exchange.status !== 200;
        return exchange;
      },
      /** Undefined if nothing was sent to the host. */
      save: async (how: SaveKind = 'button'): Promise<{ status: number } | undefined> =>
        dialect.savesToDiskFirst && !document.isChanged && how !== 'overwrite' ? undefined : put(how),
      async saveAs(name: string): Promise<Answered<PutRelativeAnswer>> {
        const copied = await putRelative(access, { name, extension }, document.content);
        // Collabora takes the time from this answer too, although it is about the copy. So the host must not send one.
        if (dialect.savesToDiskFirst) takeTime(copied.answer);
        return copied;
      },
      async rename(name: string): Promise<Answered<RenameAnswer>> {
        const { lockId, content } = document;
        if (dialect.savesToDiskFirst) await put('button');
        const headers = {
          'X-WOPI-Lock': dialect.renamesWithoutLock ? undefined : lockId,
          'X-WOPI-RequestedName': encodeUtf7(name.slice(0, info.FileNameMaxLength), dialect.utf7),
        };
        const body = dialect.savesToDiskFirst ? content : undefined;
        const { status, answer } = answered<RenameAnswer>(await call('RenameFile', access, headers, body));
        if (dialect.savesToDiskFirst) takeTime(answer);
        // Without a `Url`, Collabora reports a failure.
        return { status, answer: dialect.savesToDiskFirst && answer?.Url === undefined ? undefined : answer };
      },
      /** The last tab to close saves the changes and unlocks. */
      async close(): Promise<void> {
        if (!document.tabs.delete(tab) || document.tabs.size > 0) return;
        documents.delete(key);
        const isSaving = document.isChanged || (dialect.savesOnExit && document.wasSaved);
        // If a keep-alive fails, Collabora makes the document read-only and doesn't save it any more.
        if (isSaving && !(dialect.savesToDiskFirst && document.isCutOff)) await put('exit');
        await call('Unlock', access, { 'X-WOPI-Lock': document.lockId });
      },
    };
    if (mode === 'edit') document.tabs.add(tab);
    return tab;
  }

  return {
    dialect,
    exchanges: wire.exchanges,
    open,
    /** Creates a copy in another format, which can be edited. */
    async convert(access: Access, toExtension: string, converted: Buffer) {
      await read(access, await checkFileInfo(access));
      const target = { name: `.${toExtension}`, extension: toExtension, isConversion: true } as const;
      return putRelative(access, target, converted);
    },
    /** Kills the process: nothing is saved or unlocked. What is on its disk is kept. */
    crash: (): void => documents.clear(),
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

function answered<Body>(exchange: Exchange): Answered<Body> {
  const { status } = exchange;
  return { status, answer: status === 200 ? (jsonOf(exchange) as Body | undefined) : undefined };
}

function unchanged(content: Buffer): OpenDocument {
  return {
    lockId: '',
    content,
    lastModifiedTime: undefined,
    isChanged: false,
    editors: new Set(),
    lastEditor: undefined,
    wasSaved: false,
    wasRefused: false,
    isCutOff: false,
    tabs: new Set(),
  };
}

function extensionOf(info: FileInfo): string {
  const extension =
    info.FileExtension?.slice(1) ?? info.BaseFileName.slice(info.BaseFileName.lastIndexOf('.') + 1);
  return extension.toLowerCase();
}
