// Tells the host page whether there are unsaved changes. When a change is reported, the host page asks the host how many saves there
// were, so that it knows whether a refused save contained the change. So a change is reported at once, well before its save starts. Then
// the host page waits for a save, even if the change has been undone since.

import type { HostMessages } from './host-messages.ts';

const beforeSaveMs = 300;

export function createModifiedSignal(deps: {
  host: HostMessages;
  hasUnsaved: () => boolean;
  now: () => number;
}) {
  const { host, hasUnsaved, now } = deps;
  let isOpen = false;
  let saidAtMs = 0;

  function say(isModified: boolean): void {
    isOpen = isModified;
    saidAtMs = now();
    host.post('Doc_ModifiedStatus', { Modified: isModified });
  }

  return {
    /** The page heard of a change, and of no save since. */
    isOpen: () => isOpen,
    /** The user changed something. */
    changed() {
      if (host.isEmbedded && !isOpen && hasUnsaved()) say(true);
    },
    /** Resolves when a save may begin. */
    async beforeSave() {
      if (!host.isEmbedded) return;
      if (!isOpen) say(true);
      const waitMs = beforeSaveMs - (now() - saidAtMs);
      if (waitMs <= 0) return;
      await new Promise((resolve) => {
        setTimeout(resolve, waitMs);
      });
    },
    /** A save was written. */
    saved() {
      if (isOpen) say(hasUnsaved());
    },
  };
}
