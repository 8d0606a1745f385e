// Tells the host page whether there are unsaved changes. When a change is reported, the host page asks the host how many saves there
// were, and only accepts later ones as saves of that change. So a change is reported well before its save starts. A change that is
// undone right away isn't reported. After a report the host page waits for a save, even if the change has been undone since.

import type { HostMessages } from './host-messages.ts';

const afterMs = 600;
const beforeSaveMs = 300;

export interface ModifiedSignal {
  /** The page heard of a change, and of no save since. */
  isOpen(): boolean;
  /** The user changed something. */
  changed(): void;
  /** The focus left the editor, perhaps for the host page's Close: a change is reported at once. */
  lostFocus(): void;
  /** Resolves when a save may begin. */
  beforeSave(): Promise<void>;
  /** A save was written. */
  saved(): void;
  /** The host didn't answer. It counts its saves from 0 when it's back, so the page has to ask again before the next one begins. */
  unanswered(): void;
  /** Until the page heard again: it should hear when the host answers. */
  isOutdated(): boolean;
}

export interface ModifiedSignalDeps {
  host: HostMessages;
  hasUnsaved: () => boolean;
  now: () => number;
}

export function createModifiedSignal({ host, hasUnsaved, now }: ModifiedSignalDeps): ModifiedSignal {
  let isOpen = false;
  let isOutdated = false;
  let saidAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function say(isModified: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    isOpen = isModified;
    isOutdated = false;
    saidAtMs = now();
    host.post('Doc_ModifiedStatus', { Modified: isModified });
  }

  return {
    isOpen: () => isOpen,
    changed() {
      if (!host.isEmbedded || isOpen || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        if (hasUnsaved()) say(true);
      }, afterMs);
    },
    lostFocus() {
      if (timer !== undefined && hasUnsaved()) say(true);
    },
    async beforeSave() {
      if (!host.isEmbedded) return;
      if (!isOpen || isOutdated) say(true);
      const waitMs = beforeSaveMs - (now() - saidAtMs);
      if (waitMs <= 0) return;
      await new Promise((resolve) => {
        setTimeout(resolve, waitMs);
      });
    },
    saved() {
      if (isOpen) say(hasUnsaved());
    },
    unanswered() {
      isOutdated = host.isEmbedded;
    },
    isOutdated: () => isOutdated,
  };
}
