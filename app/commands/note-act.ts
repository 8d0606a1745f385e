// What a person did, in the journal that Activity shows.

import type { Contexts } from './command.ts';

export function noteAct(
  { services, by }: Pick<Contexts['services'], 'services' | 'by'>,
  operation: string,
  path: string,
): void {
  services.journal.addAct({ atMs: services.clock(), operation, path, user: by });
}
