// A scripted tab of the built-in text editor. It makes the calls with the page's client (renderer/text-editor/wopi-client.ts), in
// the page's order, through the real relay. The page itself is tested in a browser, by test/text-editor.
// The token is in a header only, every save has all flags, the lock id is stored in the browser so that a new tab can use it after
// a crash, and the tab polls CheckFileInfo and GetLock every 1.4 s.

import { randomBytes } from 'node:crypto';
import {
  createWopiClient,
  type Answer,
  type AnswerWith,
  type FileInfo,
  type WopiClient,
} from '../../renderer/text-editor/wopi-client.ts';
import { openText, type OpenedText, type TextEditorHost } from '../server/text-editor-host.ts';
import { createWire, type Exchange } from './wire.ts';

export interface TextEditorTab {
  mode(): 'edit' | 'view';
  /** The host's reason for refusing the lock. */
  refusal(): string;
  readonly opened: OpenedText;
  readonly fileInfo: FileInfo;
  lockId(): string;
  content(): Buffer;
  edit(content: Buffer | string): void;
  /** The page does this two seconds after a change. */
  autosave(): Promise<Answer>;
  /** Ctrl+S. */
  save(): Promise<Answer>;
  /** The 10-minute timer. */
  keepAlive(): Promise<Answer>;
  /** Polls the host. Without unsaved changes, the tab then loads a changed document. @returns the lock id that is held */
  poll(): Promise<string>;
  /** Takes the lock and reads the document. */
  takeOver(): Promise<Answer>;
  /** Takes the lock from another tab of the user, who has confirmed this. */
  editHere(): Promise<Answer>;
  saveAs(name: string): Promise<AnswerWith<{ Name: string; HostEditUrl?: string }>>;
  rename(name: string): Promise<AnswerWith<{ Name: string }>>;
  setToken(token: string): void;
  /** Saves and unlocks, as when the host page closes. */
  close(): Promise<void>;
}

export interface TextEditor {
  readonly exchanges: Exchange[];
  /** Opens a document through the host page. A tab that isn't closed has crashed. */
  open(
    path: string,
    options?: { mode?: 'edit' | 'view'; login?: string; isOtherBrowser?: boolean },
  ): Promise<TextEditorTab>;
  /** Opens a link to a host page. */
  follow(link: string): Promise<TextEditorTab>;
}

const maxTextBytes = 10_000_000;
const operations: Record<string, string> = {
  LOCK: 'Lock',
  REFRESH_LOCK: 'RefreshLock',
  GET_LOCK: 'GetLock',
  UNLOCK: 'Unlock',
  PUT: 'PutFile',
  PUT_RELATIVE: 'PutRelativeFile',
  RENAME_FILE: 'RenameFile',
};

