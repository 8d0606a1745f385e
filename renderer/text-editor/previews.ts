// Documents that are only shown: .docx with docx-preview in a frame without an origin and without network access, PDF and images in
// the browser's own viewer. The extension decides the content type, never the bytes.

import { element } from './elements.ts';
import { downloadBytes, type Frame } from './frame.ts';
import type { DocumentKind } from './languages.ts';
import { endedNotice, goneNotice } from './notices.ts';
import { words } from './words.ts';
import { isUnreachable, type FileInfo, type WopiClient } from './wopi-client.ts';

const maxPreviewBytes = 100_000_000;
const pollMs = 2000;
const hiddenPollMs = 20_000;
/** From the load event of the .docx frame to its first message. */
const readyMs = 2000;

export interface PreviewInput {
  wopi: WopiClient;
  frame: Frame;
  info: FileInfo;
  kind: Exclude<DocumentKind, { kind: 'text' }>;
  /** When the token expires, in ms since 1970; 0: never. */
  tokenExpiresAtMs: number;
}

export interface Preview {
  /** Shows the document, and shows it again when it changes on disk. Resolves when it is shown for the first time. */
  start(): Promise<void>;
  setToken(token: string, expiresAtMs: number): void;
}

export function createPreview(input: PreviewInput): Preview {
  const { wopi, frame, kind } = input;
  let { info, tokenExpiresAtMs } = input;
  let version = '';
  let hasAccess = true;
  /** The blob URL of what is shown. */
  let shownUrl: string | undefined;

  async function load(): Promise<void> {
    if (info.Size > maxPreviewBytes) {
      frame.showMessage({ text: words.previewLimit(info.Size, maxPreviewBytes), tone: 'info' });
      version = info.Version;
      return;
    }
    const got = await wopi.getFile(maxPreviewBytes);
    if (got.status === 401) {
      endAccess();
      return;
    }
    if (got.body === undefined) {
      const text = isUnreachable(got) ? words.hostAway : words.failed(got.status);
      frame.setNotice('host', { text, tone: 'warn' });
      return;
    }
    frame.setNotice('host', null);
    ({ version } = got);
    if (shownUrl !== undefined) URL.revokeObjectURL(shownUrl);
    shownUrl = await show(got.body, input, info.BaseFileName);
  }

  async function poll(): Promise<void> {
    const checked = await wopi.checkFileInfo();
    if (checked.status === 401) {
      endAccess();
      return;
    }
    frame.setNotice('gone', checked.status === 404 ? goneNotice() : null);
    frame.setNotice('host', isUnreachable(checked) ? { text: words.hostAway, tone: 'warn' } : null);
    if (checked.body !== undefined) {
      info = checked.body;
      frame.setName(info.BaseFileName);
      if (info.Version !== version) await load();
    }
    schedule();
  }

  function schedule(): void {
    if (hasAccess) setTimeout(() => void poll(), document.hidden ? hiddenPollMs : pollMs);
  }

  function endAccess(): void {
    hasAccess = false;
    frame.setNotice('host', null);
    const hasExpired = tokenExpiresAtMs !== 0 && Date.now() >= tokenExpiresAtMs;
    frame.setNotice('token', endedNotice(hasExpired ? words.expired : words.revoked, undefined));
  }

  return {
    async start() {
      frame.setStatus(words.readOnly);
      if (kind.kind === 'docx') frame.setNotice('why', { text: words.docxPreview, tone: 'info' });
      await load();
      schedule();
    },
    setToken(token, expiresAtMs) {
      wopi.setToken(token);
      tokenExpiresAtMs = expiresAtMs;
      frame.setNotice('token', null);
      if (hasAccess) return;
      hasAccess = true;
      void poll();
    },
  };
}

/** @returns the blob URL to revoke when something else is shown, if there is one */
async function show(
  bytes: Uint8Array<ArrayBuffer>,
  { frame, kind }: PreviewInput,
  name: string,
): Promise<string | undefined> {
  if (kind.kind === 'docx') {
    await showDocx(bytes, frame, name);
    return undefined;
  }
  const showDownload = (text: string): void => {
    const press = (): void => {
      downloadBytes(bytes, name);
    };
    frame.showMessage({ text, tone: 'info', buttons: [{ label: words.downloadFile, isMain: true, press }] });
  };
  const type = kind.kind === 'pdf' ? 'application/pdf' : kind.type;
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  if (kind.kind === 'image') {
    const image = element('img', { src: url, alt: name });
    image.addEventListener('error', () => {
      URL.revokeObjectURL(url);
      frame.showMessage({ text: words.imageFailed, tone: 'warn' });
    });
    image.addEventListener('load', () => {
      URL.revokeObjectURL(url);
    });
    frame.body.replaceChildren(element('div', { class: 'picture', tabindex: '0' }, image));
  } else if (!isPdf(bytes)) {
    showDownload(words.pdfBroken);
  } else if (navigator.pdfViewerEnabled) {
    frame.body.replaceChildren(element('iframe', { class: 'viewer', title: name, src: url }));
  } else showDownload(words.pdfMissing);
  return kind.kind === 'image' ? undefined : url;
}

/**
 * Whether it begins as a PDF and has the reference to its root that no reader can do without. The browser's viewer doesn't report that
 * it couldn't show a document.
 */
function isPdf(bytes: Uint8Array): boolean {
  const latin1 = new TextDecoder('latin1');
  return latin1.decode(bytes.subarray(0, 1024)).includes('%PDF-') && lastIndexOf(bytes, '/Root') !== -1;
}

function lastIndexOf(bytes: Uint8Array, text: string): number {
  const codes = new TextEncoder().encode(text);
  const [first = 0] = codes;
  let at = bytes.lastIndexOf(first);
  while (at !== -1 && codes.some((code, index) => bytes[at + index] !== code))
    at = at === 0 ? -1 : bytes.lastIndexOf(first, at - 1);
  return at;
}

/** The frame has no origin, so its messages are recognized by their window. It is sent nothing but the document. */
async function showDocx(bytes: Uint8Array<ArrayBuffer>, frame: Frame, name: string): Promise<void> {
  const viewer = element('iframe', {
    class: 'viewer',
    title: words.previewOf(name),
    sandbox: 'allow-scripts',
    referrerpolicy: 'no-referrer',
    src: '/assets/preview.html',
  });
  await new Promise<void>((resolve) => {
    let isReady = false;
    const finish = (isShown: boolean): void => {
      removeEventListener('message', onMessage);
      if (!isShown) frame.showMessage({ text: words.previewFailed, tone: 'warn' });
      resolve();
    };
    const onMessage = (event: MessageEvent<unknown>): void => {
      if (event.source !== viewer.contentWindow) return;
      if (event.data === 'ready') {
        isReady = true;
        viewer.contentWindow?.postMessage(bytes.buffer, '*', [bytes.buffer]);
      } else if (event.data === 'shown' || event.data === 'failed') finish(event.data === 'shown');
    };
    addEventListener('message', onMessage);
    // The frame's policy allows no script that could report that preview.js failed to load. The message may arrive after this event.
    viewer.addEventListener('load', () => {
      setTimeout(() => {
        if (!isReady) finish(false);
      }, readyMs);
    });
    frame.body.replaceChildren(viewer);
  });
}
