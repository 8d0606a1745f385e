// `powerMonitor` and `powerSaveBlocker`. A test emits suspend, resume or shutdown; shutdown comes with an event a
// listener may prevent, as on Linux and macOS.

import type { PowerMonitor, PowerSaveBlocker } from 'electron';

import { createEvent } from '../cancelable-event.ts';
import { StrictEmitter, strict } from '../strict.ts';

const events = [
  'suspend',
  'resume',
  'on-ac',
  'on-battery',
  'thermal-state-change',
  'speed-limit-change',
  'shutdown',
  'lock-screen',
  'unlock-screen',
  'user-did-become-active',
  'user-did-resign-active',
];

export interface PowerModule {
  powerMonitor: PowerMonitor;
  powerSaveBlocker: PowerSaveBlocker;
  /** Emits the event and says whether a listener prevented it. */
  emit(name: string): { isPrevented: boolean };
  setIdleSeconds(seconds: number): void;
  setOnBattery(isOnBattery: boolean): void;
  blockers(): { id: number; type: string }[];
}

export function createPower(): PowerModule {
  let idleSeconds = 0;
  let isOnBattery = false;
  let lastBlocker = 0;
  const blockers = new Map<number, string>();

  class StandInPowerMonitor
    extends StrictEmitter
    implements
      Pick<
        PowerMonitor,
        | 'getSystemIdleTime'
        | 'getSystemIdleState'
        | 'getCurrentThermalState'
        | 'isOnBatteryPower'
        | 'onBatteryPower'
      >
  {
    constructor() {
      super('powerMonitor', events);
    }
    get onBatteryPower(): boolean {
      return isOnBattery;
    }
    getSystemIdleTime(): number {
      return idleSeconds;
    }
    getSystemIdleState(threshold: number): 'active' | 'idle' {
      return idleSeconds >= threshold ? 'idle' : 'active';
    }
    getCurrentThermalState(): 'unknown' {
      return 'unknown';
    }
    isOnBatteryPower(): boolean {
      return isOnBattery;
    }
  }
  const powerMonitor = new StandInPowerMonitor();

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
    powerMonitor: powerMonitor,
    powerSaveBlocker: strict(blocker, 'powerSaveBlocker'),
    emit(name) {
      if (!events.includes(name)) throw new Error(`powerMonitor has no event '${name}'`);
      const event = createEvent();
      powerMonitor.emit(name, event);
      return { isPrevented: event.defaultPrevented };
    },
    setIdleSeconds: (seconds) => void (idleSeconds = seconds),
    setOnBattery: (value) => void (isOnBattery = value),
    blockers: () => [...blockers].map(([id, type]) => ({ id, type })),
  };
}
