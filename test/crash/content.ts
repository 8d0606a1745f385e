// Documents whose bytes show whether they are whole: a line with the label and the hash of the rest, then random bytes.

import { createHash, randomBytes } from 'node:crypto';

/** Smaller contents have no room for the line; the caller identifies them by their hash only. */
export const smallestLabelled = 160;

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A content of exactly `size` bytes. The label is at most 60 characters. */
export function makeContent(label: string, size: number): Buffer {
  if (size < smallestLabelled) return randomBytes(size);
  const head = (hash: string): string => `doctray-test ${label} ${hash}\n`;
  const noise = randomBytes(size - head('0'.repeat(64)).length);
  return Buffer.concat([Buffer.from(head(sha256(noise))), noise]);
}

/** The label of a content; undefined if it's torn, mixed, padded or not from `makeContent`. */
export function labelOf(bytes: Buffer): string | undefined {
  const end = bytes.indexOf('\n');
  const match = /^doctray-test (.+) ([0-9a-f]{64})$/.exec(
    bytes.subarray(0, Math.max(0, end)).toString('latin1'),
  );
  return match !== null && sha256(bytes.subarray(end + 1)) === match[2] ? match[1] : undefined;
}

/** For messages: describes unexpected bytes. */
export function describeContent(bytes: Buffer): string {
  const head = bytes.subarray(0, 100).toString('latin1').split('\n')[0];
  return `${bytes.length} bytes, ${labelOf(bytes) === undefined ? 'not whole' : 'whole'}, begins ${JSON.stringify(head)}`;
}
