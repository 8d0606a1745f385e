// Removes from the blank documents of app/templates what LibreOffice adds when it saves one: author, program, dates, printer,
// thumbnail, and a language, so that each editor takes its user's. `node build/templates.ts` after editing one; a test runs it too.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate';

export const officeFiles = globSync('app/templates/**/*.{docx,xlsx,pptx,odt,ods,odp}', {
  cwd: join(import.meta.dirname, '..'),
}).map((path) => join(import.meta.dirname, '..', path));

/** The earliest date that a ZIP file can have. fflate writes it as local time. */
const mtime = new Date(1980, 0, 1);
const dropped = /^(docProps|Configurations2|Thumbnails)\/|^(meta\.xml|settings\.xml|manifest\.rdf)$/;
const mentions =
  /\s*<(Relationship|Override|manifest:file-entry) [^>]*"\/?(docProps\/|Configurations2\/|Thumbnails\/|meta\.xml|settings\.xml|manifest\.rdf)[^>]*\/>/g;
const languages =
  /<w:(lang|themeFontLang) [^>]*\/>| (lang|(fo|style):(language|country)(-asian|-complex)?)="[^"]*"/g;

export function cleaned(bytes: Uint8Array): Uint8Array {
  const parts = Object.entries(unzipSync(bytes)).filter(
    ([path]) => !path.endsWith('/') && !dropped.test(path),
  );
  // the type of the file is read from its first part
  const isFirst = (path: string): boolean => path === 'mimetype' || path === '[Content_Types].xml';
  const ordered = parts.toSorted(([left], [right]) => Number(isFirst(right)) - Number(isFirst(left)));
  const entries: Zippable = {};
  for (const [path, data] of ordered) {
    const text = strFromU8(data).replaceAll(mentions, '').replaceAll(languages, '');
    entries[path] = [strToU8(text), { level: path === 'mimetype' ? 0 : 9, mtime }];
  }
  return zipSync(entries);
}

if (import.meta.main) {
  for (const path of officeFiles) writeFileSync(path, cleaned(readFileSync(path)));
}
