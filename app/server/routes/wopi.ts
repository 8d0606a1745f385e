// /wopi/files/…: turns method, path and headers into one call, and the operation's outcome into a response. No body parser: an
// empty LOCK is sent as a form, and documents are streamed. Makes no decisions and no redirects.

import type { Context, Middleware } from 'koa';
import type { SessionCall, Sessions } from '../../accounts/sessions.ts';
import { AppError } from '../../contract/errors.ts';
import type { CallerCheck } from '../../editors/caller-check.ts';
import type { Probes } from '../../editors/probes.ts';
import { isFileId } from '../../files/file-id.ts';
import { checkToken, type TokenCheckDeps } from '../../wopi/check-token.ts';
import { shortLockId } from '../../wopi/lock-rules.ts';
import { selectOperation, type WopiOperations } from '../../wopi/select-operation.ts';
import type { VersionView, VersionViews } from '../../wopi/version-views.ts';
import { unauthorized, type WopiAnswer, type WopiCall } from '../../wopi/wopi-call.ts';
import type { ReadHeader } from '../../wopi/wopi-headers.ts';
import { bearerToken } from '../bearer-token.ts';
import type { RequestState } from '../request-state.ts';
import type { RunningSaves } from '../running-saves.ts';
import { createContentSender, type ContentSender } from '../send-content.ts';

/** The operations for the documents of one hosted folder. */
export interface HostedWopi {
  wopi: TokenCheckDeps & { operations: WopiOperations };
}

export interface WopiRoutesDeps<Hosted extends HostedWopi = HostedWopi> {
  /** The folder that a document belongs to; undefined if it isn't hosted. */
  hostedFolderOf: (fileId: string) => Hosted | undefined;
  /** The folder is known, but currently not hosted. */
  isUnhosted: (fileId: string) => boolean;
  /** The operations for documents of such a folder. */
  unhosted: HostedWopi['wopi'];
  /** Why no document of the folder may be opened at the moment; editors with an open document continue. */
  refusalOfOpens: (hosted: Hosted | undefined) => AppError | undefined;
  sessions: Pick<Sessions, 'note' | 'hasCalled'>;
  saves: RunningSaves;
  /** The base address of that editor; null: an editor that isn't connected. */
  baseUrlOf: (editorId: string | null) => string;
  /** Whether the call comes from an allowed address, with a signature if required. */
  checkCaller: CallerCheck;
  /** Documents that exist only to test a connection. */
  probes: Pick<Probes, 'answer'>;
  /** Earlier versions that were opened to view. */
  versionViews: Pick<VersionViews, 'find' | 'isAllowed' | 'answer'>;
  maxUploadBytes: (hosted: Hosted | undefined) => number;
}

const saveOperations = new Set(['PutFile', 'PutRelativeFile']);
/** What an editor calls first when it opens a document. */
const openingOperations = new Set(['CheckFileInfo', 'GetFile', 'Lock']);

