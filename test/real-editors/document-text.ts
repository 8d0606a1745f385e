// The text of a document on disk, read without the editor that wrote it.

import { strFromU8, unzipSync } from 'fflate';

/** Where the text is, by the document's extension. */
const parts: Readonly<Record<string, string>> = { docx: 'word/document.xml', odt: 'content.xml' };

/** Without tags, because editors split a word into several elements. @throws Error if it isn't a document of that type */
export function documentText(name: string, bytes: Uint8Array): string {
  const part = parts[name.split('.').at(-1) ?? ''];
  if (part === undefined) throw new Error(`The text of ${name} can’t be read.`);
  const content = unzipSync(bytes, { filter: (file) => file.name === part })[part];
  if (content === undefined) throw new Error(`${name} has no ${part}.`);
  return strFromU8(content).replaceAll(/<[^>]*>/gu, '');
}
