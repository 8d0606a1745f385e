// What the page shows around the text.

import type { NameQuestion } from '../kit/name-check.ts';
import type { ButtonChoice, PageMessage } from '../kit/button-choice.ts';
import { createPageStore } from '../kit/page-store.ts';

export interface Notice extends PageMessage {
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
  /** Hidden within a host page, which shows it itself; screen readers still read it here. */
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
  dialog: NameQuestion | null;
}

export type Page = ReturnType<typeof createPage>;

export const createPage = () =>
  createPageStore<Notice, NameQuestion, ShownPage>({
    name: '',
    status: { text: '' },
    tools: [],
    menu: undefined,
    statusLine: [],
    goToLine: undefined,
    notices: new Map(),
    content: undefined,
    dialog: null,
  });
