// Receives a document that was dropped onto the dashboard, as a job that the page shows.

import type { IncomingMessage } from 'node:http';
import { AppError } from '../contract/errors.ts';
import { journalAction } from '../commands/journal-action.ts';
import { nameOf } from '../files/jail.ts';
import type { Services } from '../host/services.ts';

/**
 * Resolves when the document is in the folder.
 * @returns the job's id
 * @throws AppError of `NewDocuments.receive`; body-incomplete if the user cancelled
 */
export async function receiveUpload(
  services: Services,
  request: IncomingMessage,
  { folderPath, name }: { folderPath: string; name: string },
): Promise<string> {
  const hosting = services.folders.require();
  const declaredBytes = Number(request.headers['content-length'] ?? 0) || 0;
  const maxBytes = services.settings.current().maxUploadMiB * 1024 * 1024;
  if (declaredBytes > maxBytes) throw new AppError('upload-too-large');
  const { promise: received, resolve, reject } = Promise.withResolvers<undefined>();
  const jobId = services.jobs.run(`Copying “${name}”`, 'bytes', async (signal, progress) => {
    try {
      const path = await services.newDocuments.receive(hosting, {
        folderPath,
        name,
        source: counted(request, signal, (done) => progress(done, declaredBytes || null)),
        declaredBytes,
        maxBytes,
      });
      services.folderView.forget();
      journalAction({ by: 'window', services }, 'Import', path);
      resolve(undefined);
      return `Copied “${nameOf(path)}”.`;
    } catch (error) {
      reject(error);
      throw error;
    }
  });
  await received;
  return jobId;
}

async function* counted(
  request: IncomingMessage,
  signal: AbortSignal,
  onBytes: (done: number) => void,
): AsyncGenerator<Buffer> {
  // The connection stays open for the answer: a browser sends a request again whose connection was cut without one.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const cancelled = Promise.withResolvers<never>();
  cancelled.promise.catch(() => undefined);
  const cancel = (): void => cancelled.reject(new AppError('body-incomplete'));
  signal.addEventListener('abort', cancel, { once: true });
  let done = 0;
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const next = await Promise.race([chunks.next(), cancelled.promise]);
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
