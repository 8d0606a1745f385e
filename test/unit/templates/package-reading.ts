// Reads office packages for the tests of the templates: the entries as they lie in the file, and whether XML is well formed.

import { strFromU8, unzipSync } from 'fflate';

export interface Entry {
  path: string;
  isStored: boolean;
}

/** In the order of the file, by the local headers (APPNOTE.TXT 4.3.7). */
export function entriesOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Entry[] = [];
  let offset = 0;
  while (view.getUint32(offset, true) === 0x04034b50) {
    const nameLength = view.getUint16(offset + 26, true);
    const nameStart = offset + 30;
    entries.push({
      path: strFromU8(bytes.subarray(nameStart, nameStart + nameLength)),
      isStored: view.getUint16(offset + 8, true) === 0,
    });
    offset = nameStart + nameLength + view.getUint16(offset + 28, true) + view.getUint32(offset + 18, true);
  }
  return entries;
}

export function textsOf(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, data]) => [path, strFromU8(data)]));
}

const attribute = /\s+([\w:.-]+)="([^"<]*)"/g;

/** @returns what is wrong, undefined when it is well formed; knows what our own XML uses, and no more */
export function xmlProblem(xml: string): string | undefined {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"( standalone="yes")?\?>\n/, '');
  if (body === xml) return 'no XML declaration';
  const open: string[] = [];
  let isRootDone = false;
  let end = 0;
  for (const match of body.matchAll(/<(\/?)([\w:.-]+)((?:\s+[^<>]*?)?)(\/?)>/g)) {
    const [whole, closing, name = '', rest = '', selfClosing] = match;
    const text = body.slice(end, match.index);
    end = match.index + whole.length;
    if (/[<>]|&(?!(amp|lt|gt|quot|apos);)/.test(text)) return `stray mark-up before ${whole}`;
    if (open.length === 0 && text.trim() !== '') return `text outside the root before ${whole}`;
    if (open.length === 0 && isRootDone) return `a second root, ${whole}`;
    if (closing === '/') {
      if (open.pop() !== name) return `${whole} closes nothing`;
    } else {
      const names = [...rest.matchAll(attribute)].map(([, attributeName]) => attributeName);
      if (rest.replaceAll(attribute, '').trim() !== '') return `attributes of ${whole}`;
      if (new Set(names).size !== names.length) return `an attribute twice in ${whole}`;
      if (selfClosing !== '/') open.push(name);
    }
    isRootDone = open.length === 0;
  }
  if (body.slice(end) !== '') return 'something after the root';
  return open.length === 0 && isRootDone ? undefined : `not closed: ${open.join(' ')}`;
}
