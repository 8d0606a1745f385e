// Save As: the page asks for the name, and the editor creates the copy. Collabora then loads the copy into the same frame, so the page
// follows it; otherwise, names and tokens would be those of the wrong document. Only the host knows which copy that is. The other
// editors keep showing their document, and the page offers the copy.

import { t } from '../../app/contract/messages.ts';
import { isolated, stemOf, typeOf } from '../../app/contract/names.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import { failedSave } from './document-notices.ts';
import { asHostError } from './host-api.ts';
import type { EditorMessage } from './messages.ts';
import type { PageParts } from './page-parts.ts';
import { mainButton, notice, staying } from './page-store.ts';
import { checkName, type CheckedName } from '../kit/name-check.ts';

export function createCopying({ page, store, api, frame, actions, go, ask }: PageParts) {
  let isExpected = false;
  let isLeaving = false;

  return {
    /** @param format the extension that the user chose in the editor; null: the document's own */
    async saveAs(format: string | null): Promise<void> {
      const [stem, own] = [stemOf(page.name), typeOf(page.name)];
      const extension = format ?? own;
      const proposed = extension === own ? t('common.stem-copy', { stem }) : stem;
      const filename = await ask({
        kind: 'name',
        title: t('common.save-a-copy'),
        label: t('common.name-of-the-copy'),
        hint: t('page.the-copy-is-saved-next'),
        value: extension === '' ? proposed : `${proposed}.${extension}`,
        selected: proposed.length,
        submit: t('common.save-copy'),
        check: (typed) => nameForCopy(typed, extension),
      });
      if (filename === undefined) return;
      isExpected = true;
      frame.post('Action_SaveAs', { Filename: filename, Notify: true });
    },
    /** True when the answer is about a copy. */
    answered({ hasFailed, fileName, isExport, text }: EditorMessage & { kind: 'save-answered' }): boolean {
      const isCopy = isExpected || isExport || (fileName !== null && fileName !== page.name);
      isExpected = false;
      if (hasFailed) store.setNotice('save', notice('bad', failedSave(page.editor, text)));
      else if (isCopy) store.setNotice('save', null);
      return isCopy;
    },
    /** Goes to the copy that the frame has opened, if it has. If the host didn't answer, its next answer leads here again. */
    async follow(copies: PageState['copies']): Promise<void> {
      const copy = copies.find(({ isOpen }) => isOpen);
      if (copy === undefined || isLeaving || page.phase === 'closing') return;
      isLeaving = true;
      try {
        const { url } = await api.call('ticket', { fileId: copy.fileId, mode: 'edit' });
        go('closing', t('page.opening-name', { name: isolated(copy.name) }));
        location.replace(url);
      } catch (error) {
        const { status } = asHostError(error);
        isLeaving = status >= 400 && status < 500;
        if (!isLeaving) return;
        const back = mainButton(t('page.back-to-the-original'), () => {
          isLeaving = false;
          actions.reload();
        });
        // The editor's messages about the copy change the phase, so it can't say this.
        store.setNotice('copied', staying('warn', t('page.the-editor-shows-the-copy'), undefined, [back]));
      }
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
