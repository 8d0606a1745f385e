import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';
import { localPaper, paperOf } from '../../../app/templates/paper.ts';
import { blankDocument, samples, templates } from '../../../app/templates/templates.ts';
import { cleaned, officeFiles } from '../../../build/templates.ts';

const papers = ['a4', 'letter'] as const;
const office = ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'];
const documents = papers.flatMap((paper) => [
  ...office.map((id) => ({ id, label: `${id} on ${paper}`, bytes: blankDocument(id, paper) })),
  ...samples(paper)
    .filter(({ name }) => name === 'Welcome.docx')
    .map(({ bytes }) => ({ id: 'docx', label: `the sample on ${paper}`, bytes })),
]);
const openXml = documents.filter(({ id }) => ['docx', 'xlsx', 'pptx'].includes(id));
const openDocument = documents.filter(({ id }) => ['odt', 'ods', 'odp'].includes(id));

function textsOf(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, data]) => [path, strFromU8(data)]));
}

test('has a template for each type, with its id as the extension; those of text are empty', () => {
  assert.deepEqual(
    templates.map(({ id }) => id),
    [...office, 'txt', 'md'],
  );
  for (const id of ['txt', 'md']) assert.equal(blankDocument(id).length, 0);
  for (const { id, title, extension } of templates) {
    assert.equal(extension, id);
    assert.match(title, /^[A-Z][\w() ]+$/);
  }
});

test('every part of every package is well-formed XML', () => {
  for (const { label, bytes } of documents) {
    for (const [path, text] of Object.entries(textsOf(bytes))) {
      if (path !== 'mimetype') assert.equal(XMLValidator.validate(text), true, `${label}: ${path}`);
    }
  }
});

test('[Content_Types].xml is the first part of Open XML and lists exactly the existing parts, which relationships connect', () => {
  for (const { label, bytes } of openXml) {
    const texts = textsOf(bytes);
    const paths = Object.keys(texts);
    assert.equal(paths[0], '[Content_Types].xml', label);
    const named = [...(texts['[Content_Types].xml'] ?? '').matchAll(/PartName="\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    assert.deepEqual(named.toSorted(), paths.slice(1).toSorted(), label);
    for (const [path, text] of Object.entries(texts).filter(([name]) => name.endsWith('.rels'))) {
      const folder = posix.dirname(posix.dirname(path));
      for (const [, target = ''] of text.matchAll(/Target="([^"]+)"/g)) {
        assert.ok(texts[posix.join(folder, target)] !== undefined, `${label}: ${path} leads to ${target}`);
      }
    }
    for (const [path, text] of Object.entries(texts)) {
      const own = texts[posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`)] ?? '';
      for (const [, id] of text.matchAll(/ r:id="([^"]+)"/g))
        assert.ok(own.includes(`Id="${id}"`), `${label}: ${path} uses ${id}`);
    }
  }
});

test('the mimetype of an OpenDocument comes first, uncompressed, and its manifest lists exactly the existing parts', () => {
  const types = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' } as Record<string, string>;
  for (const { id, label, bytes } of openDocument) {
    // The first local header of the ZIP file has its method at 8, its name at 30 (APPNOTE.TXT 4.3.7).
    const head = `mimetypeapplication/vnd.oasis.opendocument.${types[id]}`;
    assert.equal(Buffer.from(bytes).readUInt16LE(8), 0, label);
    assert.equal(Buffer.from(bytes.subarray(30, 30 + head.length)).toString(), head, label);
    const texts = textsOf(bytes);
    const named = [...(texts['META-INF/manifest.xml'] ?? '').matchAll(/full-path="([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    const parts = Object.keys(texts).filter((path) => path !== 'mimetype' && !path.startsWith('META-INF/'));
    assert.deepEqual(named.toSorted(), ['/', ...parts].toSorted(), label);
  }
});

test('no document has an author, a program, a date, a printer or a language', () => {
  const seen = documents.map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
  for (const path of officeFiles) {
    const bytes = readFileSync(path);
    assert.ok(seen.includes(bytes.toString('latin1')), `${path} is used`);
    assert.deepEqual(textsOf(cleaned(bytes)), textsOf(bytes), `${path}: run node build/templates.ts`);
    // 1980-01-01 in the first local header.
    assert.equal(bytes.readUInt16LE(12), 0x21, `${path}: run node build/templates.ts`);
  }
  for (const { label, bytes } of documents) {
    const texts = textsOf(bytes);
    const whole = Object.values(texts).join('\n');
    assert.doesNotMatch(whole, /LibreOffice_project|dc:creator|Printer|en-US|country=|file:\/\//, label);
    assert.ok(
      !Object.keys(texts).some((path) =>
        /docProps|meta\.xml|settings\.xml$(?<!word\/settings\.xml)/.test(path),
      ),
      label,
    );
  }
});

test('pages have the requested paper size', () => {
  const marks: Record<string, [path: string, a4: RegExp, letter: RegExp]> = {
    docx: ['word/document.xml', /w:w="11906"/, /w:w="12240"/],
    xlsx: ['xl/worksheets/sheet1.xml', /paperSize="9"/, /paperSize="1"/],
    odt: ['styles.xml', /page-width="(21cm|8\.26\d+in)"/, /page-width="8\.5in"/],
    ods: ['styles.xml', /page-width="(21cm|8\.26\d+in)"/, /page-width="8\.5in"/],
  };
  for (const [id, [path, a4, letter]] of Object.entries(marks)) {
    assert.match(textsOf(blankDocument(id, 'a4'))[path] ?? '', a4, `${id} on A4`);
    assert.match(textsOf(blankDocument(id, 'letter'))[path] ?? '', letter, `${id} on Letter`);
    assert.deepEqual(blankDocument(id), blankDocument(id, localPaper()));
  }
});

test('uses Letter in regions that print on it, and A4 in all others and for invalid locales', () => {
  assert.deepEqual(['en-US', 'en_CA', 'es-MX', 'en'].map(paperOf), Array(4).fill('letter'));
  assert.deepEqual(['de-DE', 'en-GB', 'pt-BR', 'ja', '', 'C.UTF-8', '!'].map(paperOf), Array(7).fill('a4'));
});

test('rejects an id that isn’t a template, including property names of Object', () => {
  for (const id of ['', 'exe', 'toString', '__proto__', '../docx'])
    assert.throws(() => blankDocument(id), { code: 'invalid-argument' });
});

test('the Word sample explains opening, saving and closing, with styles that it defines', () => {
  for (const paper of papers) {
    const welcome = textsOf(samples(paper).find(({ name }) => name === 'Welcome.docx')!.bytes);
    const { 'word/document.xml': text = '', 'word/styles.xml': styles = '' } = welcome;
    for (const word of ['Welcome to DocTray', 'Opening', 'Saving', 'Closing'])
      assert.ok(text.includes(`>${word}<`));
    const used = new Set([...text.matchAll(/w:pStyle w:val="(\w+)"/g)].map(([, id]) => id));
    assert.ok(used.has('Heading1'));
    for (const id of used) assert.ok(styles.includes(`w:styleId="${id}"`), `style ${id}`);
  }
});
