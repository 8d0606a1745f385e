// A page in Chromium: its two worlds, messages in both directions, loading and failures. Doesn't depend on Electron's classes; it reports
// to `PageHost`. The page may lie, so a message's frame is taken from its execution context.

import { randomBytes } from 'node:crypto';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { Command } from './cdp.ts';
import { judgeCertificate } from './certificates.ts';
import { createFrames, type FrameState } from './frames.ts';
import { hub } from './hub.ts';
import { isolatedWorldName, pageSources } from './page-source.ts';
import type { MainToPage, PageToMain } from './page/isolated-world.ts';
import { createPageRequests, type PostedForm } from './page-requests.ts';
import type { StandInSession } from './session.ts';

export interface PageHost {
  onMessage(frame: FrameState, message: PageToMain): void;
  /** Answers a question that the page waits for. */
  onQuestion(frame: FrameState, question: Record<string, unknown>): unknown;
  mayRedirect(url: string, frame: FrameState): boolean;
  /** The main frame has a new document. */
  onNavigated(url: string, status: number): void;
  onStopLoading(): void;
  onFinishLoad(): void;
  onFirstPaint(): void;
  onFailLoad(error: LoadError): void;
  onCrashed(): void;
  /** True lets the page unload although its beforeunload asked to stay. */
  onBeforeUnload(): boolean;
  /** The page opens a popup, which is closed. */
  onWindowOpen(url: string): void;
}

export interface PageDeps {
  session: StandInSession;
  processId: number;
  size: { width: number; height: number };
  /** The path of the preload script. */
  preload: string | undefined;
  host: PageHost;
}

export type Page = ReturnType<typeof createPage>;

/** Of Chromium's errors, those whose number the app knows. */
const netErrors: Record<string, number> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_CERT_AUTHORITY_INVALID: -202,
};

/** What `loadURL` rejects with. */
export interface LoadError extends Error {
  code: string;
  errno: number;
  url: string;
}

/** @param text `net::ERR_ABORTED` or `ERR_ABORTED` */
function loadError(text: string, url: string): LoadError {
  const code = text.replace(/^net::/, '');
  const errno = netErrors[code] ?? -2;
  return Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { code, errno, url });
}

