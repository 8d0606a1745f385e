// What a test knows of one document that is being saved while the host is killed: every attempt, which of them were
// acknowledged, and from that the contents that may rightly be found afterwards.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describeContent, sha256, smallestLabelled } from './content.ts';

interface Attempt {
  hash: string;
  startedAt: number;
  /** Infinity while nobody has heard of its success. */
  acknowledgedAt: number;
  version: string | undefined;
}

export interface Save {
  acknowledge(itemVersion: string): void;
}

export interface SavedFile {
  readonly path: string;
  /** Notes a save that is about to be sent. */
  begin(bytes: Buffer): Save;
  /** A content read while saves go on: any that was ever attempted, whole. */
  assertKnown(bytes: Buffer): void;
  /** The content and the item version after a restart, with no save under way. It becomes the only one that may be there. */
  assertRightAfterKill(bytes: Buffer, itemVersion: string): void;
  /** A body that was sent whole and of which nobody heard that it was saved. */
  isUnheard(bytes: Buffer): boolean;
  acknowledgedCount(): number;
}

export function createSavedFile(path: string, initial: Buffer): SavedFile {
  let tick = 0;
  let attempts: Attempt[] = [{ hash: sha256(initial), startedAt: 0, acknowledgedAt: 0, version: undefined }];
  let acknowledged = 0;
  const known = new Set(attempts.map((attempt) => attempt.hash));
  const heard = new Set<string>();
  /** What each item version ever stood for. */
  const versions = new Map<string, string>();

  function possible(attempt: Attempt): boolean {
    return attempts.every(
      (other) => other.acknowledgedAt === Infinity || other.startedAt <= attempt.acknowledgedAt,
    );
  }

  return {
    path,
    begin(bytes) {
      tick += 1;
      const attempt: Attempt = {
        hash: sha256(bytes),
        startedAt: tick,
        acknowledgedAt: Infinity,
        version: undefined,
      };
      attempts.push(attempt);
      known.add(attempt.hash);
      return {
        acknowledge(itemVersion) {
          tick += 1;
          attempt.acknowledgedAt = tick;
          attempt.version = itemVersion;
          heard.add(attempt.hash);
          acknowledged += 1;
          assert.ok(!versions.has(itemVersion), `${path}: the item version ${itemVersion} was given twice`);
          versions.set(itemVersion, attempt.hash);
        },
      };
    },
    assertKnown(bytes) {
      assert.ok(known.has(sha256(bytes)), `${path} was read torn: ${describeContent(bytes)}`);
    },
    assertRightAfterKill(bytes, itemVersion) {
      const hash = sha256(bytes);
      assert.ok(known.has(hash), `${path} is neither old nor new: ${describeContent(bytes)}`);
      const found = attempts.findLast((attempt) => attempt.hash === hash && possible(attempt));
      assert.ok(found !== undefined, `${path} lost an acknowledged save: it holds ${describeContent(bytes)}`);
      const meant = versions.get(itemVersion);
      assert.ok(meant === undefined || meant === hash, `${path}: the item version ${itemVersion} came back`);
      if (bytes.length >= smallestLabelled && found.version !== undefined) {
        assert.equal(
          itemVersion,
          found.version,
          `${path}: the item version changed though the content did not`,
        );
      }
      versions.set(itemVersion, hash);
      attempts = [{ ...found, startedAt: 0, acknowledgedAt: 0, version: itemVersion }];
      tick = 0;
    },
    isUnheard: (bytes) => known.has(sha256(bytes)) && !heard.has(sha256(bytes)),
    acknowledgedCount: () => acknowledged,
  };
}

/** Random numbers that come again with the same seed. */
export function createRandom(seed: string): {
  fraction(): number;
  between(low: number, high: number): number;
} {
  let counter = 0;
  const fraction = (): number => {
    counter += 1;
    return createHash('sha256').update(`${seed} ${counter}`).digest().readUInt32BE() / 2 ** 32;
  };
  return { fraction, between: (low, high) => low + Math.floor(fraction() * (high - low + 1)) };
}
