// Whether bytes are a document that programs can open, by their type's container: a ZIP with its end record and first entry, a PDF
// with header and trailer, otherwise the signature. Reads the first and last kilobyte, the last 65 if those aren't enough, and two
// entries of a ZIP, whatever the size, and unpacks nothing. The bytes are untrusted. What passes, and why: docs/durability.md,
// "Saves that aren't documents".

import { typeOf } from '../contract/names.ts';

/** Bytes at any position: of a received body, or of a document on disk. */
export interface ByteSource {
  size: number;
  /** Returns fewer bytes only at the end. */
  read(position: number, length: number): Promise<Buffer>;
}

/**
 * `damaged`: starts like a document, or with zeros, but isn't a complete one. `other`: something else, such as text in a `.docx`.
 * `unchecked`: this type has no check.
 */
export type Readability = 'readable' | 'damaged' | 'other' | 'unchecked';

interface Ends {
  first: Buffer;
  last: Buffer;
}

type Check = (ends: Ends, source: ByteSource) => boolean | Promise<boolean>;

const endBytes = 1024;
/** A ZIP's end record, its longest comment, and what ZIP64 has before it; a PDF, too, may have bytes after its end. Few have any. */
const longEndBytes = 22 + 0xffff + 20 + 56;

/** @param hex the first bytes */
const signature =
  (...hex: string[]): Check =>
  ({ first }) =>
    hex.some((start) => first.subarray(0, start.length / 2).equals(Buffer.from(start, 'hex')));
/** @param starts after a byte order mark and white space */
const textStart =
  (...starts: string[]): Check =>
  ({ first }) => {
    const text = first
      .toString('latin1')
      .replaceAll('\0', '')
      .replace(/^(?:ï»¿|ÿþ|þÿ)?\s*/u, '');
    return starts.some((start) => text.startsWith(start));
  };
/** Of any format, since many images have another one's extension. */
const isImage = signature(
  '89504e470d0a1a0a', // PNG
  'ffd8ff', // JPEG
  '474946383761', // GIF
  '474946383961',
  '49492a00', // TIFF
  '4d4d002a',
  '52494646', // WebP
);
const isZip: Check = async ({ last }, source) =>
  (await hasZipDirectory(last, source)) ||
  (source.size > endBytes && hasZipDirectory(await readEnd(source, longEndBytes), source));
/** Encrypted documents of Microsoft Office are OLE containers, and so are old ones that were given a new extension. */
const isOle = signature('d0cf11e0a1b11ae1');
const isOfficeDocument: Check = async (ends, source) => (await isOle(ends, source)) || isZip(ends, source);
const isPdf: Check = async ({ first, last }, source) =>
  first.includes('%PDF-') &&
  (last.includes('startxref') || (await readEnd(source, longEndBytes)).includes('startxref'));

const checks = new Map<string, Check>(
  (
    [
      ['docx docm dotx dotm xlsx xlsm xltx xltm xlsb pptx pptm potx potm ppsx ppsm', isOfficeDocument],
      ['odt ott odm ods ots odp otp odg otg odf odb epub', isZip],
      ['fodt fods fodp fodg', textStart('<?xml', '<!--', '<office:document')],
      ['pdf', isPdf],
      ['rtf', textStart(String.raw`{\rtf`)],
      ['png jpg jpeg gif tif tiff webp', isImage],
    ] as const
  ).flatMap(([types, check]) => types.split(' ').map((type) => [type, check] as const)),
);

/** @param name its extension decides the type */
export async function readabilityOf(name: string, source: ByteSource): Promise<Readability> {
  const check = checks.get(typeOf(name));
  if (check === undefined) return 'unchecked';
  const ends = await readEnds(source);
  if (await check(ends, source)) return 'readable';
  const isStart = ends.first.toString('latin1').startsWith('PK\x03\x04') || ends.first.includes('%PDF-');
  return isStart || ends.first.every((byte) => byte === 0) ? 'damaged' : 'other';
}

