// Sleep and shutdown. The computer is kept awake while documents are edited on mains power, or saved. After a sleep the host checks
// its port and its locks. A shutdown waits until the host has stopped.

import type { BrowserWindow, Event, PowerMonitor, PowerSaveBlocker } from 'electron';
import { documentsBeingEdited, type WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';

export interface PowerDeps {
  /** Emits `shutdown` on macOS and Linux only. */
  powerMonitor: Pick<PowerMonitor, 'on' | 'isOnBatteryPower'>;
  powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  state(): WindowState;
  /** `Host.noteWake` of the running host. */
  noteWake(): Promise<void>;
  runningSaves(): number;
  /** The keychain is often unlocked together with the screen. */
  screenUnlocked(): void;
  /** `Quitting.end('shutdown')`. */
  quitForShutdown(): void;
  log: Pick<Logger, 'info' | 'error'>;
}

export type Power = ReturnType<typeof createPower>;

export function createPower(deps: PowerDeps) {
  const { powerMonitor, powerSaveBlocker, log } = deps;
  let blocker: number | undefined;

  function keepAwake(isNeeded: boolean): void {
    if (isNeeded) {
      blocker ??= powerSaveBlocker.start('prevent-app-suspension');
      return;
    }
    if (blocker !== undefined) powerSaveBlocker.stop(blocker);
    blocker = undefined;
  }

  function wake(): void {
    deps.noteWake().catch((error: unknown) => {
      log.error({ err: error }, 'The host couldn’t be checked after waking up.');
    });
  }

  const isEditing = (): boolean => documentsBeingEdited(deps.state()).length > 0;

  function refresh(): void {
    // A forgotten tab must not drain a battery.
    keepAwake(deps.runningSaves() > 0 || (isEditing() && !powerMonitor.isOnBatteryPower()));
  }

  return {
    /** After Electron is ready. */
    start() {
      powerMonitor.on('on-ac', refresh);
      powerMonitor.on('on-battery', refresh);
      powerMonitor.on('resume', wake);
      powerMonitor.on('unlock-screen', deps.screenUnlocked);
      // A prevented shutdown waits as long as the system allows; the app must then quit on its own.
      powerMonitor.on('shutdown', (event?: Event) => {
        event?.preventDefault();
        deps.quitForShutdown();
      });
    },
    /** Follows the state; cheap when nothing has changed. */
    refresh,
    /** Windows reports the end of the session to a window, even to a hidden one. */
    watchWindow(window: Pick<BrowserWindow, 'on'>) {
      window.on('query-session-end', (event) => {
        if (deps.runningSaves() === 0 && !isEditing()) return;
        log.info({}, 'Signing out waits for open documents.');
        event.preventDefault();
        deps.quitForShutdown();
      });
      // The shutdown can't be delayed any more; this uses the remaining time.
      window.on('session-end', () => deps.quitForShutdown());
    },
    /** Lets the computer sleep. */
    close: () => keepAwake(false),
  };
}
