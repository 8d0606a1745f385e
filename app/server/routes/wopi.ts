// /wopi/files/…: turns method, path and headers into one call, and the operation's outcome into an answer. No body parser:
// an empty LOCK arrives as a form, and documents are streamed. Nothing here decides; nothing here redirects.

import Router from '@koa/router';
import type { Context } from 'koa';
import type { Sessions } from '../../accounts/sessions.ts';
import { AppError } from '../../contract/errors.ts';
import { admit, selectOperation, type AdmissionDeps, type WopiOperations } from '../../wopi/operations.ts';
import { unauthorized, type WopiAnswer, type WopiCall } from '../../wopi/wopi-call.ts';
import type { ReadHeader } from '../../wopi/wopi-headers.ts';
import { bearerToken } from '../bearer-token.ts';
import type { RequestState } from '../request-state.ts';
import { readWhole, sendPieces, wholeBytes } from '../send-content.ts';

export interface WopiRoutesDeps extends AdmissionDeps {
  operations: WopiOperations;
  sessions: Sessions;
  publicUrl: () => string;
  maxUploadBytes: () => number;
}

const idPattern = /^[A-Za-z0-9_-]{22}$/u;
/** As many bytes of an unwanted body are read and thrown away so that the answer can be; then the connection is cut. */
const maxDrainedBytes = 16 * 1024 * 1024;

export function createWopiRoutes(deps: WopiRoutesDeps): Router<RequestState> {
  const router = new Router<RequestState>();

  const handle = async (context: Context & { state: RequestState }, hasContents: boolean): Promise<void> => {
    const { req, state } = context;
    const fileId = String(context['params'].id);
    if (!idPattern.test(fileId)) throw new AppError('not-found');
    const header: ReadHeader = (name) => {
      const value = req.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const operation = selectOperation(deps.operations, { method: context.method, hasContents, header });
    state.operation = operation.name;
    state.fileId = fileId;

    const token = accessTokenOf(context);
    const grant =
      token === undefined
        ? unauthorized
        : await admit(deps, { token, fileId, operation: operation.name, header });
    if ('status' in grant || token === undefined) {
      await render(context, 'status' in grant ? grant : unauthorized);
      return;
    }
    state.user = grant.userLogin;
    const call: WopiCall = {
      grant,
      token,
      fileId,
      header,
      // The stream outlives an early end of its reading: the answer still has to go out on its socket.
      body: req.iterator({ destroyOnReturn: false }),
      declaredBytes: declaredBytes(req.headers['content-length']),
      baseUrl: deps.publicUrl(),
      maxUploadBytes: deps.maxUploadBytes(),
    };
    const answer = await operation.run(call);
    if (answer.lockNote !== undefined) state.lock = answer.lockNote;
    deps.sessions.note(grant, {
      bytesRead: answer.content === undefined ? 0 : answer.content.end - answer.content.start,
      bytesWritten: answer.savedBytes ?? 0,
      isSave: operation.name === 'PutFile' && answer.status === 200,
      client: req.headers['user-agent'] ?? '',
      address: req.socket.remoteAddress ?? '',
    });
    await render(context, answer);
  };

  router.get('/wopi/files/:id', (context) => handle(context, false));
  router.post('/wopi/files/:id', (context) => handle(context, false));
  router.get('/wopi/files/:id/contents', (context) => handle(context, true));
  router.post('/wopi/files/:id/contents', (context) => handle(context, true));
  return router;
}

/** In the query, as WOPI has it; Collabora and Microsoft send it as a bearer too. */
function accessTokenOf(context: Context): string | undefined {
  const given = context.query['access_token'];
  const token = Array.isArray(given) ? given[0] : given;
  return token === undefined || token === '' ? bearerToken(context.req.headers.authorization) : token;
}

function declaredBytes(header: string | undefined): number | undefined {
  return header === undefined ? undefined : Number(header);
}

async function render(context: Context, answer: WopiAnswer): Promise<void> {
  context.status = answer.status;
  context.set('Cache-Control', 'no-store');
  if (answer.headers !== undefined) context.set(answer.headers);
  if (answer.content !== undefined) {
    await renderContent(context, answer.content);
    return;
  }
  if (answer.json === undefined) {
    context.body = '';
    context.remove('Content-Type');
  } else {
    context.body = JSON.stringify(answer.json);
    context.set('Content-Type', 'application/json; charset=utf-8');
  }
  await drain(context);
}

async function renderContent(context: Context, content: NonNullable<WopiAnswer['content']>): Promise<void> {
  const bytes = content.end - content.start;
  try {
    if (context.method === 'HEAD') {
      context.body = '';
      context.length = bytes;
    } else if (bytes <= wholeBytes) {
      const whole = await readWhole(content);
      if (whole.length !== bytes) throw new Error('The file became shorter while it was read.');
      context.body = whole;
    } else {
      context.respond = false;
      context.length = bytes;
      await sendPieces(context.res, content);
    }
    if (context.respond !== false) context.set('Content-Type', 'application/octet-stream');
  } finally {
    content.close();
  }
}

/** A body that no operation wanted is read past, up to a bound, so that the client gets to read the answer. */
async function drain({ req, res }: Context): Promise<void> {
  let bytes = 0;
  try {
    if (req.complete) return;
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      bytes += Buffer.byteLength(chunk);
      if (bytes > maxDrainedBytes) break;
    }
  } catch {
    // The client went away; nobody waits for the answer.
  }
  if (!req.complete) res.shouldKeepAlive = false;
}
