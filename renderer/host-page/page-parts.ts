// What the modules of one document's page share.

import type { NoticeActions } from './document-notices.ts';
import type { EditorFrame } from './editor-frame.ts';
import type { HostApi } from './host-api.ts';
import type { HostWatch } from './host-watch.ts';
import type { OpenDocument, Phase } from './open-document.ts';
import type { OtherTabs } from './other-tabs.ts';
import type { PageDialog, PageStore } from './page-store.ts';

/** What a page opens its document with. */
export interface PageInput {
  store: PageStore;
  frame: HTMLIFrameElement;
  name: string;
  /** Of this page, without a query or trailing slash. */
  address: string;
}

export interface PageParts {
  page: OpenDocument;
  store: PageStore;
  api: HostApi;
  frame: EditorFrame;
  host: HostWatch;
  tabs: OtherTabs;
  actions: NoticeActions;
  /** @param status instead of the phase's own */
  go(phase: Phase, status?: string): void;
  /** Shows a dialog, unless one is open. After it, the focus goes to the editor, or to what `focusAfter` chooses. */
  ask(dialog: PageDialog, focusAfter?: () => void): Promise<string | undefined>;
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
