// Save as: the name is asked here and the copy made by the editor. Collabora then loads the copy into the very frame, so the
// page follows it, or names and tokens would be those of the wrong document; the others stay, and the copy is offered.

import { askNameOfCopy } from './dialogs.ts';
import type { EditorFrame } from './editor-frame.ts';
import type { HostApi } from './host-api.ts';
import type { EditorMessage } from './messages.ts';
import type { PageBar } from './page-bar.ts';
import type { PagePhase } from './page-phase.ts';
import { words } from './words.ts';

export interface Copying {
  saveAs(format: string | null): Promise<void>;
  answered(message: EditorMessage & { kind: 'save-answered' }): void;
  /** The frame has loaded a document again. True when that is the copy, and the page goes there. */
  followed(): boolean;
}

export interface CopyingDeps {
  api: Pick<HostApi, 'state' | 'ticket'>;
  bar: Pick<PageBar, 'setNotice'>;
  frame: Pick<EditorFrame, 'post'>;
  phase: PagePhase;
  documentName(): string;
  inDialog<Result>(body: () => Promise<Result>): Promise<Result | undefined>;
  openAgain(): void;
}

export function createCopying({
  api,
  bar,
  frame,
  phase,
  documentName,
  inDialog,
  openAgain,
}: CopyingDeps): Copying {
  let copyName: string | undefined;

  async function goThere(name: string): Promise<void> {
    phase.go('closing', words.goingOn(name));
    try {
      const { copies } = await api.state();
      const newestFirst = copies.toSorted((a, b) => b.madeAtMs - a.madeAtMs);
      const copy = newestFirst.find((one) => one.name === name) ?? newestFirst[0];
      if (copy === undefined) throw new Error(words.strayed);
      location.replace((await api.ticket(copy.fileId, 'edit')).url);
    } catch {
      phase.go('failed');
      bar.setNotice('loading', {
        text: words.strayed,
        tone: 'warn',
        buttons: [{ label: 'Back to the first', isMain: true, press: openAgain }],
      });
    }
  }

  return {
    async saveAs(format) {
      const filename = await inDialog(async () => askNameOfCopy(documentName(), format));
      if (filename !== undefined) frame.post('Action_SaveAs', { Filename: filename, Notify: true });
    },
    answered({ isSaved, fileName, isExport, text }) {
      bar.setNotice(
        'save',
        isSaved
          ? null
          : {
              text: words.saveFailed,
              ...(text !== null && { more: text }),
              tone: 'warn',
              hasDismiss: true,
            },
      );
      if (isSaved && fileName !== null && !isExport && fileName !== documentName()) copyName = fileName;
    },
    followed() {
      if (copyName === undefined) return false;
      void goThere(copyName);
      copyName = undefined;
      return true;
    },
  };
}
