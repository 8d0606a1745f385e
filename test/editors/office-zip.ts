// Office documents are zip archives. A scripted editor "edits" a document by writing a remark into the archive's comment, which
// keeps the document valid. Tests check that a document is valid by unpacking it.

import { readFile } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;

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

/** @returns the names of the parts. @throws if a part is corrupt, so that the document couldn't be opened */
export function unpack(document: Buffer): string[] {
  const end = endOf(document);
  if (end + 22 + document.readUInt16LE(end + 20) !== document.length)
    throw new Error('bytes after the end of the archive');
  const names: string[] = [];
  let at = document.readUInt32LE(end + 16);
  for (let left = document.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (document.readUInt32LE(at) !== entrySignature) throw new Error('the list of parts is damaged');
    const nameLength = document.readUInt16LE(at + 28);
    names.push(document.toString('utf8', at + 46, at + 46 + nameLength));
    checkPart(document, at);
    at += 46 + nameLength + document.readUInt16LE(at + 30) + document.readUInt16LE(at + 32);
  }
  return names;
}

function checkPart(document: Buffer, entry: number): void {
  const method = document.readUInt16LE(entry + 10);
  const packedSize = document.readUInt32LE(entry + 20);
  const local = document.readUInt32LE(entry + 42);
  if (document.readUInt32LE(local) !== localSignature) throw new Error('a part is not where the list says');
  const start = local + 30 + document.readUInt16LE(local + 26) + document.readUInt16LE(local + 28);
  const packed = document.subarray(start, start + packedSize);
  const content = method === 0 ? packed : inflateRawSync(packed);
  if (crc32(content) !== document.readUInt32LE(entry + 16)) throw new Error('a part is damaged');
}

function endOf(document: Buffer): number {
  for (let at = document.length - 22; at >= 0; at -= 1) {
    if (document.readUInt32LE(at) === endSignature) return at;
  }
  throw new Error('not an office document');
}
