// GET /api/2.0/files lists a folder; POST /api/2.0/files/access opens a document for an editor.

import Router from '@koa/router';
import { AppError } from '../../contract/errors.ts';
import type { DocumentIndex } from '../../files/document-index.ts';
import { listFolder } from '../../files/list-folder.ts';
import { requireCaller, type CallerDeps } from '../require-api-token.ts';
import type { OpenDocument } from '../document-access.ts';
import { sendEnvelope } from '../json-response.ts';
import { readJson } from '../json-body.ts';
import type { RequestState } from '../request-state.ts';

export interface FilesRoutesDeps extends CallerDeps {
  folder: () => DocumentIndex | undefined;
  openDocument: OpenDocument;
}

export function createFilesRoutes(deps: FilesRoutesDeps): Router<RequestState> {
  const router = new Router<RequestState>();

  router.get(['/api/2.0/files', '/api/2.0/files.json'], async (context) => {
    context.state.operation = 'ListFiles';
    requireCaller(deps, context);
    const folder = deps.folder();
    if (folder === undefined) throw new AppError('folder-not-chosen');
    const { listQuery } = await import('../api-schemas.ts');
    const query = listQuery.safeParse(context.query);
    if (!query.success) {
      const [issue] = query.error.issues;
      throw new AppError('invalid-argument', { detail: `${issue?.path.join('.')}: ${issue?.message}` });
    }
    const { path, startIndex, count } = query.data;
    const { items, total } = await listFolder(folder, insideFolder(path), { startIndex, count });
    sendEnvelope(context, 200, { path, items, startIndex, count: items.length, total }, items.length);
  });

  router.post(['/api/2.0/files/access', '/api/2.0/files/access.json'], async (context) => {
    context.state.operation = 'OpenDocument';
    const { user } = requireCaller(deps, context);
    const { accessBody } = await import('../api-schemas.ts');
    const { path, mode } = await readJson(context.req, accessBody);
    const { page: _page, ...access } = await deps.openDocument({ user, path: insideFolder(path), mode });
    context.state.fileId = access.fileId;
    sendEnvelope(context, 201, access);
  });
  return router;
}

/** Absolute paths are for the terminal of this computer; over the network a path starts at the hosted folder. */
function insideFolder(path: string): string {
  return `./${path}`;
}
