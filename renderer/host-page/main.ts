// The entry of a host page: reads which document the page is for, and opens it. The page contains no secret.

import { t } from '../../app/contract/messages.ts';
import '@fontsource-variable/inter/wght.css';
import '../kit/language.ts';
import '../kit/tokens.css';
import '../kit/page.css';
import './style.css';
import { showClosed } from './closed.ts';
import { openDocument } from './document-page.ts';
import { element } from '../kit/elements.ts';
import { openVersion } from './versions.ts';

const closed = document.querySelector<HTMLElement>('main[data-closed]');
if (closed === null) openPage();
else showClosed(closed);

function openPage(): void {
  const main =
    document.querySelector<HTMLElement>('[data-file-id]') ?? document.body.appendChild(element('main', {}));
  const frame =
    document.querySelector<HTMLIFrameElement>('iframe[name="editor"]') ??
    document.body.appendChild(element('iframe', { name: 'editor' }));
  document.body.classList.add('editor-page');
  const page = {
    main,
    frame,
    name: main.dataset['name'] ?? t('common.document'),
    address: location.origin + location.pathname.replace(/\/+$/, ''),
  };
  const versionId = new URLSearchParams(location.search).get('version');
  if (versionId === null) {
    const mode = main.dataset['mode'] === 'view' ? 'view' : 'edit';
    openDocument({ ...page, fileId: main.dataset['fileId'] ?? '', mode });
  } else openVersion({ ...page, versionId });
}
