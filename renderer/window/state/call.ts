// The bridge as the window uses it. Commands are typed functions that unwrap the answer, so that the rest of the window awaits results and
// catches one kind of error. The host's sentences are translated where they arrive, so that views show them as they are: a host in a
// terminal may have another language than a window in a browser.

import type { Bridge } from '../../../app/contract/bridge.ts';
import { hasCatalog, t, translated } from '../../../app/contract/messages.ts';
import type { CommandAnswer } from '../../../app/contract/results.ts';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';

/** What the host refused. `message` is a sentence for the user and says what to do; `code` is one of app/contract/errors.ts. */
export class CallError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'CallError';
    this.code = code;
  }
}

/** @throws CallError */
export type Call = <Name extends CommandName>(
  name: Name,
  args: CommandArgs<Name>,
) => Promise<CommandResult<Name>>;

export function createCall(bridge: Bridge): Call {
  return async <Name extends CommandName>(name: Name, args: CommandArgs<Name>) => {
    return resultOf(await bridge.call(name, args)) as CommandResult<Name>;
  };
}

/** @throws CallError */
export function resultOf<Result>(answer: CommandAnswer<Result>): Result {
  if (!answer.isDone) throw new CallError(answer.error.code, answer.error.message);
  return answer.result;
}

export function errorOf(thrown: unknown): CallError {
  return thrown instanceof CallError
    ? thrown
    : new CallError('internal', t('Something went wrong in the window. Try again.'));
}

/** The user was asked and didn't want it, so there is nothing to report. */
export function isDeclined(thrown: unknown): boolean {
  return errorOf(thrown).code === 'not-confirmed';
}

/** The sentence to show for any thrown value. */
export function sentenceOf(thrown: unknown): string {
  return errorOf(thrown).message;
}

/** The names of fields that only ever have the host's own words, never a name, a path or the content of a document. */
const sentenceFields = new Set(['sentence', 'remedy', 'message', 'detail', 'warning', 'button', 'title']);

/** Answers and pushes in the user's language. */
export function inWindowLanguage(bridge: Bridge): Bridge {
  if (!hasCatalog()) return bridge;
  return {
    call: async (name, args) => withTranslations(await bridge.call(name, args)),
    onPush: (name, listener) => bridge.onPush(name, (push) => listener(withTranslations(push))),
    importFiles: async (folderPath, files) => withTranslations(await bridge.importFiles(folderPath, files)),
  };
}

/** The same data, with the host's sentences in the user's language; what has none stays the same object. */
export function withTranslations<Data>(data: Data): Data {
  return translatedIn(data) as Data;
}

function translatedIn(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map(translatedIn);
    return items.every((item, index) => item === data[index]) ? data : items;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [field, value] of Object.entries(data)) {
    const shown = typeof value === 'string' ? translatedText(field, value, data) : translatedIn(value);
    if (shown !== value) (changed ??= { ...data })[field] = shown;
  }
  return changed ?? data;
}

function translatedText(field: string, value: string, data: object): string {
  if (isBuiltInName(field, data)) return builtInNames()[value] ?? value;
  return sentenceFields.has(field) || isFinding(field, data) ? translated(value) : value;
}

/** What the host calls the built-in text editor, whose name the user doesn't choose. */
function builtInNames(): Readonly<Record<string, string>> {
  return {
    'Text editor': t('Text editor'),
    'Text editor (built-in)': t('Text editor (built-in)'),
  };
}

/** In the list of editors, and where locks, sessions and answers name the editor of a document. */
function isBuiltInName(field: string, data: object): boolean {
  if (field === 'editor' || field === 'editorName') return true;
  if (field !== 'name') return false;
  return ('kind' in data && data.kind === 'text-editor') || ('isBuiltIn' in data && data.isBuiltIn === true);
}

/** Of the doctor; elsewhere, a `text` is a line of the log or of a document. */
function isFinding(field: string, data: object): boolean {
  return field === 'text' && 'verdict' in data;
}
