// The host's own pages for a browser: the targets of HostEditUrl, HostViewUrl and CloseUrl. A page contains no token: its script
// requests one with calls that only a page of this host with the right cookie can make.

import Router from '@koa/router';
import type { Context } from 'koa';
import type { AccessMode } from '../../store/access-tokens.ts';
import type { User } from '../../store/users.ts';
import type { PageSessions } from '../../accounts/page-sessions.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import type { Tickets } from '../../accounts/tickets.ts';
import { AppError, describeError, messageFor } from '../../contract/errors.ts';
import { t } from '../../contract/messages.ts';
import type { Logger } from '../../log/logger.ts';
import { isFileId } from '../../files/file-id.ts';
import type { ClosedPages } from '../../wopi/closed-pages.ts';
import type { BuiltPage } from '../pages/built-pages.ts';
import { pageHeaders } from '../pages/csp.ts';
import { closedPage, editorPage, signInPage, textPage, type RootPath } from '../pages/html.ts';
import { pageBase, requireOwnOrigin } from '../pages/page-base.ts';
import { createPageActions, type PageActionsDeps } from '../pages/page-actions.ts';
import {
  failureTexts,
  redirectTo,
  sendFailurePage,
  sendHtml,
  sendJson,
  sendPageFile,
} from '../pages/page-answers.ts';
import { acceptedLanguages, speaking } from '../../languages.ts';
import {
  isPrefetch,
  modeOf,
  readForm,
  readObject,
  setPageCookies,
  ticketOf,
  type Body,
} from '../pages/page-call.ts';
import { createPageEntrance, type PageEntranceDeps } from '../pages/page-entrance.ts';
import { preferredLanguage, viewPage } from '../pages/page-view.ts';
import type { RequestState } from '../request-state.ts';

export interface PagesRoutesDeps
  extends Omit<PageEntranceDeps, 'users' | 'accessTokens'>, Omit<PageActionsDeps, 'accessTokens'> {
  accessTokens: PageEntranceDeps['accessTokens'] & PageActionsDeps['accessTokens'];
  tickets: Tickets;
  pageSessions: Pick<PageSessions, 'begin' | 'find' | 'revoke' | 'end'>;
  signIn: Pick<SignIn, 'verify'>;
  closedPages: Pick<ClosedPages, 'left' | 'leftTokens' | 'inUse' | 'hasLeft'>;
  /** Why the document may not be opened at the moment; open pages continue. */
  refusalOfOpen: (fileId: string) => AppError | undefined;
  /** All configured addresses of this host; one may have a path. */
  knownBases: () => readonly string[];
  /** The pages' script and style. */
  hostPage: Pick<BuiltPage, 'fault' | 'read'>;
  log: Pick<Logger, 'error'>;
}

type PageContext = Context & { state: RequestState; params: Record<string, string> };

const pageModes: readonly AccessMode[] = ['edit', 'view'];

