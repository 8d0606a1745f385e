// Receives documents that were dropped onto the dashboard. All files of a drop are one job, which the page shows; the page sends them
// one after the other.

import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { z } from 'zod';
import { journalAction } from '../commands/command.ts';
import { AppError, describeError, messageFor } from '../contract/errors.ts';
import { megabyte } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { nameOf } from '../contract/names.ts';
import { namedFailures, titleOfImport } from '../documents/import.ts';
import type { PartialResult } from '../documents/jobs.ts';
import type { Services } from '../host/services.ts';

/** `dropId`: the page's own; `files` and `bytes` are those of the whole drop. */
export const uploadQuery = z.object({
  folderPath: z.string(),
  name: z.string(),
  dropId: z.uuid(),
  files: z.coerce.number().int().min(1),
  bytes: z.coerce.number().int().min(0),
});

type Upload = z.infer<typeof uploadQuery>;

export interface Uploads {
  /**
   * Resolves when the document is in the folder.
   * @returns the job's id
   * @throws AppError of `NewDocuments.receive`; upload-too-large; body-incomplete if the user canceled
   */
  receive(request: IncomingMessage, upload: Upload): Promise<string>;
}

interface Drop {
  jobId: string;
  take(request: IncomingMessage, name: string): Promise<void>;
}

/** A page that was closed between two files sends no more. */
const endsAfterMs = 10_000;

export function createUploads(services: Services): Uploads {
  const drops = new Map<string, Drop>();

  function startDrop({ folderPath, name, dropId, files, bytes }: Upload): Drop {
    const hosted = services.folders.require();
    const copied: string[] = [];
    const failed: { name: string; sentence: string }[] = [];
    const ended = Promise.withResolvers<void>();
    let isStopped = false;
    let signal = new AbortController().signal;
    let report = (_done: number): void => undefined;
    let doneBytes = 0;
    let silence: NodeJS.Timeout | undefined;
    let last: Promise<void> | undefined;

    const abandon = (): void => {
      isStopped = true;
      ended.resolve();
    };
    const jobId = services.jobs.run(
      titleOfImport({ count: files, first: name }, folderPath),
      'bytes',
      async (aborted, progress) => {
        signal = aborted;
        signal.addEventListener('abort', abandon, { once: true });
        report = (done) => progress(done, bytes);
        await ended.promise;
        drops.delete(dropId);
        // A document that is complete is still created after a cancel.
        await last?.catch(() => undefined);
        return resultOf({ copied, failed, files, isStopped });
      },
    );

    const take: Drop['take'] = async (request, name) => {
      clearTimeout(silence);
      const declaredBytes = Number(request.headers['content-length'] ?? 0) || 0;
      const maxBytes = services.settings.current().maxUploadMB * megabyte;
      const source = bodyOf(request, signal, (done) => report(doneBytes + done));
      try {
        if (declaredBytes > maxBytes) throw new AppError('upload-too-large');
        const received = { folderPath, name, source, declaredBytes, maxBytes };
        const path = await services.newDocuments.receive(hosted, received);
        copied.push(nameOf(path));
        services.folderView.forget();
        journalAction({ by: 'window', services }, 'Import', path);
      } catch (error) {
        if (!signal.aborted) failed.push({ name, sentence: messageFor('window', error) });
        // The page sends no more then.
        if (describeError(error).code === 'body-incomplete') abandon();
        throw error;
      } finally {
        source.destroy();
        doneBytes += declaredBytes;
        if (copied.length + failed.length >= files) ended.resolve();
        silence = setTimeout(abandon, endsAfterMs).unref();
      }
    };

    return {
      jobId,
      take: (request, name) => (last = take(request, name)),
    };
  }

  return {
    async receive(request, upload) {
      const drop = drops.get(upload.dropId) ?? startDrop(upload);
      drops.set(upload.dropId, drop);
      await drop.take(request, upload.name);
      return drop.jobId;
    },
  };
}

/** @throws AppError import-failed if nothing could be copied, unless the user canceled */
function resultOf({
  copied,
  failed,
  files,
  isStopped,
}: {
  copied: readonly string[];
  failed: readonly { name: string; sentence: string }[];
  files: number;
  isStopped: boolean;
}): PartialResult {
  const count = copied.length;
  if (count === files) {
    return { sentence: t('host.copied-files', { count, name: copied[0] ?? '' }), isPartial: false };
  }
  const some = t('host.count-of-files-copied', { count, files });
  const named = namedFailures(failed);
  if (count === 0 && failed.length > 0) throw new AppError('import-failed', { detail: named.join(' ') });
  return { sentence: [...(isStopped ? [t('host.stopped')] : []), some, ...named].join(' '), isPartial: true };
}

/** Without what is missing of the body, it is destroyed. `onBytes` receives how many bytes have arrived. */
function bodyOf(request: IncomingMessage, signal: AbortSignal, onBytes: (done: number) => void): Readable {
  let done = 0;
  const body = new Transform({
    signal,
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      onBytes(done);
      next(null, chunk);
    },
  });
  // What receives it reports the error.
  request.pipe(body).on('error', () => undefined);
  request.once('close', () => void (request.complete || body.destroy()));
  // The connection stays open for the answer: a browser sends a request again whose connection was cut without one.
  return body.once('close', () => request.unpipe(body).resume());
}
