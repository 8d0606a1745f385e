// Reading and writing the values of WOPI headers. Values are untrusted: nothing here throws, and an unreadable value differs from
// an absent one where that matters.

/** A request header by case-insensitive name; undefined if absent. Values as Node returns them: latin1, trimmed. */
export type ReadHeader = (name: string) => string | undefined;

/**
 * How a PutFile came about. Undefined if the editor didn't say, which for ONLYOFFICE also means false.
 */
export interface SaveFlags {
  isModifiedByUser: boolean | undefined;
  isAutosave: boolean | undefined;
  isExitSave: boolean | undefined;
}

/** The editor says that its user changed nothing. ONLYOFFICE leaves out what is false: then only its exit saves say so. */
export function claimsNoChanges({ isModifiedByUser, isExitSave }: SaveFlags): boolean {
  return isModifiedByUser === false || (isModifiedByUser === undefined && isExitSave === true);
}

/** Each vendor has its own prefix; the first one present wins. */
const flagPrefixes = ['X-EXT-WOPI-', 'X-LOOL-WOPI-', 'X-COOL-WOPI-'] as const;

export function readSaveFlags(header: ReadHeader): SaveFlags {
  return {
    isModifiedByUser: readVendorFlag(header, 'IsModifiedByUser'),
    isAutosave: readVendorFlag(header, 'IsAutosave'),
    isExitSave: readVendorFlag(header, 'IsExitSave'),
  };
}

function readVendorFlag(header: ReadHeader, name: string): boolean | undefined {
  for (const prefix of flagPrefixes) {
    const value = header(prefix + name)
      ?.trim()
      .toLowerCase();
    if (value === undefined || value === '') continue;
    return value === 'true' ? true : value === 'false' ? false : undefined;
  }
  return undefined;
}

/** 100-nanosecond ticks since 1970 UTC, the precision of WOPI times, and whole milliseconds. */
export interface WopiInstant {
  ticks: bigint;
  ms: number;
}

/**
 * The time Collabora last saw on the file. Only with `X-COOL-`: ONLYOFFICE sends an `X-LOOL-WOPI-Timestamp` with every save that
 * means something else. Empty or unreadable counts as absent.
 */
export function readCoolTimestamp(header: ReadHeader): WopiInstant | undefined {
  return parseWopiTime(header('X-COOL-WOPI-Timestamp') ?? '');
}

const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,30}))?(?:[Zz]|([+-])(\d\d):?(\d\d))?$/u;

/** An ISO 8601 time with any number of decimals; UTC if it has no offset. Undefined if invalid. */
export function parseWopiTime(text: string): WopiInstant | undefined {
  const match = isoTime.exec(text.trim());
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(part(1), part(2) - 1, part(3));
  date.setUTCHours(part(4), part(5), part(6));
  // Date turns April 31 into May 1, and 25 o'clock into the next day.
  if (date.getUTCMonth() !== part(2) - 1 || date.getUTCDate() !== part(3)) return undefined;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(9) > 23 || part(10) > 59) return undefined;
  const offsetMs = (match[8] === '-' ? -1 : 1) * (part(9) * 60 + part(10)) * 60_000;
  const decimals = (match[7] ?? '').padEnd(7, '0').slice(0, 7);
  return instant(BigInt(date.getTime() - offsetMs) * 10_000n + BigInt(decimals));
}

/** Ticks of a file time, to compare with `WopiInstant.ticks`. Takes nanoseconds (`stat` with bigint) or milliseconds. */
export function wopiTicks(time: { ns: bigint } | { ms: number }): bigint {
  const ns = 'ns' in time ? time.ns : BigInt(Math.floor(time.ms * 1000)) * 1000n;
  const ticks = ns / 100n;
  return ns < 0n && ticks * 100n !== ns ? ticks - 1n : ticks;
}

/**
 * `2026-11-20T15:03:00.1230000Z`: UTC with seven decimals, truncated, not rounded, so that two reads of one file agree.
 * Collabora sends it back unchanged, as X-COOL-WOPI-Timestamp.
 */
