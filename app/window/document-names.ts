// The names that are typed in the window: made legal where they are not, with the document's extension, never doubled.

import { AppError } from '../contract/errors.ts';
import { candidateNames } from '../wopi/target-names.ts';
import { legalName } from '../wopi/names.ts';

export interface ChosenName {
  /** Legal, with the extension. */
  name: string;
  /**
   * To be tried in this order. A name that was typed just so has no other form: where it is taken, the user is told. One that had
   * to be changed may get a number too.
   */
  candidates: Iterable<string>;
}

/** `extension` with its dot, or ''. @throws AppError name-invalid when nothing legal is left */
export function chosenName(typed: string, extension: string): ChosenName {
  const wanted = typed.normalize('NFC').trim();
  const isDoubled = extension !== '' && wanted.toLowerCase().endsWith(extension.toLowerCase());
  const full = (isDoubled ? wanted.slice(0, -extension.length) : wanted) + extension;
  const stem = legalName(full.slice(0, full.length - extension.length));
  const name = stem === undefined ? undefined : legalName(stem + extension);
  if (name === undefined)
    throw new AppError('name-invalid', { detail: 'Type at least one letter or digit.' });
  const isAsTyped = name === full;
  return { name, candidates: isAsTyped ? [name] : candidateNames(name) };
}

export function nameTaken(name: string): AppError {
  return new AppError('name-taken', { detail: `There is “${name}” already.` });
}
