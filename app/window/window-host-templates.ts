// The blank documents and the samples, for the paper of this region. Loaded with the first new document.

import type { DocumentTemplates } from './document-desk.ts';

export async function loadTemplates(): Promise<DocumentTemplates> {
  const [{ templates, blankDocument, samples }, { localPaper }] = await Promise.all([
    import('../templates/templates.ts'),
    import('../templates/paper.ts'),
  ]);
  const paper = localPaper();
  return {
    templates,
    blankDocument: (id) => blankDocument(id, paper),
    samples: () => samples(paper),
  };
}
