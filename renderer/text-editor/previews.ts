// Documents that are shown and never written: .docx by docx-preview in a frame of no origin and no network, PDF and images by the
// browser's own viewer. The content type is chosen by the extension, never by the bytes.

import { downloadBytes, element, type Frame } from './frame.ts';
import type { DocumentKind } from './languages.ts';
import { words } from './words.ts';
import { isUnreachable, type FileInfo, type WopiClient } from './wopi-client.ts';

const maxPreviewBytes = 100_000_000;
const pollMs = 2000;
const hiddenPollMs = 20_000;

export interface PreviewInput {
  wopi: WopiClient;
  frame: Frame;
  info: FileInfo;
  kind: Exclude<DocumentKind, { kind: 'text' }>;
}

/** Shows the document, and again whenever it changes on disk. Resolves when it is shown for the first time. */
export async function showPreview(input: PreviewInput): Promise<void> {
  const { wopi, frame, kind } = input;
  let { info } = input;
  frame.setStatus(words.readOnly);
  if (kind.kind === 'docx') frame.setNotice('why', { text: words.docxPreview, tone: 'info' });
  let version = '';

  async function load(): Promise<void> {
    if (info.Size > maxPreviewBytes) {
      frame.showMessage({ text: words.previewLimit(info.Size, maxPreviewBytes), tone: 'info' });
      version = info.Version;
      return;
    }
    const got = await wopi.getFile(maxPreviewBytes);
    if (got.body === undefined) {
      const text = isUnreachable(got) ? words.hostAway : words.failed(got.status);
      frame.setNotice('host', { text, tone: 'warn' });
      return;
    }
    frame.setNotice('host', null);
    ({ version } = got);
    await show(got.body, input, info.BaseFileName);
  }

  async function poll(): Promise<void> {
    const checked = await wopi.checkFileInfo();
    if (checked.status === 401) {
      frame.setNotice('token', { text: words.revoked, more: words.openAgain, tone: 'bad' });
      return;
    }
    frame.setNotice('host', isUnreachable(checked) ? { text: words.hostAway, tone: 'warn' } : null);
    if (checked.body !== undefined) {
      info = checked.body;
      frame.setName(info.BaseFileName);
      if (info.Version !== version) await load();
    }
    schedule();
  }

  function schedule(): void {
    setTimeout(() => void poll(), document.hidden ? hiddenPollMs : pollMs);
  }

  await load();
  schedule();
}

async function show(
  bytes: Uint8Array<ArrayBuffer>,
  { frame, kind }: PreviewInput,
  name: string,
): Promise<void> {
  if (kind.kind === 'docx') {
    await showDocx(bytes, frame, name);
    return;
  }
  const type = kind.kind === 'pdf' ? 'application/pdf' : kind.type;
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  if (kind.kind === 'image') {
    const image = element('img', { src: url, alt: name });
    image.addEventListener('error', () => {
      frame.showMessage({ text: words.imageFailed, tone: 'warn' });
    });
    image.addEventListener('load', () => {
      URL.revokeObjectURL(url);
    });
    frame.body.replaceChildren(element('div', { class: 'picture', tabindex: '0' }, image));
  } else if (navigator.pdfViewerEnabled) {
    frame.body.replaceChildren(element('iframe', { class: 'viewer', title: name, src: url }));
  } else {
    frame.showMessage({
      text: words.pdfMissing,
      tone: 'info',
      buttons: [
        {
          label: words.downloadFile,
          isMain: true,
          press: () => {
            downloadBytes(bytes, name);
          },
        },
      ],
    });
  }
}

/** The frame has no origin, so it is known by its window alone, and what it is sent is the document alone. */
async function showDocx(bytes: Uint8Array<ArrayBuffer>, frame: Frame, name: string): Promise<void> {
  const viewer = element('iframe', {
    class: 'viewer',
    title: words.previewOf(name),
    sandbox: 'allow-scripts',
    referrerpolicy: 'no-referrer',
    src: '/assets/preview.html',
  });
  await new Promise<void>((resolve) => {
    const hear = (event: MessageEvent<unknown>): void => {
      if (event.source !== viewer.contentWindow) return;
      if (event.data === 'ready') viewer.contentWindow?.postMessage(bytes.buffer, '*', [bytes.buffer]);
      if (event.data !== 'shown' && event.data !== 'failed') return;
      removeEventListener('message', hear);
      if (event.data === 'failed') frame.showMessage({ text: words.previewFailed, tone: 'warn' });
      resolve();
    };
    addEventListener('message', hear);
    frame.body.replaceChildren(viewer);
  });
}
