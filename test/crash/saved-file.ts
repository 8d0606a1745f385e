// What a test knows about one document that is saved while the host is killed: every attempt, which of them were acknowledged, and
// therefore which contents are valid afterwards.

import assert from 'node:assert/strict';
import { describeContent, sha256, smallestLabelled } from './content.ts';

interface Attempt {
  hash: string;
  startedAt: number;
  /** Infinity until it's acknowledged. */
  acknowledgedAt: number;
  version: string | undefined;
}

export type SavedFile = ReturnType<typeof createSavedFile>;

export function createSavedFile(path: string, initial: Buffer) {
  let tick = 0;
  let attempts: Attempt[] = [{ hash: sha256(initial), startedAt: 0, acknowledgedAt: 0, version: undefined }];
  let acknowledged = 0;
  const known = new Set(attempts.map((attempt) => attempt.hash));
  const acknowledgedHashes = new Set<string>();
  /** The hash of the content by item version. */
  const versions = new Map<string, string>();

  function isPossible(attempt: Attempt): boolean {
    return attempts.every(
      (other) => other.acknowledgedAt === Infinity || other.startedAt <= attempt.acknowledgedAt,
    );
  }

  return {
    path,
    /** Records a save that is about to be sent. */
    begin(bytes: Buffer) {
      tick += 1;
      const hash = sha256(bytes);
      const attempt: Attempt = { hash, startedAt: tick, acknowledgedAt: Infinity, version: undefined };
      attempts.push(attempt);
      known.add(attempt.hash);
      return {
        acknowledge(itemVersion: string): void {
          tick += 1;
          attempt.acknowledgedAt = tick;
          attempt.version = itemVersion;
          acknowledgedHashes.add(attempt.hash);
          acknowledged += 1;
          assert.ok(!versions.has(itemVersion), `${path}: the item version ${itemVersion} was given twice`);
          versions.set(itemVersion, attempt.hash);
        },
      };
    },
    /** Checks a content that was read during saves: it must be the whole content of any attempt. */
    assertKnown(bytes: Buffer): void {
      assert.ok(known.has(sha256(bytes)), `${path} was read torn: ${describeContent(bytes)}`);
    },
    /** Checks content and item version after a restart, while nothing is saved. From then on, only this content is valid. */
    assertRightAfterKill(bytes: Buffer, itemVersion: string): void {
      const hash = sha256(bytes);
      assert.ok(known.has(hash), `${path} is neither old nor new: ${describeContent(bytes)}`);
      const found = attempts.findLast((attempt) => attempt.hash === hash && isPossible(attempt));
      assert.ok(found !== undefined, `${path} lost an acknowledged save: it holds ${describeContent(bytes)}`);
      const hashOfVersion = versions.get(itemVersion);
      assert.ok(
        hashOfVersion === undefined || hashOfVersion === hash,
        `${path}: the item version ${itemVersion} was used again`,
      );
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
    /** Whether this body was sent, and never acknowledged. */
    isUnacknowledged: (bytes: Buffer): boolean =>
      known.has(sha256(bytes)) && !acknowledgedHashes.has(sha256(bytes)),
    acknowledgedCount: () => acknowledged,
  };
}
