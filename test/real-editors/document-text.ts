// Reads the text of a document on disk without an editor.

import { strFromU8, unzipSync } from 'fflate';

/** The part with the text, by extension. */
const parts: Readonly<Record<string, string>> = { docx: 'word/document.xml', odt: 'content.xml' };

/** The text without tags, because editors split words into several elements. @throws Error if it isn't a document of that type */
export function documentText(name: string, bytes: Uint8Array): string {
  const part = parts[name.split('.').at(-1) ?? ''];
  if (part === undefined) throw new Error(`The text of ${name} can’t be read.`);
  const content = unzipSync(bytes, { filter: (file) => file.name === part })[part];
  if (content === undefined) throw new Error(`${name} has no ${part}.`);
  return strFromU8(content).replaceAll(/<[^>]*>/gu, '');
}
