// A new document of bytes that are there already: a blank one of a template, the sample.

import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import { receiveBody } from '../files/received-body.ts';
import { ownerOf, type DocumentHosting, type DocumentServices } from './document-services.ts';

/** Answers the path; undefined when none of the names is free. @throws AppError folder-missing, disk-low, disk-refused */
export type MakeDocument = (input: {
  /** Real, inside the hosted folder. */
  folderPath: string;
  names: Iterable<string>;
  bytes: Uint8Array;
}) => Promise<string | undefined>;

export function createMakeDocument(
  services: DocumentServices,
  { folder, documents }: DocumentHosting,
  clock: Clock,
): MakeDocument {
  return async ({ folderPath, names, bytes }) => {
    // No program opens an empty file as a document.
    if (bytes.length === 0) throw new AppError('internal', { detail: 'The template is empty.' });
    await services.diskSpace.requireRoom(folder.root, bytes.length);
    const opened = await folder.jail.openFolder(folderPath);
    if (opened === undefined) throw new AppError('folder-missing');
    const incoming = await receiveBody({
      source: Readable.from([bytes]),
      folder: opened,
      fallbackDirectory: join(services.dataDir, 'rescued'),
      name: services.tempNames.next(),
      maxBytes: bytes.length,
    });
    try {
      const origin = { savedAtMs: clock(), savedBy: ownerOf(services).id, savedHow: 'created' };
      const made = await documents.create({ folderPath, names, incoming, origin });
      return made?.row.path;
    } finally {
      await incoming.discard();
    }
  };
}
