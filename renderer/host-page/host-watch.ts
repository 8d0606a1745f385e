// Asks the host for the document's state while the page is visible, and shows when the host doesn't respond or the user is signed
// out.

import { t } from '../../app/contract/messages.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import { HostError, type HostApi } from './host-api.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import type { Notice, PageBar } from './page-bar.ts';
import { words } from './words.ts';

export interface HostWatch {
  /** Asks once; joins a request that is running. */
  ask(): Promise<PageState | undefined>;
  /** Asks with a request that starts after this call. Undefined if the host doesn’t respond. */
  askFresh(): Promise<PageState | undefined>;
  /** After something that the host may not know yet. */
  askSoon(): void;
  signedOut(): void;
  /** The last answer said what is saved. */
  isConnected(): boolean;
  signInAgain: ButtonChoice;
}

export interface HostWatchDeps {
  api: Pick<HostApi, 'state'>;
  bar: Pick<PageBar, 'setName' | 'setNotice'>;
  editorId(): string | undefined;
  /** Open for editing. */
  isEditing(): boolean;
  /** The editor accepts no changes, or can't save them. */
  isReadOnly(): boolean;
  /** Read before each request, and passed on with its answer. */
  changeCount(): number;
  onState(state: PageState, changesBefore: number): void;
  /** @param isSure not a single unanswered call, as after a computer slept */
  onDisconnected(isSure: boolean): void;
}

const soonMs = [300, 2000, 5000];

export function createHostWatch(deps: HostWatchDeps): HostWatch {
  const { api, bar, editorId, isEditing, isReadOnly, changeCount, onState, onDisconnected } = deps;
  let failures = 0;
  let isConnected = true;
  let asking: Promise<PageState | undefined> | undefined;

  const signInAgain: ButtonChoice = {
    label: t('page.sign-in-again'),
    isMain: true,
    press: () => {
      location.reload();
    },
  };

  function signedOut(): void {
    isConnected = false;
    onDisconnected(true);
    bar.setNotice('host', {
      text: words.signedOut,
      more: words.signedOutMore(isReadOnly()),
      tone: 'warn',
      buttons: [signInAgain],
    });
  }

  function failed(error: unknown): void {
    failures += 1;
    const status = error instanceof HostError ? error.status : 0;
    isConnected = false;
    if (status === 401) signedOut();
    else if (status !== 0 && error instanceof HostError)
      bar.setNotice('host', { text: error.message, tone: 'warn' });
    // A single unanswered call isn't reported.
    else if (failures > 1)
      bar.setNotice('host', { text: words.hostSilent, more: words.hostSilentMore, tone: 'warn' });
    onDisconnected(status !== 0 || failures > 1);
  }

  function goneNotice({ code, message }: NonNullable<PageState['gone']>): Notice {
    if (code !== 'file-missing') return { text: message, tone: 'warn' };
    return { text: words.gone, ...(isEditing() && { more: words.goneMore }), tone: 'warn' };
  }

  async function askOnce(): Promise<PageState | undefined> {
    const changesBefore = changeCount();
    let state: PageState;
    try {
      state = await api.state(editorId());
    } catch (error) {
      failed(error);
      return undefined;
    }
    failures = 0;
    if (state.hasEnded) {
      signedOut();
      return undefined;
    }
    isConnected = true;
    bar.setNotice('host', state.gone === null ? null : goneNotice(state.gone));
    if (state.gone === null) bar.setName(state.name);
    onState(state, changesBefore);
    return state;
  }

  async function ask(): Promise<PageState | undefined> {
    asking ??= askOnce().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    ask,
    async askFresh() {
      await asking;
      return ask();
    },
    askSoon() {
      for (const ms of soonMs) setTimeout(() => void ask(), ms);
    },
    signedOut,
    isConnected: () => isConnected,
    signInAgain,
  };
}