export function createPagesRoutes(deps: PagesRoutesDeps): Router<RequestState> {
  // A path with another case or an extra slash would have different relative links and cookies.
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  // A page is in its reader's language, not in this process's.
  router.use((context, next) => speaking(acceptedLanguages(context.get('Accept-Language')), next));
  const entrance = createPageEntrance(deps);
  const actions = createPageActions(deps);

  const baseOf = ({ state, req }: PageContext): string =>
    pageBase(state.client, deps.knownBases(), req.method === 'POST' ? req.headers : {});

  const note = (context: PageContext, error: AppError): void => {
    if (error.status < 500) return;
    const { correlationId } = context.state;
    deps.log.error({ err: error.cause ?? error, code: error.code, correlationId }, error.message);
  };

  const idOf = (context: PageContext): string => {
    const { id = '' } = context.params;
    if (!isFileId(id)) throw new AppError('not-found');
    context.state.fileId = id;
    return id;
  };

  const requireOpen = (fileId: string): void => {
    const refusal = deps.refusalOfOpen(fileId);
    if (refusal !== undefined) throw refusal;
  };

  /** A page whose failures are shown as text. */
  const page =
    (operation: string, root: RootPath, work: (context: PageContext) => void | Promise<void>) =>
    async (context: PageContext): Promise<void> => {
      context.state.operation = operation;
      try {
        await work(context);
      } catch (thrown) {
        const error = describeError(thrown);
        note(context, error);
        sendFailurePage(context, error, root);
      }
    };

  const sendSignIn = (context: PageContext, status: number, alert?: string): void => {
    const isAnswer = context.method === 'POST';
    const action = isAnswer ? 'sign-in' : `${context.params['id'] ?? ''}/sign-in`;
    const html = signInPage({ action, alert, root: isAnswer ? '../../' : '../' });
    sendHtml(context, status, html, pageHeaders({ forms: ['self'] }));
  };

  const show = async (context: PageContext, pageMode: AccessMode): Promise<void> => {
    const fileId = idOf(context);
    const ticket = context.method === 'GET' ? ticketOf(context.req) : undefined;
    if (ticket !== undefined) {
      // A prefetch must not use up the ticket.
      if (isPrefetch(context.req)) {
        sendHtml(context, 503, textPage({ title: t('web.not-opened-yet'), texts: [], root: '../' }));
        return;
      }
      if (entrance.enter(context, { fileId, ticket, base: baseOf(context) })) {
        const { version } = context.query;
        const query = typeof version === 'string' ? `?version=${encodeURIComponent(version)}` : '';
        redirectTo(context, `${fileId}${query}`);
        return;
      }
      const error = new AppError('ticket-invalid');
      sendSignIn(context, error.status, messageFor('window', error));
      return;
    }
    const visitor = entrance.visitor(context, fileId);
    if (visitor === undefined) {
      sendSignIn(context, 401);
      return;
    }
    const { session, user } = visitor;
    noteUser(context, user);
    requireOpen(fileId);
    if ((await deps.hostPage.fault()) !== undefined) {
      const title = t('web.the-page-couldnt-be-built');
      sendHtml(context, 503, textPage({ title, texts: [t('web.see-log')], root: '../' }));
      return;
    }
    const language = preferredLanguage(context.req.headers['accept-language']);
    const { file, mode, origins, convertAction } = await viewPage(deps, {
      session,
      user,
      wanted: pageMode,
      base: baseOf(context),
      language,
    });
    // After a conversion the editor may redirect the form's response to a page of this host.
    const forms = convertAction === null ? origins : [...origins, 'self'];
    const html = editorPage({ name: file.name, mode, fileId, origins });
    sendHtml(context, 200, html, pageHeaders({ hasScript: true, frames: origins, forms }));
  };

  const signIn = async (context: PageContext): Promise<void> => {
    const fileId = idOf(context);
    requireOwnOrigin(context.req.headers, context.state.client, deps.knownBases());
    const form = await readForm(context.req);
    const [login, password] = [form.get('userName') ?? '', form.get('password') ?? ''];
    const { clientAddress: address, isThisComputer: isLocal } = context.state.client;
    try {
      if (login === '' || password === '') throw new AppError('credentials-wrong');
      const user = await deps.signIn.verify({ login, password, address, isLocal });
      context.state.user = user.login;
      const isKnown = deps.folderOf(fileId)?.lastRowOf(fileId) !== undefined || deps.isUnhosted(fileId);
      if (!isKnown) throw new AppError('file-missing');
      entrance.admit(context, { user, fileId, base: baseOf(context) });
    } catch (error) {
      const isAnswer = error instanceof AppError && signInAnswers.has(error.code);
      if (!isAnswer) throw error;
      if (error.retryAfterSeconds !== undefined) context.set('Retry-After', String(error.retryAfterSeconds));
      sendSignIn(context, error.status, messageFor('window', error));
      return;
    }
    redirectTo(context, `../${fileId}`);
  };

  const download = async (context: PageContext): Promise<void> => {
    const fileId = idOf(context);
    requireOwnOrigin(context.req.headers, context.state.client, deps.knownBases());
    const visitor = entrance.visitor(context, fileId);
    if (visitor === undefined) throw new AppError('not-authenticated');
    noteUser(context, visitor.user);
    requireOpen(fileId);
    const { name, size, content } = await actions.download(visitor);
    context.set(pageHeaders());
    context.attachment(name);
    context.type = 'application/octet-stream';
    context.length = size;
    context.body = content;
  };

  /** Marks the text editor's tokens of a closed or reloaded page for revocation, even if _Close_ in another tab has already ended the page session. */
  const leaveTokens = ({ accessTokens }: Body): undefined => {
    const grants = (Array.isArray(accessTokens) ? accessTokens : []).flatMap(
      (token) => deps.accessTokens.find(String(token)) ?? [],
    );
    deps.closedPages.leftTokens(
      grants.filter(({ editorId }) => deps.editors.byId(editorId ?? '')?.kind === 'text-editor'),
    );
  };

  /** A call of the page's script. */
  const call =
    (
      operation: string,
      work: (
        input: { fileId: string; base: string; language: string | undefined; body: Body },
        visitor: NonNullable<ReturnType<typeof entrance.visitor>>,
        context: PageContext,
      ) => object | undefined | Promise<object | undefined>,
      withoutVisitor?: (body: Body) => object | undefined,
    ) =>
    async (context: PageContext): Promise<void> => {
      context.state.operation = operation;
      context.set(pageHeaders());
      try {
        const fileId = idOf(context);
        const isPost = context.method === 'POST';
        if (isPost) requireOwnOrigin(context.req.headers, context.state.client, deps.knownBases());
        const body = isPost ? await readObject(context.req) : {};
        const visitor = entrance.visitor(context, fileId);
        if (visitor === undefined) {
          if (withoutVisitor === undefined) throw new AppError('not-authenticated');
          answer(context, withoutVisitor(body));
          return;
        }
        noteUser(context, visitor.user);
        const language = preferredLanguage(context.req.headers['accept-language']);
        const result = await work({ fileId, base: baseOf(context), language, body }, visitor, context);
        answer(context, result);
      } catch (thrown) {
        const error = describeError(thrown);
        note(context, error);
        const isOver = error.code === 'not-authenticated';
        context.state.code = isOver ? 'session-over' : error.code;
        const texts = isOver ? [t('web.page-expired')] : failureTexts(error, context.state.isOwner === true);
        sendJson(context, error.status, { code: error.code, message: texts.join(' ') });
      }
    };

  for (const pageMode of pageModes) {
    const at = `/${pageMode}/:id`;
    const toPage = page('HostPageSignIn', '../../', (context) => redirectTo(context, `../${idOf(context)}`));
    const post = (name: string, ...args: Parameters<typeof call>): void =>
      void router.post(`${at}/${name}`, call(...args));
    router.get(
      at,
      page('HostPage', '../', (context) => show(context, pageMode)),
    );
    router.get(
      `${at}/`,
      page('HostPage', '../../', (context) => redirectTo(context, `../${idOf(context)}${context.search}`)),
    );
    // If the browser reloads the address of the form.
    router.get(`${at}/sign-in`, toPage);
    router.post(`${at}/sign-in`, page('HostPageSignIn', '../../', signIn));
    // From a form of the page that shows why the document can't be opened.
    router.post(`${at}/download`, page('HostPageDownload', '../../', download));
    post('open', 'HostPageOpen', ({ fileId, base, language, body }, visitor) => {
      deps.closedPages.inUse(visitor.session.id);
      requireOpen(fileId);
      const { versionId } = body;
      if (typeof versionId === 'string') return actions.openVersion(visitor, { base, language, versionId });
      return actions.open(visitor, { base, language, wanted: modeOf(body) ?? pageMode });
    });
    post('token', 'HostPageToken', ({ base, language, body }, visitor) => {
      const editorId = typeof body['editorId'] === 'string' ? body['editorId'] : undefined;
      return actions.renew(visitor, { base, language, wanted: modeOf(body) ?? pageMode, editorId });
    });
    const state = call(
      'HostPageState',
      (_input, visitor, context) => {
        deps.closedPages.inUse(visitor.session.id);
        const query = new URLSearchParams(context.querystring);
        const editorId = query.get('editor') ?? undefined;
        return actions.state(visitor, { editorId, tokenIds: query.getAll('token') });
      },
      actions.stateWhenOver,
    );
    router.get(`${at}/state`, state);
    router.get(
      `${at}/versions`,
      call('HostPageVersions', (_input, visitor) => actions.versions(visitor)),
    );
    // Not a GET: cookies don't tell this host's pages from those on its other ports.
    post('compare-version', 'HostPageCompareVersion', ({ fileId, body }, visitor) => {
      requireOpen(fileId);
      return actions.compareVersion(visitor, String(body['versionId']));
    });
    post('rename', 'HostPageRename', ({ body }, visitor) => {
      const { name } = body;
      if (typeof name !== 'string') throw new AppError('invalid-argument');
      return actions.rename(visitor, name);
    });
    post('restore-version', 'HostPageRestoreVersion', async ({ body }, visitor) => {
      await actions.restoreVersion(visitor, String(body['versionId']));
      // Its tab gets a new token, to load the restored content.
      return leaveTokens(body);
    });
    post('copy-version', 'HostPageCopyVersion', ({ body }, visitor) =>
      actions.copyVersion(visitor, String(body['versionId'])),
    );
    post('restore', 'HostPageRestore', ({ body }, visitor) => actions.restore(visitor, String(body['id'])));
    post('save-anyway', 'HostPageSaveAnyway', ({ body }, visitor) =>
      actions.saveAnyway(visitor, String(body['id'])),
    );
    post('keep-file', 'HostPageKeepFile', ({ body }, visitor) => {
      const { id, missedAtMs } = body;
      if (typeof id === 'string') return actions.keepFile(visitor, { recoveredId: id });
      if (typeof missedAtMs !== 'number') throw new AppError('invalid-argument');
      return actions.keepFile(visitor, { missedAtMs });
    });
    const leave: Parameters<typeof call>[1] = ({ fileId, body }, { session }) => {
      deps.closedPages.left(session.id, fileId);
      return leaveTokens(body);
    };
    post('left', 'HostPageLeft', leave, leaveTokens);
    post('ticket', 'HostPageTicket', ({ base, body }, visitor) => {
      const fileId = typeof body['fileId'] === 'string' ? body['fileId'] : visitor.session.fileId;
      return actions.ticket(visitor, { base, fileId, mode: modeOf(body) ?? pageMode });
    });
    post('close', 'HostPageClose', ({ fileId, base }, { session }, context) => {
      // Its tokens stay valid: the editor's server saves after the page is closed.
      deps.pageSessions.end(session.id);
      deps.closedPages.left(session.id, fileId);
      context.append('Set-Cookie', setPageCookies(base, fileId, undefined));
      return undefined;
    });
  }

  router.get('/host-page/:file', async (context) => {
    context.state.operation = 'HostPageAsset';
    const file = await deps.hostPage.read(context.params['file'] ?? '');
    context.set(pageHeaders());
    sendPageFile(context, file);
  });

  router.get(
    '/closed',
    page('HostPage', '', (context) => sendHtml(context, 200, closedPage(), pageHeaders({ hasScript: true }))),
  );
  return router;
}

function answer(context: PageContext, result: object | undefined): void {
  if (result === undefined) context.status = 204;
  else sendJson(context, 200, result);
}

function noteUser({ state }: PageContext, { login, role }: User): void {
  state.user = login;
  state.isOwner = role === 'owner';
}

const signInAnswers: ReadonlySet<string> = new Set(['credentials-wrong', 'too-many-failures', 'too-busy']);
