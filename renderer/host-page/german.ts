// The host page in German.

import type { Catalog } from '../../app/contract/messages.ts';

export const german: Catalog = {};
