// A host keeper without a host, which is starting or failed to start.

import type { AppError } from '../../../app/contract/errors.ts';
import type { DomainEvent } from '../../../app/contract/events.ts';
import type { HostKeeper } from '../../../app/host/host-keeper.ts';

export type FakeKeeper = ReturnType<typeof fakeKeeper>;

export function fakeKeeper(dataDir: string) {
  const listeners = new Set<(event: DomainEvent) => void>();
  const fake = {
    problemNow: undefined as AppError | undefined,
    starts: 0,
    restarts: 0,
    emit(event: DomainEvent): void {
      for (const listener of listeners) listener(event);
    },
  };
  const keeper: HostKeeper = {
    dataDir,
    host: () => undefined,
    isStarting: () => false,
    problem: () => fake.problemNow,
    start: async () => void (fake.starts += 1),
    whenStarted: () => Promise.resolve(),
    retryKeychain: () => undefined,
    restart: async () => void (fake.restarts += 1),
    stop: () => Promise.resolve(),
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return Object.assign(fake, keeper);
}
