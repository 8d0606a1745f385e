// The window's copy of the state: asked for once, then kept up by pushes. A push that does not follow on, or a host that
// started anew, leads to asking again; views never see a state in between.

import type { Bridge } from '../../../app/contract/bridge.ts';
import { applyChange, type StateChange, type WindowState } from '../../../app/contract/state.ts';
import { CallError, sentenceOf, type Call } from './call.ts';

export type Snapshot =
  | { status: 'loading' }
  | { status: 'failed'; message: string; code: string }
  | { status: 'ready'; state: WindowState };

export interface WindowStore {
  /** The same object until something changed. */
  snapshot(): Snapshot;
  subscribe(listener: () => void): () => void;
  /** Asks for the whole again, say after `failed`. */
  reload(): void;
  close(): void;
}

export function createWindowStore(deps: { bridge: Bridge; call: Call }): WindowStore {
  const { bridge, call } = deps;
  const listeners = new Set<() => void>();
  let snapshot: Snapshot = { status: 'loading' };
  let isAsking = false;
  let isClosed = false;
  /** Pushes that came while the whole was on its way. */
  let early: StateChange[] = [];

  const show = (next: Snapshot) => {
    snapshot = next;
    for (const listener of listeners) listener();
  };

  const follow = (state: WindowState, changes: readonly StateChange[]): WindowState | undefined => {
    let current = state;
    for (const change of changes) {
      if (change.revision <= current.revision) continue;
      if (change.revision !== current.revision + 1) return undefined;
      current = applyChange(current, change);
    }
    return current;
  };

  const ask = async () => {
    if (isAsking || isClosed) return;
    isAsking = true;
    early = [];
    let isGap = false;
    try {
      const whole = await call('state.get', {});
      const state = follow(whole, early);
      isGap = state === undefined;
      show({ status: 'ready', state: state ?? whole });
    } catch (error) {
      const code = error instanceof CallError ? error.code : 'internal';
      // What is on the screen stays there: it is old, but nearer to the truth than an empty window.
      if (snapshot.status !== 'ready') show({ status: 'failed', code, message: sentenceOf(error) });
    } finally {
      isAsking = false;
      early = [];
    }
    if (isGap) await ask();
  };

  const stopListening = bridge.onPush('state-changed', (change) => {
    if (isAsking) {
      early.push(change);
      return;
    }
    if (snapshot.status !== 'ready') return void ask();
    // A host that started anew counts from the beginning.
    if (change.revision <= snapshot.state.revision) return void ask();
    const state = follow(snapshot.state, [change]);
    if (state === undefined) return void ask();
    show({ status: 'ready', state });
  });
  void ask();

  return {
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reload: () => {
      if (snapshot.status === 'failed') show({ status: 'loading' });
      void ask();
    },
    close: () => {
      isClosed = true;
      stopListening();
      listeners.clear();
    },
  };
}
