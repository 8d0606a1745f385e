// The entry of a host page: opens the document in the editor's frame, at once. What is drawn around the frame comes with React in a
// chunk of its own, which the frame never waits for. The page contains no secret.

import '../kit/language.ts';
import { t } from '../../app/contract/messages.ts';
import { openDocument } from './document-page.ts';
import { createDocumentStore } from './page-store.ts';
import { openVersion } from './versions.ts';

/** If the host doesn't answer sooner, the page is drawn without its answer. */
const answerMs = 1000;

const closed = document.querySelector<HTMLElement>('main[data-closed]');
const main = document.querySelector<HTMLElement>('main[data-file-id]');
const frame = document.querySelector<HTMLIFrameElement>('iframe[name="editor"]');
if (closed !== null) void import('./page.tsx').then(({ draw }) => draw(closed));
else if (main !== null && frame !== null) openPage(main, frame);

function openPage(main: HTMLElement, frame: HTMLIFrameElement): void {
  const { name = t('common.document'), fileId = '', mode } = main.dataset;
  const store = createDocumentStore(name);
  const page = { store, frame, name, address: location.origin + location.pathname.replace(/\/+$/, '') };
  const versionId = new URLSearchParams(location.search).get('version');
  const opened =
    versionId === null
      ? openDocument({ ...page, fileId, mode: mode === 'view' ? 'view' : 'edit' })
      : openVersion({ ...page, versionId });
  // The browser has it by then (`modulepreload`), but running it would delay the form that opens the document.
  const late = new Promise((resolve) => setTimeout(resolve, answerMs));
  const drawn = async (): Promise<void> => (await import('./page.tsx')).draw(main, store);
  void Promise.race([opened, late]).then(drawn, drawn);
}
