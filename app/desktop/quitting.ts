// Quits the app. Asks the user first if documents are open, and waits for running saves, whose bytes are nowhere else. A signal or
// the end of the session asks nobody. If something hangs, the process exits after a time limit.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { App } from 'electron';
import { documentsBeingEdited, type WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { signalHandler, stopSignals } from '../terminal/stop-signals.ts';
import type { Ask, Question } from './desktop.ts';
import { namesText } from './labels.ts';
import { t } from '../contract/messages.ts';

/** While the app quits. */
export interface QuitProgress {
  /** Saves still running. */
  saves: number;
}

export interface QuittingDeps {
  app: {
    on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
    /** Closes the windows, which may refuse. */
    quit: App['quit'];
    /** Asks nobody. */
    exit: App['exit'];
  };
  ask: Ask;
  state(): WindowState;
  /** The running host. */
  host(): { runningSaves(): number } | undefined;
  /**
   * Takes no new requests, and aborts those still running after that time; a later call with less time shortens the wait.
   * Resolves when the database is closed.
   */
  stopHost(limitMs: number): Promise<void>;
  hasTray(): boolean;
  /** By a signal or the end of the session. */
  onForcedEnd(): void;
  /** `progress()` changed. */
  onProgress(): void;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export type Quitting = ReturnType<typeof createQuitting>;

/** When nobody can be asked: a service manager kills after 90 s, the end of a session sooner. */
const unattendedMs = 30_000;
/** For other requests, once no save is running. */
const otherRequestsMs = 3000;
/** For the database, and for windows that don't close. */
const closeMs = 5000;
const pollMs = 250;
/** The longest delay of a timer. */
const forever = 2 ** 31 - 1;

export function createQuitting(deps: QuittingDeps) {
  const { app, log } = deps;
  let phase: 'running' | 'stopping' | 'stopped' = 'running';
  let isAsking = false;
  /** After a signal or a shutdown nobody may be there to answer. */
  let isUnattended = false;
  let progress: QuitProgress | undefined;
  /** Resolves with how long requests may still take, once no save is running or none is waited for. */
  const savesEnded = Promise.withResolvers<number>();

  function setProgress(saves: number): void {
    if (progress?.saves === saves) return;
    progress = { saves };
    deps.onProgress();
  }

  /** One question at a time. @returns undefined when another is open */
  async function askOnce(question: Question): Promise<number | undefined> {
    if (isAsking) return undefined;
    isAsking = true;
    const answer = await deps.ask(question);
    isAsking = false;
    return answer;
  }

  async function request(exitApp = (): void => app.quit()): Promise<void> {
    if (phase === 'stopped') return;
    if (phase === 'stopping') return offerToAbort();
    const open = documentsBeingEdited(deps.state()).map(({ path }) => path);
    if (open.length > 0) {
      const saves = deps.host()?.runningSaves() ?? 0;
      if ((await askOnce(openDocumentsQuestion(open, saves))) !== 0) return;
    }
    await stop(undefined, exitApp);
  }

  async function offerToAbort(): Promise<void> {
    if (isUnattended || progress === undefined || progress.saves === 0) return;
    const answer = await askOnce(stillSavingQuestion(progress.saves));
    if (answer === 1) savesEnded.resolve(0);
  }

  /** @param savesLimitMs how long saves may take when nobody can be asked */
  async function stop(savesLimitMs: number | undefined, exitApp = (): void => app.quit()): Promise<void> {
    if (phase !== 'running') return;
    phase = 'stopping';
    const host = deps.host();
    function poll(): void {
      const saves = host?.runningSaves() ?? 0;
      setProgress(saves);
      // Reads can be repeated later.
      if (saves === 0) savesEnded.resolve(otherRequestsMs);
    }
    log.info({ saves: host?.runningSaves() ?? 0 }, 'DocTray is quitting.');

    const stopped = stopHost(savesLimitMs ?? forever);
    poll();
    const polling = setInterval(poll, pollMs);
    if (savesLimitMs !== undefined) abortAfter(savesLimitMs);
    const closing = savesEnded.promise.then((waitMs) =>
      Promise.race([Promise.all([stopped, stopHost(waitMs)]), delay(waitMs + closeMs)]),
    );
    await Promise.race([stopped, closing]);
    clearInterval(polling);
    phase = 'stopped';
    setProgress(0);
    // A window that refuses to close would keep a process without a host.
    setTimeout(() => app.exit(0), closeMs);
    exitApp();
  }

  async function stopHost(limitMs: number): Promise<void> {
    try {
      await deps.stopHost(limitMs);
    } catch (error) {
      log.error({ err: error }, 'The host didn’t stop cleanly. Everything that was saved is safe.');
    }
  }

  function abortAfter(limitMs: number): void {
    setTimeout(() => savesEnded.resolve(0), limitMs).unref();
  }

  function end(reason: 'signal' | 'shutdown' | 'command'): void {
    log.info({ why: reason }, 'DocTray received a request to quit.');
    isUnattended = true;
    if (reason !== 'command') deps.onForcedEnd();
    if (phase === 'running') void stop(unattendedMs);
    // From now on waiting for saves has a limit.
    else abortAfter(unattendedMs);
  }

  const onSignal = signalHandler(
    () => end('signal'),
    () => savesEnded.resolve(0),
  );

  async function askAboutClosing(hide: () => void): Promise<void> {
    const answer = await askOnce(closeQuestion(documentsBeingEdited(deps.state()).length));
    if (phase !== 'running') return;
    if (answer === 0) hide();
    else if (answer === 1) await request();
  }

  return {
    attach() {
      app.on('before-quit', (event) => {
        if (phase === 'stopped') return;
        event.preventDefault();
        void request();
      });
    },
    /** After Electron is ready, which installs handlers of its own first. */
    attachSignals(process: Pick<NodeJS.Process, 'on'>) {
      for (const signal of stopSignals) process.on(signal, onSignal);
    },
    // What is asked here is in this computer's language, not in that of the terminal or browser that quits DocTray.
    /** Asks while documents are open. While it waits for saves, offers to quit at once. */
    request: AsyncLocalStorage.bind(() => void request()),
    /** Like `request`, but calls `exitApp` instead of `app.quit` when the host has stopped. */
    requestAndThen: AsyncLocalStorage.bind((exitApp: () => void) => void request(exitApp)),
    /** Asks nobody; running saves are finished, within limits. */
    end: AsyncLocalStorage.bind(end),
    /** For a window's `close`: hides it if there is a tray, asks if there is none, lets it close when the app has stopped. */
    windowClosing(event: { preventDefault(): void }, hide: () => void) {
      if (phase === 'stopped') return;
      event.preventDefault();
      if (deps.hasTray()) hide();
      else if (phase === 'running') void askAboutClosing(hide);
      else void offerToAbort();
    },
    /** The host is stopping; there is no way back. */
    isQuitting: () => phase !== 'running',
    progress: () => progress,
  };
}

/** The window's title while saves are waited for. */
export function quitTitle(progress: QuitProgress | undefined): string | undefined {
  if (progress === undefined || progress.saves === 0) return undefined;
  return t('desktop.doctray-finishing-saves', { count: progress.saves });
}

// In each question, Enter and Escape give the answer that loses nothing.

/** Answer 0 quits. */
function openDocumentsQuestion(paths: readonly string[], saves: number): Question {
  const count = paths.length;
  const names = namesText(paths);
  const cannotSave = t('desktop.editors-cant-save-them-until', { count });
  const finishesFirst = t('desktop.doctray-finishes-running-saves-first', { saves });
  return {
    type: 'question',
    message: t('desktop.quit-while-names-are-still', { count, names }),
    detail: saves === 0 ? cannotSave : `${cannotSave} ${finishesFirst}`,
    buttons: [t('desktop.quit-anyway'), t('desktop.keep-running')],
    defaultId: 1,
    cancelId: 1,
  };
}

/** Answer 1 quits at once. */
function stillSavingQuestion(saves: number): Question {
  return {
    type: 'warning',
    message: t('desktop.doctray-is-finishing-saves', { saves }),
    detail: t('desktop.doctray-quits-when-they-are', { saves }),
    buttons: [t('desktop.wait-longer'), t('desktop.quit-now')],
    defaultId: 0,
    cancelId: 0,
  };
}

/** Without a tray. Answer 0 hides the window, 1 quits. */
function closeQuestion(openDocuments: number): Question {
  const noTray = t('desktop.this-desktop-has-no-tray');
  const open = t('desktop.documents-are-open-in-an', { count: openDocuments });
  return {
    type: 'question',
    message: t('desktop.keep-doctray-running-without-its'),
    detail: openDocuments === 0 ? noTray : `${noTray} ${open}`,
    buttons: [t('desktop.keep-running'), t('desktop.quit'), t('common.cancel')],
    defaultId: 0,
    cancelId: 2,
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
