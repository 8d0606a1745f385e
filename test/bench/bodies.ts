// Bodies to save: random bytes that are generated once, and stamped for every save and every MiB. So no two saves are equal, which a
// host could answer without writing, and 200 MiB needn't be in memory. They end with a real document, because hosts look whether a save
// is one, and a ZIP is found from its end.

import { randomBytes, randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { blankDocument } from '../../app/templates/templates.ts';

export const KiB = 1024;
export const MiB = 1024 * KiB;

export interface Body {
  bytes: number;
  chunkCount: number;
  /** The bytes of a chunk, which the fourth chunk after it overwrites. */
  chunk(index: number): Buffer;
  /** The first bytes of a chunk, to compare with the file on disk. */
  stamp(index: number): Buffer;
}

export interface BodySource {
  /** A body that differs from all previous ones, and invalidates the last one. */
  next(): Body;
}

const document = blankDocument('docx');
const chunkBytes = MiB;
const slotCount = 4;

export function createBodySource(bytes: number): BodySource {
  const chunkCount = Math.ceil(bytes / chunkBytes);
  const slots = Array.from({ length: Math.min(slotCount, chunkCount) }, () =>
    randomFillSync(Buffer.alloc(Math.min(chunkBytes, bytes))),
  );
  const source = randomBytes(8);
  let saves = 0;
  const next = (): Body => {
    saves += 1;
    const save = saves;
    const stamp = (index: number): Buffer => {
      const stamped = Buffer.alloc(16);
      source.copy(stamped);
      stamped.writeUInt32LE(save, 8);
      stamped.writeUInt32LE(index, 12);
      return stamped;
    };
    const chunk = (index: number): Buffer => {
      const slot = slots[index % slots.length];
      if (!slot) throw new Error('A body has at least one chunk');
      stamp(index).copy(slot);
      const chunk = slot.subarray(0, bytes - index * chunkBytes);
      if (index === chunkCount - 1 && bytes > 2 * document.length)
        chunk.set(document, chunk.length - document.length);
      return chunk;
    };
    return { bytes, chunkCount, chunk, stamp };
  };
  return { next };
}

/** Checks that the save was written. @throws unless the file has the body's length and its first and last stamp */
export async function checkOnDisk(path: string, body: Body): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size !== body.bytes) throw new Error(`A save of ${body.bytes} bytes left ${size} on the disk`);
    for (const index of [0, body.chunkCount - 1]) {
      const found = Buffer.alloc(16);
      await file.read(found, 0, 16, index * chunkBytes);
      if (!found.equals(body.stamp(index))) throw new Error('A save was answered but is not on the disk');
    }
  } finally {
    await file.close();
  }
}

/**
 * Fills page cache and frees it again. A virtual machine returns free memory to its host, and then the first access to a page costs
 * more than writing it. Without this, a contender that gets recently freed memory would have an advantage that hides the difference
 * between them.
 */
export function warmMemory(folder: string, bytes: number): void {
  const path = join(folder, 'scratch');
  const chunk = Buffer.alloc(MiB, 1);
  const descriptor = fs.openSync(path, 'w');
  for (let written = 0; written < bytes; written += chunk.length) fs.writeSync(descriptor, chunk);
  fs.closeSync(descriptor);
  fs.unlinkSync(path);
}
