// The tray, the menu, dialogs and notifications in German.

import { sharedGerman } from '../contract/german.ts';
import type { Catalog } from '../contract/messages.ts';

export const german: Catalog = {
  ...sharedGerman,
};
