// Closes the page because the editor was closed: what Collabora has not saved is saved first, and when that fails the page stays.
// The others save by their servers once the last user has left, so leaving is how they save.

import type { EditorFrame } from './editor-frame.ts';
import type { HostApi } from './host-api.ts';
import type { PageBar } from './page-bar.ts';
import type { PagePhase } from './page-phase.ts';
import { words } from './words.ts';

const answerMs = 15_000;

export interface Leaving {
  close(): Promise<void>;
  /** The editor has said how a save went. */
  answered(isSaved: boolean): void;
}

export interface LeavingDeps {
  api: Pick<HostApi, 'close'>;
  bar: Pick<PageBar, 'setNotice'>;
  frame: Pick<EditorFrame, 'post'>;
  phase: PagePhase;
  /** It has something unsaved, and can be asked to save. */
  mustSave(): boolean;
  closeUrl(): string;
}

export function createLeaving({ api, bar, frame, phase, mustSave, closeUrl }: LeavingDeps): Leaving {
  let settle: ((outcome: 'saved' | 'failed' | 'silent') => void) | undefined;

  async function save(): Promise<'saved' | 'failed' | 'silent'> {
    const outcome = new Promise<'saved' | 'failed' | 'silent'>((resolve) => {
      const timer = setTimeout(() => settle?.('silent'), answerMs);
      settle = (how) => {
        clearTimeout(timer);
        settle = undefined;
        resolve(how);
      };
    });
    // without `Notify` there is no answer; a cell or text being written in stays open
    frame.post('Action_Save', { DontTerminateEdit: true, DontSaveIfUnmodified: true, Notify: true });
    return outcome;
  }

  function leave(): void {
    phase.go('closing');
    // the page's session ends; its token stays good for the save that comes when the last user has left
    api.close().catch(() => undefined);
    location.replace(closeUrl());
  }

  async function close(): Promise<void> {
    if (phase.is('closing')) return;
    const before = phase.current();
    bar.setNotice('close', null);
    phase.go('closing');
    if (mustSave()) {
      phase.go('closing', words.saving);
      const outcome = await save();
      if (outcome !== 'saved') {
        phase.go(before);
        bar.setNotice('close', {
          text: outcome === 'failed' ? words.saveFailed : words.saveSilent,
          more: outcome === 'failed' ? words.saveFailedMore : words.saveSilentMore,
          tone: 'bad',
          buttons: [
            { label: 'Save and close', isMain: true, press: () => void close() },
            { label: 'Close anyway', press: leave },
          ],
        });
        return;
      }
    }
    leave();
  }

  return { close, answered: (isSaved) => settle?.(isSaved ? 'saved' : 'failed') };
}
