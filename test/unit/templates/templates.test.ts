import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { test } from 'node:test';
import { samples } from '../../../app/templates/samples.ts';
import { paperOf } from '../../../app/templates/paper.ts';
import { blankDocument, templates } from '../../../app/templates/templates.ts';
import { entriesOf, textsOf, xmlProblem } from './package-reading.ts';

const papers = ['a4', 'letter'] as const;
const welcome = samples().find(({ name }) => name === 'Welcome.docx')!.bytes;
const documents = [
  ...templates.flatMap(({ id }) =>
    papers.map((paper) => ({ id, label: `${id} on ${paper}`, bytes: blankDocument(id, paper) })),
  ),
  { id: 'docx', label: 'the sample', bytes: welcome },
];
const openXml = documents.filter(({ id }) => ['docx', 'xlsx', 'pptx'].includes(id));
const openDocument = documents.filter(({ id }) => ['odt', 'ods', 'odp'].includes(id));

test('there is a template for each of the six kinds, and its extension is its id', () => {
  assert.deepEqual(
    templates.map(({ id }) => id),
    ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'],
  );
  for (const { id, title, extension } of templates) {
    assert.equal(extension, id);
    assert.match(title, /^[A-Z][\w() ]+$/);
  }
});

test('every part of every package is well-formed XML', () => {
  for (const { label, bytes } of documents) {
    for (const [path, text] of Object.entries(textsOf(bytes))) {
      if (path !== 'mimetype') assert.equal(xmlProblem(text), undefined, `${label}: ${path}`);
    }
  }
});

test('the list of types stands first in Open XML and names exactly the parts there are', () => {
  for (const { label, bytes } of openXml) {
    const paths = entriesOf(bytes).map(({ path }) => path);
    assert.equal(paths[0], '[Content_Types].xml', label);
    const types = textsOf(bytes)['[Content_Types].xml'] ?? '';
    const named = [...types.matchAll(/PartName="\/([^"]+)"/g)].map(([, path = '']) => path);
    const parts = paths.filter((path) => !path.endsWith('.rels') && path !== '[Content_Types].xml');
    assert.deepEqual(named.toSorted(), parts.toSorted(), label);
  }
});

test('every relationship of Open XML leads to a part, and every id a part uses is one of its relationships', () => {
  for (const { label, bytes } of openXml) {
    const texts = textsOf(bytes);
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

test('the type of an OpenDocument lies first, uncompressed, where it is read without unpacking', () => {
  const types = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' } as Record<string, string>;
  for (const { id, label, bytes } of openDocument) {
    assert.deepEqual(entriesOf(bytes)[0], { path: 'mimetype', isStored: true }, label);
    const type = `application/vnd.oasis.opendocument.${types[id]}`;
    assert.equal(Buffer.from(bytes.subarray(38, 38 + type.length)).toString(), type, label);
    assert.equal(textsOf(bytes)['mimetype'], type, label);
  }
});

test('the manifest of an OpenDocument names exactly the parts there are', () => {
  for (const { label, bytes } of openDocument) {
    const texts = textsOf(bytes);
    const named = [...(texts['META-INF/manifest.xml'] ?? '').matchAll(/full-path="([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    const parts = Object.keys(texts).filter((path) => path !== 'mimetype' && !path.startsWith('META-INF/'));
    assert.deepEqual(named.toSorted(), ['/', ...parts].toSorted(), label);
  }
});

test('what is printed is made for the paper asked for', () => {
  const marks: Record<string, [path: string, a4: string, letter: string]> = {
    docx: ['word/document.xml', 'w:w="11906"', 'w:w="12240"'],
    xlsx: ['xl/worksheets/sheet1.xml', 'paperSize="9"', 'paperSize="1"'],
    odt: ['styles.xml', 'page-width="21cm"', 'page-width="8.5in"'],
    ods: ['styles.xml', 'page-width="21cm"', 'page-width="8.5in"'],
  };
  for (const [id, [path, a4, letter]] of Object.entries(marks)) {
    assert.ok(textsOf(blankDocument(id, 'a4'))[path]?.includes(a4), `${id} on A4`);
    assert.ok(textsOf(blankDocument(id, 'letter'))[path]?.includes(letter), `${id} on Letter`);
    assert.deepEqual(blankDocument(id), blankDocument(id, 'a4'));
  }
});

test('Letter is for the regions that print on it, A4 for all others and for what cannot be read', () => {
  assert.deepEqual(['en-US', 'en_CA', 'es-MX', 'en'].map(paperOf), Array(4).fill('letter'));
  assert.deepEqual(['de-DE', 'en-GB', 'pt-BR', 'ja', '', 'C.UTF-8', '!'].map(paperOf), Array(7).fill('a4'));
});

test('the same bytes come out in every time zone', () => {
  const digest = (documentsOfRun: Uint8Array[]) => {
    const hash = createHash('sha256');
    for (const bytes of documentsOfRun) hash.update(bytes);
    return hash.digest('hex');
  };
  const script = `
    import { createHash } from 'node:crypto';
    import { blankDocument, templates } from ${JSON.stringify(import.meta.resolve('../../../app/templates/templates.ts'))};
    const hash = createHash('sha256');
    for (const { id } of templates) hash.update(blankDocument(id));
    process.stdout.write(hash.digest('hex'));`;
  const wanted = digest(templates.map(({ id }) => blankDocument(id)));
  for (const zone of ['Pacific/Kiritimati', 'America/St_Johns', 'UTC']) {
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    });
    assert.equal(run.stdout, wanted, `${zone}: ${run.stderr}`);
  }
});

test('an id that is no template is refused, an inherited word too', () => {
  for (const id of ['', 'exe', 'toString', '__proto__', '../docx'])
    assert.throws(() => blankDocument(id), { code: 'invalid-argument' });
});

test('the Word sample explains opening, saving and closing, in styles that it has', () => {
  const text = textsOf(welcome)['word/document.xml'] ?? '';
  const styles = textsOf(welcome)['word/styles.xml'] ?? '';
  for (const word of ['Welcome to DocTray', 'Opening', 'Saving', 'Closing'])
    assert.ok(text.includes(`>${word}<`));
  const used = new Set([...text.matchAll(/w:pStyle w:val="(\w+)"/g)].map(([, id]) => id));
  assert.ok(used.has('Heading1'));
  for (const id of used) assert.ok(styles.includes(`w:styleId="${id}"`), `style ${id}`);
});

test('the reader of these tests sees broken XML', () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const broken = [
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a b="1" b="2"/>',
    '<a b=1/>',
    '<a>&</a>',
    '<a>x<y</a>',
    'x<a/>',
    '',
  ];
  for (const xml of broken) assert.notEqual(xmlProblem(head + xml), undefined, xml);
  assert.notEqual(xmlProblem('<a/>'), undefined);
  assert.equal(xmlProblem(`${head}<a b="1"><c:d e="x &amp; y"/>text</a>`), undefined);
});
