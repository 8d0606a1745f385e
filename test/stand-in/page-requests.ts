// The requests of a page: protocol handlers answer those of app schemes, all go through the session's webRequest listener, and redirects
// of a frame emit will-redirect.

import type { CallbackResponse } from 'electron';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { Cdp } from './cdp.ts';
import type { SchemeAlias } from './scheme-alias.ts';
import type { StandInSession } from './session.ts';

type Paused = Protocol.Fetch.requestPausedPayload;
type HeaderEntry = Protocol.Fetch.HeaderEntry;

/** The options of `loadURL`. */
export interface PostedForm {
  headers: [string, string][];
  body?: Buffer;
}

export interface PageRequestsDeps {
  cdp: Cdp;
  alias: SchemeAlias;
  sessionId: string;
  session: StandInSession;
  webContentsId: number;
  mainFrameId: () => string | undefined;
  /** The options of the last requested load; used once. */
  takeForm: () => PostedForm | undefined;
  /** False stops the redirect. */
  mayRedirect: (details: { url: string; frameId: string; isMainFrame: boolean }) => boolean;
  /** The HTTP status of a document, for did-navigate. */
  onDocument: (details: { url: string; status: number; statusText: string }) => void;
  onHandlerError: (error: unknown, url: string) => void;
}

export interface PageRequests {
  enable(): Promise<void>;
  onPaused(event: Paused): Promise<void>;
}

const typeNames: Record<string, string> = {
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
  Media: 'media',
  WebSocket: 'webSocket',
  Ping: 'ping',
  CSPViolationReport: 'cspReport',
};

/** Headers that Electron doesn't pass to a handler of an app scheme, either. */
const hiddenHeaders = /^(sec-ch-|upgrade-insecure-requests$|sec-fetch-)/i;

