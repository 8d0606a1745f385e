// The document to try everything with, put into the hosted folder once.

import { AppError } from '../contract/errors.ts';
import { joinPath } from '../files/jail.ts';
import { candidateNames } from '../wopi/name-targets.ts';
import type { MakeDocument } from './document-making.ts';
import type { DocumentHosting } from './document-services.ts';

export const sampleName = 'Welcome to DocTray.docx';

/** Answers its path; the one that is there already is left as it is. @throws AppError folder-missing, disk-refused */
export async function makeSample(
  hosting: DocumentHosting,
  make: MakeDocument,
  sample: () => Promise<Uint8Array>,
): Promise<string> {
  const { documents, folder } = hosting;
  await folder.jail.requireRoot();
  const known = await documents.named('', sampleName);
  const place = known === undefined ? undefined : await folder.jail.look(joinPath('', known));
  if (place?.stats.isFile() === true) return place.path;
  const path = await make({ folderPath: '', names: candidateNames(sampleName), bytes: await sample() });
  if (path === undefined) throw new AppError('disk-refused', { detail: 'No name is free for it.' });
  return path;
}
