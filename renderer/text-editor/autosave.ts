// Decides when to save: within two seconds of the first unsaved change, even while the user keeps typing, so that a crashed tab loses
// at most two seconds of work. Saves never overlap. After a failed save, each retry waits longer than the one before.

/** Leaves time for the save itself within the two seconds. */
export const autosaveMs = 1600;
const retryMs = [1000, 2000, 4000, 8000, 15_000] as const;

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

/** `stopped`: nothing can be saved now, and a retry wouldn't help. */
export type SaveOutcome = 'saved' | 'failed' | 'stopped';

export interface AutosaveDeps {
  hasUnsaved(): boolean;
  /** Saves what the text is at that moment. Never rejects. */
  write(how: { isAutosave: boolean }): Promise<SaveOutcome>;
  onState(state: SaveState): void;
  now(): number;
}

export function createAutosave(deps: AutosaveDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsavedSinceMs: number | undefined;
  let running: Promise<SaveOutcome> | undefined;
  let failures = 0;
  let failedAtMs = 0;
  let isPaused = false;
  let shown: SaveState | undefined;

  function state(): SaveState {
    if (running !== undefined) return 'saving';
    if (failures > 0) return 'failed';
    return unsavedSinceMs === undefined ? 'saved' : 'unsaved';
  }

  function show(): void {
    const next = state();
    if (next === shown) return;
    shown = next;
    deps.onState(next);
  }

  /** The text changed, or what is on disk did. */
  function changed(): void {
    if (deps.hasUnsaved()) unsavedSinceMs ??= deps.now();
    else {
      unsavedSinceMs = undefined;
      failures = 0;
    }
    schedule();
    show();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (isPaused || running !== undefined || unsavedSinceMs === undefined) return;
    const retryAfterMs = retryMs[Math.min(failures, retryMs.length) - 1];
    const dueAtMs = retryAfterMs === undefined ? unsavedSinceMs + autosaveMs : failedAtMs + retryAfterMs;
    timer = setTimeout(() => void run(true), Math.max(0, dueAtMs - deps.now()));
  }

  async function run(isAutosave: boolean): Promise<SaveOutcome> {
    if (isPaused) return 'stopped';
    clearTimeout(timer);
    const startedAtMs = deps.now();
    // A text that can't be written is tried again, like one that can't be sent.
    running = deps.write({ isAutosave }).catch((): SaveOutcome => 'failed');
    show();
    const outcome = await running;
    running = undefined;
    failures = outcome === 'failed' ? failures + 1 : 0;
    failedAtMs = deps.now();
    // What was typed while the save was running is as old as that save, at most. That may be an undo to what was saved before,
    // which was no change then and is one now.
    if (!deps.hasUnsaved()) unsavedSinceMs = undefined;
    else if (outcome === 'saved') unsavedSinceMs = startedAtMs;
    else unsavedSinceMs ??= startedAtMs;
    schedule();
    show();
    return outcome;
  }

  return {
    changed,
    /** Saves now, or after the save that is running. Resolves when the text of this moment is saved, or couldn't be. */
    async saveNow(): Promise<SaveOutcome> {
      // the one that runs may lack the latest text
      await running;
      return running === undefined ? run(false) : running;
    },
    /** The cause of a failed save is gone; retries it at once. */
    retrySoon() {
      if (failures === 0) return;
      failedAtMs = -Infinity;
      schedule();
    },
    /** Until `resume`, nothing is saved. */
    pause() {
      isPaused = true;
      clearTimeout(timer);
    },
    resume() {
      isPaused = false;
      failures = 0;
      unsavedSinceMs = undefined;
      shown = undefined;
      changed();
    },
    state,
  };
}
