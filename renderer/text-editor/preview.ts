// Runs in preview.html, a frame without an origin and without a network: draws one .docx and can do nothing else. The document is
// somebody else's, so what it links to is made unreachable besides what the frame's policy forbids.

import { renderAsync } from 'docx-preview';

async function draw(bytes: ArrayBuffer): Promise<void> {
  const body = document.body;
  body.replaceChildren();
  await renderAsync(bytes, body, undefined, {
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
  for (const link of body.querySelectorAll('a[href]')) {
    const address = link.getAttribute('href') ?? '';
    if (address.startsWith('#')) continue;
    link.removeAttribute('href');
    link.setAttribute('title', address);
  }
  for (const frame of body.querySelectorAll('iframe, object, embed, form, script')) frame.remove();
}

addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source !== window.parent || !(event.data instanceof ArrayBuffer)) return;
  draw(event.data).then(
    () => {
      window.parent.postMessage('shown', '*');
    },
    () => {
      window.parent.postMessage('failed', '*');
    },
  );
});
window.parent.postMessage('ready', '*');
