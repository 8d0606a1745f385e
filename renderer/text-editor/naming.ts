// Save a copy and Rename: asks for the name, calls the host, and says what came of it.

import { askName, type Frame } from './frame.ts';
import type { HostMessages } from './host-messages.ts';
import { writeText, type FileText } from './line-endings.ts';
import { words } from './words.ts';
import { isUnreachable, type Answer, type WopiClient } from './wopi-client.ts';
import { typeOf, stemOf } from '../../app/contract/names.ts';

export interface Naming {
  askForCopy(): Promise<void>;
  /** @returns the copy's name, or why there is none */
  saveCopy(name: string): Promise<{ name: string } | { problem: string }>;
  askForName(): Promise<void>;
}

export interface NamingDeps {
  wopi: WopiClient;
  frame: Frame;
  host: HostMessages;
  name: () => string;
  text: () => FileText;
  /** The id of the lock that is held, or ''. */
  lockId: () => string;
  onCopied: (copy: { text: FileText; name: string }) => void;
  /** With its extension. */
  onRenamed: (name: string) => void;
  /** A dialog was closed. */
  onDialogClosed: () => void;
}

export function createNaming(deps: NamingDeps): Naming {
  const { wopi, frame, host } = deps;

  function reasonOf(answer: Answer): string {
    return isUnreachable(answer) ? words.hostAway : answer.reason;
  }

  async function saveCopy(name: string): Promise<{ name: string } | { problem: string }> {
    const text = deps.text();
    const answer = await wopi.putRelativeFile(writeText(text), name);
    if (answer.body === undefined) {
      const problem = words.copyFailed(reasonOf(answer));
      frame.setNotice('copy', { text: problem, tone: 'bad', hasDismiss: true });
      return { problem };
    }
    const { Name, HostEditUrl } = answer.body;
    const url = webAddress(HostEditUrl);
    // The frame still shows the original document. The host page shows the copy.
    host.post('Action_Save_Resp', { success: true, fileName: Name, result: 'exportas' });
    frame.setNotice(
      'copy',
      host.isEmbedded
        ? null
        : {
            text: words.copied(Name),
            tone: 'info',
            hasDismiss: true,
            ...(url !== undefined && { link: { name: words.openCopy, url } }),
          },
    );
    deps.onCopied({ text, name: Name });
    return { name: Name };
  }

  return {
    saveCopy,

    async askForCopy() {
      const extension = typeOf(deps.name());
      const stem = words.copyOf(stemOf(deps.name()));
      const name = await askName({
        title: words.saveCopyTitle,
        label: words.copyLabel,
        more: words.copyMore,
        value: extension === '' ? stem : `${stem}.${extension}`,
        selected: stem.length,
        button: words.saveCopyTitle,
      });
      deps.onDialogClosed();
      if (name === undefined) return;
      await saveCopy(extension === '' || typeOf(name) !== '' ? name : `${name}.${extension}`);
    },

    async askForName() {
      const extension = typeOf(deps.name());
      const stem = stemOf(deps.name());
      const name = await askName({
        title: words.renameTitle,
        label: words.renameLabel,
        more: words.renameMore(extension),
        value: stem,
        selected: stem.length,
        button: words.renameTitle,
      });
      deps.onDialogClosed();
      if (name === undefined || name === stem) return;
      const answer = await wopi.renameFile(name, deps.lockId());
      if (answer.body === undefined) {
        const text = words.renameFailed(reasonOf(answer));
        frame.setNotice('copy', { text, tone: 'bad', hasDismiss: true });
        return;
      }
      frame.setNotice('copy', null);
      const renamed = answer.body.Name;
      deps.onRenamed(extension === '' ? renamed : `${renamed}.${extension}`);
      host.post('File_Rename', { NewName: renamed });
    },
  };
}

/** Nothing else becomes a link. @param path from there */
export function webAddress(url: string | undefined, path = ''): string | undefined {
  if (url === undefined || !URL.canParse(path, url)) return undefined;
  const { protocol, href } = new URL(path, url);
  return /^https?:$/.test(protocol) ? href : undefined;
}
