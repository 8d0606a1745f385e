// The products that are scripted.

import { collabora } from './collabora.ts';
import type { Dialect, DialectKind } from './dialect.ts';
import { office } from './office.ts';
import { onlyOffice } from './onlyoffice.ts';

export const dialectKinds: readonly DialectKind[] = ['onlyoffice', 'collabora', 'office'];

/** @param isLegacy of `collabora`: LibreOffice Online of 2020, its predecessor */
export function createDialect(kind: DialectKind, isLegacy = false): Dialect {
  return { collabora, office, onlyoffice: onlyOffice }[kind](isLegacy);
}
