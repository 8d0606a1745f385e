// What a role may open: a viewer can only view.

import type { AccessMode } from '../store/access-tokens.ts';
import type { Role } from '../store/users.ts';

export function effectiveMode(role: Role, wanted: AccessMode): AccessMode {
  return role === 'viewer' ? 'view' : wanted;
}
