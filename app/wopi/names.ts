// File names: what is legal on every system DocTray runs on, and when two names count as one.
// Names arrive from editors, that is from whoever holds a token: they may be hostile, huge or not even Unicode.
// A legal name is a single path part that is also nothing a desktop or DocTray itself gives a meaning of its own.

/** @see behaviour page, section 3, "Names" */
export const maxNameBytes = 255;
/** A longer tail after a dot is text, not an extension: otherwise a name could be all extension. */
const maxExtensionBytes = 32;
/** Enough for any name that is cut to 255 bytes afterwards, and a bound on the work. */
const maxInputUnits = 4096;

/** Seen by nobody, yet they reorder or fake what is seen: bidi controls, soft hyphen, zero-width space, BOM … */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/gu;
/** ZWJ, ZWNJ and emoji tags stay: Persian, Indic scripts and flags need them. */
const forbidden = /[/\\:*?"<>|\p{Cc}\p{Cs}\u2028\u2029\p{Noncharacter_Code_Point}]/gu;
/** A Windows device counts up to the first dot, trailing spaces aside, whatever follows. */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/iu;
/** Files that Windows obeys on sight; an editor has no business to make one. */
const obeyedOnSight = /^(?:desktop\.ini|autorun\.inf)$/iu;

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
 * The legal form of a name; a legal name is its own legal form. NFC; forbidden and control characters become `_`,
 * invisible ones vanish; no white space at either end, no trailing dot; no leading dot or `~$`, which would make a
 * hidden file, one of DocTray's temporary files or another program's lock file; no Windows device; at most 255
 * UTF-8 bytes with the extension whole, cut between graphemes.
 * Undefined when nothing is left, unless `fallbackStem` gives the stem (`.docx` → `Report.docx`).
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

/**
 * Whether a name can be used as it is. A name in another normalisation form than NFC is not legal: where the form
 * does not matter, normalise first.
 */
export function isLegalName(name: string): boolean {
  return legalName(name) === name;
}

/**
 * `name` with a text put before its extension, made legal and cut to fit: `a.docx`, ` (1)` → `a (1).docx`.
 * The suffix and the extension stay whole; the suffix must be short and legal itself.
 */
export function nameWithSuffix(name: string, suffix: string): string {
  const legal = legalName(name) ?? 'Document';
  const extension = extensionOf(legal);
  return fit(stemOf(legal), `${suffix}${extension}`);
}

/**
 * The key under which two names may be one file on some file system: without case and without normalisation form.
 * JavaScript has no case folding; lower then upper equals Unicode's full folding or is coarser (`ß`, `ẞ`, `SS` and
 * `ſs` are one; `ı` joins `I`; the final sigma joins the others; `İ` stays apart from `I`, as in Unicode and NTFS). Canonical
 * decomposition only: no file system merges `ª` and `a`. Default-ignorable code points do not count, as with ext4's
 * case folding. Coarser is safe for choosing a free name, but equal keys never prove that two names are one file.
 */
export function nameKey(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFC');
}

/** The clean-up that looks at single characters and the end; what is at the start is decided by the caller. */
function clean(name: string): string {
  const bounded =
    name.length <= maxInputUnits ? name : name.slice(0, maxInputUnits / 2) + name.slice(-maxInputUnits / 2);
  return bounded
    .replace(invisible, '')
    .replace(forbidden, '_')
    .normalize('NFC')
    .replace(/[\s.]+$/u, '');
}

/** `stem` and `tail` as one legal name, the tail whole. Both are clean, the stem is not empty. */
function fit(stem: string, tail: string): string {
  const guarded = guardMeaning(stem + tail);
  if (Buffer.byteLength(guarded) <= maxNameBytes) return guarded;
  const head = guarded.slice(0, guarded.length - tail.length);
  const cut = cutToBytes(head, maxNameBytes - Buffer.byteLength(tail)).replace(/[\s.]+$/u, '');
  // What was cut off may have been all that told the rest from a device: `con` + 300 spaces + `x`.
  return guardMeaning(cut + tail);
}

function guardMeaning(name: string): string {
  if (name.startsWith('~$')) return `_${name.slice(1)}`;
  return windowsDevice.test(name) || obeyedOnSight.test(name) ? `_${name}` : name;
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
