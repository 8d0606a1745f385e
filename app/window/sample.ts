// The document to try everything with, put into the hosted folder once. A default folder has it from the start.

import { AppError } from '../contract/errors.ts';
import { joinPath } from '../files/jail.ts';
import type { Sample } from '../templates/templates.ts';
import { extensionOf } from '../wopi/names.ts';
import { candidateNames } from '../wopi/target-names.ts';
import type { MakeDocument } from './document-making.ts';
import type { DocumentHosting, DocumentServices } from './document-services.ts';

/** The Word document where a connected editor edits one, else the first: text needs nothing else. */
export function chooseSample(samples: readonly Sample[], editors: DocumentServices['editors']): Sample {
  const canEdit = ({ name, bytes }: Sample): boolean => {
    const extension = extensionOf(name).slice(1);
    try {
      return editors.choose({ extension, size: bytes.length, mode: 'edit' }).canEdit;
    } catch (error) {
      if (error instanceof AppError && error.code === 'no-editor') return false;
      throw error;
    }
  };
  const document = samples.find((sample) => sample.name.endsWith('.docx') && canEdit(sample));
  const sample = document ?? samples[0];
  if (sample === undefined) throw new AppError('internal', { detail: 'There is no sample.' });
  return sample;
}

/** Answers its path; the one that is there already is left as it is. @throws AppError folder-missing, disk-refused */
export async function makeSample(
  hosting: DocumentHosting,
  make: MakeDocument,
  { name, bytes }: Sample,
): Promise<string> {
  const { documents, folder } = hosting;
  await folder.jail.requireRoot();
  const known = await documents.named('', name);
  const place = known === undefined ? undefined : await folder.jail.stat(joinPath('', known));
  if (place?.stats.isFile() === true) return place.path;
  const path = await make({ folderPath: '', names: candidateNames(name), bytes });
  if (path === undefined) throw new AppError('disk-refused', { detail: 'No name is free for it.' });
  return path;
}