export function createPageRequests(deps: PageRequestsDeps): PageRequests {
  const { cdp, alias, sessionId, session } = deps;
  const { webRequest } = session;
  let lastRequest = 0;

  async function enable(): Promise<void> {
    const patterns: Protocol.Fetch.RequestPattern[] = webRequest.beforeRequest
      ? [{ urlPattern: '*', requestStage: 'Request' }]
      : [
          { urlPattern: alias.pattern, requestStage: 'Request' },
          { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
        ];
    patterns.push({ urlPattern: '*', resourceType: 'Document', requestStage: 'Response' });
    await cdp.send('Fetch.enable', { patterns }, sessionId);
  }
  webRequest.onChange.push(() => void enable().catch(() => undefined));

  const fail = (requestId: string, errorReason: Protocol.Network.ErrorReason): Promise<unknown> =>
    cdp.send('Fetch.failRequest', { requestId, errorReason }, sessionId);

  const details = (event: Paused, url: string, type: string): Record<string, unknown> => ({
    id: ++lastRequest,
    url,
    method: event.request.method,
    webContentsId: deps.webContentsId,
    resourceType: type,
    referrer: alias.fromChromium(event.request.headers['Referer'] ?? ''),
    timestamp: Date.now(),
  });

  function verdictOn(about: Record<string, unknown>): Promise<CallbackResponse | undefined> {
    const { beforeRequest } = webRequest;
    if (!beforeRequest?.matches(about['url'] as string, about['resourceType'] as string)) {
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => beforeRequest.listener(about as never, resolve));
  }

  function bodyOf(request: Protocol.Network.Request): Buffer | undefined {
    const parts = request.postDataEntries?.map((entry) => Buffer.from(entry.bytes ?? '', 'base64'));
    if (parts && parts.length > 0) return Buffer.concat(parts);
    return request.postData === undefined ? undefined : Buffer.from(request.postData);
  }

  /** Answers a request of an app scheme with its handler. */
  async function serve(event: Paused, url: string): Promise<void> {
    const { requestId, request } = event;
    const scheme = new URL(url).protocol.slice(0, -1);
    const handler = session.protocol.handler(scheme);
    if (!handler) {
      await fail(requestId, 'Failed');
      return;
    }
    const sent = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (!hiddenHeaders.test(name)) sent.set(name, alias.fromChromium(value));
    }
    const body = bodyOf(request);
    const init: RequestInit = { method: request.method, headers: sent };
    if (body && !['GET', 'HEAD'].includes(request.method)) init.body = new Uint8Array(body);

    let response: Response;
    try {
      response = await handler(new Request(url, init));
      if (!(response instanceof Response)) throw new TypeError('a protocol handler answers with a Response');
    } catch (error) {
      deps.onHandlerError(error, url);
      await fail(requestId, 'Failed');
      return;
    }
    if (response.type === 'error') {
      await fail(requestId, 'Failed');
      return;
    }
    const answered: [string, string][] = [...response.headers];
    const location = response.headers.get('location');
    if (
      location !== null &&
      response.status >= 300 &&
      response.status < 400 &&
      event.resourceType === 'Document'
    ) {
      const target = new URL(location, url).href;
      const isMainFrame = event.frameId === deps.mainFrameId();
      if (!deps.mayRedirect({ url: target, frameId: event.frameId, isMainFrame })) {
        await fail(requestId, 'Aborted');
        return;
      }
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    if (event.resourceType === 'Document') {
      deps.onDocument({ url, status: response.status, statusText: response.statusText });
    }
    await cdp.send(
      'Fetch.fulfillRequest',
      {
        requestId,
        responseCode: response.status,
        ...(response.statusText ? { responsePhrase: response.statusText } : {}),
        responseHeaders: answered.map(([name, value]) => ({ name, value: toChromiumHeader(name, value) })),
        body: bytes.toString('base64'),
      },
      sessionId,
    );
  }

  function toChromiumHeader(name: string, value: string): string {
    return /^content-security-policy/i.test(name) ? alias.policyToChromium(value) : alias.toChromium(value);
  }

  async function onResponse(event: Paused, url: string): Promise<void> {
    if (event.resourceType === 'Document' && event.responseStatusCode !== undefined) {
      deps.onDocument({ url, status: event.responseStatusCode, statusText: event.responseStatusText ?? '' });
    }
    await cdp.send('Fetch.continueRequest', { requestId: event.requestId }, sessionId);
  }

  async function onRequest(event: Paused): Promise<void> {
    const { requestId, request } = event;
    const isDocument = event.resourceType === 'Document';
    const isMainFrame = isDocument && event.frameId === deps.mainFrameId();
    const url = alias.fromChromium(request.url);
    const type = isDocument
      ? isMainFrame
        ? 'mainFrame'
        : 'subFrame'
      : (typeNames[event.resourceType] ?? 'other');
    if (event.responseStatusCode !== undefined || event.responseErrorReason !== undefined) {
      await onResponse(event, url);
      return;
    }
    if (isDocument && event.redirectedRequestId !== undefined && !alias.isAlias(request.url)) {
      if (!deps.mayRedirect({ url, frameId: event.frameId, isMainFrame })) {
        await fail(requestId, 'Aborted');
        return;
      }
    }
    const form = isMainFrame ? deps.takeForm() : undefined;
    if (form?.body !== undefined) request.method = 'POST';
    const verdict = await verdictOn(details(event, url, type));
    if (verdict?.cancel) {
      await fail(requestId, 'BlockedByClient');
      return;
    }
    if (verdict?.redirectURL) {
      await cdp.send(
        'Fetch.fulfillRequest',
        {
          requestId,
          responseCode: 307,
          responseHeaders: [{ name: 'Location', value: alias.toChromium(verdict.redirectURL) }],
        },
        sessionId,
      );
      return;
    }
    if (alias.isAlias(request.url)) {
      await serve(event, url);
      return;
    }
    await cdp.send(
      'Fetch.continueRequest',
      {
        requestId,
        ...(form?.body === undefined ? {} : { method: 'POST', postData: form.body.toString('base64') }),
        ...(form === undefined
          ? {}
          : {
              headers: [...Object.entries(request.headers), ...form.headers].map(
                ([name, value]): HeaderEntry => ({ name, value }),
              ),
            }),
      },
      sessionId,
    );
  }

  return {
    enable,
    // the page may be gone by now, and its request with it
    onPaused: (event) => onRequest(event).catch(() => undefined),
  };
}
