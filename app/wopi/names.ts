// File names: what is legal on every system DocTray runs on, and when two names are the same. Names come from editors, that is
// from any client with a token: they may be hostile, huge or not even Unicode. A legal name is a single path part without a
// special meaning to a desktop or to DocTray itself.

/** With more, most file systems refuse a name. */
export const maxNameBytes = 255;
/** A longer suffix after a dot is text, not an extension: otherwise a whole name could be an extension. */
const maxExtensionBytes = 32;
/** Enough for any name that is then cut to 255 bytes, and a limit on the work. */
const maxInputUnits = 4096;

/** Invisible, yet they reorder or fake what is visible: bidi controls, soft hyphen, zero-width space, BOM … */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/gu;
/** ZWJ, ZWNJ and emoji tags stay: Persian, Indic scripts and flags need them. */
const forbidden = /[/\\:*?"<>|\p{Cc}\p{Cs}\u2028\u2029\p{Noncharacter_Code_Point}]/gu;
/** Windows reads a device name up to the first dot, without trailing spaces, whatever follows. */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/iu;
/** Windows acts on these files when it sees them, so an editor may not create one. */
const windowsSpecialFile = /^(?:desktop\.ini|autorun\.inf)$/iu;

/**
 * The extension with its dot, as written: `.docx`. `archive.tar.gz` → `.gz`; the last dot rules. None (`''`) for
 * leading-dot files (`.profile`), a trailing dot, a tail with white space (`Dr. No`) or over 32 bytes.
 */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return '';
  const extension = name.slice(dot);
  if (/\s/u.test(extension) || Buffer.byteLength(extension) > maxExtensionBytes) return '';
  return /^\.+$/u.test(name.slice(0, dot)) ? '' : extension;
}

/** The name without `extensionOf(name)`: `archive.tar.gz` → `archive.tar`, `.profile` → `.profile`. */
export function stemOf(name: string): string {
  return name.slice(0, name.length - extensionOf(name).length);
}

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
    .replace(invisible, '')
    .replace(forbidden, '_')
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
