// Asks the host how the document is while somebody looks: its name, its version, the copies made from here; and says when
// the host is gone or the user was signed out.

import type { ButtonChoice } from './elements.ts';
import { HostError, type CopyItem, type HostApi, type PageState } from './host-api.ts';
import type { PageBar } from './page-bar.ts';
import { words } from './words.ts';

export interface HostWatch {
  /** Asks once, unless it is being asked just now. */
  ask(): Promise<PageState | undefined>;
  /** Something has just happened that the host may not know of yet. */
  askSoon(): void;
  signedOut(): void;
}

export interface HostWatchDeps {
  api: Pick<HostApi, 'state' | 'ticket'>;
  bar: Pick<PageBar, 'setName' | 'setNotice'>;
  onState(state: PageState): void;
}

const soonMs = [300, 2000, 5000];

export function createHostWatch({ api, bar, onState }: HostWatchDeps): HostWatch {
  const seenCopies = new Set<string>();
  let failures = 0;
  let asking: Promise<PageState | undefined> | undefined;

  const signInAgain: ButtonChoice = {
    label: 'Sign in again',
    isMain: true,
    press: () => {
      location.reload();
    },
  };

  function signedOut(): void {
    bar.setNotice('host', {
      text: words.signedOut,
      more: words.signedOutMore,
      tone: 'warn',
      buttons: [signInAgain],
    });
  }

  function failed(error: unknown): void {
    failures += 1;
    const status = error instanceof HostError ? error.status : 0;
    if (status === 401) signedOut();
    else if (status !== 0 && error instanceof HostError)
      bar.setNotice('host', { text: error.message, tone: 'warn' });
    // one unanswered call is not yet a host that is gone
    else if (failures > 1)
      bar.setNotice('host', { text: words.hostSilent, more: words.hostSilentMore, tone: 'warn' });
  }

  async function openCopy(kind: string, copy: CopyItem): Promise<void> {
    try {
      const { url } = await api.ticket(copy.fileId, 'edit');
      const opened = window.open(url, '_blank');
      if (opened === null) {
        bar.setNotice(kind, {
          text: words.copy(copy.name),
          tone: 'info',
          link: { text: words.copyLink, name: copy.name, url },
          hasDismiss: true,
        });
        return;
      }
      opened.opener = null;
      bar.setNotice(kind, null);
    } catch (error) {
      bar.setNotice('host', { text: (error as Error).message, tone: 'warn', hasDismiss: true });
    }
  }

  function showCopies(copies: readonly CopyItem[]): void {
    for (const copy of copies) {
      if (seenCopies.has(copy.fileId)) continue;
      seenCopies.add(copy.fileId);
      const kind = `copy ${copy.fileId}`;
      bar.setNotice(kind, {
        text: words.copy(copy.name),
        tone: 'info',
        buttons: [{ label: 'Open copy', isMain: true, press: () => void openCopy(kind, copy) }],
        hasDismiss: true,
      });
    }
  }

  async function askOnce(): Promise<PageState | undefined> {
    try {
      const state = await api.state();
      failures = 0;
      if (state.hasEnded) {
        signedOut();
        return undefined;
      }
      bar.setNotice('host', null);
      bar.setName(state.name);
      showCopies(state.copies);
      onState(state);
      return state;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  async function ask(): Promise<PageState | undefined> {
    asking ??= askOnce().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    ask,
    askSoon() {
      for (const ms of soonMs) setTimeout(() => void ask(), ms);
    },
    signedOut,
  };
}
