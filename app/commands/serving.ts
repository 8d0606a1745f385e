// What a start tells a person: which folder is served and where, a link to a document, and what doesn't work in the folder.

import { errorCode } from '../contract/errors.ts';
import { findFolderProblem } from '../files/folder-access.ts';
import { findDocumentLink, type DocumentLink, type LinkHost } from './document-link.ts';

export interface Serving {
  baseUrl: string;
  folder: string | null;
  /** Null where no document can be opened. */
  link: DocumentLink | null;
  /** Why documents can't be listed or saved, in sentences. */
  folderProblem: string | null;
}

/** @param input.ticketLifeMs how long the link can wait for its one use */
export async function describeServing(
  host: LinkHost & { readonly baseUrl: string },
  input: { ticketLifeMs: number; onError?: (error: unknown) => void },
): Promise<Serving> {
  const folder = host.services.folder()?.root ?? null;
  const folderProblem = folder === null ? undefined : await findFolderProblem(folder);
  const link = await findDocumentLink(host, input).catch((error: unknown) => {
    // `folderProblem` explains a folder that can't be read
    if (folderProblem === undefined || errorCode(error) === '') input.onError?.(error);
    return undefined;
  });
  return { baseUrl: host.baseUrl, folder, link: link ?? null, folderProblem: folderProblem ?? null };
}
