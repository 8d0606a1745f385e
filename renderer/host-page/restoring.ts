// Restores an earlier version. If only this tab edits the document, the editor is closed first, so that its text is kept as a version
// and its lock is released. Otherwise the lock would stay, and the editor would be closed for nothing.

import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import type { Closing } from './closing.ts';
import { askHolder, heldBy, listOf } from './document-notices.ts';
import { asHostError } from './host-api.ts';
import { isShared } from './open-document.ts';
import { pause, type PageParts } from './page-parts.ts';
import { mainButton, notice } from './page-store.ts';

/** If the other tab doesn't release the lock, the host takes it after 8 s. */
const takeOverMs = 15_000;
/** ONLYOFFICE releases its lock 5 to 10 s after its last page is gone. */
const releaseMs = 30_000;

export function createRestoring(parts: PageParts, close: Closing['close']) {
  const { page, store, api, frame, host, tabs, go } = parts;
  /** A version was restored, which is shown once the page has loaded the editor again. */
  const restoredKey = `doctray-restored-${page.address}`;
  let onTakeOver: (hasLock: boolean) => void = () => undefined;

  /** The text editor takes the lock over from another tab of its user, which saves first. */
  async function hasLock(): Promise<boolean> {
    if (!page.isEditing || page.opened?.kind !== 'text-editor') return page.isEditing;
    return new Promise((resolve) => {
      onTakeOver = resolve;
      setTimeout(() => resolve(false), takeOverMs);
      frame.post('Action_Edit');
    });
  }

  /**
   * Why the version wasn't restored: whoever has the lock has to close the document first.
   * @param isInOtherTab another tab of this browser has the lock
   */
  function reasonOf(error: unknown, holder: PageState['holder'], isInOtherTab: boolean): string {
    const { code, message } = asHostError(error);
    if (code !== 'file-locked') return message;
    const others = holder?.otherUsers ?? [];
    if (others.length > 0) return t('page.this-document-is-open-for', { names: listOf(others) });
    if (holder?.isOpenElsewhere === true || isInOtherTab) return t('page.you-have-this-document-open');
    if (holder === null || holder.isThisEditor || holder.userName === null) return message;
    return `${heldBy(holder)} ${askHolder(page.isOwner)}`;
  }

  /** The page is loaded again, with the restored content. @throws HostError */
  async function restoreNow(versionId: string): Promise<void> {
    await api.restoreVersion(versionId);
    sessionStorage.setItem(restoredKey, 'true');
    // If text is unsaved, the browser asks. Otherwise a question from the editor must not keep the old content open.
    if (!page.hasUnsavedText) {
      go('closing', t('page.restoring'));
      frame.remove();
    }
    location.reload();
  }

  async function restoreOnceReleased(versionId: string): Promise<void> {
    go('closing', t('page.restoring'));
    frame.remove();
    const title = t('page.restoring-name', { name: isolated(page.name) });
    store.choose(title, t('page.waiting-for-editor-to-release', { editor: page.editor }));
    const endsAtMs = Date.now() + releaseMs;
    const attempt = async () => restoreNow(versionId).then(() => undefined, asHostError);
    let error = await attempt();
    while (error?.code === 'file-locked' && Date.now() < endsAtMs) {
      await pause(500);
      error = await attempt();
    }
    if (error === undefined) return;
    const { holder = null } = (await host.askFresh()) ?? {};
    const openAgain = mainButton(t('common.open-again'), () => location.reload());
    store.choose(t('page.the-version-wasnt-restored'), reasonOf(error, holder, false), [openAgain]);
  }

  return {
    /** Resolves when the document has its earlier content again, its editor is being closed for that, or the page shows why not. */
    async restore(versionId: string): Promise<void> {
      store.setNotice('version', null);
      const [state, isInOtherTab] = await Promise.all([host.askFresh(), tabs.ask('is-editing')]);
      const holder = state?.holder ?? null;
      const isHeldHere = holder?.isThisEditor === true;
      if (isHeldHere && !isInOtherTab && !isShared(holder) && (await hasLock())) {
        store.set({ versions: null });
        await close({
          run: () => void restoreOnceReleased(versionId),
          labels: { save: t('page.save-and-restore'), anyway: t('page.restore-anyway') },
        });
        return;
      }
      await restoreNow(versionId).catch(async (error: unknown) => {
        // Tabs of the text editor don't share the lock. Without another tab, a closed page has left it behind.
        const isHeldByOtherTab = isHeldHere && (await tabs.ask('is-open'));
        const why = reasonOf(error, holder, isInOtherTab || isHeldByOtherTab);
        store.setNotice('version', notice('bad', t('page.the-version-wasnt-restored'), why));
      });
    },
    /** The text editor reports whether it has the lock. */
    tookOver: (hasLock: boolean) => onTakeOver(hasLock),
    /** The editor has loaded the document. */
    loaded(): void {
      if (sessionStorage.getItem(restoredKey) === null) return;
      sessionStorage.removeItem(restoredKey);
      store.setNotice('restored', notice('info', t('page.restored-the-previous-content-is')));
    },
  };
}
