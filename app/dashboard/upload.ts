// Receives documents that were dropped onto the dashboard. All files of a drop are one job, which the page shows; the page sends them
// one after the other.

import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { journalAction } from '../commands/command.ts';
import { AppError, messageFor } from '../contract/errors.ts';
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
    const ended = Promise.withResolvers<undefined>();
    const end = (): void => {
      drops.delete(dropId);
      ended.resolve(undefined);
    };
    const abandon = (): void => {
      isStopped = true;
      end();
    };
    const copied: string[] = [];
    const failed: { name: string; sentence: string }[] = [];
    const running = new Set<Promise<void>>();
    let isStopped = false;
    let signal = new AbortController().signal;
    let report = (_done: number): void => undefined;
    let doneBytes = 0;
    let left = files;
    let silence: NodeJS.Timeout | undefined;

    const jobId = services.jobs.run(
      titleOfImport({ count: files, first: name }, folderPath),
      'bytes',
      async (aborted, progress) => {
        signal = aborted;
        report = (done) => progress(done, bytes);
        const abort = (): void => ended.resolve(undefined);
        signal.addEventListener('abort', abort, { once: true });
        await ended.promise;
        // A document that is complete is still created after a cancel.
        await Promise.allSettled(running);
        return resultOf({ copied, failed, files, isStopped: isStopped || signal.aborted });
      },
    );

    const take: Drop['take'] = async (request, name) => {
      clearTimeout(silence);
      const declaredBytes = Number(request.headers['content-length'] ?? 0) || 0;
      const maxBytes = services.settings.current().maxUploadMB * megabyte;
      try {
        if (signal.aborted) throw new AppError('body-incomplete');
        if (declaredBytes > maxBytes) throw new AppError('upload-too-large');
        const source = counted(request, signal, (done) => report(doneBytes + done));
        const received = { folderPath, name, source, declaredBytes, maxBytes };
        const path = await services.newDocuments.receive(hosted, received);
        copied.push(nameOf(path));
        services.folderView.forget();
        journalAction({ by: 'window', services }, 'Import', path);
      } catch (error) {
        if (!signal.aborted) failed.push({ name, sentence: messageFor('window', error) });
        // The page sends no more then.
        if (error instanceof AppError && error.code === 'body-incomplete') {
          isStopped = left > 1;
          left = 1;
        }
        throw error;
      } finally {
        doneBytes += declaredBytes;
        left -= 1;
        if (left <= 0) end();
        else silence = setTimeout(abandon, endsAfterMs).unref();
      }
    };

    return {
      jobId,
      async take(request, name) {
        const taken = take(request, name);
        running.add(taken);
        await taken.finally(() => running.delete(taken));
      },
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
    const sentence = t('host.copied-files', {
      count,
      name: copied[0] ?? '',
    });
    return { sentence, isPartial: false };
  }
  const some = t('host.count-of-files-copied', {
    count,
    files,
  });
  const named = namedFailures(failed);
  if (count === 0 && failed.length > 0) throw new AppError('import-failed', { detail: named.join(' ') });
  return { sentence: [...(isStopped ? [t('host.stopped')] : []), some, ...named].join(' '), isPartial: true };
}

async function* counted(
  request: IncomingMessage,
  signal: AbortSignal,
  onBytes: (done: number) => void,
): AsyncGenerator<Buffer> {
  // The connection stays open for the answer: a browser sends a request again whose connection was cut without one.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const canceled = Promise.withResolvers<never>();
  canceled.promise.catch(() => undefined);
  const cancel = (): void => canceled.reject(new AppError('body-incomplete'));
  signal.addEventListener('abort', cancel, { once: true });
  let done = 0;
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const next = await Promise.race([chunks.next(), canceled.promise]);
      if (next.done === true) break;
      done += next.value.length;
      onBytes(done);
      yield next.value;
    }
    if (!request.complete) throw new AppError('body-incomplete');
  } catch (cause) {
    // The iterator still waits for a chunk; without it, the rest is discarded while the answer is sent.
    request.removeAllListeners('readable').resume();
    throw cause instanceof AppError ? cause : new AppError('body-incomplete', { cause });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
