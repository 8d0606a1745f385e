// A page in Chromium: its two worlds, messages in both directions, loading and failures. Doesn't depend on Electron's classes; it reports
// to `PageHost`. The page may lie, so a message's frame is taken from its execution context.

import { randomBytes } from 'node:crypto';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { Cdp, CdpMessage, Command } from './cdp.ts';
import { judgeCertificate } from './certificates.ts';
import { createFrames } from './frames.ts';
import type { Frames, FrameState } from './frames.ts';
import { loadError, netError } from './net-errors.ts';
import type { NetError } from './net-errors.ts';
import { isolatedWorldName, pageSources } from './page-source.ts';
import type { MainToPage, PageToMain } from './page/isolated-world.ts';
import { createCodec } from './page/structured-clone.ts';
import { createPageRequests } from './page-requests.ts';
import type { PostedForm } from './page-requests.ts';
import type { SchemeAlias } from './scheme-alias.ts';
import type { StandInSession } from './session.ts';
import type { Targets } from './targets.ts';

export interface PageHost {
  onMessage(frame: FrameState, message: PageToMain): void;
  /** Answers a question that the page waits for, directly or with a promise. */
  onQuestion(frame: FrameState | undefined, question: Record<string, unknown>): unknown;
  onStartedNavigating(frame: FrameState, url: string, isSameDocument: boolean): void;
  mayRedirect(details: { url: string; frameId: string; isMainFrame: boolean }): boolean;
  onNavigated(frame: FrameState, status: number, statusText: string): void;
  onNavigatedInPage(frame: FrameState, url: string): void;
  onStartLoading(): void;
  onStopLoading(): void;
  onDomReady(): void;
  onFinishLoad(): void;
  onFirstPaint(): void;
  onFailLoad(error: NetError, url: string, frame: FrameState | undefined): void;
  onConsole(details: {
    level: 'info' | 'warning' | 'error' | 'debug';
    message: string;
    line: number;
    source: string;
  }): void;
  onCrashed(): void;
  /** True lets the page unload although its beforeunload asked to stay. */
  onBeforeUnload(): boolean;
  onWindowOpen(details: Protocol.Page.windowOpenPayload): void;
  onDownload(details: { url: string; fileName: string; cancel: () => void }): void;
  onHandlerError(error: unknown, url: string): void;
  onPreloadError(error: Error): void;
}

export interface PageDeps {
  cdp: Cdp;
  alias: SchemeAlias;
  targets: Targets;
  secrets: Set<string>;
  session: StandInSession;
  webContentsId: number;
  processId: number;
  nextId: () => number;
  isDestroyed: () => boolean;
  size: { width: number; height: number };
  preload: string | undefined;
  runsInSubFrames: boolean;
  preloadProcess: Record<string, unknown>;
  popup: { targetId: string; sessionId: string } | undefined;
  host: PageHost;
}

export interface Page {
  /** Resolves when the page can load something. */
  opened: Promise<void>;
  targetId(): string | undefined;
  frames: Frames;
  send<Method extends Command>(
    method: Method,
    params?: Protocol.CommandParameters[Method],
  ): Promise<Protocol.CommandReturnValues[Method]>;
  load(url: string, form?: PostedForm): Promise<void>;
  reload(): Promise<void>;
  execute(frame: FrameState, code: string): Promise<unknown>;
  deliver(frame: FrameState, message: MainToPage): void;
  /** @throws Error if an argument can't be cloned. */
  sendEvent(frame: FrameState, channel: string, args: unknown[]): void;
  isLoading(): boolean;
  isErrorPage(): boolean;
}

