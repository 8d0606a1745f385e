// How the app ends. A person is asked while documents are open; a save that runs is waited for, since its bytes are nowhere else;
// a signal or the end of the session asks nobody. Whatever hangs, the process is gone in the end.

import type { WindowState } from '../contract/state.ts';
import { documentsBeingEdited } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import type { Ask } from './desktop-ask.ts';
import { countText } from './menu-text.ts';
import { closeQuestion, openDocumentsQuestion, stillSavingQuestion } from './quitting-questions.ts';

/** While the app ends. */
export interface QuitProgress {
  /** Saves that are waited for. */
  saves: number;
}

export interface QuittingDeps {
  app: {
    on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
    /** Closes the windows, who may refuse. */
    quit(): void;
    /** Asks nobody. */
    exit(code?: number): void;
  };
  ask: Ask;
  state(): WindowState;
  /** The host that runs. */
  host(): { runningSaves(): number } | undefined;
  /**
   * Takes no new requests, and cuts those that still run after that time; a later call with less time counts for the earlier one
   * too. Resolves when the database is closed.
   */
  stopHost(limitMs: number): Promise<void>;
  hasTray(): boolean;
  /** `progress()` says something else than before. */
  onProgress(): void;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  limits?: Partial<QuittingLimits>;
}

export interface QuittingLimits {
  /** A person who quits is asked after this time whether to wait longer. */
  askAgainMs: number;
  /** Nobody can be asked: a service manager kills after 90 s, a session's end after less. */
  unaskedMs: number;
  /** For requests that are no saves, once no save runs. */
  restMs: number;
  /** For the database, and for windows that do not close. */
  closeMs: number;
  lookMs: number;
}

export interface Quitting {
  attach(): void;
  /** After Electron is ready: it sets handlers of its own before. */
  attachSignals(process: Pick<NodeJS.Process, 'on'>): void;
  /** Asks while documents are open. Once it is waiting for saves, offers to quit at once. */
  request(): void;
  /** Asks nobody; what runs is finished, within limits. */
  end(why: 'signal' | 'shutdown'): void;
  /** For a window's `close`: hides it where there is a tray, asks where there is none, lets go of it when the app ends. */
  windowClosing(event: { preventDefault(): void }, hide: () => void): void;
  /** The host is being stopped; there is no way back. */
  isQuitting(): boolean;
  progress(): QuitProgress | undefined;
}

const defaultLimits: QuittingLimits = {
  askAgainMs: 60_000,
  unaskedMs: 30_000,
  restMs: 3000,
  closeMs: 5000,
  lookMs: 250,
};
/** Timers cannot be set for longer. */
const forever = 2 ** 31 - 1;
/** npm passes on a Ctrl+C that the terminal has sent to this process as well. */
const sameSignalMs = 300;

