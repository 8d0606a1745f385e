// A host keeper without a host, which is starting or failed to start.

import type { AppError } from '../../../app/contract/errors.ts';
import type { DomainEvent } from '../../../app/contract/events.ts';
import type { HostKeeper } from '../../../app/host/host-keeper.ts';

export interface FakeKeeper extends HostKeeper {
  isStartingNow: boolean;
  problemNow: AppError | undefined;
  starts: number;
  restarts: number;
  emit(event: DomainEvent): void;
}

export function fakeKeeper(dataDir: string): FakeKeeper {
  const listeners = new Set<(event: DomainEvent) => void>();
  const keeper: FakeKeeper = {
    dataDir,
    isStartingNow: false,
    problemNow: undefined,
    starts: 0,
    restarts: 0,
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    host: () => undefined,
    isStarting: () => keeper.isStartingNow,
    problem: () => keeper.problemNow,
    async start() {
      keeper.starts += 1;
    },
    whenStarted: () => Promise.resolve(),
    retryKeychain: () => undefined,
    async restart() {
      keeper.restarts += 1;
    },
    stop: () => Promise.resolve(),
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return keeper;
}