export function createPage(deps: PageDeps) {
  const { host } = deps;
  const { alias, cdp } = hub;
  const secret = randomBytes(12).toString('hex');
  const binding = `__standin_${secret}`;
  hub.secrets.add(secret);
  let sessionId: string | undefined;
  let targetId: string | undefined;
  let isLoading = false;
  let isErrorPage = false;
  let nextForm: PostedForm | undefined;
  let pending: { url: string; resolve(): void; reject(error: Error): void } | undefined;
  /** The HTTP status of documents, by URL without its fragment. */
  const statuses = new Map<string, number>();
  const frames = createFrames(deps.processId);

  async function send<Method extends Command>(method: Method, params?: Protocol.CommandParameters[Method]) {
    if (sessionId === undefined) throw new Error('the page is not open yet');
    return cdp.send(method, params, sessionId);
  }

  async function execute(code: string): Promise<unknown> {
    await opened;
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  }

  function deliver(frame: FrameState, message: MainToPage): void {
    if (frame.isolatedContext === undefined) return;
    void send('Runtime.callFunctionOn', {
      executionContextId: frame.isolatedContext,
      functionDeclaration: 'function (text) { globalThis.__standinDeliver(text); }',
      arguments: [{ value: JSON.stringify(message) }],
    }).catch(() => undefined);
  }

  function settle(error?: Error): void {
    const load = pending;
    pending = undefined;
    if (error) load?.reject(error);
    else load?.resolve();
  }

  function failed(text: string, url: string): void {
    const error = loadError(text, url);
    host.onFailLoad(error);
    settle(error);
  }

  async function load(url: string, form?: PostedForm): Promise<void> {
    nextForm = form;
    settle(loadError('ERR_ABORTED', pending?.url ?? url));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    const own = { url, resolve, reject };
    pending = own;
    await opened;
    try {
      const { errorText, loaderId } = await send('Page.navigate', { url: alias.toChromium(url) });
      if (pending === own && errorText) failed(errorText, url);
      else if (pending === own && loaderId === undefined) settle();
    } catch {
      if (pending === own) settle(loadError('ERR_INVALID_URL', url));
    }
    return promise;
  }

  async function onDialog(dialog: Protocol.Page.javascriptDialogOpeningPayload): Promise<void> {
    const { type, message, frameId } = dialog as typeof dialog & { frameId?: string };
    if (type === 'beforeunload') {
      await send('Page.handleJavaScriptDialog', { accept: host.onBeforeUnload() });
      return;
    }
    const prefix = `standin:${secret}:`;
    if (type !== 'prompt' || !message.startsWith(prefix)) return;
    const question = JSON.parse(message.slice(prefix.length)) as Record<string, unknown>;
    if (typeof question['url'] === 'string') question['url'] = alias.fromChromium(question['url']);
    const answer = host.onQuestion(frames.get(frameId ?? '') ?? frames.main, question);
    await send('Page.handleJavaScriptDialog', { accept: true, promptText: JSON.stringify(answer ?? null) });
  }

  const isMain = (frameId: string): boolean => frameId === frames.main.id;
  const hasLoaded = (): boolean => frames.main.url !== '';
  const handlers: { [name: string]: ((params: never) => void) | undefined } = {
    'Page.frameAttached': ({ frameId, parentFrameId }: Protocol.Page.frameAttachedPayload) =>
      frames.attach(frameId, parentFrameId),
    'Page.frameDetached': ({ frameId, reason }: Protocol.Page.frameDetachedPayload) => {
      if (reason === 'remove') frames.detach(frameId);
    },
    'Page.frameNavigated': ({ frame: info }: Protocol.Page.frameNavigatedPayload) => {
      const { unreachableUrl, securityOrigin: origin, parentId } = info;
      const url = (unreachableUrl ?? info.url) + (info.urlFragment ?? '');
      const frame = frames.navigated(info.id, { url, origin, parentId });
      if (parentId !== undefined) return;
      isErrorPage = unreachableUrl !== undefined;
      // loadURL gets its failures from its command
      if (isErrorPage) return void (pending ?? failed('ERR_FAILED', frame.url));
      host.onNavigated(frame.url, statuses.get(frame.url.split('#')[0]!) ?? 200);
    },
    'Page.navigatedWithinDocument': ({ frameId, url }: Protocol.Page.navigatedWithinDocumentPayload) => {
      const frame = frames.get(frameId);
      if (frame !== undefined) frame.url = alias.fromChromium(url);
    },
    'Page.frameStartedLoading': ({ frameId }: Protocol.Page.frameStartedLoadingPayload) => {
      isLoading ||= isMain(frameId);
    },
    'Page.frameStoppedLoading': ({ frameId }: Protocol.Page.frameStoppedLoadingPayload) => {
      if (!isMain(frameId) || !isLoading) return;
      isLoading = false;
      host.onStopLoading();
    },
    'Page.loadEventFired': () => {
      if (isErrorPage || !hasLoaded()) return;
      host.onFinishLoad();
      settle();
    },
    'Page.lifecycleEvent': ({ name, frameId }: Protocol.Page.lifecycleEventPayload) => {
      if (name === 'firstPaint' && isMain(frameId) && hasLoaded()) host.onFirstPaint();
    },
    'Page.windowOpen': ({ url }: Protocol.Page.windowOpenPayload) =>
      host.onWindowOpen(alias.fromChromium(url)),
    'Page.javascriptDialogOpening': (params: Protocol.Page.javascriptDialogOpeningPayload) =>
      void onDialog(params).catch(() => undefined),
    'Runtime.executionContextCreated': ({ context }: Protocol.Runtime.executionContextCreatedPayload) => {
      const { frameId = '' } = (context.auxData ?? {}) as { frameId?: string };
      const frame = frames.get(frameId);
      if (frame !== undefined && context.name === isolatedWorldName) frame.isolatedContext = context.id;
    },
    'Runtime.executionContextsCleared': () => frames.clear(),
    'Runtime.bindingCalled': (params: Protocol.Runtime.bindingCalledPayload) => {
      const frame = frames.byContext(params.executionContextId);
      if (params.name === binding && frame !== undefined)
        host.onMessage(frame, JSON.parse(params.payload) as PageToMain);
    },
    'Security.certificateError': (params: Protocol.Security.certificateErrorPayload) =>
      void judgeCertificate(deps.session, params)
        .catch(() => 'cancel' as const)
        .then((action) => send('Security.handleCertificateError', { eventId: params.eventId, action }))
        .catch(() => undefined),
    'Inspector.targetCrashed': () => {
      frames.clear();
      isLoading = false;
      settle(loadError('ERR_FAILED', frames.main.url));
      host.onCrashed();
    },
  };

  async function open(): Promise<void> {
    const target = await hub.targets.create(deps.size);
    ({ sessionId, targetId } = target);
    frames.setMain(target.targetId);
    const requests = createPageRequests({
      sessionId: target.sessionId,
      session: deps.session,
      mainFrameId: () => frames.main.id,
      takeForm() {
        const form = nextForm;
        nextForm = undefined;
        return form;
      },
      mayRedirect: (url, frameId) => host.mayRedirect(url, frames.get(frameId) ?? frames.main),
      onDocument: (url, status) => void statuses.set(url.split('#')[0]!, status),
    });
    cdp.onSession(target.sessionId, ({ method = '', params = {} }) => {
      if (method === 'Fetch.requestPaused') void requests.onPaused(params as never);
      else handlers[method]?.(params as never);
    });
    const { mainWorld, isolatedWorld } = pageSources(deps.preload, { secret, binding });
    await Promise.all([
      send('Page.enable'),
      send('Runtime.addBinding', { name: binding, executionContextName: isolatedWorldName }),
      send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorld }),
      send('Page.addScriptToEvaluateOnNewDocument', { source: isolatedWorld, worldName: isolatedWorldName }),
      send('Runtime.enable'),
      send('Page.setLifecycleEventsEnabled', { enabled: true }),
      requests.enable(),
      send('Security.enable'),
      send('Security.setOverrideCertificateErrors', { override: true }),
      send('Emulation.setDeviceMetricsOverride', { ...deps.size, deviceScaleFactor: 1, mobile: false }),
      send('Runtime.runIfWaitingForDebugger'),
    ]);
  }
  const opened = open();
  opened.catch(() => undefined);

  return {
    /** Resolves when the page can load something. */
    opened,
    targetId: () => targetId,
    frames,
    send,
    load,
    execute,
    deliver,
    isLoading: () => isLoading || pending !== undefined,
  };
}
