// File names: what is legal on every system DocTray runs on, and when two names are the same. Names come from editors, that is
// from any client with a token: they may be hostile, huge or not even Unicode. A legal name is a single path part without a
// special meaning to a desktop or to DocTray itself.

import {
  extensionOf,
  forbiddenCharacters,
  invisibleCharacters,
  maxNameBytes,
  stemOf,
  windowsDevice,
  windowsSpecialFile,
} from '../contract/names.ts';

/** Enough for any name that is then cut to 255 bytes, and a limit on the work. */
const maxInputUnits = 4096;

/**
 * The legal form of a name; a legal name is returned unchanged. NFC; forbidden and control characters become `_`, invisible ones
 * are removed; no white space at either end, no trailing dot; no leading dot or `~$`, which would make a hidden file, one of
 * DocTray's temporary files or another program's lock file; no Windows device; at most 255 UTF-8 bytes with the whole extension,
 * cut between graphemes.
 * Undefined if nothing is left, unless `fallbackStem` gives the stem (`.docx` → `Report.docx`).
 */
export function legalName(name: string, options: { fallbackStem?: string } = {}): string | undefined {
  const cleaned = clean(name);
  const visible = cleaned.replace(/^[\s.]+/u, '');
  const { fallbackStem } = options;
  if (visible === '') return fallbackStem === undefined ? undefined : legalName(fallbackStem);
  if (
    fallbackStem !== undefined &&
    cleaned.trimStart() === `.${visible}` &&
    extensionOf(`x.${visible}`) === `.${visible}`
  ) {
    const stem = legalName(fallbackStem);
    if (stem !== undefined) return fit(stem, `.${visible}`);
  }
  const stem = stemOf(visible);
  return fit(stem, visible.slice(stem.length));
}

/** Whether a name can be used as it is. A name that isn't NFC isn't legal: normalize first where the form doesn't matter. */
export function isLegalName(name: string): boolean {
  return legalName(name) === name;
}

/**
 * `name` with a suffix before its extension, made legal and cut to fit: `a.docx`, ` (1)` → `a (1).docx`. The suffix and the
 * extension are never cut; the suffix must be short and legal itself.
 */
export function nameWithSuffix(name: string, suffix: string): string {
  const legal = legalName(name) ?? 'Document';
  const extension = extensionOf(legal);
  return fit(stemOf(legal), `${suffix}${extension}`);
}

/**
 * The key under which two names may be one file on some file system: ignores case and normalization form. JavaScript has no case
 * folding; lower then upper case equals Unicode's full folding or is coarser (`ß`, `ẞ`, `SS` and `ſs` are equal; `ı` equals `I`;
 * the final sigma equals the others; `İ` differs from `I`, as in Unicode and NTFS). Canonical decomposition only: no file system
 * merges `ª` and `a`. Default-ignorable code points don't count, as with ext4's case folding. Coarser is safe for choosing a free
 * name, but equal keys never prove that two names are one file.
 */
export function nameKey(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFC');
}

/** Cleans single characters and the end; the caller handles the start. */
function clean(name: string): string {
  const bounded =
    name.length <= maxInputUnits ? name : name.slice(0, maxInputUnits / 2) + name.slice(-maxInputUnits / 2);
  return bounded
    .replace(invisibleCharacters, '')
    .replace(forbiddenCharacters, '_')
    .normalize('NFC')
    .replace(/[\s.]+$/u, '');
}

/** `stem` and `tail` as one legal name, the tail uncut. Both are clean; the stem isn't empty. */
function fit(stem: string, tail: string): string {
  const guarded = avoidSpecialName(stem + tail);
  if (Buffer.byteLength(guarded) <= maxNameBytes) return guarded;
  const head = guarded.slice(0, guarded.length - tail.length);
  const cut = cutToBytes(head, maxNameBytes - Buffer.byteLength(tail)).replace(/[\s.]+$/u, '');
  // Cutting may leave a device name: `con` + 300 spaces + `x`.
  return avoidSpecialName(cut + tail);
}

function avoidSpecialName(name: string): string {
  if (name.startsWith('~$')) return `_${name.slice(1)}`;
  return windowsDevice.test(name) || windowsSpecialFile.test(name) ? `_${name}` : name;
}

function cutToBytes(text: string, maxBytes: number): string {
  return cutAtParts(graphemes(text), maxBytes) || cutAtParts(text, maxBytes);
}

function cutAtParts(parts: Iterable<string>, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const part of parts) {
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes) break;
    kept += part;
  }
  return kept;
}

function* graphemes(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter('en').segment(text)) yield segment;
}
