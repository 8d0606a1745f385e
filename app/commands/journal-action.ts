// Adds what a user did to the journal, which Activity shows. Requests are added by server/middleware/request-journal.ts.

import type { UserActionName } from '../contract/user-actions.ts';
import type { Contexts } from './command.ts';

/** @param path what it applied to: a document's path, a login */
export function journalAction(
  { services, by }: Pick<Contexts['services'], 'services' | 'by'>,
  operation: UserActionName,
  path: string,
  fileId?: string,
): void {
  const { journal, clock } = services;
  journal.addAction({ atMs: clock(), operation, path, user: by, ...(fileId !== undefined && { fileId }) });
}
