// Sends an open file as an answer, and closes it: with one read and one write if it is small, otherwise in large chunks with two
// alternating buffers.

import fs from 'node:fs';
import type { ServerResponse } from 'node:http';

const smallFileBytes = 1 << 20;
const chunkBytes = 1 << 20;

export async function sendFile(
  response: ServerResponse,
  descriptor: number,
  headers: Record<string, string> = {},
): Promise<void> {
  try {
    const { size } = fs.fstatSync(descriptor);
    response.writeHead(200, {
      ...headers,
      'Content-Type': 'application/octet-stream',
      'Content-Length': size,
    });
    if (size <= smallFileBytes) {
      const whole = Buffer.allocUnsafeSlow(size);
      fs.readSync(descriptor, whole, 0, size, 0);
      response.end(whole);
      return;
    }
    await sendChunks(response, descriptor, size);
    response.end();
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Reads the next chunk while the previous one is sent. A buffer is reused once its bytes were sent. */
async function sendChunks(response: ServerResponse, descriptor: number, size: number): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)];
  let before: Promise<void> = Promise.resolve();
  for (let position = 0, turn = 0; position < size; turn += 1) {
    const buffer = buffers[turn % 2] as Buffer;
    const length = await read(descriptor, buffer, position);
    if (length === 0) throw new Error('The file became shorter while it was sent');
    await before;
    before = write(response, buffer.subarray(0, length));
    position += length;
  }
  await before;
}

function read(descriptor: number, buffer: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(descriptor, buffer, 0, buffer.length, position, (error, length) => {
      if (error) reject(error);
      else resolve(length);
    });
  });
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(bytes, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
