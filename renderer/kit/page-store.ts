// What a document's page shows around its document, as one store: the modules that decide set it, and React draws it. The document never
// waits for that.

interface Shown<Notice, Dialog> {
  notices: ReadonlyMap<string, Notice>;
  dialog: Dialog | null;
}

export function createPageStore<Notice, Dialog, Page extends Shown<Notice, Dialog>>(
  first: Page & Shown<Notice, Dialog>,
) {
  let shown: Page = first;
  const listeners = new Set<() => void>();
  let answered: string | undefined;
  let settle: ((answer: string | undefined) => void) | undefined;
  const set = (part: Partial<Page> | Partial<Shown<Notice, Dialog>>): void => {
    shown = { ...shown, ...part };
    for (const listener of listeners) listener();
  };
  return {
    get: () => shown,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (part: Partial<Omit<Page, 'notices' | 'dialog'>>): void => set(part),
    /** One notice of each kind; null removes it. A notice never takes the focus from the document. */
    setNotice(kind: string, notice: Notice | null): void {
      if (notice === null && !shown.notices.has(kind)) return;
      const notices = new Map(shown.notices);
      if (notice === null) notices.delete(kind);
      else notices.set(kind, notice);
      set({ notices });
    },
    /** Shows a dialog. Resolves when it is gone; undefined if the user closed it, or another one is open. */
    async ask(dialog: Dialog): Promise<string | undefined> {
      if (settle !== undefined) return undefined;
      answered = undefined;
      const closed = new Promise<string | undefined>((resolve) => (settle = resolve));
      set({ dialog });
      return closed;
    },
    hasDialog: () => settle !== undefined,
    /** Closes the dialog. */
    answer(text?: string): void {
      answered = text;
      set({ dialog: null });
    },
    /** It is gone. */
    dialogClosed(): void {
      settle?.(answered);
      settle = undefined;
    },
  };
}
