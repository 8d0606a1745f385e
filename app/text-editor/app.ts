// The HTTP side of the text editor: its discovery, its page with script and style, and the relay. Any client that can reach the
// host's pages can reach it; without an access token of the host it gets nothing.

import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { randomBytes } from 'node:crypto';
import { AppError, describeError, messageFor } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { acceptedLanguages, speaking } from '../languages.ts';
import type { Logger } from '../log/logger.ts';
import { bearerToken } from '../server/bearer-token.ts';
import { createErrors } from '../server/middleware/errors.ts';
import { createHostGuard, type HostGuardDeps } from '../server/middleware/host-guard.ts';
import { requireImplementedMethod } from '../server/middleware/methods.ts';
import { createPagesGuard, type NetworkGuardDeps } from '../server/middleware/network-guard.ts';
import { createRequestJournal, type RequestJournalDeps } from '../server/middleware/request-journal.ts';
import type { BuiltPage } from '../server/pages/built-pages.ts';
import { pageBase, requireOwnOrigin } from '../server/pages/page-base.ts';
import { readForm } from '../server/pages/page-call.ts';
import { sendPageFile } from '../server/pages/page-answers.ts';
import type { RequestState } from '../server/request-state.ts';
import { discoveryXml } from './discovery.ts';
import { messageHeaders, messagePage, previewHeaders, sessionHeaders, sessionPage } from './page.ts';
import type { VersionViews } from '../wopi/version-views.ts';
import type { ProofSigner } from './proof-signer.ts';
import { HostUnreachable, type Relay } from './relay.ts';

export interface TextEditorAppDeps
  extends HostGuardDeps, Pick<NetworkGuardDeps, 'arePagesOpen'>, RequestJournalDeps {
  log: Pick<Logger, 'request' | 'error' | 'warn'>;
  /** When it's switched off, no document opens; those that are open can still be saved. */
  isOn: () => boolean;
  /** Where this computer reaches the text editor. */
  url: () => string;
  /** WOPISrc must begin with it. */
  hostUrl: () => string;
  /** The text editor's own public addresses. */
  publicUrls: () => readonly string[];
  /** Origins of the host's pages that may frame a page of this origin. */
  framedBy: (origin: string) => readonly string[];
  signer: Pick<ProofSigner, 'keys'>;
  relay: Relay;
  /** Earlier versions that were opened to view. */
  versionViews: Pick<VersionViews, 'find'>;
  page: Pick<BuiltPage, 'fault' | 'read'>;
}

type EditorContext = Context & { state: RequestState; params: Record<string, string> };

const idPattern = /^[A-Za-z0-9_-]{22}$/u;
const callPath = /^\/wopi\/files\/([A-Za-z0-9_-]{22})(\/contents)?$/u;
const tokenPattern = /^[\w.~+/=-]{1,4096}$/u;

export function createTextEditorApp(deps: TextEditorAppDeps): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(createRequestJournal(deps));
  app.use(createErrors(deps));
  app.use(createHostGuard(deps));
  app.use((context, next) => {
    if (context.state.refusal !== undefined) throw context.state.refusal;
    return next();
  });
  // Before the pages' guard, which would mistake `*` and an absolute URL for another computer's.
  app.use(requireImplementedMethod);
  app.use((context, next) => {
    if (context.req.url?.startsWith('/') !== true) throw new AppError('not-found');
    return next();
  });
  app.use(createPagesGuard(deps));
  app.use(createRoutes(deps).routes());
  return app;
}

