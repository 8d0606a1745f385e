// The editor's page: reads the session that the server put into it, calls CheckFileInfo, and opens the editor or the preview. What is drawn
// around the text comes with React in a chunk of its own, which the text never waits for.

import '../kit/language.ts';
import { t } from '../../app/contract/messages.ts';
import { createHostMessages, type HostMessage } from './host-messages.ts';
import { kindOf } from './languages.ts';
import { openFailed } from './notices.ts';
import { createPage, type Page } from './page-store.ts';
import { createPreview } from './previews.ts';
import { createTextSession } from './text-session.ts';
import { createWopiClient, isUnreachable, type FileInfo, type WopiClient } from './wopi-client.ts';

interface SessionData {
  fileId: string;
  accessToken: string;
  accessTokenTtl: number;
  action: 'edit' | 'view';
  styleNonce: string;
}

const retryMs = 2000;
/** If the document isn't shown sooner, the page is drawn without it. */
const drawMs = 1000;

/** Resolves when the document is shown, or as much as there will be. */
async function open(page: Page, body: HTMLElement, session: SessionData): Promise<void> {
  const wopi = createWopiClient(session.fileId, session.accessToken);
  page.set({ status: { text: t('common.opening') } });
  const info = await ask(page, wopi);
  if (info === undefined) return;

  let onMessage: (message: HostMessage) => void = () => undefined;
  const host = createHostMessages(info.PostMessageOrigin, (message) => onMessage(message));
  page.set({ name: info.BaseFileName, content: undefined });
  host.post('App_LoadingStatus', { Status: 'Frame_Ready' });

  const kind = kindOf(info.BaseFileName);
  const document = { wopi, page, info, tokenExpiresAtMs: session.accessTokenTtl };
  if (kind.kind === 'text') {
    const text = createTextSession({ ...session, ...document, body, host, now: Date.now });
    onMessage = (message) => void text.receive(message);
    await text.start();
    return;
  }
  const preview = createPreview({ ...document, kind });
  onMessage = (message) => {
    if (message.kind === 'token') preview.setToken(message.token, message.expiresAtMs);
    if (message.kind === 'close') host.post('UI_Close');
  };
  await preview.start();
  host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: Date.now() });
}

/** Calls CheckFileInfo until the host answers. Undefined if it refused; the reason is shown then. */
async function ask(page: Page, wopi: WopiClient): Promise<FileInfo | undefined> {
  for (;;) {
    const answer = await wopi.checkFileInfo();
    if (answer.body !== undefined) return answer.body;
    page.set({ status: { text: '' } });
    if (!isUnreachable(answer)) {
      const reasons: Record<number, string> = {
        401: t('common.your-access-to-this-document'),
        404: t('editor.this-document-was-deleted-or'),
      };
      const text = reasons[answer.status] ?? openFailed(answer.status);
      page.set({ content: { kind: 'message', text, more: t('editor.open-the-document-again-from') } });
      return undefined;
    }
    page.set({ content: { kind: 'message', text: t('editor.doctray-isnt-responding-trying-again') } });
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

const data = document.getElementById('session');
const [above, body, below] = ['above', 'body', 'below'].map((id) => document.getElementById(id));
if (data !== null && above != null && body != null && below != null) {
  const session = JSON.parse(data.textContent) as SessionData;
  // Don't leave the token in the page.
  data.remove();
  const isEmbedded = window.parent !== window;
  document.body.classList.toggle('embedded', isEmbedded);
  if (!isEmbedded) above.firstElementChild?.append(t('common.opening'));
  const page = createPage();
  const opened = open(page, body, session);
  const late = new Promise((resolve) => setTimeout(resolve, drawMs));
  const draw = async (): Promise<void> => {
    const { drawPage } = await import('./page.tsx');
    drawPage({ above, body, below }, page, isEmbedded);
  };
  void Promise.race([opened, late]).then(draw, draw);
}
