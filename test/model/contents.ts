// Document contents that are identified by a name: '' is the empty document, and a name that starts with a capital is a large one.
// A body that isn't exactly one content is reported as torn.

import { Buffer } from 'node:buffer';

export function bodyOf(name: string): Buffer {
  if (name === '') return Buffer.alloc(0);
  const number = Number(/\d+$/.exec(name)?.[0] ?? 0);
  // Consecutive numbers differ in size, so that a write in place within the resolution of file times is still visible.
  const filler = /^[A-Z]/.test(name) ? 150_000 : 40;
  return Buffer.from(`${name}:`.padEnd(filler + (number % 997), '.'));
}

export function contentOf(body: Buffer): string {
  const name = /^[A-Za-z0-9-]*(?=:)/.exec(body.subarray(0, 100).toString('latin1'))?.[0] ?? '';
  return body.equals(bodyOf(name)) ? name : `torn (${body.length} bytes)`;
}