export function createPage(deps: PageDeps): Page {
  const { cdp, alias, host } = deps;
  const codec = createCodec();
  const secret = randomBytes(12).toString('hex');
  const binding = `__standin_${secret}`;
  deps.secrets.add(secret);
  let sessionId: string | undefined;
  let targetId: string | undefined;
  let isLoading = false;
  let isErrorPage = false;
  let nextForm: PostedForm | undefined;
  let pending:
    { url: string; loaderId: string | undefined; resolve(): void; reject(error: Error): void } | undefined;
  const documents = new Map<string, { status: number; statusText: string }>();

  const send: Page['send'] = (method, params) => {
    if (sessionId === undefined) return Promise.reject(new Error('the page is not open yet'));
    return cdp.send(method, params, sessionId);
  };

  const frames = createFrames({
    alias,
    processId: deps.processId,
    nextId: deps.nextId,
    isDestroyed: deps.isDestroyed,
    execute,
    send: sendEvent,
    reload: () => void reload(),
  });

  function sendEvent(frame: FrameState, channel: string, args: unknown[]): void {
    let text: string;
    try {
      text = codec.encode(args);
    } catch {
      throw new Error('Failed to serialize arguments');
    }
    deliver(frame, { type: 'event', channel, args: text });
  }

  async function execute(frame: FrameState, code: string): Promise<unknown> {
    await opened;
    const contextId = frame.mainContext;
    const evaluated = await send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      userGesture: true,
      replMode: false,
      ...(contextId === undefined ? {} : { contextId }),
    });
    const { result, exceptionDetails } = evaluated;
    if (exceptionDetails) {
      const text = exceptionDetails.exception?.description ?? exceptionDetails.text;
      throw Object.assign(new Error(text.split('\n')[0]?.replace(/^\w*Error: /, '') ?? text), {
        name: exceptionDetails.exception?.className ?? 'Error',
      });
    }
    if (result.objectId === undefined) {
      if (result.unserializableValue?.endsWith('n')) return BigInt(result.unserializableValue.slice(0, -1));
      if (result.unserializableValue !== undefined) return Number(result.unserializableValue);
      return result.value as unknown;
    }
    const encoded = await send('Runtime.callFunctionOn', {
      objectId: result.objectId,
      functionDeclaration: `function () { return (${createCodec.toString()})().encode(this); }`,
      returnByValue: true,
    });
    if (encoded.exceptionDetails) throw new Error('An object could not be cloned.');
    return codec.decode(encoded.result.value as string);
  }

  function deliver(frame: FrameState, message: MainToPage): void {
    if (frame.isolatedContext === undefined) return;
    void send('Runtime.callFunctionOn', {
      executionContextId: frame.isolatedContext,
      functionDeclaration: 'function (text) { globalThis.__standinDeliver(text); }',
      arguments: [{ value: JSON.stringify(message) }],
    }).catch(() => undefined);
  }

  function settle(error?: NetError): void {
    const load = pending;
    pending = undefined;
    if (error) load?.reject(loadError(error, load.url));
    else load?.resolve();
  }

  function failed(error: NetError, url: string, frame: FrameState | undefined): void {
    host.onFailLoad(error, url, frame);
    settle(error);
  }

  async function load(url: string, form?: PostedForm): Promise<void> {
    nextForm = form;
    settle(netError('ERR_ABORTED'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    const own = { url, loaderId: undefined as string | undefined, resolve, reject };
    pending = own;
    await opened;
    try {
      const answer = await send('Page.navigate', { url: alias.toChromium(url) });
      own.loaderId = answer.loaderId;
      if (answer.errorText) {
        if (pending === own) failed(netError(answer.errorText), url, frames.main());
      } else if (answer.loaderId === undefined && pending === own) settle();
    } catch (error) {
      if (pending === own) {
        pending = undefined;
        const text = error instanceof Error ? error.message : String(error);
        reject(/invalid URL/i.test(text) ? loadError(netError('ERR_INVALID_URL'), url) : new Error(text));
      }
    }
    return promise;
  }

  async function reload(): Promise<void> {
    await opened;
    await send('Page.reload').catch(() => undefined);
  }

  const requests = (session: string): ReturnType<typeof createPageRequests> =>
    createPageRequests({
      cdp,
      alias,
      sessionId: session,
      session: deps.session,
      webContentsId: deps.webContentsId,
      mainFrameId: () => frames.main()?.id,
      takeForm() {
        const form = nextForm;
        nextForm = undefined;
        return form;
      },
      mayRedirect: (details) => host.mayRedirect(details),
      onDocument: ({ url, status, statusText }) => documents.set(url.split('#')[0]!, { status, statusText }),
      onHandlerError: (error, url) => host.onHandlerError(error, url),
    });

  async function onDialog(params: Protocol.Page.javascriptDialogOpeningPayload): Promise<void> {
    if (params.type === 'beforeunload') {
      await send('Page.handleJavaScriptDialog', { accept: host.onBeforeUnload() });
      return;
    }
    const prefix = `standin:${secret}:`;
    if (params.type !== 'prompt' || !params.message.startsWith(prefix)) return;
    const question = JSON.parse(params.message.slice(prefix.length)) as Record<string, unknown>;
    for (const key of ['url', 'from']) {
      if (typeof question[key] === 'string') question[key] = alias.fromChromium(question[key]);
    }
    const frameId = (params as { frameId?: string }).frameId;
    const frame = frameId === undefined ? frames.main() : frames.get(frameId);
    const answer = await host.onQuestion(frame, question);
    await send('Page.handleJavaScriptDialog', { accept: true, promptText: JSON.stringify(answer ?? null) });
  }

  function onContext(context: Protocol.Runtime.ExecutionContextDescription): void {
    const { frameId, isDefault } = (context.auxData ?? {}) as { frameId?: string; isDefault?: boolean };
    const frame = frameId === undefined ? undefined : frames.get(frameId);
    if (!frame) return;
    if (isDefault) frame.mainContext = context.id;
    else if (context.name === isolatedWorldName) frame.isolatedContext = context.id;
  }

  const levels: Record<string, 'info' | 'warning' | 'error' | 'debug'> = {
    warning: 'warning',
    warn: 'warning',
    error: 'error',
    assert: 'error',
    debug: 'debug',
    verbose: 'debug',
  };

  const handlers: { [name: string]: ((params: never) => void) | undefined } = {
    'Page.frameAttached': ({ frameId, parentFrameId }: Protocol.Page.frameAttachedPayload) =>
      frames.attach(frameId, parentFrameId),
    'Page.frameDetached': ({ frameId, reason }: Protocol.Page.frameDetachedPayload) => {
      if (reason === 'remove') frames.detach(frameId);
    },
    'Page.frameStartedNavigating': (params: Protocol.Page.frameStartedNavigatingPayload) => {
      const frame = frames.get(params.frameId);
      const isSame = /sameDocument/i.test(params.navigationType);
      if (frame) host.onStartedNavigating(frame, alias.fromChromium(params.url), isSame);
    },
    'Page.frameNavigated': ({ frame: info }: Protocol.Page.frameNavigatedPayload) => {
      const isFailure = info.unreachableUrl !== undefined;
      const frame = frames.navigated(info.id, {
        url: (isFailure ? info.unreachableUrl! : info.url) + (info.urlFragment ?? ''),
        origin: info.securityOrigin,
        name: info.name,
        parentId: info.parentId,
      });
      if (info.parentId === undefined) {
        for (const other of frames.all()) if (other.parentId !== undefined) frames.detach(other.id);
        isErrorPage = isFailure;
        if (isFailure) {
          // only for navigations by the page; loadURL gets its failures from its command
          if (!pending) failed(netError('ERR_FAILED'), frame.url, frame);
          return;
        }
      }
      const { status, statusText } = documents.get(frame.url.split('#')[0]!) ?? {
        status: /^https?:/.test(frame.url) ? 200 : -1,
        statusText: '',
      };
      host.onNavigated(frame, status, statusText);
    },
    'Page.navigatedWithinDocument': ({ frameId, url }: Protocol.Page.navigatedWithinDocumentPayload) => {
      const frame = frames.get(frameId);
      if (!frame) return;
      frame.url = alias.fromChromium(url);
      host.onNavigatedInPage(frame, frame.url);
    },
    'Page.frameStartedLoading': ({ frameId }: Protocol.Page.frameStartedLoadingPayload) => {
      if (frameId !== frames.main()?.id || isLoading) return;
      isLoading = true;
      host.onStartLoading();
    },
    'Page.frameStoppedLoading': ({ frameId }: Protocol.Page.frameStoppedLoadingPayload) => {
      if (frameId !== frames.main()?.id || !isLoading) return;
      isLoading = false;
      host.onStopLoading();
    },
    'Page.domContentEventFired': () => {
      if (!isErrorPage) host.onDomReady();
    },
    'Page.loadEventFired': () => {
      if (isErrorPage || !hasLoaded()) return;
      host.onFinishLoad();
      settle();
    },
    'Page.lifecycleEvent': ({ name, frameId }: Protocol.Page.lifecycleEventPayload) => {
      if (name === 'firstPaint' && frameId === frames.main()?.id && hasLoaded()) host.onFirstPaint();
    },
    'Page.windowOpen': (params: Protocol.Page.windowOpenPayload) =>
      host.onWindowOpen({ ...params, url: alias.fromChromium(params.url) }),
    'Page.downloadWillBegin': (params: Protocol.Page.downloadWillBeginPayload) =>
      host.onDownload({
        url: alias.fromChromium(params.url),
        fileName: params.suggestedFilename,
        cancel: () => void cdp.send('Browser.cancelDownload', { guid: params.guid }).catch(() => undefined),
      }),
    'Page.javascriptDialogOpening': (params: Protocol.Page.javascriptDialogOpeningPayload) =>
      void onDialog(params).catch(() => undefined),
    'Runtime.executionContextCreated': ({ context }: Protocol.Runtime.executionContextCreatedPayload) =>
      onContext(context),
    'Runtime.executionContextsCleared': () => frames.clear(),
    'Runtime.bindingCalled': (params: Protocol.Runtime.bindingCalledPayload) => {
      const frame = frames.byContext(params.executionContextId);
      if (params.name !== binding || !frame) return;
      host.onMessage(frame, JSON.parse(params.payload) as PageToMain);
    },
    'Runtime.consoleAPICalled': (params: Protocol.Runtime.consoleAPICalledPayload) => {
      const at = params.stackTrace?.callFrames[0];
      host.onConsole({
        level: levels[params.type] ?? 'info',
        message: params.args
          .map((arg) => String(arg.value ?? arg.unserializableValue ?? arg.description ?? arg.type))
          .join(' '),
        line: (at?.lineNumber ?? -1) + 1,
        source: alias.fromChromium(at?.url ?? ''),
      });
    },
    'Runtime.exceptionThrown': ({ exceptionDetails }: Protocol.Runtime.exceptionThrownPayload) =>
      host.onConsole({
        level: 'error',
        message: `Uncaught ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
        line: exceptionDetails.lineNumber + 1,
        source: alias.fromChromium(exceptionDetails.url ?? ''),
      }),
    'Log.entryAdded': ({ entry }: Protocol.Log.entryAddedPayload) =>
      host.onConsole({
        level: levels[entry.level] ?? 'info',
        message: alias.fromChromium(entry.text),
        line: entry.lineNumber ?? 0,
        source: alias.fromChromium(entry.url ?? ''),
      }),
    'Security.certificateError': (params: Protocol.Security.certificateErrorPayload) =>
      void judgeCertificate(deps.session, params)
        .catch(() => 'cancel' as const)
        .then((action) => send('Security.handleCertificateError', { eventId: params.eventId, action }))
        .catch(() => undefined),
    'Inspector.targetCrashed': () => {
      frames.clear();
      isLoading = false;
      settle(netError('ERR_FAILED'));
      host.onCrashed();
    },
  };
  const hasLoaded = (): boolean => (frames.main()?.url ?? '') !== '';

  async function open(): Promise<void> {
    const target = deps.popup ?? (await deps.targets.create(deps.size));
    ({ sessionId, targetId } = target);
    frames.attach(target.targetId, undefined);
    const paused = requests(target.sessionId);
    cdp.onSession(target.sessionId, (message: CdpMessage) => {
      if (message.method === 'Fetch.requestPaused') {
        void paused.onPaused(message.params as unknown as Protocol.Fetch.requestPausedPayload);
      } else handlers[message.method ?? '']?.((message.params ?? {}) as never);
    });
    const sources = pageSources({
      preload: deps.preload,
      config: { secret, binding, runsInSubFrames: deps.runsInSubFrames, process: deps.preloadProcess },
    });
    if (sources.preloadError) setImmediate(() => host.onPreloadError(sources.preloadError!));
    await Promise.all([
      send('Page.enable'),
      send('Runtime.addBinding', { name: binding, executionContextName: isolatedWorldName }),
      send('Page.addScriptToEvaluateOnNewDocument', { source: sources.mainWorld }),
      send('Page.addScriptToEvaluateOnNewDocument', {
        source: sources.isolatedWorld,
        worldName: isolatedWorldName,
      }),
      send('Runtime.enable'),
      send('Log.enable'),
      send('Page.setLifecycleEventsEnabled', { enabled: true }),
      paused.enable(),
      send('Security.enable'),
      send('Security.setOverrideCertificateErrors', { override: true }),
      send('Emulation.setDeviceMetricsOverride', { ...deps.size, deviceScaleFactor: 1, mobile: false }),
      send('Runtime.runIfWaitingForDebugger'),
    ]);
  }
  const opened = open();
  opened.catch(() => undefined);

  return {
    opened,
    targetId: () => targetId,
    frames,
    send,
    load,
    reload,
    execute,
    deliver,
    sendEvent,
    isLoading: () => isLoading || pending !== undefined,
    isErrorPage: () => isErrorPage,
  };
}
