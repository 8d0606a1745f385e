// What the window and the desktop share, in German: states, errors, questions before a command.

import type { Catalog } from './messages.ts';

export const sharedGerman: Catalog = {};
