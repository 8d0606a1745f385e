// Puts the parts of an office document into its ZIP package. The same parts give the same bytes on every machine and at every
// hour: the entries carry the earliest date the format knows.

import { strToU8, zipSync, type Zippable, type ZipOptions } from 'fflate';

/** Path inside the package → its XML, in the order they shall lie there. */
export type Parts = readonly (readonly [path: string, xml: string])[];

// fflate writes what the local clock shows, so this is the same instant of the format everywhere
const earliest = new Date(1980, 0, 1);
const packed: ZipOptions = { level: 9, mtime: earliest };
const stored: ZipOptions = { level: 0, mtime: earliest };

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Office Open XML (ECMA-376 part 2). The types by path of the parts that are not `.rels`; they stand first in the package. */
export function openXmlPackage(types: Record<string, string>, parts: Parts): Uint8Array {
  const overrides = Object.entries(types)
    .map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`)
    .join('');
  const contentTypes =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides}</Types>`;
  return zip([['[Content_Types].xml', contentTypes], ...parts]);
}

const relationshipTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A `.rels` part: ids `rId1`, `rId2`, … in the order given. */
export function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationshipTypes}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

/**
 * OpenDocument 1.3 part 2: `mimetype` is the first entry and not compressed, so that the type can be read at a fixed place
 * of the file.
 */
export function openDocumentPackage(mimeType: string, parts: Parts): Uint8Array {
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  const manifest =
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">' +
    `<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="${mimeType}"/>` +
    `${parts.map(([path]) => entry(path, 'text/xml')).join('')}</manifest:manifest>`;
  return zip([...parts, ['META-INF/manifest.xml', manifest]], mimeType);
}

function zip(parts: Parts, mimeType?: string): Uint8Array {
  const entries: Zippable = {};
  if (mimeType !== undefined) entries['mimetype'] = [strToU8(mimeType), stored];
  for (const [path, xml] of parts) entries[path] = [strToU8(xmlHead + xml), packed];
  return zipSync(entries);
}
