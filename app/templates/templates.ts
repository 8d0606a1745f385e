// Blank documents for new documents, and the samples of the default folder: files in this folder, created with LibreOffice (see
// `build/templates.ts`).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemplateItem } from '../contract/results.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { findProjectRoot } from '../project-root.ts';
import { localPaper, type Paper } from './paper.ts';

export interface Sample {
  /** A unique file name. */
  name: string;
  bytes: Uint8Array;
}

const titles = {
  docx: 'host.template-docx',
  xlsx: 'host.template-xlsx',
  pptx: 'host.template-pptx',
  odt: 'host.template-odt',
  ods: 'host.template-ods',
  odp: 'host.template-odp',
  txt: 'host.template-txt',
  md: 'host.template-md',
} as const;

/** A new one is empty. */
const plain: ReadonlySet<string> = new Set(['txt', 'md']);

/** The `id` equals the `extension`, which has no dot. */
export const templates: readonly TemplateItem[] = Object.entries(titles).map(([id, title]) => ({
  id,
  get title() {
    return t(title);
  },
  extension: id,
}));

/** @throws AppError invalid-argument for an id that `templates` doesn't list */
export function blankDocument(id: string, paper: Paper = localPaper()): Uint8Array {
  if (!Object.hasOwn(titles, id))
    throw new AppError('invalid-argument', { detail: () => t('host.template-unknown') });
  if (plain.has(id)) return new Uint8Array();
  const isForScreens = id === 'pptx' || id === 'odp';
  return read(...(isForScreens ? [] : [paper]), `blank.${id}`);
}

export const welcomeText = 'Welcome.md';
const welcomeDocument = 'Welcome.docx';

/** Documents for the built-in text editor, and one for a document server. */
export function samples(paper: Paper = localPaper()): Sample[] {
  return [
    { name: welcomeText, bytes: read(welcomeText) },
    { name: 'Shopping list.csv', bytes: read('Shopping list.csv') },
    { name: welcomeDocument, bytes: read(paper, welcomeDocument) },
  ];
}

/** The packed app has them at the same place below its root. */
function read(...path: string[]): Uint8Array {
  return readFileSync(join(findProjectRoot(), 'app', 'templates', ...path));
}
