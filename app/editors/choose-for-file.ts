// Which editor opens a document. If no editor knows the extension, the content decides: a `Makefile` or a log without an
// extension is text.

import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { maxTextBytes } from '../contract/text-documents.ts';
import { anyExtension, isOfficeType, type Choice, type ChoiceInput } from './action-choice.ts';
import { faultOf } from './editor-fault.ts';
import type { Editors } from './editors.ts';

const readBytes = 64 * 1024;

/**
 * @param readStart reads at most that many bytes from the start; called only when the content decides
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
    const mayBeText = input.size <= maxTextBytes && !isOfficeType(input.extension);
    if (!isNoEditor(error) || isSwitchedOff(error) || !mayBeText) throw error;
    const asText = chosenAsText(editors, input);
    if (asText === undefined) throw error;
    if (!isText(await readStart(readBytes))) {
      throw input.extension === ''
        ? new AppError('no-editor', { detail: () => t('host.file-isnt-text') })
        : error;
    }
    if (asText instanceof AppError) throw asText;
    return asText;
  }
}

/** Returns the error if the built-in editor would open it but is switched off. */
function chosenAsText(editors: Pick<Editors, 'choose'>, input: ChoiceInput): Choice | AppError | undefined {
  try {
    return editors.choose({ ...input, extension: anyExtension });
  } catch (error) {
    if (!isNoEditor(error)) throw error;
    return isSwitchedOff(error) ? error : undefined;
  }
}

function isNoEditor(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'no-editor';
}

/** The built-in editor could open the document, but is switched off. */
export function isSwitchedOff(error: unknown): boolean {
  return faultOf(error)?.code === 'switched-off';
}

/** Valid UTF-8 without NUL bytes. The last character may be incomplete. */
export function isText(start: Buffer): boolean {
  if (start.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}
