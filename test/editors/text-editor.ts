// A scripted tab of the built-in text editor. It makes the calls with the page's client (renderer/text-editor/wopi-client.ts), in
// the page's order, through the real relay. The page itself is tested in a browser, by test/text-editor.
// The token is in a header only, every save has all flags, the lock id is stored in the browser so that a new tab can use it after
// a crash.

import { randomBytes } from 'node:crypto';
import { createWopiClient } from '../../renderer/text-editor/wopi-client.ts';
import { openText, type OpenedText, type TextEditorHost } from '../server/text-editor-host.ts';
import type { EditorTab } from './scripted-editor.ts';
import { createWire, overrides, type Exchange, type FileInfo } from './wire.ts';

export interface TextEditorTab extends EditorTab {
  readonly opened: OpenedText;
  setToken(token: string): void;
}

export interface TextEditor {
  readonly exchanges: Exchange[];
  /** Opens a document through the host page. A tab that isn't closed has crashed. */
  open(path: string, options?: { mode?: 'edit' | 'view'; login?: string }): Promise<TextEditorTab>;
}

const maxTextBytes = 10_000_000;
const operationOf = new Map(
  Object.entries(overrides).map(([operation, override]) => [
    override,
    operation.replace('UnlockAndRelock', 'Lock'),
  ]),
);

export function createTextEditor({ host }: { host: TextEditorHost }): TextEditor {
  const wire = createWire({ address: () => host.editor().url, isPage: true });
  /** The lock ids in the browser's storage, by user and document. */
  const remembered = new Map<string, string>();

  /** Replaces `fetch` in the page's client. */
  const send = async (address: string, { headers, body }: RequestInit): Promise<Response> => {
    const [path = '', suffix] = address.split(/(?=\/contents$)/);
    const given = headers as Record<string, string>;
    const { 'X-WOPI-Override': override = '' } = given;
    const { status, received, ...answer } = await wire.call({
      operation: operationOf.get(override) ?? (suffix === undefined ? 'CheckFileInfo' : 'GetFile'),
      access: {
        wopiSrc: new URL(path, host.editor().url).href,
        accessToken: (given['Authorization'] ?? '').slice('Bearer '.length),
      },
      headers: given,
      ...(body != null && { body: Buffer.from(body as Uint8Array) }),
    });
    const names = Object.entries(received).map(([name, value]) => [name, String(value)] as [string, string]);
    return new Response(Uint8Array.from(answer.body), { status, headers: names });
  };

  async function show(opened: OpenedText): Promise<TextEditorTab> {
    const { session } = opened;
    const wopi = createWopiClient(session.fileId, session.accessToken, send);
    const { body: info } = await wopi.checkFileInfo();
    if (opened.page.status !== 200 || info === undefined) throw new Error('the document cannot be opened');
    const key = `${info.UserId}:${session.fileId}`;
    const lockId = remembered.get(key) ?? `doctray-text-${info.UserId}-${randomBytes(16).toString('hex')}`;
    const mayEdit = session.action === 'edit' && info.UserCanWrite === true;
    const locked = mayEdit ? await wopi.lock(lockId) : undefined;
    const mode = locked?.status === 200 ? 'edit' : 'view';
    if (mode === 'edit') remembered.set(key, lockId);
    const got = await wopi.getFile(maxTextBytes);
    if (got.body === undefined) throw new Error('the document cannot be read');
    let content = Buffer.from(got.body);
    let saved = content;
    const isChanged = (): boolean => !content.equals(saved);

    const tab: TextEditorTab = {
      mode,
      refusal: locked?.reason ?? '',
      opened,
      fileInfo: info as FileInfo,
      lockId: () => lockId,
      content: () => content,
      edit(next) {
        if (mode === 'view') throw new Error('open for reading only');
        content = Buffer.from(next);
      },
      /** `timer`: two seconds after a change. */
      async save(how) {
        const sent = content;
        const flags = { isAutosave: how === 'timer', isModifiedByUser: isChanged(), isExit: false };
        const answer = await wopi.putFile(Uint8Array.from(sent), { lockId, ...flags });
        if (answer.status === 200) saved = sent;
        return answer;
      },
      keepAlive: async () => wopi.refreshLock(lockId),
      async saveAs(name) {
        const { status, body } = await wopi.putRelativeFile(Uint8Array.from(content), name);
        return { status, answer: body === undefined ? undefined : { Url: '', ...body } };
      },
      async rename(name) {
        const { status, body } = await wopi.renameFile(name, lockId);
        return { status, answer: body };
      },
      setToken: (token) => wopi.setToken(token),
      /** As when the host page closes. */
      async close() {
        if (isChanged()) await tab.save();
        if (mode === 'view') return;
        remembered.delete(key);
        await wopi.unlock(lockId);
      },
    };
    return tab;
  }

  return {
    exchanges: wire.exchanges,
    async open(path, { mode = 'edit', login = 'owner' } = {}) {
      const user = host.host.services.users.byLogin(login);
      if (user === undefined) throw new Error(`there is no ${login}`);
      const opening = await host.host.openInEditor({ user, path, mode, editorId: host.editor().id });
      return show(await openText(opening.url));
    },
  };
}
