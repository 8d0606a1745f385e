// Save a copy and Rename: asks for the name, calls the host, and says what came of it.

import { t, type MessageKey } from '../../app/contract/messages.ts';
import { isolated, stemOf, typeOf } from '../../app/contract/names.ts';
import { renameQuestion } from '../kit/name-check.ts';
import type { HostMessages } from './host-messages.ts';
import { writeText, type FileText } from './line-endings.ts';
import type { Page } from './page-store.ts';
import { isUnreachable, type Answer, type WopiClient } from './wopi-client.ts';

export interface NamingDeps {
  wopi: WopiClient;
  page: Page;
  host: HostMessages;
  name: () => string;
  /** Undefined: there is nothing to copy. */
  text: () => FileText | undefined;
  /** The id of the lock that is held, or ''. */
  lockId: () => string;
  /** With its extension. */
  onRenamed: (name: string) => void;
  /** A dialog was closed. */
  onDialogClosed: () => void;
}

export function createNaming(deps: NamingDeps) {
  const { wopi, page, host } = deps;

  /** Shows why, and returns it. */
  function fail(key: MessageKey, answer: Answer): string {
    const reason = isUnreachable(answer) ? t('common.doctray-isnt-responding') : answer.reason;
    const text = t(key, { reason: reason || 'none' });
    page.setNotice('copy', { text, tone: 'bad', hasDismiss: true });
    return text;
  }

  /** @returns why there is no copy */
  async function saveCopy(name: string): Promise<string | undefined> {
    const text = deps.text();
    // A copy of damaged text would lose what can't be shown.
    if (text === undefined) return t('editor.doctray-couldnt-save-the-copy', { reason: 'none' });
    const answer = await wopi.putRelativeFile(writeText(text), name);
    if (answer.body === undefined) return fail('editor.doctray-couldnt-save-the-copy', answer);
    const { Name, HostEditUrl } = answer.body;
    const url = webAddress(HostEditUrl);
    // The frame still shows the original document. The host page shows the copy.
    host.post('Action_Save_Resp', { success: true, fileName: Name, result: 'exportas' });
    const notice = {
      text: t('common.saved-a-copy-name', { name: isolated(Name) }),
      tone: 'info',
      hasDismiss: true,
      link: url === undefined ? undefined : { name: t('common.open-copy'), url },
    } as const;
    page.setNotice('copy', host.isEmbedded ? null : notice);
    return undefined;
  }

  async function ask(question: Parameters<Page['ask']>[0]): Promise<string | undefined> {
    const name = await page.ask(question);
    deps.onDialogClosed();
    return name;
  }

  return {
    saveCopy,

    async askForCopy(): Promise<void> {
      const extension = typeOf(deps.name());
      const stem = t('common.stem-copy', { stem: stemOf(deps.name()) });
      const name = await ask({
        title: t('common.save-a-copy'),
        label: t('common.name-of-the-copy'),
        hint: t('editor.the-copy-is-saved-in'),
        value: extension === '' ? stem : `${stem}.${extension}`,
        selected: stem.length,
        submit: t('common.save-a-copy'),
      });
      if (name === undefined) return;
      await saveCopy(extension === '' || typeOf(name) !== '' ? name : `${name}.${extension}`);
    },

    async askForName(): Promise<void> {
      const extension = typeOf(deps.name());
      const name = await ask(renameQuestion(deps.name()));
      if (name === undefined || name === stemOf(deps.name())) return;
      const answer = await wopi.renameFile(name, deps.lockId());
      if (answer.body === undefined) {
        fail('editor.doctray-couldnt-rename-this-document', answer);
        return;
      }
      page.setNotice('copy', null);
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
