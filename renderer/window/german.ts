// The window in German.

import { sharedGerman } from '../../app/contract/german.ts';
import type { Catalog } from '../../app/contract/messages.ts';

export const german: Catalog = {
  ...sharedGerman,
};
