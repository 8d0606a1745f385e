// The requests of a page: protocol handlers answer those of app schemes, all go through the session's webRequest listener, and redirects
// of a frame emit will-redirect.

import type { CallbackResponse } from 'electron';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import { hub } from './hub.ts';
import type { StandInSession } from './session.ts';

type Paused = Protocol.Fetch.requestPausedPayload;

/** The options of `loadURL`. */
export interface PostedForm {
  headers: [string, string][];
  body: Buffer;
}

export interface PageRequestsDeps {
  sessionId: string;
  session: StandInSession;
  mainFrameId: () => string;
  /** The form of the last requested load; used once. */
  takeForm: () => PostedForm | undefined;
  /** False stops the redirect. */
  mayRedirect: (url: string, frameId: string) => boolean;
  /** The HTTP status of a document, for did-navigate. */
  onDocument: (url: string, status: number) => void;
}

export function createPageRequests(deps: PageRequestsDeps) {
  const { sessionId, session } = deps;
  const { alias, cdp } = hub;

  async function enable(): Promise<void> {
    const isDocument = { urlPattern: '*', resourceType: 'Document' } as const;
    const patterns: Protocol.Fetch.RequestPattern[] =
      session.beforeRequest === null
        ? [
            { urlPattern: alias.pattern, requestStage: 'Request' },
            { ...isDocument, requestStage: 'Request' },
          ]
        : [{ urlPattern: '*', requestStage: 'Request' }];
    await cdp.send(
      'Fetch.enable',
      { patterns: [...patterns, { ...isDocument, requestStage: 'Response' }] },
      sessionId,
    );
  }
  session.onRequestsChanged.push(() => void enable().catch(() => undefined));

  const fail = (requestId: string, errorReason: Protocol.Network.ErrorReason): Promise<unknown> =>
    cdp.send('Fetch.failRequest', { requestId, errorReason }, sessionId);

  /** Answers a request of an app scheme with its handler. */
  async function serve({ requestId, request, resourceType }: Paused, url: string): Promise<void> {
    let response: Response;
    let body: Buffer;
    try {
      const handler = session.protocolHandlers.get(new URL(url).protocol.slice(0, -1));
      if (handler === undefined) throw new Error('The scheme has no handler.');
      response = await handler(new Request(url, { method: request.method }));
      body = Buffer.from(await response.arrayBuffer());
    } catch (error) {
      process.stderr.write(`Error in the protocol handler for ${url}: ${String(error)}\n`);
      await fail(requestId, 'Failed');
      return;
    }
    if (resourceType === 'Document') deps.onDocument(url, response.status);
    const responseHeaders = [...response.headers].map(([name, value]) => {
      return { name, value: alias.toChromium(value) };
    });
    const answer = {
      requestId,
      responseCode: response.status,
      responseHeaders,
      body: body.toString('base64'),
    };
    await cdp.send('Fetch.fulfillRequest', answer, sessionId);
  }

  async function onRequest(event: Paused): Promise<void> {
    const { requestId, request, frameId } = event;
    const isDocument = event.resourceType === 'Document';
    const isMainFrame = isDocument && frameId === deps.mainFrameId();
    const url = alias.fromChromium(request.url);
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      if (isDocument && event.responseStatusCode !== undefined)
        deps.onDocument(url, event.responseStatusCode);
      await cdp.send('Fetch.continueRequest', { requestId }, sessionId);
      return;
    }
    const isRedirect = isDocument && event.redirectedRequestId !== undefined;
    if (isRedirect && !deps.mayRedirect(url, frameId)) {
      await fail(requestId, 'Aborted');
      return;
    }
    const form = isMainFrame ? deps.takeForm() : undefined;
    const frameType = isMainFrame ? 'mainFrame' : 'subFrame';
    const method = form === undefined ? request.method : 'POST';
    // Electron also distinguishes the parts of a page.
    const details = { url, method, resourceType: isDocument ? frameType : 'other' };
    const { beforeRequest } = session;
    const verdict =
      beforeRequest &&
      (await new Promise<CallbackResponse>((resolve) => beforeRequest(details as never, resolve)));
    if (verdict?.cancel === true) await fail(requestId, 'BlockedByClient');
    else if (alias.isAlias(request.url)) await serve(event, url);
    else {
      const posted = form && {
        method: 'POST',
        postData: form.body.toString('base64'),
        headers: [...Object.entries(request.headers), ...form.headers].map(([name, value]) => ({
          name,
          value,
        })),
      };
      await cdp.send('Fetch.continueRequest', { requestId, ...posted }, sessionId);
    }
  }

  return {
    enable,
    // the page may be gone by now, and its request with it
    onPaused: (event: Paused): Promise<void> => onRequest(event).catch(() => undefined),
  };
}
