// The SHA-256 of a body while it arrives. A small body is hashed on this thread while the disk syncs it. A large one takes as long to
// hash as to write, so a worker thread does it beside the disk: it receives the buffers that were written, which isn't a copy.

import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export interface BodyHash {
  /** Takes ownership of these chunks, which must be written already. Resolves when the hash isn't too far behind. */
  update(chunks: readonly Uint8Array[]): Promise<void>;
  /** Undefined if the worker couldn't start or hash all of it: the bytes on the disk must be hashed instead. Never rejects. */
  digest(): Promise<Buffer | undefined>;
  /** No digest is wanted. */
  discard(): void;
}

/** Up to this many bytes, hashing takes less time than a worker's answer; and a worker gets at least as many at a time. */
const pieceBytes = 1024 * 1024;
/** How many pieces may wait for the worker before the sender has to pause. */
const maxWaiting = 3;
/** After this time without a large body, the worker ends, and frees a few MiB. */
const idleMs = 30_000;

/** @param isOwned nothing else uses the memory of the chunks, so that it can move to the worker */
export function createBodyHash(isOwned: boolean): BodyHash {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let size = 0;
  let job: HashJob | undefined;
  let hasFailed = false;

  const post = async (): Promise<void> => {
    try {
      job ??= (worker ??= startWorker()).begin();
      const piece = held.map((chunk) => ownBuffer(chunk, isOwned));
      [held, heldBytes] = [[], 0];
      await job.update(piece);
    } catch {
      hasFailed = true;
    }
  };
  return {
    async update(chunks) {
      if (hasFailed) return;
      held.push(...chunks);
      for (const { length } of chunks) {
        heldBytes += length;
        size += length;
      }
      if (heldBytes > pieceBytes) await post();
    },
    async digest() {
      if (job !== undefined) await post();
      if (hasFailed) return undefined;
      if (job === undefined) {
        // The disk starts first.
        await turn();
        const hash = createHash('sha256');
        for (const chunk of held) hash.update(chunk);
        return hash.digest();
      }
      const hashed = await job.digest();
      return hashed?.size === size ? Buffer.from(hashed.digest) : undefined;
    },
    discard: () => void job?.digest(),
  };
}

function ownBuffer(chunk: Uint8Array, isOwned: boolean): ArrayBuffer {
  const isWhole = isOwned && chunk.length === chunk.buffer.byteLength;
  return (isWhole ? chunk : new Uint8Array(chunk)).buffer as ArrayBuffer;
}

/** Answers every piece, the last one with the digest and the number of bytes. */
const workerSource = `
  const { createHash } = require('node:crypto');
  const { parentPort } = require('node:worker_threads');
  const jobs = new Map();
  parentPort.on('message', ({ id, piece }) => {
    const job = jobs.get(id) ?? { hash: createHash('sha256'), size: 0 };
    jobs.set(id, job);
    for (const buffer of piece ?? []) {
      job.hash.update(new Uint8Array(buffer));
      job.size += buffer.byteLength;
      // Frees it now rather than with the next garbage collection.
      buffer.transfer?.(0);
    }
    if (piece !== null) return parentPort.postMessage({ id });
    jobs.delete(id);
    parentPort.postMessage({ id, hashed: { digest: job.hash.digest(), size: job.size } });
  });`;

interface Hashed {
  digest: Uint8Array;
  size: number;
}

interface HashJob {
  update(piece: ArrayBuffer[]): Promise<void>;
  /** Undefined if the worker has ended. Asks once. */
  digest(): Promise<Hashed | undefined>;
}

interface HashWorker {
  begin(): HashJob;
}

let worker: HashWorker | undefined;

function startWorker(): HashWorker {
  const thread = new Worker(workerSource, { eval: true, execArgv: [], env: {} });
  const jobs = new Map<number, { answered(hashed?: Hashed): void; ended(): void }>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (worker === self) worker = undefined;
    clearTimeout(timer);
    for (const job of jobs.values()) job.ended();
    jobs.clear();
    void thread.terminate();
  };
  thread.on('error', end).on('messageerror', end).on('exit', end);
  thread.on('message', ({ id, hashed }: { id: number; hashed?: Hashed }) => {
    jobs.get(id)?.answered(hashed);
    if (hashed === undefined) return;
    jobs.delete(id);
    if (jobs.size > 0) return;
    thread.unref();
    timer = setTimeout(end, idleMs).unref();
  });
  const send = (message: { id: number; piece: ArrayBuffer[] | null }): void => {
    try {
      thread.postMessage(message, message.piece ?? []);
    } catch {
      end();
    }
  };
  const self: HashWorker = {
    begin() {
      clearTimeout(timer);
      // Its answers keep the process running.
      thread.ref();
      const id = ++count;
      const done = Promise.withResolvers<Hashed | undefined>();
      let waiting = 0;
      let goOn: (() => void) | undefined;
      let isAsked = false;
      jobs.set(id, {
        answered(hashed) {
          waiting -= 1;
          goOn?.();
          if (hashed !== undefined) done.resolve(hashed);
        },
        ended() {
          done.resolve(undefined);
          goOn?.();
        },
      });
      return {
        async update(piece) {
          waiting += 1;
          send({ id, piece });
          if (waiting >= maxWaiting && jobs.has(id)) await new Promise<void>((resolve) => (goOn = resolve));
        },
        digest() {
          if (!isAsked) send({ id, piece: null });
          isAsked = true;
          return done.promise;
        },
      };
    },
  };
  return self;
}