export function createQuitting(deps: QuittingDeps): Quitting {
  const { app, ask, log } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  let phase: 'running' | 'ending' | 'ended' = 'running';
  let isAsking = false;
  /** Nobody is there to answer any more. */
  let isUnasked = false;
  let progress: QuitProgress | undefined;
  let cutNow: () => void = () => undefined;
  let signalledAtMs: number | undefined;
  /** Takes the question about running saves back: they have come to their end. */
  const nothingLeft = new AbortController();

  function setProgress(saves: number): void {
    if (progress?.saves === saves) return;
    progress = { saves };
    deps.onProgress();
  }

  /** One question at a time. Undefined: another is being asked, or nobody could be. */
  async function askOnce(question: Parameters<Ask>[0], signal?: AbortSignal): Promise<number | undefined> {
    if (isAsking) return undefined;
    isAsking = true;
    try {
      return await ask(question, signal);
    } catch (error) {
      log.error({ err: error }, 'A question could not be shown.');
      return undefined;
    } finally {
      isAsking = false;
    }
  }

  async function request(): Promise<void> {
    if (phase === 'ended') return;
    if (phase === 'ending') return offerToCut();
    const open = documentsBeingEdited(deps.state()).map(({ path }) => path);
    if (open.length > 0) {
      const saves = deps.host()?.runningSaves() ?? 0;
      const answer = await askOnce(openDocumentsQuestion(open, saves));
      if (answer !== 0) return;
    }
    await finish(undefined);
  }

  async function offerToCut(): Promise<void> {
    if (isUnasked || progress === undefined || progress.saves === 0) return;
    const answer = await askOnce(stillSavingQuestion(progress.saves), nothingLeft.signal);
    if (answer === 1 && !nothingLeft.signal.aborted) cutNow();
  }

  /** @param unaskedMs how long saves may take when nobody is there to be asked */
  async function finish(unaskedMs: number | undefined): Promise<void> {
    if (phase !== 'running') return;
    phase = 'ending';
    const host = deps.host();
    const cut = Promise.withResolvers<'cut'>();
    const drained = Promise.withResolvers<'drained'>();
    cutNow = () => cut.resolve('cut');
    function look(): void {
      const saves = host?.runningSaves() ?? 0;
      setProgress(saves);
      if (saves === 0) drained.resolve('drained');
    }
    log.info({ saves: host?.runningSaves() ?? 0 }, 'DocTray ends.');

    const stopped = stopHost(unaskedMs ?? forever).then(() => 'stopped' as const);
    look();
    const looking = setInterval(look, limits.lookMs);
    const askingAgain = setInterval(() => void offerToCut(), limits.askAgainMs);
    const limit = unaskedMs === undefined ? [] : [after(unaskedMs).then(() => 'cut' as const)];
    const outcome = await Promise.race([stopped, drained.promise, cut.promise, ...limit]);
    clearInterval(looking);
    clearInterval(askingAgain);
    nothingLeft.abort();
    if (outcome !== 'stopped') {
      // What is read meanwhile can be read again.
      const restMs = outcome === 'drained' ? limits.restMs : 0;
      await Promise.race([Promise.all([stopped, stopHost(restMs)]), after(restMs + limits.closeMs)]);
    }
    leave();
  }

  async function stopHost(limitMs: number): Promise<void> {
    try {
      await deps.stopHost(limitMs);
    } catch (error) {
      log.error({ err: error }, 'The host did not stop cleanly; what is saved is safe.');
    }
  }

  function leave(): void {
    phase = 'ended';
    if (progress?.saves !== 0) setProgress(0);
    // A window that refuses to close would keep a process without a host.
    setTimeout(() => app.exit(0), limits.closeMs);
    app.quit();
  }

  function end(why: 'signal' | 'shutdown'): void {
    log.info({ why }, 'DocTray was told to end.');
    isUnasked = true;
    if (phase === 'running') void finish(limits.unaskedMs);
    // A person's wait for saves has a bound from now on.
    else setTimeout(() => cutNow(), limits.unaskedMs).unref();
  }

  function onSignal(): void {
    const nowMs = performance.now();
    const isAnother = signalledAtMs !== undefined && nowMs - signalledAtMs > sameSignalMs;
    signalledAtMs ??= nowMs;
    if (isAnother) cutNow();
    else end('signal');
  }

  async function askAboutClosing(hide: () => void): Promise<void> {
    const answer = await askOnce(closeQuestion(documentsBeingEdited(deps.state()).length));
    if (phase !== 'running') return;
    if (answer === 0) hide();
    else if (answer === 1) await request();
  }

  return {
    attach() {
      app.on('before-quit', (event) => {
        if (phase === 'ended') return;
        event.preventDefault();
        void request();
      });
    },
    attachSignals(process) {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
    },
    request: () => void request(),
    end,
    windowClosing(event, hide) {
      if (phase === 'ended') return;
      event.preventDefault();
      if (deps.hasTray()) hide();
      else if (phase === 'running') void askAboutClosing(hide);
      else void offerToCut();
    },
    isQuitting: () => phase !== 'running',
    progress: () => progress,
  };
}

/** For the window's title while saves are waited for. */
export function quitTitle(title: string, progress: QuitProgress | undefined): string {
  if (progress === undefined || progress.saves === 0) return title;
  return `${title} – finishing ${countText(progress.saves, 'save', 'saves')}…`;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
