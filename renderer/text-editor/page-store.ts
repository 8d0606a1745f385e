// What the page shows around the text, as one store: the modules that decide set it, and page.tsx draws it. The text never waits for that.

import type { NameQuestion } from '../kit/name-check.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';

export interface Notice {
  text: string;
  more?: string | undefined;
  tone: 'info' | 'warn' | 'bad';
  buttons?: readonly ButtonChoice[] | undefined;
  link?: { name: string; url: string } | undefined;
  hasDismiss?: boolean;
}

/** With `isOn`, it stays pressed. */
export type Tool = ButtonChoice & { isOn?: boolean; isDisabled?: boolean };

export type MenuItem = ButtonChoice & { keys?: string };

/** In place of a text. */
export type Content =
  | { kind: 'message'; text: string; more?: string; buttons?: readonly ButtonChoice[] }
  | { kind: 'picture'; url: string; name: string; onLoad(): void; onError(): void }
  | { kind: 'pdf'; url: string; name: string }
  /** `onEnd` is called once it is drawn, or couldn't be. */
  | {
      kind: 'docx';
      bytes: Uint8Array<ArrayBuffer>;
      version: string;
      name: string;
      onEnd(isShown: boolean): void;
    };

export interface ShownPage {
  name: string;
  /** Within a host page, only `warn` and `bad` are seen: it shows the others itself, but tools read all of them here. */
  status: { text: string; tone?: 'good' | 'pending' | 'warn' | 'bad' | undefined };
  /** Buttons of the bar, before the menu. */
  tools: readonly Tool[];
  /** Called when the menu opens. Undefined: there is none. */
  menu: (() => readonly MenuItem[]) | undefined;
  /** The line below the document, piece by piece. Its first is a button that does `goToLine`; undefined: there is no line. */
  statusLine: readonly string[];
  goToLine: (() => void) | undefined;
  notices: ReadonlyMap<string, Notice>;
  content: Content | undefined;
  question: NameQuestion | undefined;
}

export type Page = ReturnType<typeof createPage>;

export function createPage() {
  let shown: ShownPage = {
    name: '',
    status: { text: '' },
    tools: [],
    menu: undefined,
    statusLine: [],
    goToLine: undefined,
    notices: new Map(),
    content: undefined,
    question: undefined,
  };
  const listeners = new Set<() => void>();
  let answered: string | undefined;
  let settle: ((answer: string | undefined) => void) | undefined;
  const show = (part: Partial<ShownPage>): void => {
    shown = { ...shown, ...part };
    for (const listener of listeners) listener();
  };
  return {
    get: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show,
    /** One notice of each kind; null removes it. A notice never takes the focus from the text. */
    setNotice(kind: string, notice: Notice | null): void {
      if (notice === null && !shown.notices.has(kind)) return;
      const notices = new Map(shown.notices);
      if (notice === null) notices.delete(kind);
      else notices.set(kind, notice);
      show({ notices });
    },
    /** Asks for a name. Resolves when the dialog is gone; undefined if the user closed it. */
    async ask(question: NameQuestion): Promise<string | undefined> {
      if (settle !== undefined) return undefined;
      answered = undefined;
      const closed = new Promise<string | undefined>((resolve) => (settle = resolve));
      show({ question });
      return closed;
    },
    /** Closes the dialog. */
    answer(name?: string): void {
      answered = name;
      show({ question: undefined });
    },
    /** It is gone. */
    dialogClosed(): void {
      settle?.(answered);
      settle = undefined;
    },
  };
}
