// What counts as a readable document. The archives are built byte by byte, because the programs that write them differ in just that.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readabilityOf, wouldDamage, type ByteSource } from '../../../app/files/readable-content.ts';
import { fc } from '../../random.ts';

const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const template = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../app/templates/${name}`, import.meta.url));

function source(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
  };
}
const of = (name: string, bytes: Buffer) => readabilityOf(name, source(bytes));

interface ZipForm {
  before?: Buffer;
  comment?: string;
  /** The sizes follow the content, as Google writes it. */
  hasDescriptor?: boolean;
  isZip64?: boolean;
  /** Bytes that extend the ZIP64 end record. */
  extension?: number;
}

/** One stored entry. */
function zip({
  before = Buffer.alloc(0),
  comment = '',
  hasDescriptor = false,
  isZip64 = false,
  extension = 0,
}: ZipForm = {}) {
  const name = Buffer.from('[Content_Types].xml');
  const content = Buffer.from('<Types/>');
  const local = Buffer.alloc(30);
  local.write('PK\x03\x04', 'latin1');
  local.writeUInt16LE(hasDescriptor ? 8 : 0, 6);
  if (!hasDescriptor) local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(name.length, 26);
  const descriptor = hasDescriptor ? Buffer.from('PK\x07\x08012345678901', 'latin1') : Buffer.alloc(0);
  const entry = Buffer.concat([local, name, content, descriptor]);
  const central = Buffer.alloc(46);
  central.write('PK\x01\x02', 'latin1');
  central.writeUInt16LE(name.length, 28);
  const directory = Buffer.concat([central, name]);
  const end64 = Buffer.alloc(isZip64 ? 76 + extension : 0);
  if (isZip64) {
    end64.write('PK\x06\x06', 'latin1');
    end64.writeBigUInt64LE(BigInt(directory.length), 40);
    end64.writeBigUInt64LE(BigInt(entry.length), 48);
    end64.write('PK\x06\x07', 56 + extension, 'latin1');
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(isZip64 ? 0xffff_ffff : directory.length, 12);
  end.writeUInt32LE(isZip64 ? 0xffff_ffff : entry.length, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([before, entry, directory, end64, end, Buffer.from(comment)]);
}

const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1000)]);
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n');

for (const [what, name, bytes] of [
  ['a document of Word', 'letter.docx', await fixture('letter.docx')],
  ['a document of LibreOffice', 'letter.odt', await fixture('letter.odt')],
  ['a sheet', 'sums.xlsx', await fixture('sums.xlsx')],
  ['a presentation', 'talk.pptx', await fixture('talk.pptx')],
  ['a blank document', 'blank.odp', await template('blank.odp')],
  ['a macro type', 'sums.xlsm', await fixture('sums.xlsx')],
  ['a template', 'letter.dotx', await fixture('letter.docx')],
  ['a template of LibreOffice', 'letter.OTT', await fixture('letter.odt')],
  ['data descriptors', 'a.docx', zip({ hasDescriptor: true })],
  ['ZIP64', 'a.xlsx', zip({ isZip64: true })],
  [
    'ZIP64 with everything',
    'a.xlsx',
    zip({ isZip64: true, before: Buffer.alloc(99, 'x'), comment: 'PK\x05\x06' }),
  ],
  ['an extended ZIP64 end record', 'a.docx', zip({ isZip64: true, extension: 30 })],
  ['the longest comment', 'a.ods', zip({ comment: 'x'.repeat(0xffff) })],
  ['a comment that looks like an end record', 'a.ods', zip({ comment: `PK\x05\x06${'\0'.repeat(18)}` })],
  ['an entry that looks like a ZIP64 end record', 'a.docx', zip({ before: Buffer.from('PK\x06\x06') })],
  ['leading bytes', 'a.pptx', zip({ before: Buffer.from('#!/bin/sh\n') })],
  ['an encrypted document of Microsoft Office', 'secret.docx', ole],
  ['flat OpenDocument', 'a.fodt', Buffer.from('\uFEFF<?xml version="1.0"?><office:document/>')],
  ['flat OpenDocument after a comment', 'a.fodt', Buffer.from('<!-- c -->\n<office:document/>')],
  ['a PDF', 'a.pdf', pdf],
  ['a PDF with bytes after its end', 'a.pdf', Buffer.concat([pdf, Buffer.alloc(3000, ' ')])],
  [
    'a PDF after a mail header',
    'a.pdf',
    Buffer.concat([Buffer.from('Subject: x\n\n'), pdf, Buffer.from('\n\n')]),
  ],
  ['RTF', 'a.rtf', Buffer.from(String.raw`{\rtf1 text}`)],
  ['an image', 'a.png', Buffer.from('89504e470d0a1a0a0000', 'hex')],
] as [string, string, Buffer][]) {
  test(`can read ${what}`, async () => {
    assert.equal(await of(name, bytes), 'readable');
  });
}

test('never checks old binary formats, text and unknown types', async () => {
  for (const name of ['a.doc', 'a.xls', 'a.ppt', 'a.txt', 'a.xml', 'a.svg', 'a.csv', 'a', '.docx'])
    assert.equal(await of(name, Buffer.from('anything')), 'unchecked', name);
});

test('tells a damaged document from another kind of file', async () => {
  const whole = zip();
  const word = await fixture('letter.docx');
  for (const damaged of [
    word.subarray(0, word.length - 1),
    word.subarray(0, 100),
    Buffer.alloc(5000),
    whole.subarray(0, 40),
  ])
    assert.equal(await of('a.docx', damaged), 'damaged');
  for (const other of ['conversion failed: error -86', '<html>', String.raw`{\rtf1}`, '%!PS', 'P'])
    assert.equal(await of('a.docx', Buffer.from(other)), 'other', other);
  assert.equal(await of('a.pdf', pdf.subarray(0, 20)), 'damaged');
  assert.equal(await of('a.odt', ole), 'other', 'OpenDocument is never an OLE container');
});

test('an archive without entries or whose first entry is gone can’t be read', async () => {
  const empty = Buffer.alloc(22);
  empty.write('PK\x05\x06', 'latin1');
  assert.equal(await of('a.docx', empty), 'other');
  const torn = Buffer.from(await fixture('letter.docx'));
  torn.fill(0, 0, 4096);
  assert.equal(await of('a.docx', torn), 'damaged');
});

test('only a readable document, or anything but text for an empty save, is worth protecting', async () => {
  const word = await fixture('letter.docx');
  const text = Buffer.from('text');
  const nothing = Buffer.alloc(0);
  const damages = (name: string, incoming: Buffer, present: Buffer) =>
    wouldDamage(name, source(incoming), source(present));
  for (const [name, incoming, present, expected] of [
    ['a.docx', text, word, true],
    ['a.docx', nothing, word, true],
    ['a.docx', word, word, false],
    ['a.docx', ole, word, false],
    ['a.docx', text, text, false],
    ['a.docx', nothing, text, false],
    ['a.docx', text, nothing, false],
    ['a.docx', text, word.subarray(0, 900), false],
    ['a.doc', nothing, ole, true],
    ['a.doc', text, ole, false],
    ['a.xyz', nothing, ole, true],
    ['a.xyz', nothing, text, false],
    ['a.txt', nothing, Buffer.from('\uFEFFtext', 'utf16le'), false],
    ['a.svg', nothing, Buffer.from('<svg/>'), false],
  ] as [string, Buffer, Buffer, boolean][])
    assert.equal(
      await damages(name, incoming, present),
      expected,
      `${name} ${incoming.length} ${present.length}`,
    );
});

test('no bytes make it fail, or try forever', async () => {
  const pieces = fc.constantFrom(
    'PK\x05\x06',
    'PK\x01\x02',
    'PK\x06\x06',
    'PK\x03\x04',
    '\0'.repeat(8),
    '\xff\xff\xff\xff',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 30 })), { maxLength: 40 }),
      async (parts) => {
        await of('a.docx', Buffer.from(parts.join(''), 'latin1'));
      },
    ),
    { numRuns: 500 },
  );
});

test('of 200 MiB almost nothing is read', async () => {
  const first = zip();
  const size = 200 * 1024 * 1024;
  let bytesRead = 0;
  // The whole archive is at the end, after 200 MiB of other bytes.
  const large: ByteSource = {
    size,
    async read(position, length) {
      bytesRead += length;
      const piece = Buffer.alloc(length);
      first.copy(
        piece,
        Math.max(0, size - first.length - position),
        Math.max(0, position - (size - first.length)),
      );
      return piece;
    },
  };
  assert.equal(await readabilityOf('a.docx', large), 'readable');
  assert.ok(bytesRead < 70_000, `${bytesRead} bytes`);
});
