// Asks the host for the document's state.

import type { PageState } from '../../app/contract/page-state.ts';
import { asHostError, HostError } from './host-api.ts';

export type HostWatch = ReturnType<typeof createHostWatch>;

const soonMs = [300, 2000, 5000];

export function createHostWatch(deps: {
  request(): Promise<PageState>;
  /** Read before each request, and passed on with its answer. */
  changeCount(): number;
  onState(state: PageState, changesBefore: number): void;
  /** `status` 401: the user is signed out. @param isSure not a single unanswered call, as after a computer slept */
  onFailure(error: HostError, isSure: boolean): void;
}) {
  let failures = 0;
  let asking: Promise<PageState | undefined> | undefined;

  async function askOnce(): Promise<PageState | undefined> {
    const changesBefore = deps.changeCount();
    const state = await deps.request().catch(asHostError);
    if (state instanceof HostError) {
      failures += 1;
      deps.onFailure(state, state.status !== 0 || failures > 1);
      return undefined;
    }
    failures = 0;
    deps.onState(state, changesBefore);
    return state;
  }

  /** Asks once; joins a request that is running. Undefined if the host doesn’t respond. */
  async function ask(): Promise<PageState | undefined> {
    asking ??= askOnce().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    ask,
    /** Asks with a request that starts after this call. */
    async askFresh(): Promise<PageState | undefined> {
      await asking;
      return ask();
    },
    /** After something that the host may not know yet. */
    askSoon(): void {
      for (const ms of soonMs) setTimeout(() => void ask(), ms);
    },
  };
}
