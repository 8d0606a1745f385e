// What the page shows around the editor's frame.

import type { PageVersions } from '../../app/contract/page-calls.ts';
import type { ButtonChoice, PageMessage, ShownChoice } from '../kit/button-choice.ts';
import type { NameQuestion } from '../kit/name-check.ts';
import { createPageStore } from '../kit/page-store.ts';
import type { Compared } from '../kit/version-facts.ts';

/** In a narrow window, the icon replaces the label. */
export interface BarButton extends ButtonChoice {
  icon?: 'history' | 'share';
  opensVersions?: boolean;
}

/** The first sentence of its text is the heading. */
export interface Notice extends PageMessage {
  /** It can't be dismissed. Any other has a ×, and Escape closes it. */
  stays?: boolean;
  /** What a fact is about, if that is less than all it says. */
  about?: string;
}

export function notice(
  tone: Notice['tone'],
  text: string,
  more?: string,
  buttons: ButtonChoice[] = [],
): Notice {
  return { tone, text, more, buttons };
}

/** One that can't be dismissed. */
export const staying = (...of: Parameters<typeof notice>): Notice => ({ ...notice(...of), stays: true });

/** The first sentence without its full stop, and the others. A full stop in quotes or inside a name ends no sentence. */
export function splitHeading(text: string): { heading: string; rest: string } {
  const [, heading = text, rest = ''] = /^((?:“[^”]*”|„[^“]*“|[^“„])*?)\.(?:\s+(.*))?$/su.exec(text) ?? [];
  return { heading, rest };
}

/** The one to press. */
export function mainButton(label: string, press: () => void): ButtonChoice {
  return { label, isMain: true, press };
}

type Version = PageVersions['versions'][number];

/** A question to the user. Without an answer, the user closed the dialog. */
export type PageDialog =
  | { kind: 'confirm'; title: string; more: string; label: string }
  | ({ kind: 'name' } & NameQuestion)
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
export interface ShownVersions {
  /** Undefined until they are loaded, and without the document or the right to see it. */
  listed?: PageVersions | undefined;
  /** Why the latest request failed. */
  problem?: string | undefined;
  /** The user is signed out. */
  signIn?: ButtonChoice | undefined;
  addressOf(version: Version): string;
  compare(version: Version, heads: Compared['heads']): void;
  restore(version: Version, time: string): void;
  copy(version: Version): void;
  hide(): void;
  /** The panel is gone. */
  closed(): void;
}

export interface ShownPage {
  name: string;
  /** Undefined: the user can't. */
  rename: (() => void) | undefined;
  /** The reason is shown when the pointer or the focus is on the status. */
  status: { text: string; reason?: string; tone?: 'bad' };
  /** Display names of other users who have the document open. */
  people: readonly string[];
  /** At the end of the bar. */
  buttons: readonly BarButton[];
  /**
   * By kind. Only the latest is shown, or the latest error, with a button that leads to the others. Errors are above the editor. Other
   * notices that can be dismissed, or that are only information, are toasts over it. Information without a link is hidden after a while.
   */
  notices: ReadonlyMap<string, Notice>;
  /** In place of the editor. */
  choice: ShownChoice | null;
  dialog: PageDialog | null;
  versions: ShownVersions | null;
}

export type PageStore = ReturnType<typeof createDocumentStore>;

export function createDocumentStore(name: string) {
  const store = createPageStore<Notice, PageDialog, ShownPage>({
    name,
    rename: undefined,
    status: { text: '' },
    people: [],
    buttons: [],
    notices: new Map(),
    choice: null,
    dialog: null,
    versions: null,
  });
  const facts = new Map<string, string | undefined>();
  return {
    ...store,
    /** Shows this in place of the editor. */
    choose: (title: string, more: string, buttons: ButtonChoice[] = []) =>
      store.set({ choice: { title, more, buttons } }),
    /** The notice of something that is true for a while. One that is gone, such as a dismissed one, comes back only with something new. */
    setFact(kind: string, notice: Notice | null): void {
      const told = notice === null ? undefined : (notice.about ?? JSON.stringify(notice));
      if (facts.get(kind) === told) return;
      facts.set(kind, told);
      store.setNotice(kind, notice);
    },
  };
}
