// Sleep and the end of the session. The machine is kept awake while documents are edited and no longer; after a sleep the host
// looks at its port and its locks anew; a shutdown waits until the host has closed what is open.

import type { Event } from 'electron';
import { documentsBeingEdited, type WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';

export interface PowerDeps {
  /** Of the module electron. Its `shutdown`: macOS and Linux. */
  powerMonitor: { on(event: 'resume' | 'shutdown', listener: (event?: Event) => void): unknown };
  powerSaveBlocker: {
    start(type: 'prevent-app-suspension'): number;
    stop(id: number): unknown;
  };
  state(): WindowState;
  /** `Host.noteWake` of the host that runs. */
  noteWake(): Promise<void>;
  runningSaves(): number;
  /** `Quitting.end('shutdown')`. */
  endForShutdown(): void;
  log: Pick<Logger, 'info' | 'error'>;
}

/** A window is told of the end of the session on Windows, also while it is hidden. */
export interface SessionWindow {
  on(event: 'query-session-end' | 'session-end', listener: (event: Event) => void): unknown;
}

export interface Power {
  /** After Electron is ready. */
  start(): void;
  /** Looks at the state; cheap when nothing has changed. */
  refresh(): void;
  watchWindow(window: SessionWindow): void;
  /** Lets the machine sleep. */
  close(): void;
}

export function createPower(deps: PowerDeps): Power {
  const { powerMonitor, powerSaveBlocker, log } = deps;
  let blocker: number | undefined;

  function keepAwake(isNeeded: boolean): void {
    if (isNeeded === (blocker !== undefined)) return;
    if (blocker === undefined) {
      blocker = powerSaveBlocker.start('prevent-app-suspension');
    } else {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  }

  async function wake(): Promise<void> {
    try {
      await deps.noteWake();
    } catch (error) {
      log.error({ err: error }, 'The host could not be looked at after the sleep.');
    }
  }

  const hasOpenWork = (): boolean => documentsBeingEdited(deps.state()).length > 0 || deps.runningSaves() > 0;

  return {
    start() {
      powerMonitor.on('resume', () => void wake());
      // Electron holds the shutdown up for as long as the system allows, on the condition that the app ends by itself.
      powerMonitor.on('shutdown', (event) => {
        event?.preventDefault();
        deps.endForShutdown();
      });
    },
    refresh: () => keepAwake(documentsBeingEdited(deps.state()).length > 0),
    watchWindow(window) {
      window.on('query-session-end', (event) => {
        if (!hasOpenWork()) return;
        log.info({}, 'The end of the session waits for open documents.');
        event.preventDefault();
        deps.endForShutdown();
      });
      // Too late to wait: what can be written in the time left is written.
      window.on('session-end', () => deps.endForShutdown());
    },
    close: () => keepAwake(false),
  };
}
