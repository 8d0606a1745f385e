// Turns what a page does into events of webContents, with Electron's arguments.

import type { WebFrameMain } from 'electron';

import { createEvent } from './cancelable-event.ts';
import type { ContentsMessages } from './contents-messages.ts';
import { createDownloadItem } from './download-item.ts';
import type { FrameState } from './frames.ts';
import type { Hub } from './hub.ts';
import type { NetError } from './net-errors.ts';
import type { Page, PageHost } from './page.ts';
import type { StandInSession } from './session.ts';
import type { StandInContents } from './web-contents.ts';

export interface ContentsEvents {
  host: PageHost;
  preloadFailed(error: Error): void;
  /** A key or button a driver pressed; true when the app took it. */
}

export function createContentsEvents(deps: {
  hub: Hub;
  contents: StandInContents;
  page: () => Page;
  messages: () => ContentsMessages;
  session: StandInSession;
  processId: number;
  onFirstPaint: () => void;
  onCloseVetoed: () => void;
  setCrashed: (isCrashed: boolean) => void;
  isHidden: () => boolean;
}): ContentsEvents {
  const { hub, contents, page } = deps;

  function preloadFailed(error: Error): void {
    const path = contents.inner.preferences.preload ?? '';
    contents.emit('preload-error', createEvent(), path, error);
    contents.emit(
      'console-message',
      createEvent({
        level: 'error',
        message: `Unable to load preload script: ${path}`,
        lineNumber: 0,
        sourceId: path,
        frame: contents.mainFrame,
      }),
    );
    contents.emit(
      'console-message',
      createEvent({
        level: 'error',
        message: String(error.stack ?? error),
        lineNumber: 0,
        sourceId: path,
        frame: contents.mainFrame,
      }),
    );
  }

  const frameOf = (frame: FrameState): WebFrameMain => page().frames.facade(frame);
  const isMain = (frame: FrameState): boolean => frame.parentId === undefined;
  const navigation = (frame: FrameState, url: string, isSameDocument = false) =>
    createEvent({
      url,
      isSameDocument,
      isMainFrame: isMain(frame),
      frame: frameOf(frame),
      initiator: frameOf(frame),
    });
  const host: PageHost = {
    onMessage: (frame, message) => deps.messages().receive(frameOf(frame), frame, message),
    onQuestion: (frame, question) => deps.messages().answer(frame, question),
    onStartedNavigating: (frame, url, isSameDocument) =>
      void contents.emit(
        'did-start-navigation',
        navigation(frame, url, isSameDocument),
        url,
        isSameDocument,
        isMain(frame),
        deps.processId,
        frame.routingId,
      ),
    mayRedirect: ({ url, frameId }) => {
      const frame = page().frames.get(frameId) ?? page().frames.main()!;
      const event = navigation(frame, url);
      contents.emit('will-redirect', event, url, false, isMain(frame), deps.processId, frame.routingId);
      if (!event.defaultPrevented)
        contents.emit(
          'did-redirect-navigation',
          navigation(frame, url),
          url,
          false,
          isMain(frame),
          deps.processId,
          frame.routingId,
        );
      return !event.defaultPrevented;
    },
    onNavigated: (frame, status, statusText) => {
      deps.setCrashed(false);
      contents.emit(
        'did-frame-navigate',
        createEvent(),
        frame.url,
        status,
        statusText,
        isMain(frame),
        deps.processId,
        frame.routingId,
      );
      if (!isMain(frame)) return;
      contents.emit('did-navigate', createEvent(), frame.url, status, statusText);
      if (deps.isHidden()) {
        page().deliver(frame, { type: 'visibility', isHidden: true });
      }
    },
    onNavigatedInPage: (frame, url) =>
      void contents.emit(
        'did-navigate-in-page',
        createEvent(),
        url,
        isMain(frame),
        deps.processId,
        frame.routingId,
      ),
    onStartLoading: () => void contents.emit('did-start-loading'),
    onStopLoading: () => void contents.emit('did-stop-loading'),
    onDomReady: () => void contents.emit('dom-ready', createEvent()),
    onFinishLoad: () => {
      contents.emit('did-finish-load');
      deps.onFirstPaint();
    },
    onFirstPaint: () => deps.onFirstPaint(),
    onFailLoad: (error: NetError, url, frame) => {
      const main = frame === undefined || isMain(frame);
      contents.emit(
        'did-fail-load',
        createEvent(),
        error.code,
        error.name,
        url,
        main,
        deps.processId,
        frame?.routingId ?? 0,
      );
    },
    onConsole: ({ level, message, line, source }) =>
      void contents.emit(
        'console-message',
        createEvent({ level, message, lineNumber: line, sourceId: source, frame: contents.mainFrame }),
      ),
    onCrashed: () => {
      deps.setCrashed(true);
      const details = { reason: 'crashed', exitCode: 5 };
      contents.emit('render-process-gone', createEvent(), details);
      hub.emitApp('render-process-gone', createEvent(), contents, details);
    },
    onBeforeUnload: () => {
      const event = createEvent();
      contents.emit('will-prevent-unload', event);
      if (!event.defaultPrevented) deps.onCloseVetoed();
      return event.defaultPrevented;
    },
    onWindowOpen: ({ url, windowName, windowFeatures }) =>
      void contents.inner.seenOpens.push({ url, frameName: windowName, features: windowFeatures.join(',') }),
    onDownload: ({ url, fileName, cancel }) => {
      const item = createDownloadItem({ url, fileName, onCancel: cancel });
      const event = createEvent();
      deps.session.facade.emit('will-download', event, item, contents);
      if (!event.defaultPrevented)
        hub.deeds.push({ kind: 'download-asked', url, fileName, options: item.getSaveDialogOptions() });
      item.cancel();
    },
    onHandlerError: (error, url) =>
      process.stderr.write(`Error in the protocol handler for ${url}: ${String(error)}\n`),
    onPreloadError: (error) => preloadFailed(error),
  };

  return { host, preloadFailed };
}
