// What a role may open: a viewer can only view.

import type { Role } from './user.ts';

export type AccessMode = 'edit' | 'view';

export function effectiveMode(role: Role, wanted: AccessMode): AccessMode {
  return role === 'viewer' ? 'view' : wanted;
}
