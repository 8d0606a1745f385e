// Which editor opens one document. A type that no editor names may still be text under a name of its own, such as a `Makefile`
// or a log without an extension: then its content decides.

import { AppError } from '../contract/errors.ts';
import { anyExtension, type Choice, type ChoiceInput } from './action-choice.ts';
import type { Editors } from './editors.ts';

/** More than that is not opened as text. */
export const maxTextBytes = 10_000_000;
const readBytes = 64 * 1024;

/**
 * @param readStart the first bytes of the document, at most that many; asked for only where they decide
 * @throws AppError editor-unknown, no-editor, and what `readStart` throws
 */
export async function chooseForFile(
  editors: Pick<Editors, 'choose'>,
  input: ChoiceInput,
  readStart: (bytes: number) => Promise<Buffer>,
): Promise<Choice> {
  try {
    return editors.choose(input);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'no-editor' || input.size > maxTextBytes) throw error;
    const asText = chosenAsText(editors, input);
    if (asText === undefined || !isText(await readStart(readBytes))) throw error;
    return asText;
  }
}

function chosenAsText(editors: Pick<Editors, 'choose'>, input: ChoiceInput): Choice | undefined {
  try {
    return editors.choose({ ...input, extension: anyExtension });
  } catch (error) {
    if (error instanceof AppError && error.code === 'no-editor') return undefined;
    throw error;
  }
}

/** UTF-8, and without the zeros that no text has; the last character may be cut off. */
export function isText(start: Buffer): boolean {
  if (start.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}
