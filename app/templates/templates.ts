// The blank documents that new documents are copies of, and the samples that the default folder starts with. They are files in this
// folder, made with LibreOffice: see `build/templates.ts`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemplateItem } from '../contract/results.ts';
import { AppError } from '../contract/errors.ts';
import { findProjectRoot } from '../project-root.ts';
import type { Paper } from './paper.ts';

export interface Sample {
  /** A file name; unlike all others. */
  name: string;
  bytes: Uint8Array;
}

const titles = {
  docx: 'Word document',
  xlsx: 'Excel spreadsheet',
  pptx: 'PowerPoint presentation',
  odt: 'Text (OpenDocument)',
  ods: 'Spreadsheet (OpenDocument)',
  odp: 'Presentation (OpenDocument)',
} as const;

/** `id` and `extension` (without a dot) are the same word. */
export const templates: readonly TemplateItem[] = Object.entries(titles).map(([id, title]) => ({
  id,
  title,
  extension: id,
}));

/** @throws AppError invalid-argument for an id that `templates` doesn't list */
export function blankDocument(id: string, paper: Paper = 'a4'): Uint8Array {
  if (!Object.hasOwn(titles, id))
    throw new AppError('invalid-argument', { detail: 'There is no such template.' });
  const isForScreens = id === 'pptx' || id === 'odp';
  return read(...(isForScreens ? [] : [paper]), `blank.${id}`);
}

export const welcomeText = 'Welcome.md';
export const welcomeDocument = 'Welcome.docx';

/** Something to edit before anything else is installed, and one document for an office editor. */
export function samples(paper: Paper = 'a4'): Sample[] {
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
