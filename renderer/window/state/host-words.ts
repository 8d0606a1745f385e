// The host's finished sentences in the window's language. The host may speak another one: it may run in a terminal, and the window
// in a browser. Translated here, where they arrive, so that every view shows them as they are.

import type { Bridge } from '../../../app/contract/bridge.ts';
import { hasCatalog, t, translated } from '../../../app/contract/messages.ts';

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