export function createTextEditor({ host }: { host: TextEditorHost }): TextEditor {
  const wire = createWire({ address: () => host.editor().url, isPage: true });
  /** The lock ids in the browser's storage, by user and document. */
  const remembered = new Map<string, string>();

  /** Replaces `fetch` in the page's client. */
  const send = async (address: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> => {
    const [path = '', suffix] = address.split(/(?=\/contents$)/);
    const given = headers as Record<string, string>;
    const { 'X-WOPI-Override': override = '' } = given;
    const exchange = await wire.call({
      operation: operations[override] ?? (suffix === undefined ? 'CheckFileInfo' : 'GetFile'),
      method,
      access: {
        wopiSrc: new URL(path, host.editor().url).href,
        accessToken: (given['Authorization'] ?? '').slice('Bearer '.length),
      },
      headers: given,
      ...(suffix !== undefined && { suffix }),
      ...(body != null && { body: Buffer.from(body as Uint8Array) }),
    });
    const { status, received } = exchange;
    const names = Object.entries(received).map(([name, value]) => [name, String(value)] as [string, string]);
    return new Response(Uint8Array.from(exchange.body), { status, headers: names });
  };

  async function show(opened: OpenedText, isOtherBrowser: boolean): Promise<TextEditorTab> {
    const { session } = opened;
    if (opened.page.status !== 200) throw new Error('the document cannot be opened');
    const wopi = createWopiClient(session.fileId, session.accessToken, send);
    const { body: info } = await wopi.checkFileInfo();
    if (info === undefined) throw new Error('the document cannot be opened');
    const key = `${info.UserId}:${session.fileId}`;
    const known = isOtherBrowser ? undefined : remembered.get(key);
    const lockId = known ?? `doctray-text-${info.UserId}-${randomBytes(16).toString('hex')}`;
    const tab = tabOf({ opened, info, wopi, lockId });
    const isLocked = session.action === 'edit' && info.UserCanWrite === true && (await tab.lock());
    if (isLocked && !isOtherBrowser) remembered.set(key, lockId);
    await tab.read();
    return {
      ...tab.shown,
      async close() {
        if (tab.isChanged()) await tab.shown.save();
        if (tab.shown.mode() === 'view') return;
        remembered.delete(key);
        await wopi.unlock(lockId);
      },
    };
  }

  return {
    exchanges: wire.exchanges,

    async open(path, { mode = 'edit', login = 'owner', isOtherBrowser = login !== 'owner' } = {}) {
      const user = host.host.services.users.byLogin(login);
      if (user === undefined) throw new Error(`there is no ${login}`);
      const opening = await host.host.openInEditor({ user, path, mode, editorId: host.editor().id });
      return show(await openText(opening.url), isOtherBrowser);
    },
    follow: async (link) => show(await openText(link), false),
  };
}

function tabOf({
  opened,
  info,
  wopi,
  lockId,
}: {
  opened: OpenedText;
  info: FileInfo;
  wopi: WopiClient;
  lockId: string;
}) {
  let mode: 'edit' | 'view' = 'view';
  let refusal = '';
  let content = Buffer.alloc(0);
  let version = '';
  let saved: Buffer = content;
  const isChanged = (): boolean => !content.equals(saved);

  const read = async (): Promise<void> => {
    const got = await wopi.getFile(maxTextBytes);
    if (got.body === undefined) throw new Error('the document cannot be read');
    content = Buffer.from(got.body);
    saved = content;
    ({ version } = got);
  };
  const lock = async (from = ''): Promise<Answer> => {
    const answer = await (from === '' ? wopi.lock(lockId) : wopi.relock(lockId, from));
    mode = answer.status === 200 ? 'edit' : 'view';
    refusal = answer.reason;
    return answer;
  };
  const takeOver = async (take: () => Promise<Answer>): Promise<Answer> => {
    const answer = await take();
    if (answer.status === 200) await read();
    return answer;
  };
  const put = async (isAutosave: boolean): Promise<Answer> => {
    const sent = content;
    const how = { lockId, isAutosave, isModifiedByUser: isChanged(), isExit: false, keepalive: false };
    const answer = await wopi.putFile(Uint8Array.from(sent), how);
    if (answer.status === 200) {
      saved = sent;
      ({ version } = answer);
    }
    return answer;
  };

  return {
    isChanged,
    read,
    lock: async () => (await lock()).status === 200,
    shown: {
      mode: () => mode,
      refusal: () => refusal,
      opened,
      fileInfo: info,
      lockId: () => lockId,
      content: () => content,
      edit(next: Buffer | string) {
        if (mode === 'view') throw new Error('open for reading only');
        content = Buffer.from(next);
      },
      autosave: async () => put(true),
      save: async () => put(false),
      keepAlive: async () => wopi.refreshLock(lockId),
      async poll() {
        const [checked, locked] = await Promise.all([wopi.checkFileInfo(), wopi.getLock()]);
        if (checked.body !== undefined && checked.body.Version !== version && !isChanged()) await read();
        return locked.lock ?? '';
      },
      takeOver: async () => takeOver(async () => lock()),
      editHere: async () => takeOver(async () => lock((await wopi.getLock()).lock ?? '')),
      saveAs: async (name: string) => wopi.putRelativeFile(Uint8Array.from(content), name),
      rename: async (name: string) => wopi.renameFile(name, lockId),
      setToken: (token: string) => {
        wopi.setToken(token);
      },
    } satisfies Omit<TextEditorTab, 'close'>,
  };
}
