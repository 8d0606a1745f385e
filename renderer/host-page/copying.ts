// Save As: the page asks for the name, and the editor creates the copy. Collabora then loads the copy into the same frame, so the page
// follows it; otherwise, names and tokens would be those of the wrong document. Only the host knows which copy that is: some versions
// answer without a name. The other editors keep showing their document, and the page offers the copy.

import { t } from '../../app/contract/messages.ts';
import type { EditorFrame } from './editor-frame.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import type { HostApi } from './host-api.ts';
import type { HostWatch } from './host-watch.ts';
import type { EditorMessage } from './messages.ts';
import type { PageBar, PageDialog } from './page-bar.ts';
import type { PagePhase } from './page-phase.ts';
import { typeOf } from '../../app/contract/names.ts';
import { checkName, type CheckedName } from '../kit/name-check.ts';
import { words } from './words.ts';

type Copy = PageState['copies'][number];

export interface Copying {
  saveAs(format: string | null): Promise<void>;
  /** True when the answer is about a copy. */
  answered(message: EditorMessage & { kind: 'save-answered' }): boolean;
  /** The host's list of copies. True when the frame has opened one of them, and the page goes there. */
  sawCopies(copies: readonly Copy[]): boolean;
  /** The frame loads a document again. True if that may be a copy: the host is asked which. */
  followed(): boolean;
}

export interface CopyingDeps {
  api: Pick<HostApi, 'ticket'>;
  host: Pick<HostWatch, 'askFresh'>;
  bar: Pick<PageBar, 'setNotice'>;
  frame: Pick<EditorFrame, 'post'>;
  phase: PagePhase;
  documentName(): string;
  editorName(): string;
  ask(dialog: PageDialog): Promise<string | undefined>;
  openAgain(): void;
}

export function createCopying(deps: CopyingDeps): Copying {
  const { api, host, bar, frame, phase } = deps;
  /** Copies from before the latest Save As. */
  const known = new Set<string>();
  let seen: readonly Copy[] = [];
  let isExpected = false;
  let wantedName: string | null = null;
  let isGone = false;

  function expect(): void {
    isExpected = true;
    for (const { fileId } of seen) known.add(fileId);
  }

  async function goTo(copy: Pick<Copy, 'fileId' | 'name'>): Promise<void> {
    isGone = true;
    phase.go('closing', words.openingCopy(copy.name));
    try {
      location.replace((await api.ticket(copy.fileId, 'edit')).url);
    } catch {
      stayHere();
    }
  }

  function stayHere(): void {
    isGone = false;
    phase.go('failed');
    bar.setNotice('loading', {
      text: words.copyInFrame,
      tone: 'warn',
      buttons: [{ label: t('page.back-to-the-original'), isMain: true, press: deps.openAgain }],
    });
  }

  async function follow(): Promise<void> {
    const before = phase.current();
    phase.go('closing', words.openingCopy(wantedName ?? words.theCopy));
    const state = await host.askFresh();
    if (isGone) return;
    const newestFirst = (state?.copies ?? []).toSorted((a, b) => b.madeAtMs - a.madeAtMs);
    const copy =
      newestFirst.find(({ name }) => name === wantedName) ??
      newestFirst.find(({ fileId }) => !known.has(fileId));
    const wasNamed = wantedName !== null;
    isExpected = false;
    wantedName = null;
    if (copy !== undefined) await goTo(copy);
    else if (wasNamed) stayHere();
    // The same document was reloaded; there is no copy.
    else phase.go(before);
  }

  return {
    async saveAs(format) {
      const filename = await deps.ask({ kind: 'copy-name', documentName: deps.documentName(), format });
      if (filename === undefined) return;
      expect();
      frame.post('Action_SaveAs', { Filename: filename, Notify: true });
    },
    answered({ hasFailed, fileName, isExport, text }) {
      const isCopy = isExpected || isExport || (fileName !== null && fileName !== deps.documentName());
      if (hasFailed) {
        bar.setNotice('save', {
          text: words.notSaved.failed(deps.editorName(), text),
          tone: 'bad',
          hasDismiss: true,
        });
      } else if (isCopy) bar.setNotice('save', null);
      if (hasFailed || isExport) isExpected = false;
      else if (isCopy) {
        if (!isExpected) expect();
        wantedName = fileName;
      }
      return isCopy;
    },
    sawCopies(copies) {
      seen = copies;
      const open = copies.find((copy) => copy.isOpen);
      if (isGone || open === undefined || phase.is('closing')) return false;
      void goTo(open);
      return true;
    },
    followed() {
      if (!isExpected || isGone) return false;
      void follow();
      return true;
    },
  };
}

/** What the user typed, with an extension, or why it can't be a name. */
export function nameForCopy(typed: string, extension: string): CheckedName {
  const checked = checkName(typed);
  // Collabora saves in the format of the extension, and rejects a name without one.
  const hasToAdd = 'name' in checked && extension !== '' && typeOf(checked.name) !== extension;
  return hasToAdd ? { name: `${checked.name}.${extension}` } : checked;
}
