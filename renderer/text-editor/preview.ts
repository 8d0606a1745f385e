// Runs in preview.html, a frame without an origin and without a network: draws one .docx and can do nothing else. The document is
// somebody else's, so what it links to is made unreachable besides what the frame's policy forbids.

import { renderAsync } from 'docx-preview';

const margin = 12;

async function draw(bytes: ArrayBuffer): Promise<void> {
  // not part of the page until it is cleaned
  const stage = document.createElement('div');
  await renderAsync(bytes, stage, undefined, {
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
  });
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

/** A page that is wider than the frame is made smaller. */
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
