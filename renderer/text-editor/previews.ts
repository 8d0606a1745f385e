// Documents that are only shown: .docx with docx-preview in a frame without an origin and without network access, PDF and images in
// the browser's own viewer. The extension decides the content type, never the bytes.

import { formatSize } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import type { DocumentKind } from './languages.ts';
import { endedNotice, goneNotice, openFailed } from './notices.ts';
import type { Content, Page } from './page-store.ts';
import { isUnreachable, type FileInfo, type WopiClient } from './wopi-client.ts';

const maxPreviewBytes = 100_000_000;
const pollMs = 2000;
const hiddenPollMs = 20_000;

export interface PreviewInput {
  wopi: WopiClient;
  page: Page;
  info: FileInfo;
  kind: Exclude<DocumentKind, { kind: 'text' }>;
  /** When the token expires, in ms since 1970; 0: never. */
  tokenExpiresAtMs: number;
}

export function createPreview(input: PreviewInput) {
  const { wopi, page, kind } = input;
  let { info, tokenExpiresAtMs } = input;
  let version = '';
  let hasAccess = true;
  /** The blob URL of what is shown. */
  let shownUrl = '';

  async function load(): Promise<void> {
    if (info.Size > maxPreviewBytes) {
      const limit = formatSize(maxPreviewBytes);
      say(t('editor.this-file-is-size-previews', { size: formatSize(info.Size), limit }));
      ({ Version: version } = info);
      return;
    }
    const got = await wopi.getFile(maxPreviewBytes);
    if (got.body === undefined) {
      const text = isUnreachable(got) ? t('common.doctray-isnt-responding') : openFailed(got.status);
      page.setNotice('host', { text, tone: 'warn' });
      return;
    }
    page.setNotice('host', null);
    ({ version } = got);
    URL.revokeObjectURL(shownUrl);
    await show(got.body, info.BaseFileName);
  }

  function say(text: string, buttons: Extract<Content, { kind: 'message' }>['buttons'] = []): void {
    page.set({ content: { kind: 'message', text, buttons } });
  }

  async function show(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<void> {
    if (kind.kind === 'docx') {
      const isShown = await new Promise<boolean>((onEnd) => {
        page.set({ content: { kind: 'docx', bytes, version, name, onEnd } });
      });
      if (!isShown) say(t('editor.this-document-cant-be-previewed'));
      return;
    }
    const type = kind.kind === 'pdf' ? 'application/pdf' : kind.type;
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    shownUrl = url;
    const press = (): void => downloadBytes(bytes, name);
    const download = [{ label: t('common.download'), isMain: true, press }];
    if (kind.kind === 'image') {
      const onLoad = (): void => URL.revokeObjectURL(url);
      const onError = (): void => say(t('editor.this-image-cant-be-shown'));
      page.set({ content: { kind: 'picture', url, name, onLoad, onError } });
    } else if (!isPdf(bytes)) say(t('editor.this-file-isnt-a-complete'), download);
    else if (navigator.pdfViewerEnabled) page.set({ content: { kind: 'pdf', url, name } });
    else say(t('editor.this-browser-doesnt-show-pdf'), download);
  }

  async function poll(): Promise<void> {
    const checked = await wopi.checkFileInfo();
    if (checked.status === 401) {
      endAccess();
      return;
    }
    page.setNotice('gone', checked.status === 404 ? goneNotice() : null);
    const isAway = isUnreachable(checked);
    page.setNotice('host', isAway ? { text: t('common.doctray-isnt-responding'), tone: 'warn' } : null);
    if (checked.body !== undefined) {
      info = checked.body;
      page.set({ name: info.BaseFileName });
      if (info.Version !== version) await load();
    }
    schedule();
  }

  function schedule(): void {
    if (hasAccess) setTimeout(() => void poll(), document.hidden ? hiddenPollMs : pollMs);
  }

  function endAccess(): void {
    hasAccess = false;
    page.setNotice('host', null);
    const hasExpired = tokenExpiresAtMs !== 0 && Date.now() >= tokenExpiresAtMs;
    const text = t(
      hasExpired ? 'common.your-access-to-this-document' : 'editor.your-access-to-this-document',
    );
    page.setNotice('token', endedNotice(text, undefined));
  }

  return {
    /** Shows the document, and shows it again when it changes on disk. Resolves when it is shown for the first time. */
    async start(): Promise<void> {
      page.set({ status: { text: t('common.read-only') } });
      if (kind.kind === 'docx')
        page.setNotice('why', { text: t('editor.read-only-preview-connect-onlyoffice'), tone: 'info' });
      await load();
      schedule();
    },
    setToken(token: string, expiresAtMs: number): void {
      wopi.setToken(token);
      tokenExpiresAtMs = expiresAtMs;
      page.setNotice('token', null);
      if (hasAccess) return;
      hasAccess = true;
      void poll();
    },
  };
}

/** The browser's viewer doesn't report that it couldn't show a document. */
function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** Hands bytes to the user as a file, without any server. */
export function downloadBytes(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  clickLink({ href: url, download: name });
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function openTab(url: string): void {
  clickLink({ href: url, target: '_blank', rel: 'noopener noreferrer' });
}

function clickLink(attributes: Partial<HTMLAnchorElement>): void {
  Object.assign(document.createElement('a'), attributes).click();
}
