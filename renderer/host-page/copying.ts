// Save As: the page asks for the name, and the editor creates the copy. Collabora then loads the copy into the same frame, so the page
// follows it; otherwise, names and tokens would be those of the wrong document. Only the host knows which copy that is: some versions
// answer without a name. The other editors keep showing their document, and the page offers the copy.

import { t } from '../../app/contract/messages.ts';
import { isolated, typeOf } from '../../app/contract/names.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import { failedSave } from './document-notices.ts';
import type { EditorMessage } from './messages.ts';
import type { PageParts } from './page-parts.ts';
import { mainButton, notice } from './page-store.ts';
import { checkName, type CheckedName } from '../kit/name-check.ts';

type Copy = PageState['copies'][number];

export function createCopying({ page, store, api, frame, host, go, ask }: PageParts, openAgain: () => void) {
  /** Copies from before the latest Save As. */
  const known = new Set<string>();
  let isExpected = false;
  let wantedName: string | null = null;
  let isGone = false;

  function expect(): void {
    isExpected = true;
    for (const { fileId } of page.state?.copies ?? []) known.add(fileId);
  }

  const opening = (name: string): string => t('page.opening-name', { name: isolated(name) });

  async function goTo({ fileId, name }: Copy): Promise<void> {
    isGone = true;
    go('closing', opening(name));
    try {
      location.replace((await api.call('ticket', { fileId, mode: 'edit' })).url);
    } catch {
      stayHere();
    }
  }

  function stayHere(): void {
    isGone = false;
    go('failed');
    const back = mainButton(t('page.back-to-the-original'), openAgain);
    const says = notice('warn', t('page.the-editor-shows-the-copy'), undefined, [back]);
    store.setNotice('loading', { ...says, stays: true });
  }

  async function follow(): Promise<void> {
    const before = page.phase;
    go('closing', opening(wantedName ?? t('page.the-copy')));
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
    else go(before);
  }

  return {
    async saveAs(format: string | null): Promise<void> {
      const filename = await ask({ kind: 'copy-name', documentName: page.name, format });
      if (filename === undefined) return;
      expect();
      frame.post('Action_SaveAs', { Filename: filename, Notify: true });
    },
    /** True when the answer is about a copy. */
    answered(answer: EditorMessage & { kind: 'save-answered' }): boolean {
      const { hasFailed, fileName, isExport } = answer;
      const isCopy = isExpected || isExport || (fileName !== null && fileName !== page.name);
      if (hasFailed) store.setNotice('save', notice('bad', failedSave(page.editor, answer.text)));
      else if (isCopy) store.setNotice('save', null);
      if (hasFailed || isExport) isExpected = false;
      else if (isCopy) {
        if (!isExpected) expect();
        wantedName = fileName;
      }
      return isCopy;
    },
    /** True when the frame has opened one of the host's copies, and the page goes there. */
    hasLeft(copies: readonly Copy[]): boolean {
      const open = copies.find((copy) => copy.isOpen);
      if (isGone || open === undefined || page.phase === 'closing') return false;
      void goTo(open);
      return true;
    },
    /** The frame loads a document again. True if that may be a copy: the host is asked which. */
    followed(): boolean {
      if (!isExpected || isGone) return false;
      void follow();
      return true;
    },
  };
}

/** What the user typed, with an extension, or why it can't be a name. */
export function nameForCopy(typed: string, extension: string): CheckedName {
  const checked = checkName(typed);
  if ('problem' in checked) return checked;
  const { name } = checked;
  // Collabora saves in the format of the extension, and rejects a name without one.
  return { name: extension === '' || typeOf(name) === extension ? name : `${name}.${extension}` };
}
