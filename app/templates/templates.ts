// The blank documents a new document is made of. They are whole, valid packages and not empty files, which no editor opens.

import type { TemplateItem } from '../contract/results.ts';
import { AppError } from '../contract/errors.ts';
import { openDocumentPresentation, openDocumentSpreadsheet, openDocumentText } from './open-document.ts';
import type { Paper } from './paper.ts';
import { powerPointPresentation } from './powerpoint.ts';
import { excelWorkbook } from './excel.ts';
import { wordDocument } from './word.ts';

const makers = {
  docx: { title: 'Word document', make: (paper: Paper) => wordDocument({ paper }) },
  xlsx: { title: 'Excel spreadsheet', make: excelWorkbook },
  pptx: { title: 'PowerPoint presentation', make: powerPointPresentation },
  odt: { title: 'Text (OpenDocument)', make: openDocumentText },
  ods: { title: 'Spreadsheet (OpenDocument)', make: openDocumentSpreadsheet },
  odp: { title: 'Presentation (OpenDocument)', make: openDocumentPresentation },
} as const satisfies Record<string, { title: string; make: (paper: Paper) => Uint8Array }>;

/** `id` and `extension` (without a dot) are the same word. */
export const templates: readonly TemplateItem[] = Object.entries(makers).map(([id, { title }]) => ({
  id,
  title,
  extension: id,
}));

/** Always the same bytes for the same arguments. @throws AppError invalid-argument for an id that `templates` does not list */
export function blankDocument(id: string, paper: Paper = 'a4'): Uint8Array {
  if (!Object.hasOwn(makers, id))
    throw new AppError('invalid-argument', { detail: 'There is no such template.' });
  return makers[id as keyof typeof makers].make(paper);
}
