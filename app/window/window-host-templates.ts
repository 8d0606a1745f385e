// The blank documents and the sample, for the paper that lies in the printers here. Loaded with the first new document.

import type { DocumentTemplates } from './document-handlers.ts';

export async function loadTemplates(): Promise<DocumentTemplates> {
  const [{ templates, blankDocument }, { sampleDocument }, { paperOf }] = await Promise.all([
    import('../templates/templates.ts'),
    import('../templates/sample-document.ts'),
    import('../templates/paper.ts'),
  ]);
  const paper = paperOf(Intl.DateTimeFormat().resolvedOptions().locale);
  return {
    templates,
    blankDocument: (id) => blankDocument(id, paper),
    sampleDocument: () => sampleDocument(paper),
  };
}
