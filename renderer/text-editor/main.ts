// The editor's page: reads the session that the server put into it, calls CheckFileInfo, and opens the editor or the preview.

import '@fontsource-variable/inter/wght.css';
import '../kit/language.ts';
import '../kit/tokens.css';
import './style.css';
import { createFrame, type Frame } from './frame.ts';
import { createHostMessages, type HostMessage, type HostMessages } from './host-messages.ts';
import { isMarkdown, kindOf } from './languages.ts';
import { createMarkdownPreview, type MarkdownPreview } from './markdown-preview.ts';
import { createPreview } from './previews.ts';
import { createTextSession } from './text-session.ts';
import { words } from './words.ts';
import { createWopiClient, isUnreachable, type AnswerWith, type FileInfo } from './wopi-client.ts';

interface SessionData {
  fileId: string;
  accessToken: string;
  accessTokenTtl: number;
  action: 'edit' | 'view';
  styleNonce: string;
}

const retryMs = 2000;

async function open(app: HTMLElement, session: SessionData): Promise<void> {
  const wopi = createWopiClient(session.fileId, session.accessToken);
  const frame = createFrame(app, window.parent !== window);
  frame.setStatus(words.opening);
  const info = await ask(frame, async () => wopi.checkFileInfo());
  if (info === undefined) return;

  let onMessage: (message: HostMessage) => void = () => undefined;
  const host: HostMessages = createHostMessages(info.PostMessageOrigin, (message) => {
    onMessage(message);
  });
  frame.setName(info.BaseFileName);
  host.post('App_LoadingStatus', { Status: 'Frame_Ready' });

  const kind = kindOf(info.BaseFileName);
  if (kind.kind !== 'text') {
    const preview = createPreview({ wopi, frame, info, kind, tokenExpiresAtMs: session.accessTokenTtl });
    onMessage = (message) => {
      if (message.kind === 'token') preview.setToken(message.token, message.expiresAtMs);
      if (message.kind === 'close') host.post('UI_Close');
    };
    await preview.start();
    host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: Date.now() });
    return;
  }

  let preview: MarkdownPreview | undefined;
  const text = createTextSession({
    wopi,
    frame,
    host,
    fileId: session.fileId,
    info,
    action: session.action,
    styleNonce: session.styleNonce,
    tokenExpiresAtMs: session.accessTokenTtl,
    now: Date.now,
    toolsFor: (pane) => {
      if (!isMarkdown(info.BaseFileName)) return [];
      preview = createMarkdownPreview(frame.body, pane.view);
      const shown = preview;
      return [
        {
          label: words.preview,
          isOn: () => shown.isShown() && !text.isComparing(),
          isAvailable: () => !text.isComparing(),
          press: () => {
            shown.setShown(!shown.isShown());
            frame.updateTools();
          },
        },
      ];
    },
    onUpdate: () => preview?.update(),
  });
  onMessage = text.receive;
  await text.start();
}

/** Calls CheckFileInfo until the host answers. Undefined if it refused; the reason is shown then. */
async function ask(frame: Frame, check: () => Promise<AnswerWith<FileInfo>>): Promise<FileInfo | undefined> {
  for (;;) {
    const answer = await check();
    if (answer.body !== undefined) return answer.body;
    frame.setStatus('');
    if (!isUnreachable(answer)) {
      const text =
        answer.status === 401
          ? words.expired
          : answer.status === 404
            ? words.notFound
            : words.failed(answer.status);
      frame.showMessage({ text, more: words.openAgain, tone: 'bad' });
      return undefined;
    }
    frame.showMessage({ text: words.unreachable, tone: 'warn' });
    await new Promise((resolve) => {
      setTimeout(resolve, retryMs);
    });
  }
}

const app = document.getElementById('app');
const data = document.getElementById('session');
if (app !== null && data !== null) {
  const session = JSON.parse(data.textContent) as SessionData;
  // Don't leave the token in the page.
  data.remove();
  void open(app, session);
}
