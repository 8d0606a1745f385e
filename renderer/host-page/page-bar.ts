// What the page shows around the editor's frame, as one store: the modules that decide set it through `PageBar`, and page.tsx draws it.
// The editor's frame never waits for that.

import type { PageVersions } from '../../app/contract/page-calls.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import type { Compared } from '../kit/version-facts.ts';
import type { StatusWords } from './words.ts';

/** In a narrow window, the icon replaces the label. */
export interface BarButton extends ButtonChoice {
  icon?: 'history' | 'share';
  opensVersions?: boolean;
}

export interface Notice {
  /** Its first sentence is the heading. */
  text: string;
  /** One or two short sentences, on their own line. */
  more?: string;
  tone: 'info' | 'warn' | 'bad';
  /** One of them is the main one. */
  buttons?: ButtonChoice[];
  link?: { text: string; name: string; url: string };
  /** It has a ×, and Escape closes it. */
  hasDismiss?: boolean;
}

export interface Choice {
  title: string;
  more: string;
  buttons: ButtonChoice[];
}

type Version = PageVersions['versions'][number];

/** A question to the user. Without an answer, the user closed the dialog. */
export type PageDialog =
  | { kind: 'confirm'; title: string; more: string; label: string }
  /** @param format the extension that the user chose in the editor; null: the document's own */
  | { kind: 'copy-name'; documentName: string; format: string | null }
  | { kind: 'link'; address: string; isOwner: boolean }
  /** Any answer means that the version is to be restored. `compared` rejects with the sentence to show. */
  | {
      kind: 'comparison';
      documentName: string;
      time: string;
      compared: Promise<Compared>;
      canRestore: boolean;
    };

/** The versions of the document, beside the editor. */
export interface VersionsModel {
  load(): Promise<PageVersions>;
  /** Why they couldn't be loaded. `isSure`: without the document or the right to see it, no button works. */
  problemOf(error: unknown): { text: string; isSure: boolean };
  addressOf(version: Version): string;
  compare(version: Version, time: string, canRestore: boolean): void;
  restore(version: Version, time: string): void;
  copy(version: Version): void;
  hide(): void;
  /** The panel is gone. */
  closed(): void;
}

export interface ShownPage {
  name: string;
  rename: ((name: string) => Promise<void>) | undefined;
  status: StatusWords & { tone?: 'bad' | undefined };
  people: readonly string[];
  buttons: readonly BarButton[];
  notices: ReadonlyMap<string, Notice>;
  choice: Choice | null;
  dialog: PageDialog | null;
  /** Another number of `reloads` means that the list is to be loaded again. */
  versions: { model: VersionsModel; reloads: number } | null;
}

export interface PageBar {
  setName(name: string): void;
  /** The name can be edited in place. An error that `rename` throws is shown in a notice, and what was typed stays. */
  allowRename(rename: (name: string) => Promise<void>): void;
  setStatus(status: StatusWords, tone?: 'bad'): void;
  /** Display names of other users who have the document open. */
  setPeople(names: readonly string[]): void;
  /** Buttons at the end of the bar; they replace the current ones. */
  setButtons(buttons: BarButton[]): void;
  /**
   * One notice of each kind; null removes it. Only the latest is shown, or the latest error, with a button that leads to the others.
   * Errors are above the editor. Other notices that can be dismissed, or that are only information, are toasts over it. Information
   * without a link is hidden after a while.
   */
  setNotice(kind: string, notice: Notice | null): void;
  /** Shown in place of the editor; null removes it. */
  setChoice(choice: Choice | null): void;
  setVersions(versions: ShownPage['versions']): void;
  /** Shows a dialog. Resolves when it is gone; undefined if the user closed it, or another one is open. */
  ask(dialog: PageDialog): Promise<string | undefined>;
  hasDialog(): boolean;
}

export interface PageStore extends PageBar {
  get(): ShownPage;
  subscribe(listener: () => void): () => void;
  /** Closes the dialog. */
  answer(text?: string): void;
  /** It is gone. */
  dialogClosed(): void;
}

export function createPageBar(name: string): PageStore {
  let shown: ShownPage = {
    name,
    rename: undefined,
    status: { text: '' },
    people: [],
    buttons: [],
    notices: new Map(),
    choice: null,
    dialog: null,
    versions: null,
  };
  const listeners = new Set<() => void>();
  let answered: string | undefined;
  let settle: ((answer: string | undefined) => void) | undefined;
  const set = (part: Partial<ShownPage>): void => {
    shown = { ...shown, ...part };
    for (const listener of listeners) listener();
  };
  return {
    get: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setName: (name) => set({ name }),
    allowRename: (rename) => set({ rename }),
    setStatus: (status, tone) => set({ status: { ...status, tone } }),
    setPeople: (people) => set({ people }),
    setButtons: (buttons) => set({ buttons }),
    setNotice(kind, notice) {
      if (notice === null && !shown.notices.has(kind)) return;
      const notices = new Map(shown.notices);
      if (notice === null) notices.delete(kind);
      else notices.set(kind, notice);
      set({ notices });
    },
    setChoice: (choice) => set({ choice }),
    setVersions: (versions) => set({ versions }),
    async ask(dialog) {
      if (settle !== undefined) return undefined;
      answered = undefined;
      const closed = new Promise<string | undefined>((resolve) => (settle = resolve));
      set({ dialog });
      return closed;
    },
    hasDialog: () => settle !== undefined,
    answer(text) {
      answered = text;
      set({ dialog: null });
    },
    dialogClosed() {
      settle?.(answered);
      settle = undefined;
    },
  };
}
