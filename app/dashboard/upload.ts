// Receives documents that were dropped onto the dashboard, as one job, which the page shows. One request has them all: a list of their names
// and sizes in JSON, then their bytes.

import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { journalAction } from '../commands/command.ts';
import { AppError, describeError, messageFor } from '../contract/errors.ts';
import { megabyte } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { nameOf } from '../contract/names.ts';
import { namedFailures, titleOfImport } from '../documents/import.ts';
import type { JobProgress, PartialResult } from '../documents/jobs.ts';
import { findFolder } from '../files/visible.ts';
import type { Services } from '../host/services.ts';

/** `listBytes`: the length of the list. */
const querySchema = z.object({
  folderPath: z.string(),
  listBytes: z.coerce
    .number()
    .int()
    .max(4 * 1024 * 1024),
});
const listSchema = z.array(z.object({ name: z.string(), size: z.int().min(0) })).min(1);

/**
 * Resolves with the job's id when the job has ended, which says what couldn't be copied.
 * @throws AppError path-invalid, folder-unknown, folder-missing, invalid-argument, body-incomplete
 */
export async function receiveDrop(
  services: Services,
  request: IncomingMessage,
  query: unknown,
  /** Asked before each file: the session may end meanwhile. */
  isAllowed: () => boolean,
): Promise<string> {
  const { folderPath: typed, listBytes } = valid(querySchema, query);
  const hosted = services.folders.require();
  const { path: folderPath } = await findFolder(hosted.folder.jail, typed);
  const body = bodyOf(request);
  const parts = createParts(body);

  const receiveAll = async (
    files: z.infer<typeof listSchema>,
    signal: AbortSignal,
    progress: JobProgress,
  ): Promise<PartialResult> => {
    signal.addEventListener('abort', () => body.destroy(), { once: true });
    const copied: string[] = [];
    const failed: { name: string; sentence: string }[] = [];
    const maxBytes = services.settings.current().maxUploadMB * megabyte;
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let isStopped = false;
    for (const { name, size } of files) {
      if (signal.aborted || !isAllowed()) {
        isStopped = true;
        break;
      }
      const source = parts.take(size, (done) => progress(done - listBytes, total));
      try {
        if (size > maxBytes) throw new AppError('upload-too-large');
        const received = { folderPath, name, source, declaredBytes: size, maxBytes };
        const path = await services.newDocuments.receive(hosted, received);
        copied.push(nameOf(path));
        services.folderView.forget();
        journalAction({ by: 'window', services }, 'Import', path);
      } catch (error) {
        if (!signal.aborted) failed.push({ name, sentence: messageFor('window', error) });
        isStopped = describeError(error).code === 'body-incomplete';
      }
      isStopped ||= signal.aborted || !(await parts.skip(source));
      if (isStopped) break;
    }
    const count = copied.length;
    if (count === files.length)
      return { sentence: t('host.copied-files', { count, name: copied[0] ?? '' }), isPartial: false };
    const named = namedFailures(failed);
    if (count === 0 && failed.length > 0) throw new AppError('import-failed', { detail: named.join(' ') });
    const some = t('host.count-of-files-copied', { count, files: files.length });
    const sentences = [...(isStopped ? [t('host.stopped')] : []), some, ...named];
    return { sentence: sentences.join(' '), isPartial: true };
  };

  try {
    const files = valid(listSchema, await text(parts.take(listBytes)));
    const title = titleOfImport({ count: files.length, first: files[0]?.name ?? '' }, folderPath);
    const ended = Promise.withResolvers<void>();
    const jobId = services.jobs.run(title, 'bytes', (signal, progress) =>
      receiveAll(files, signal, progress).finally(ended.resolve),
    );
    await ended.promise;
    return jobId;
  } finally {
    body.destroy();
  }
}

/** @param given JSON, or a value. @throws AppError invalid-argument */
function valid<Value>(schema: z.ZodType<Value>, given: unknown): Value {
  try {
    return schema.parse(typeof given === 'string' ? JSON.parse(given) : given);
  } catch (cause) {
    throw new AppError('invalid-argument', { cause });
  }
}

/** Once it is destroyed, the rest isn't read. */
function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough();
  request.pipe(body).on('error', () => undefined);
  request.once('close', () => void (request.complete || body.destroy()));
  // The connection stays open for the answer: a browser sends a request again whose connection was cut without one.
  return body.once('close', () => request.unpipe(body).resume());
}

/** Reads a body in parts, one after the other. */
function createParts(body: Readable) {
  const chunks: AsyncIterator<Buffer, undefined> = body[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  /** Where the last part ends. */
  let end = 0;

  async function* upToEnd(onRead: (all: number) => void = () => undefined): AsyncGenerator<Buffer> {
    while (read < end) {
      if (rest.length === 0) rest = (await chunks.next()).value ?? Buffer.alloc(0);
      if (rest.length === 0) throw new AppError('body-incomplete');
      const some = rest.subarray(0, end - read);
      rest = rest.subarray(some.length);
      read += some.length;
      onRead(read);
      yield some;
    }
  }

  return {
    /** The next part. @param onRead called with how much of the body was read */
    take(size: number, onRead?: (all: number) => void): AsyncGenerator<Buffer> {
      end += size;
      return upToEnd(onRead);
    },
    /** What its reader left of a part. @returns false if it is incomplete */
    async skip(part: AsyncGenerator<Buffer>): Promise<boolean> {
      try {
        await part.return(undefined);
        for await (const _ of upToEnd());
        return true;
      } catch {
        return false;
      }
    },
  };
}
