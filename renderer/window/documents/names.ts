// What is wrong with a name while it is typed, in a sentence. The host checks again and has the last word
// (app/wopi/names.ts, whose rules these are).

const forbidden = /[/\\:*?"<>|]/u;
const unseen =
  /[\p{Cc}\p{Cs}\u2028\u2029\p{Noncharacter_Code_Point}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/u;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/iu;
const obeyedOnSight = /^(?:desktop\.ini|autorun\.inf)$/iu;
const maxBytes = 255;

/** `.docx`; '' where there is none. @see app/wopi/names.ts, extensionOf */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return '';
  const extension = name.slice(dot);
  return /\s/u.test(extension) || extension.length > 32 ? '' : extension;
}

/** The sentence below the field; null when the name is right. `taken` are names that are in the folder already. */
export function nameProblem(stem: string, extension: string, taken: readonly string[]): string | null {
  const name = fullName(stem, extension);
  const bad = forbidden.exec(name)?.[0];
  if (bad !== undefined) return `A name cannot contain “${bad}”. Leave it out.`;
  if (unseen.test(name)) return 'A name cannot contain characters that nobody can see. Type it anew.';
  if (stem.trim() === '') return 'Type a name.';
  if (name.startsWith('.')) return 'A name that starts with a dot makes a hidden file. Leave the dot out.';
  if (name.startsWith('~$')) return 'Names that start with ~$ belong to lock files. Choose another.';
  if (name.endsWith('.')) return 'A name cannot end with a dot. Leave the dot out.';
  if (windowsDevice.test(name) || obeyedOnSight.test(name)) {
    return 'Windows keeps this name for itself. Choose another.';
  }
  if (new TextEncoder().encode(name).length > maxBytes) return 'This name is too long. Shorten it.';
  const key = name.toLowerCase();
  const same = taken.find((other) => other.normalize('NFC').toLowerCase() === key);
  return same === undefined ? null : `“${same}” is there already. Choose another name.`;
}

/** As it is sent. */
export function fullName(stem: string, extension: string): string {
  return `${stem.trim()}${extension}`.normalize('NFC');
}