export function wopiTime(time: { ns: bigint } | { ms: number }): string {
  const { ticks, ms } = instant(wopiTicks(time));
  const seconds = new Date(ms).toISOString().slice(0, -5);
  const decimals = ((ticks % 10_000_000n) + 10_000_000n) % 10_000_000n;
  return `${seconds}.${String(decimals).padStart(7, '0')}Z`;
}

function instant(ticks: bigint): WopiInstant {
  const ms = ticks / 10_000n;
  return { ticks, ms: Number(ticks < 0n && ms * 10_000n !== ticks ? ms - 1n : ms) };
}

/** The user ids of X-WOPI-Editors, in order, without duplicates; empty if absent. */
export function readEditors(header: ReadHeader): string[] {
  const ids = (header('X-WOPI-Editors') ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== '');
}

/** `none` is a missing or empty header: 400 for the Lock family, "no lock id sent" for the others. */
export type LockIdHeader =
  { kind: 'none' } | { kind: 'lock'; id: string } | { kind: 'invalid'; reason: string };

const maxLockIdBytes = 1024;

/** X-WOPI-Lock, or X-WOPI-OldLock; at most 1024 bytes of printable ASCII. */
export function readLockId(header: ReadHeader, name: 'X-WOPI-Lock' | 'X-WOPI-OldLock'): LockIdHeader {
  const id = header(name) ?? '';
  if (id === '') return { kind: 'none' };
  if (id.length > maxLockIdBytes)
    return { kind: 'invalid', reason: `${name} is longer than ${maxLockIdBytes} bytes` };
  if (!/^[\x20-\x7e]+$/u.test(id)) return { kind: 'invalid', reason: `${name} is not printable ASCII` };
  return { kind: 'lock', id };
}

/** A declared number of bytes; compare bigints. `invalid`: present but not a whole number. */
export type SizeHeader = bigint | 'invalid' | undefined;

export function readSize(header: ReadHeader, name: 'X-WOPI-Size' | 'X-WOPI-MaxExpectedSize'): SizeHeader {
  const text = header(name)?.trim() ?? '';
  if (text === '') return undefined;
  return /^\d{1,20}$/u.test(text) ? BigInt(text) : 'invalid';
}

/** X-WOPI-Override in upper case, for comparisons; undefined if absent or empty. */
export function readOverride(header: ReadHeader): string | undefined {
  return header('X-WOPI-Override')?.trim().toUpperCase() || undefined;
}

/** X-WOPI-OverwriteRelativeTarget: false unless it says true. */
export function readOverwriteRelativeTarget(header: ReadHeader): boolean {
  return header('X-WOPI-OverwriteRelativeTarget')?.trim().toLowerCase() === 'true';
}

/** X-WOPI-FileConversion: its presence counts, not its value. */
export function readFileConversion(header: ReadHeader): boolean {
  return header('X-WOPI-FileConversion') !== undefined;
}

/** X-WOPI-CorrelationId, safe for a log: at most 64 of `A-Z a-z 0-9 . _ { } -`; undefined if nothing is left. */
export function readCorrelationId(header: ReadHeader): string | undefined {
  const text = header('X-WOPI-CorrelationId')?.slice(0, 256) ?? '';
  return text.replace(/[^A-Za-z0-9._{}-]/gu, '').slice(0, 64) || undefined;
}

/**
 * A sentence as a response header (X-WOPI-LockFailureReason, -InvalidFileNameError, -ServerError): printable ASCII, because Node
 * rejects other values; accents are dropped, curly quotes become straight ones, other characters without an ASCII form become `?`;
 * at most 256 characters.
 */
export function headerText(text: string): string {
  return text
    .slice(0, 1024)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[‘’]/gu, "'")
    .replace(/[“”]/gu, '"')
    .replace(/[^\x20-\x7e]/gu, '?')
    .trim()
    .slice(0, 256);
}
