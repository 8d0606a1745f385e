// Names and paths of documents, the same for the host and for pages: their parts, and the characters that may not be in a name or
// may not be shown. Paths are inside the hosted folder and '/'-separated.

/** With more, most file systems refuse a name. */
export const maxNameBytes = 255;
/** A longer suffix after a dot is text, not an extension: otherwise a whole name could be an extension. */
const maxExtensionBytes = 32;

/** Invisible, yet they reorder or fake what is visible. ZWJ, ZWNJ and emoji tags aren't included: Persian, Indic scripts and flags need them. */
const invisible = String.raw`\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb`;
export const invisibleCharacters = new RegExp(`[${invisible}]`, 'gu');
/** What the names of other programs and computers may contain, and what must not be shown as it is. */
export const unsafeCharacters = new RegExp(String.raw`[\p{Cc}\u2028\u2029${invisible}]`, 'gu');
/** Characters that file names can't contain on some system, or that aren't safe. */
export const forbiddenCharacters = /[/\\:*?"<>|\p{Cc}\p{Cs}\u2028\u2029\p{Noncharacter_Code_Point}]/gu;
/** Windows reads a device name up to the first dot, without trailing spaces, whatever follows. */
export const windowsDevice =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/iu;
/** Windows acts on these files when it sees them, so an editor may not create one. */
export const windowsSpecialFile = /^(?:desktop\.ini|autorun\.inf)$/iu;

/**
 * The extension with its dot, as written: `.docx`. `archive.tar.gz` → `.gz`; the last dot counts. None (`''`) for
 * leading-dot files (`.profile`), a trailing dot, a tail with white space (`Dr. No`) or over 32 bytes.
 */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return '';
  const extension = name.slice(dot);
  if (/\s/u.test(extension) || byteLength(extension) > maxExtensionBytes) return '';
  return /^\.+$/u.test(name.slice(0, dot)) ? '' : extension;
}

/** The extension as editors list it, in lower case and without the dot: `docx`. */
export function typeOf(name: string): string {
  return extensionOf(name).slice(1).toLowerCase();
}

/** The name without `extensionOf(name)`: `archive.tar.gz` → `archive.tar`, `.profile` → `.profile`. */
export function stemOf(name: string): string {
  return name.slice(0, name.length - extensionOf(name).length);
}

/** Of a long name, the last word of the stem stays in view too: copies and versions differ there. */
const lastWord = /(?<=[\s_.-])[^\s_.-]{1,12}$/u;
const longName = 20;
/** Created when it's needed: the first one takes 18 ms. */
let graphemes: Intl.Segmenter | undefined;
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** For a sentence or a title: right-to-left letters and the digits beside them don't change places with the text around the name. */
export function isolated(name: string): string {
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * What may be cut off in a narrow place, and what stays: the extension, and some of the name before it, because an ellipsis followed by
 * the extension's dot reads as four dots. Nothing of a name with right-to-left letters: in two parts, its digits would change places.
 */
export function splitName(name: string): [start: string, end: string] {
  if (rightToLeft.test(name)) return [name, ''];
  const stem = stemOf(name);
  const tail = lastWord.exec(stem)?.[0].length ?? (name.length > longName ? 8 : 2);
  // Never inside a character, such as an emoji or a letter with its accent.
  graphemes ??= new Intl.Segmenter();
  const cut = graphemes.segment(stem).containing(Math.max(0, stem.length - tail))?.index ?? 0;
  return [name.slice(0, cut), name.slice(cut)];
}

/** A name that was typed for the part before `extension`, which counts once if it was typed as well, in any case. */
export function withoutExtension(typed: string, extension: string): string {
  const isTyped = extension !== '' && typed.toLowerCase().endsWith(extension.toLowerCase());
  return isTyped ? typed.slice(0, -extension.length) : typed;
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The folder that a path is in; '' is the hosted folder. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * A name or text from elsewhere as it may be shown: characters that move the cursor, turn the direction of what follows, or show
 * nothing at all are made visible, so that no program looks like a picture.
 */
export function safeText(text: string): string {
  return text.replaceAll(unsafeCharacters, '\ufffd');
}

/** Shown as it is. */
export function isSafeText(text: string): boolean {
  return safeText(text) === text;
}

const encoder = new TextEncoder();

/** In UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
