// `powerMonitor` and `powerSaveBlocker`. A test emits suspend, resume, shutdown, on-ac, on-battery or unlock-screen; listeners may prevent
// shutdown, as on Linux and macOS.

import type { PowerMonitor, PowerSaveBlocker } from 'electron';

import { createEvent } from '../cancelable-event.ts';
import { StrictEmitter, strict } from '../strict.ts';

const events = ['suspend', 'resume', 'shutdown', 'on-ac', 'on-battery', 'unlock-screen'];

export interface PowerModule {
  powerMonitor: PowerMonitor;
  powerSaveBlocker: PowerSaveBlocker;
  /** Emits the event and says whether a listener prevented it. */
  emit(name: string): { isPrevented: boolean };
  blockers(): { id: number; type: string }[];
}

export function createPower(): PowerModule {
  let lastBlocker = 0;
  const blockers = new Map<number, string>();

  let isOnBattery = false;
  class PowerMonitorModule extends StrictEmitter {
    isOnBatteryPower = (): boolean => isOnBattery;
  }
  const powerMonitor = new PowerMonitorModule('powerMonitor', events);

  const blocker = {
    start(type: 'prevent-app-suspension' | 'prevent-display-sleep') {
      if (type !== 'prevent-app-suspension' && type !== 'prevent-display-sleep')
        throw new TypeError('Error processing argument at index 0');
      blockers.set(++lastBlocker, type);
      return lastBlocker;
    },
    stop: (id: number) => blockers.delete(id),
    isStarted: (id: number) => blockers.has(id),
  } satisfies Pick<PowerSaveBlocker, 'start' | 'stop' | 'isStarted'>;

  return {
    powerMonitor: powerMonitor as unknown as PowerMonitor,
    powerSaveBlocker: strict(blocker, 'powerSaveBlocker'),
    emit(name) {
      if (!events.includes(name)) throw new Error(`powerMonitor has no event '${name}'`);
      if (name.startsWith('on-')) isOnBattery = name === 'on-battery';
      const event = createEvent();
      powerMonitor.emit(name, event);
      return { isPrevented: event.defaultPrevented };
    },
    blockers: () => [...blockers].map(([id, type]) => ({ id, type })),
  };
}
