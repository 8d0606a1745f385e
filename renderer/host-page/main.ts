// The entry of a host page: opens the document in the editor's frame, at once. What is drawn around the frame comes with React in a
// chunk of its own, which the frame never waits for. The page contains no secret.

import { t } from '../../app/contract/messages.ts';
import '../kit/language.ts';
import { openDocument } from './document-page.ts';
import { createPageBar } from './page-bar.ts';
import { openVersion } from './versions.ts';

/** If the host doesn't answer sooner, the page is drawn without its answer. */
const answerMs = 1000;

const closed = document.querySelector<HTMLElement>('main[data-closed]');
if (closed === null) openPage();
else void import('./page.tsx').then(({ drawClosed }) => drawClosed(closed));

function openPage(): void {
  const main =
    document.querySelector<HTMLElement>('[data-file-id]') ??
    document.body.appendChild(document.createElement('main'));
  const frame = document.querySelector<HTMLIFrameElement>('iframe[name="editor"]') ?? newFrame();
  document.body.classList.add('editor-page');
  const bar = createPageBar(main.dataset['name'] ?? t('common.document'));
  const page = {
    bar,
    frame,
    name: bar.get().name,
    address: location.origin + location.pathname.replace(/\/+$/, ''),
  };
  const versionId = new URLSearchParams(location.search).get('version');
  const mode = main.dataset['mode'] === 'view' ? 'view' : 'edit';
  const opened =
    versionId === null
      ? openDocument({ ...page, fileId: main.dataset['fileId'] ?? '', mode })
      : openVersion({ ...page, versionId });
  // The browser has it by then (`modulepreload`), but running it would delay the form that opens the document.
  const late = new Promise((resolve) => setTimeout(resolve, answerMs));
  void Promise.race([opened, late]).then(async () => {
    const { drawPage } = await import('./page.tsx');
    drawPage(main, bar);
  });
}

function newFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.name = 'editor';
  return document.body.appendChild(frame);
}
