// Office documents are zip archives. A scripted editor "edits" a document by writing a remark into the archive's comment, which
// keeps the document valid.

import { readFile } from 'node:fs/promises';

const endSignature = 0x06054b50;

/** The documents under test/fixtures. */
export const fixtureNames = ['letter.docx', 'sums.xlsx', 'talk.pptx', 'letter.odt'] as const;
export type FixtureName = (typeof fixtureNames)[number];

export async function readFixture(name: FixtureName): Promise<Buffer> {
  return readFile(new URL(`../fixtures/${name}`, import.meta.url));
}

/** Returns the document with the remark, which replaces an earlier one. */
export function withRemark(document: Buffer, remark: string): Buffer {
  const end = document.subarray(0, endOf(document) + 22);
  const comment = Buffer.from(remark, 'utf8');
  const edited = Buffer.concat([end, comment]);
  edited.writeUInt16LE(comment.length, end.length - 2);
  return edited;
}

/** The document's remark, '' if there is none. */
export function remarkIn(document: Buffer): string {
  return document.toString('utf8', endOf(document) + 22);
}

/** Stores the text as the remark of an office document, or as the content of any other document. */
export function withText(document: Buffer, text: string): Buffer {
  return isArchive(document) ? withRemark(document, text) : Buffer.from(text, 'utf8');
}

export function textOf(document: Buffer): string {
  return isArchive(document) ? remarkIn(document) : document.toString('utf8');
}

function isArchive(document: Buffer): boolean {
  return document.subarray(0, 2).toString('latin1') === 'PK';
}

function endOf(document: Buffer): number {
  for (let at = document.length - 22; at >= 0; at -= 1) {
    if (document.readUInt32LE(at) === endSignature) return at;
  }
  throw new Error('not an office document');
}
