// What desktop programs write beside a document they have open: the names and contents of their lock files. Any user with write
// access to the folder can write these, so odd contents mean "unknown person", never an error.

import { extname } from 'node:path';
import { unsafeCharacters } from '../contract/names.ts';

/** The person named in a lock file. Empty texts are null. */
export interface LibreOfficeOwner {
  person: string | null;
  systemUser: string | null;
  host: string | null;
  profileUrl: string | null;
}

/** LibreOffice's and OpenOffice's lock file of a document. */
export function libreOfficeLockName(documentName: string): string {
  return `.~lock.${documentName}#`;
}

const wordExtensions = new Set(['.doc', '.docx', '.docm', '.dot', '.dotx', '.dotm', '.rtf', '.odt', '.ott']);
const wholeNameExtensions =
  /^\.(?:xl[a-z]{1,2}|pp[a-z]{1,2}|pot[mx]?|pps[mx]?|ods|ots|odp|otp|csv|vs[a-z]{1,2}|mpp|pub)$/u;

/**
 * Microsoft Office's possible owner files for a document. Word drops the first letter of a 7-letter stem and two of a longer one,
 * the others drop none; for a document that any of them may open, both are tried.
 */
export function officeOwnerNames(documentName: string): string[] {
  const extension = extname(documentName).toLowerCase();
  const stemLength = documentName.length - extension.length;
  const wordName = `~$${documentName.slice(stemLength >= 8 ? 2 : stemLength === 7 ? 1 : 0)}`;
  const wholeName = `~$${documentName}`;
  if (wordExtensions.has(extension)) return [wordName];
  if (wholeNameExtensions.test(extension)) return [wholeName];
  return wordName === wholeName ? [wholeName] : [wholeName, wordName];
}

/** The lock file of LibreOffice first, then those of Microsoft Office. */
export function lockFileNames(documentName: string): string[] {
  return [libreOfficeLockName(documentName), ...officeOwnerNames(documentName)];
}

/**
 * Five fields: name, system user, host, date, profile URL; separated by commas, ended by `;`, with `\` before a literal comma,
 * semicolon or backslash. Undefined for anything else.
 */
export function parseLibreOfficeLock(bytes: Uint8Array): LibreOfficeOwner | undefined {
  const text = new TextDecoder().decode(bytes);
  const fields: string[] = [''];
  for (let at = 0; at < text.length; at += 1) {
    let char = text.charAt(at);
    if (char === ';') {
      if (fields.length !== 5) return undefined;
      const [person, systemUser, host, , profileUrl] = fields.map((field) => visible(field));
      return {
        person: person ?? null,
        systemUser: systemUser ?? null,
        host: host ?? null,
        profileUrl: profileUrl ?? null,
      };
    }
    if (char === ',') {
      fields.push('');
      continue;
    }
    if (char === '\\') {
      at += 1;
      char = text.charAt(at);
      if (char === '' || !',;\\'.includes(char)) return undefined;
    }
    fields[fields.length - 1] += char;
  }
  return undefined;
}

/** Office accepts no longer name. */
const maxOwnerLength = 52;

/**
 * The owner's name: a length byte and the name in some Windows code page, then at byte 54 (Word) or 55 (Excel, PowerPoint) the
 * length in two bytes and the name in UTF-16. Null if neither can be read; the code page is unknown, so a name that isn't ASCII
 * is read only from the second copy.
 */
export function parseOfficeOwner(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const at of [54, 55]) {
    if (buffer.length < at + 2) continue;
    const length = buffer.readUInt16LE(at);
    const end = at + 2 + length * 2;
    if (length === 0 || length > maxOwnerLength || end > buffer.length) continue;
    const name = buffer.toString('utf16le', at + 2, end);
    // At the wrong one of the two offsets, half of what follows is control characters.
    if (!/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name)) return visible(name);
  }
  const length = buffer[0] ?? 0;
  if (length === 0 || length > maxOwnerLength || buffer.length <= length) return null;
  const name = buffer.toString('latin1', 1, 1 + length);
  return /^[\x20-\x7e]+$/u.test(name) ? visible(name) : null;
}

/** As shown to people and in headers: no control or direction characters, limited in length; null if nothing is left. */
function visible(text: string): string | null {
  const shown = text.toWellFormed().replaceAll(unsafeCharacters, '').trim().slice(0, 1024);
  return shown === '' ? null : shown;
}