/**
 * A save would replace a document that can be read with bytes that can't, or anything but plain text with nothing. If what is there
 * can't be read either, such as text named `.docx`, nothing is lost.
 */
export async function wouldDamage(name: string, incoming: ByteSource, present: ByteSource): Promise<boolean> {
  if (present.size === 0) return false;
  const after = incoming.size === 0 ? 'damaged' : await readabilityOf(name, incoming);
  // Nearly always: nothing is read from the disk.
  if (after === 'readable' || after === 'unchecked') return false;
  const before = await readabilityOf(name, present);
  return before === 'readable' || (before === 'unchecked' && !isPlainText((await readEnds(present)).first));
}

/** Of an unknown type: only UTF-16 has zero bytes in text. */
function isPlainText(first: Buffer): boolean {
  const mark = first.toString('hex', 0, 2);
  return mark === 'fffe' || mark === 'feff' || !first.includes(0);
}

async function readEnds(source: ByteSource): Promise<Ends> {
  const [first, last] = await Promise.all([
    source.read(0, Math.min(source.size, endBytes)),
    readEnd(source, endBytes),
  ]);
  return { first, last };
}

function readEnd(source: ByteSource, length: number): Promise<Buffer> {
  return source.read(Math.max(0, source.size - length), Math.min(source.size, length));
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const unsigned32 = 0xffff_ffff;
/** A comment may contain the signature; more of them are an attack. */
const maxEndRecords = 16;

/**
 * Finds the end record from behind, so that a comment and bytes before the archive don't matter, and follows it to the directory and
 * to the entry that it lists first. @see APPNOTE.TXT of PKWARE, 4.3.7 to 4.3.16
 */
async function hasZipDirectory(last: Buffer, source: ByteSource): Promise<boolean> {
  const lastAt = source.size - last.length;
  let rest = last;
  for (let tries = 0; tries < maxEndRecords; tries += 1) {
    const at = rest.lastIndexOf(endSignature);
    if (at < 0) return false;
    const isWhole = at + 22 <= last.length && at + 22 + last.readUInt16LE(at + 20) <= last.length;
    if (isWhole && (await hasFirstEntry(source, directoryOf(last, at, lastAt)))) return true;
    rest = last.subarray(0, at);
  }
  return false;
}

interface Directory {
  /** Where it ends, and its length. */
  endsAt: number;
  bytes: number;
  /** Where it starts, counted from the start of the archive. */
  offset: number;
}

function directoryOf(last: Buffer, at: number, lastAt: number): Directory {
  const plain = {
    endsAt: lastAt + at,
    bytes: last.readUInt32LE(at + 12),
    offset: last.readUInt32LE(at + 16),
  };
  // ZIP64: its locator comes directly before this one, and its end record, which may be extended, before that.
  const hasLocator = at >= 20 + 56 && last.toString('latin1', at - 20, at - 16) === 'PK\x06\x07';
  const at64 = hasLocator ? last.lastIndexOf('PK\x06\x06', at - 20 - 56, 'latin1') : -1;
  if (at64 < 0) return plain;
  return {
    endsAt: lastAt + at64,
    bytes: Number(last.readBigUInt64LE(at64 + 40)),
    offset: Number(last.readBigUInt64LE(at64 + 48)),
  };
}

async function hasFirstEntry(source: ByteSource, { endsAt, bytes, offset }: Directory): Promise<boolean> {
  const startsAt = endsAt - bytes;
  if (startsAt < 0 || bytes === 0) return false;
  const entry = await source.read(startsAt, 46);
  if (entry.length < 46 || entry.toString('latin1', 0, 4) !== 'PK\x01\x02') return false;
  const entryOffset = entry.readUInt32LE(42);
  // ZIP64 has it elsewhere, for an entry beyond 4 GB.
  if (entryOffset === unsigned32) return true;
  const entryAt = startsAt - offset + entryOffset;
  return entryAt >= 0 && (await source.read(entryAt, 4)).toString('latin1') === 'PK\x03\x04';
}
