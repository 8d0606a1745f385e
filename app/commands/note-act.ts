// Adds what a user did to the journal, which Activity shows. Requests are added by server/middleware/request-journal.ts.

import type { Contexts } from './command.ts';

export function journalAction(
  { services, by }: Pick<Contexts['services'], 'services' | 'by'>,
  operation: string,
  path: string,
): void {
  services.journal.addAction({ atMs: services.clock(), operation, path, user: by });
}
