// What `serve` and `start` print: the folder, the address, a link to a document, and problems with the folder.

import { errorCode } from '../contract/errors.ts';
import { findFolderProblem } from '../files/folder-access.ts';
import { findDocumentLink, type DocumentLink, type LinkHost } from './document-link.ts';

export interface Serving {
  baseUrl: string;
  folder: string | null;
  /** Null if no document can be opened. */
  link: DocumentLink | null;
  /** Sentences that say why documents can't be listed or saved; null if they can. */
  folderProblem: string | null;
}

/** @param input.ticketLifeMs how long the link stays valid */
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
