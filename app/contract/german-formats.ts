// What format.ts can say, in German. Every program that shows sizes and times has it in its catalog.

import type { Catalog } from './messages.ts';

export const formatsGerman: Catalog = {
  '{count, plural, one {# byte} other {# bytes}}': '{count, plural, one {# Byte} other {# Bytes}}',
  'in a moment': 'gleich',
  'just now': 'gerade eben',
  'in {duration}': 'in {duration}',
  '{duration} ago': 'vor {duration}',
  '{days, number} d': '{days, number} Tg.',
  'today {time}': 'heute {time}',
  'yesterday {time}': 'gestern {time}',
  yesterday: 'gestern',
};
