// Asks the host for the document's state.

import type { PageState } from '../../app/contract/page-state.ts';
import { asHostError, HostError, type HostApi } from './host-api.ts';
import type { OpenDocument } from './open-document.ts';

export type HostWatch = ReturnType<typeof createHostWatch>;

const soonMs = [300, 2000, 5000];

/** @param answered after each request; without a state, the host didn't give one */
export function createHostWatch(
  page: OpenDocument,
  api: Pick<HostApi, 'state'>,
  answered: (state?: PageState) => void,
) {
  let failures = 0;
  let asking: Promise<PageState | undefined> | undefined;

  async function askOnce(): Promise<PageState | undefined> {
    const changesBefore = page.changes.count();
    const state = await api.state(page.opened?.editorId).catch(asHostError);
    if (state instanceof HostError) {
      failures += 1;
      // A single call may be unanswered, as after a computer slept.
      page.lostHost(state, state.status !== 0 || failures > 1);
      answered();
      return undefined;
    }
    failures = 0;
    page.sawState(state, changesBefore);
    answered(state);
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