export function createWopiRoutes<Hosted extends HostedWopi>(
  deps: WopiRoutesDeps<Hosted>,
): Middleware<RequestState> {
  const sender = createContentSender();

  const isOpen = (fileId: string, token = ''): boolean => {
    const grant = deps.hostedFolderOf(fileId)?.wopi.accessTokens.find(token);
    return grant?.fileId === fileId && deps.sessions.hasCalled(grant);
  };

  /** A version has neither locks nor sessions, and can't be changed. */
  const handleVersion = async (
    context: Context & { state: RequestState },
    view: VersionView,
    call: Omit<Parameters<CallerCheck>[0], 'editorId' | 'token'> & {
      method: string;
      hasContents: boolean;
      token: string | undefined;
    },
  ): Promise<void> => {
    const { state } = context;
    const { token } = call;
    state.fileId = view.documentId;
    state.isVersion = true;
    if (token === undefined || !deps.versionViews.isAllowed(view, token)) {
      state.operation = 'OpenVersion';
      render(context, unauthorized);
      return;
    }
    state.user = view.userLogin;
    const refused = await deps.checkCaller({ ...call, editorId: view.editorId, token });
    if (refused !== undefined) throw refused;
    const refusal = deps.refusalOfOpens(deps.hostedFolderOf(view.documentId));
    if (refusal !== undefined) throw refusal;
    const { operation, answer } = await deps.versionViews.answer(view, call);
    state.operation = operation;
    render(context, answer);
    if (answer.content !== undefined) await sendContent(context, answer.content, sender);
  };

  const handle = async (
    context: Context & { state: RequestState },
    fileId: string,
    hasContents: boolean,
  ): Promise<void> => {
    const { req, state } = context;
    const token = accessTokenOf(context);
    // If a name was removed, or TLS was switched on, an editor continues under the address its document was opened with.
    if (state.refusal !== undefined && !isOpen(fileId, token)) throw state.refusal;
    if (!isFileId(fileId)) throw new AppError('not-found');
    const header: ReadHeader = (name) => {
      const value = req.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const { client } = state;
    const { method = '' } = req;
    const from = {
      target: req.url ?? '',
      receivedBase: receivedBaseOf(client),
      isOwnPort: client.isOwnPort,
      clientAddress: client.clientAddress,
      header,
    };
    const probe = deps.probes.answer({ ...from, fileId, token, method, hasContents });
    if (probe !== undefined) {
      state.operation = 'ConnectionTest';
      // It shows that this host was reached, as `doctor` wants to know, and isn't an error of a client.
      state.isUnjournaled = token === undefined;
      render(context, probe);
      return;
    }
    const version = deps.versionViews.find(fileId);
    if (version !== undefined) {
      await handleVersion(context, version, { ...from, method, hasContents, token });
      return;
    }
    const hosted = deps.hostedFolderOf(fileId);
    // 503 rather than 404 for a folder that is away: the editor should retry, not conclude that its document is gone.
    if (hosted === undefined && !deps.isUnhosted(fileId)) throw new AppError('not-found');
    const wopi = hosted?.wopi ?? deps.unhosted;
    const operation = selectOperation(wopi.operations, { method, hasContents, header });
    state.operation = operation.name;
    state.fileId = fileId;
    const lockHeaders = method === 'POST' ? shortLocks(header) : '';
    if (lockHeaders !== '') state.lockHeaders = lockHeaders;

    // Awaited only when necessary, here and below: this is in the path of every call.
    const checked =
      token === undefined
        ? unauthorized
        : checkToken(wopi, { token, fileId, operation: operation.name, header });
    const grant = checked instanceof Promise ? await checked : checked;
    if ('status' in grant || token === undefined) {
      const answer = 'status' in grant ? grant : unauthorized;
      const ended =
        answer === unauthorized && token !== undefined ? wopi.accessTokens.issued(token) : undefined;
      if (ended?.fileId === fileId) {
        state.code = 'session-over';
        state.user = ended.userLogin;
        state.sessionId = ended.id;
        // The page must not say that it is saved. Only its editor can cause that.
        const isSave = operation.name === 'PutFile' && ended.mode === 'edit' && token !== undefined;
        const { editorId } = ended;
        const refused =
          !isSave || editorId === null ? undefined : await deps.checkCaller({ ...from, editorId, token });
        if (isSave && refused === undefined) deps.saves.rejected(fileId);
      }
      render(context, answer);
      return;
    }
    state.user = grant.userLogin;
    state.sessionId = grant.id;
    const { editorId } = grant;
    if (editorId !== null) {
      const refused = deps.checkCaller({ ...from, editorId, token });
      const error = refused instanceof Promise ? await refused : refused;
      if (error !== undefined) throw error;
    }
    const refusal = deps.refusalOfOpens(hosted);
    if (refusal !== undefined && openingOperations.has(operation.name) && !deps.sessions.hasCalled(grant)) {
      throw refusal;
    }
    const baseUrl = state.refusal === undefined ? deps.baseUrlOf(editorId) : from.receivedBase;
    const call: WopiCall = {
      grant,
      token,
      fileId,
      isHead: method === 'HEAD',
      header,
      body: req,
      declaredBytes: declaredBytes(req.headers['content-length']),
      baseUrl,
      pageUrl: grant.pageUrl ?? baseUrl,
      maxUploadBytes: deps.maxUploadBytes(hosted),
    };
    const isPutFile = operation.name === 'PutFile';
    const endSave = saveOperations.has(operation.name)
      ? deps.saves.begin(isPutFile && grant.issuedMode === 'edit' ? { fileId, editorId } : undefined)
      : undefined;
    let answer: WopiAnswer | undefined;
    try {
      answer = await operation.run(call);
    } finally {
      endSave?.(answer?.savedBytes === undefined ? answer?.kept : 'file');
    }
    if (answer.code !== undefined) state.code = answer.code;
    if (answer.lockNote !== undefined) state.lock = answer.lockNote;
    deps.sessions.note(grant, {
      bytesRead: answer.bytes?.length ?? (answer.content ? answer.content.end - answer.content.start : 0),
      bytesWritten: answer.savedBytes ?? 0,
      isSave: isPutFile && answer.savedBytes !== undefined,
      ...lockResult(operation.name, answer.status),
      ...(isPutFile && lockOfSave(header, answer)),
      client: req.headers['user-agent'] ?? '',
      address: client.clientAddress,
    });
    render(context, answer);
    if (answer.content !== undefined) await sendContent(context, answer.content, sender);
  };

  // Before the router, which takes longer to match these two addresses than most calls take.
  return (context, next) => {
    const match = methods.has(context.req.method ?? '') ? address.exec(context.path) : null;
    return match === null ? next() : handle(context, match[1] ?? '', match[2] !== undefined);
  };
}

const lockOperations: ReadonlySet<string> = new Set(['Lock', 'RefreshLock', 'UnlockAndRelock']);

function lockResult(operation: string, status: number): Pick<SessionCall, 'lock'> | undefined {
  if (operation === 'Unlock') return status === 200 ? { lock: 'released' } : undefined;
  if (!lockOperations.has(operation)) return undefined;
  return status === 200 ? { lock: 'granted' } : status === 409 ? { lock: 'refused' } : undefined;
}

/** An editor that lost its lock may save before it asks for the lock again. */
function lockOfSave(
  header: ReadHeader,
  { status, headers }: WopiAnswer,
): Pick<SessionCall, 'lockOfSave'> | undefined {
  const given = header('X-WOPI-Lock') ?? '';
  if (given === '') return undefined;
  if (status === 200) return { lockOfSave: 'held' };
  // With the same lock, the save was refused because another program had changed the document.
  return status === 409 && headers?.['X-WOPI-Lock'] !== given ? { lockOfSave: 'lost' } : undefined;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
/** As a router matches it: case-insensitive, with an optional trailing slash. */
const address = /^\/wopi\/files\/([^/]+)(\/contents)?\/?$/iu;

/** As the client sent it, or a trusted proxy forwarded it. */
function receivedBaseOf({ scheme, host = '' }: RequestState['client']): string {
  return `${scheme}://${host}`;
}

/** `cool-loc…`, or `old-lock… → new-lock…` for UnlockAndRelock. */
function shortLocks(header: ReadHeader): string {
  return ['X-WOPI-OldLock', 'X-WOPI-Lock']
    .map((name) => header(name) ?? '')
    .filter((id) => id !== '')
    .map(shortLockId)
    .join(' → ');
}

/** The usual case; parsing the query costs too much. */
const plainToken = /^[^?]*\?access_token=([\w-]+)$/u;

/** In the query, as WOPI specifies; Collabora and Microsoft also send it as a bearer token. */
function accessTokenOf(context: Context): string | undefined {
  const url = context.req.url ?? '';
  const query = url.indexOf('?');
  const onlyToken = plainToken.exec(url)?.[1];
  if (onlyToken !== undefined) return onlyToken;
  const token = query < 0 ? null : new URLSearchParams(url.slice(query)).get('access_token');
  return token === null || token === '' ? bearerToken(context.req.headers.authorization) : token;
}

function declaredBytes(header: string | undefined): number | undefined {
  return header === undefined ? undefined : Number(header);
}

/** Sends the response, except for content that is streamed. */
function render(context: Context & { state: RequestState }, answer: WopiAnswer): void {
  const { res } = context;
  res.statusCode = answer.status;
  res.setHeader('Cache-Control', 'no-store');
  for (const name in answer.headers) res.setHeader(name, answer.headers[name] ?? '');
  if (answer.content !== undefined) return;
  // Bypasses Koa's own defaults: status, type and length are all decided here.
  const { json = '' } = answer;
  const body = answer.bytes ?? (typeof json === 'string' ? json : JSON.stringify(json));
  if (json !== '') res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  context.respond = false;
  if (answer.onSent !== undefined) res.once('finish', answer.onSent);
  res.end(body);
}

async function sendContent(
  context: Context & { state: RequestState },
  content: NonNullable<WopiAnswer['content']>,
  sender: ContentSender,
): Promise<void> {
  try {
    context.length = content.end - content.start;
    context.respond = false;
    if (context.method === 'HEAD') context.res.end();
    else await sender.send(context.res, content, context.state.client.clientAddress);
  } finally {
    content.close();
  }
}
