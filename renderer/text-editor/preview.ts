// Runs in preview.html, a frame without an origin and without network access, and renders one .docx. The document isn't trusted: links
// and pictures from elsewhere are removed, and the frame's content security policy blocks them as well.

import { parseAsync, renderDocument } from 'docx-preview';

const margin = 12;

const options = {
  className: 'docx',
  inWrapper: true,
  ignoreLastRenderedPageBreak: false,
  // HTML inside the document
  renderAltChunks: false,
  renderComments: false,
  renderChanges: false,
  useBase64URL: false,
  experimental: false,
  debug: false,
};

type Load = (...input: unknown[]) => Promise<string | null>;
const loaders = ['loadDocumentImage', 'loadNumberingImage', 'loadFont'] as const;

async function draw(bytes: ArrayBuffer): Promise<void> {
  const parsed = (await parseAsync(bytes, options)) as Record<(typeof loaders)[number], Load>;
  for (const name of loaders) {
    const load = parsed[name].bind(parsed);
    // docx-preview would use `null` as the address of a part that the document doesn't contain.
    parsed[name] = async (...input) => {
      const address = await load(...input);
      if (address === null) throw new Error('The document doesn’t contain this part.');
      return address;
    };
  }
  // Not in the page until it is cleaned.
  const stage = document.createElement('div');
  stage.append(...(await renderDocument(parsed, options)));
  for (const picture of stage.querySelectorAll('img:not([src])')) picture.remove();
  for (const element of stage.querySelectorAll('iframe, object, embed, form, script')) element.remove();
  for (const link of stage.querySelectorAll('a[href]')) {
    const address = link.getAttribute('href') ?? '';
    if (address.startsWith('#')) continue;
    link.removeAttribute('href');
    link.setAttribute('title', address);
  }
  for (const styled of stage.querySelectorAll('[style*="url("]')) styled.removeAttribute('style');
  document.body.replaceChildren(...stage.childNodes);
}

/** Scales down a page that is wider than the frame. */
function fit(): void {
  document.body.style.zoom = '1';
  const page = document.querySelector<HTMLElement>('section.docx');
  const room = document.documentElement.clientWidth - 2 * margin;
  if (page !== null && page.offsetWidth > room) document.body.style.zoom = String(room / page.offsetWidth);
}

addEventListener('resize', fit);
addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source !== window.parent || !(event.data instanceof ArrayBuffer)) return;
  draw(event.data).then(
    () => {
      fit();
      window.parent.postMessage('shown', '*');
    },
    () => {
      window.parent.postMessage('failed', '*');
    },
  );
});
window.parent.postMessage('ready', '*');
