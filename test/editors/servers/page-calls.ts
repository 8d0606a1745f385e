// The calls of a scripted editor's page to its server, and the event stream, whose end means that the page was closed.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageCallResult } from './page-config.ts';
import type { Session } from './sessions.ts';

interface PageCall {
  text?: string;
  name?: string;
  token?: string;
  id?: string;
  values?: Record<string, unknown>;
}

export async function answerPageCall(
  session: Session,
  verb: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (verb === 'events') {
    await streamEvents(session, response);
    return;
  }
  const text = await bodyOf(request);
  const result = await act(session, verb, (text === '' ? {} : JSON.parse(text)) as PageCall);
  if (result === undefined) send(response, 404, { failure: `no ${verb}` });
  else send(response, 200, result);
}

async function act(session: Session, verb: string, call: PageCall): Promise<PageCallResult | undefined> {
  switch (verb) {
    case 'type':
      return session.type(call.text ?? '');
    case 'save':
      return session.save();
    case 'autosave':
      return session.save('timer');
    case 'type-and-save':
      return session.typeAndSave(call.text ?? '');
    case 'save-as':
      return session.saveAs(call.name ?? '');
    case 'rename':
      return session.rename(call.name ?? '');
    case 'keep-alive':
      return session.keepAlive();
    case 'token':
      session.renewToken(call.token ?? '');
      return { status: 200 };
    case 'heard':
      session.heard.push({ id: call.id ?? '', values: call.values ?? {} });
      return { status: 200 };
    case 'leave':
      await session.leave();
      return { status: 200 };
    default:
      return undefined;
  }
}

async function streamEvents(session: Session, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const end = session.watch(
    (state) => void response.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`),
  );
  response.on('close', () => {
    end();
    session.leave().catch(() => undefined);
  });
  await session.open();
  response.write(`event: state\ndata: ${JSON.stringify(session.state())}\n\n`);
}

const bodyLimitBytes = 64 * 1024;

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyLimitBytes) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function send(
  response: ServerResponse,
  status: number,
  body: string | object,
  type = 'application/json; charset=utf-8',
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
