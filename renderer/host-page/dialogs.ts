// The page's own dialogs: the name of a copy, a confirmation, and the link to share. The browser's modal dialogs keep the focus inside
// and return it.

import { isLoopbackHost } from '../../app/contract/addresses.ts';
import { t } from '../../app/contract/messages.ts';
import { buttonOf, element } from '../kit/elements.ts';
import { words } from './words.ts';
import { forbiddenCharacters, typeOf, stemOf } from '../../app/contract/names.ts';

/** Opens it, and resolves when it's closed. */
export async function show(dialog: HTMLDialogElement): Promise<void> {
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => {
    dialog.addEventListener('close', resolve, { once: true });
  });
  dialog.remove();
}

export function dialogOf(title: string, ...children: Node[]): HTMLDialogElement {
  return element(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    element('h2', { id: 'dialog-title' }, title),
    ...children,
  );
}

/** What the user typed, with an extension, or why it can't be a name. */
export function nameForCopy(typed: string, extension: string): { name: string } | { problem: string } {
  const name = typed.trim();
  if (name === '') return { problem: words.nameEmpty };
  if (name.search(forbiddenCharacters) !== -1) return { problem: words.nameCharacters };
  // Collabora saves in the format of the extension, and rejects a name without one.
  return { name: extension === '' || typeOf(name) === extension ? name : `${name}.${extension}` };
}

/** @param format the extension that the user chose in the editor; null: the document's own. @returns undefined if the user canceled */
export async function askNameOfCopy(
  documentName: string,
  format: string | null,
): Promise<string | undefined> {
  const extension = format ?? typeOf(documentName);
  const stem = stemOf(documentName);
  const proposed =
    format === null || format === typeOf(documentName) ? t('common.stem-copy', { stem }) : stem;
  const input = element('input', {
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': 'name-more',
  });
  input.value = extension === '' ? proposed : `${proposed}.${extension}`;
  const problem = element('p', { role: 'alert', class: 'problem' });
  const form = element(
    'form',
    { novalidate: '' },
    element('label', {}, words.saveAsLabel, input),
    element('p', { id: 'name-more', class: 'more' }, words.saveAsMore),
    problem,
  );
  const dialog = dialogOf(words.saveAsTitle, form);
  let name: string | undefined;
  form.append(
    element(
      'div',
      { class: 'buttons' },
      buttonOf({
        label: t('common.cancel'),
        press: () => {
          dialog.close();
        },
      }),
      element('button', { type: 'submit', class: 'main' }, t('common.save-copy')),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const checked = nameForCopy(input.value, extension);
    if ('problem' in checked) {
      problem.textContent = checked.problem;
      input.setAttribute('aria-invalid', 'true');
      input.focus();
      return;
    }
    ({ name } = checked);
    dialog.close();
  });
  const shown = show(dialog);
  input.focus();
  input.setSelectionRange(0, proposed.length);
  await shown;
  return name;
}

/** @returns whether the user confirmed */
export async function askToConfirm(title: string, more: string, label: string): Promise<boolean> {
  let isConfirmed = false;
  const dialog = dialogOf(title, element('p', { class: 'more' }, more));
  const confirm = buttonOf({
    label,
    isMain: true,
    press: () => {
      isConfirmed = true;
      dialog.close();
    },
  });
  const cancel = buttonOf({ label: t('common.cancel'), press: () => dialog.close() });
  dialog.append(element('div', { class: 'buttons' }, cancel, confirm));
  const shown = show(dialog);
  confirm.focus();
  await shown;
  return isConfirmed;
}

/** @param address of the page, without a ticket */
export async function showLink(address: string, isOwner: boolean): Promise<void> {
  const input = element('input', { type: 'text', readonly: '', spellcheck: 'false' });
  input.value = address;
  const done = element('p', { role: 'status', class: 'more' });
  const isHere = isLoopbackHost(new URL(address).hostname);
  const dialog = dialogOf(
    words.shareTitle,
    element('p', {}, isHere ? words.shareHere : words.shareThere),
    element('label', {}, words.shareLabel, input),
    element('p', { class: 'more' }, words.shareMore(isHere, isOwner)),
    done,
    element(
      'div',
      { class: 'buttons' },
      buttonOf({
        label: t('common.close'),
        press: () => {
          dialog.close();
        },
      }),
      buttonOf({
        label: t('common.copy-link'),
        isMain: true,
        press: () => {
          void copyText(input).then((isCopied) => {
            done.textContent = isCopied ? t('page.copied') : t('page.the-link-is-selected-press');
          });
        },
      }),
    ),
  );
  const shown = show(dialog);
  input.select();
  await shown;
}

/** Pages without HTTPS can't use the clipboard. Then the link is selected, and the user copies it. */
async function copyText(input: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.focus();
    input.select();
    return false;
  }
}
