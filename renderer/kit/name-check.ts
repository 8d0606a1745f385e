// Asking for a name.

import { t } from '../../app/contract/messages.ts';
import { forbiddenCharacters, stemOf, typeOf } from '../../app/contract/names.ts';

export interface NameQuestion {
  title: string;
  label: string;
  hint: string;
  /** What the field has at first. The first `selected` characters of it are selected. */
  value: string;
  selected: number;
  /** What the button does. */
  submit: string;
  /** `checkName` when left out. */
  check?(typed: string): CheckedName;
}

export type CheckedName = { name: string } | { problem: string };

/** What the user typed, without spaces around it, or why it can't be a name. */
export function checkName(typed: string): CheckedName {
  const name = typed.trim();
  if (name === '') return { problem: t('common.enter-a-name') };
  return name.search(forbiddenCharacters) === -1 ? { name } : { problem: t('common.a-name-cant-contain') };
}

/** The new name of a document, without its extension, which stays. */
export function renameQuestion(name: string): NameQuestion {
  const [stem, extension] = [stemOf(name), typeOf(name)];
  return {
    title: t('common.rename'),
    label: t('common.new-name'),
    hint: extension === '' ? '' : t('kit.the-extension-extension-stays', { extension }),
    value: stem,
    selected: stem.length,
    submit: t('common.rename'),
  };
}