function createRoutes(deps: TextEditorAppDeps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.use((context, next) => speaking(acceptedLanguages(context.get('Accept-Language')), next));
  const originOf = ({ state }: EditorContext): string =>
    new URL(pageBase(state.client, deps.publicUrls())).origin;

  const sendMessage = (context: EditorContext, status: number, title: string, text: string): void => {
    context.status = status;
    context.set(messageHeaders(deps.framedBy(originOf(context))));
    context.body = messagePage(title, text);
  };

  const noteFile = ({ state }: EditorContext, fileId: string): void => {
    const view = deps.versionViews.find(fileId);
    state.fileId = view?.documentId ?? fileId;
    state.isVersion = view !== undefined;
  };

  const openDocument = async (context: EditorContext, action: 'edit' | 'view'): Promise<void> => {
    context.state.operation = 'TextEditorPage';
    const form = await readForm(context.req);
    const { WOPISrc: source } = context.query;
    const fileId = fileIdOf(source, deps.hostUrl());
    const token = form.get('access_token') ?? '';
    if (!deps.isOn()) {
      sendMessage(context, 404, t('host.text-editor-switched-off'), t('editor.open-the-document-again-from'));
      return;
    }
    if (fileId === undefined || !tokenPattern.test(token)) {
      sendMessage(context, 400, t('host.isnt-a-doctray-document'), t('editor.open-the-document-again-from'));
      return;
    }
    noteFile(context, fileId);
    const fault = await deps.page.fault();
    if (fault !== undefined) {
      sendMessage(context, 503, t('host.text-editor-not-built'), t('web.see-log'));
      return;
    }
    const { correlationId } = context.state;
    const { status, message } = await deps.relay.checkFileInfo({ fileId, token, correlationId });
    if (status !== 200) {
      const why =
        status === 401
          ? t('host.access-expired')
          : (message ?? t('host.doctray-answered-status', { status }));
      sendMessage(context, status, t('host.document-cant-be-opened'), why);
      return;
    }
    const styleNonce = randomBytes(18).toString('base64');
    const ttl = Number(form.get('access_token_ttl') ?? 0);
    context.set(sessionHeaders(styleNonce, deps.framedBy(originOf(context))));
    context.body = sessionPage({
      fileId,
      accessToken: token,
      accessTokenTtl: Number.isSafeInteger(ttl) && ttl > 0 ? ttl : 0,
      action,
      styleNonce,
    });
  };

  const page =
    (work: (context: EditorContext) => void | Promise<void>) =>
    async (context: EditorContext): Promise<void> => {
      try {
        await work(context);
      } catch (thrown) {
        if (thrown instanceof HostUnreachable) {
          sendMessage(context, 502, t('window.doctray-isnt-responding'), t('host.check-doctray-runs'));
          return;
        }
        const { status, code, message, retryAfterSeconds } = describeError(thrown);
        if (retryAfterSeconds !== undefined) context.set('Retry-After', String(retryAfterSeconds));
        const { correlationId } = context.state;
        if (status >= 500 && retryAfterSeconds === undefined)
          deps.log.error({ err: thrown, code, correlationId }, message);
        sendMessage(context, status, t('host.document-cant-be-opened'), messageFor('window', thrown));
      }
    };

  const call = async (context: EditorContext): Promise<void> => {
    context.state.operation = 'TextEditorCall';
    try {
      if (context.method === 'HEAD') throw new AppError('method-not-implemented');
      const match = callPath.exec(context.req.url ?? '');
      if (match?.[1] === undefined) throw new AppError('not-found');
      const [, fileId, contents] = match;
      noteFile(context, fileId);
      const { headers } = context.req;
      // Over plain HTTP browsers send neither with a GET. Pages of other origins can't send the Authorization header anyway.
      if (headers['sec-fetch-site'] !== undefined || headers.origin !== undefined) {
        requireOwnOrigin(headers, context.state.client, deps.publicUrls());
      }
      const token = bearerToken(headers.authorization);
      if (token === undefined || !tokenPattern.test(token)) throw new AppError('not-authenticated');
      context.set('Cache-Control', 'no-store');
      context.set('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
      // The host journals the call under the same correlation id.
      context.state.isUnjournaled = true;
      context.respond = false;
      await deps.relay.stream(
        {
          method: context.method === 'POST' ? 'POST' : 'GET',
          fileId,
          hasContents: contents !== undefined,
          token,
          headers,
          correlationId: context.state.correlationId,
        },
        context.req,
        context.res,
      );
    } catch (thrown) {
      // The client has disconnected.
      if (context.res.destroyed) return;
      context.respond = true;
      const isUnreachable = thrown instanceof HostUnreachable;
      const error = describeError(thrown);
      if (!isUnreachable && error.code === 'internal') throw thrown;
      context.status = isUnreachable ? 502 : error.status;
      if (error.status === 401) context.set('WWW-Authenticate', 'Bearer');
      if (error.retryAfterSeconds !== undefined) context.set('Retry-After', String(error.retryAfterSeconds));
      context.set('Cache-Control', 'no-store');
      context.body = JSON.stringify({
        code: isUnreachable ? 'host-unreachable' : error.code,
        message: isUnreachable ? 'DocTray isn’t responding. Try again in a moment.' : error.message,
      });
      context.set('Content-Type', 'application/json; charset=utf-8');
    }
  };

  router.get('/hosting/discovery', async (context) => {
    context.state.operation = 'Discovery';
    if (!deps.isOn()) throw new AppError('not-found');
    context.set('Cache-Control', 'no-store');
    context.body = discoveryXml(deps.url(), await deps.signer.keys());
    context.set('Content-Type', 'text/xml; charset=utf-8');
  });
  for (const action of ['edit', 'view'] as const) {
    router.post(
      `/${action}`,
      page((context) => openDocument(context, action)),
    );
    router.get(
      `/${action}`,
      page((context) => {
        context.state.operation = 'TextEditorPage';
        sendMessage(context, 405, t('host.no-document-open-here'), t('host.open-document-from-doctray'));
      }),
    );
  }
  router.get('/assets/:name', async (context) => {
    context.state.operation = 'TextEditorAsset';
    context.state.isUnjournaled = true;
    const file = await deps.page.read(context.params['name'] ?? '');
    if (file.type.startsWith('text/html')) {
      const origin = originOf(context);
      context.set(previewHeaders(origin, deps.framedBy(origin)));
    }
    // The preview's frame has no origin. These files are the same for everyone.
    context.set('Access-Control-Allow-Origin', '*');
    sendPageFile(context, file);
  });
  router.get(['/wopi/files/:id', '/wopi/files/:id/contents'], call);
  router.post(['/wopi/files/:id', '/wopi/files/:id/contents'], call);
  return router;
}

/** Undefined unless the source is a document of this host. */
function fileIdOf(source: string | string[] | undefined, hostUrl: string): string | undefined {
  const prefix = `${hostUrl}/wopi/files/`;
  if (typeof source !== 'string' || !source.startsWith(prefix)) return undefined;
  const id = source.slice(prefix.length);
  return idPattern.test(id) ? id : undefined;
}
