// Delivers pushes to the window, by name. Its callers limit them to ten a second for each name.

import type { PushName, Pushes } from '../contract/pushes.ts';
import type { Logger } from '../log/logger.ts';

type Listener<Name extends PushName> = (push: Pushes[Name]) => void;

export interface PushHub {
  on<Name extends PushName>(name: Name, listener: Listener<Name>): () => void;
  /** A listener that throws doesn't keep the others from being called. */
  push<Name extends PushName>(name: Name, push: Pushes[Name]): void;
  close(): void;
}

export function createPushHub(deps: { log: Logger }): PushHub {
  const listeners: { [Name in PushName]: Set<Listener<Name>> } = {
    'state-changed': new Set(),
    'activity-added': new Set(),
    'folder-changed': new Set(),
    navigate: new Set(),
  };

  const push = <Name extends PushName>(name: Name, push: Pushes[Name]): void => {
    const called: Set<Listener<Name>> = listeners[name];
    for (const listener of called) {
      try {
        listener(push);
      } catch (error) {
        deps.log.error({ err: error, push: name }, 'A push to the window failed.');
      }
    }
  };

  return {
    on(name, listener) {
      listeners[name].add(listener);
      return () => void listeners[name].delete(listener);
    },
    push,
    close() {
      for (const all of Object.values(listeners)) all.clear();
    },
  };
}
