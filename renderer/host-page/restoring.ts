// Restores an earlier version. If only this tab edits the document, the editor is closed first, so that its text is kept as a version
// and its lock is released. Otherwise the lock would stay, and the editor would be closed for nothing.

import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import type { Closing } from './closing.ts';
import { askHolder, heldBy, listOf } from './document-notices.ts';
import { HostError } from './host-api.ts';
import { isShared } from './open-document.ts';
import { pause, type PageParts } from './page-parts.ts';
import { mainButton, notice } from './page-store.ts';

/** If the other tab doesn't release the lock, the host takes it after 8 s. */
const takeOverMs = 15_000;
/** ONLYOFFICE releases its lock 5 to 10 s after its last page is gone. */
const releaseMs = 30_000;

export function createRestoring(parts: PageParts, close: Closing['close']) {
  const { page, store, api, frame, host, tabs, actions, go, show } = parts;
  /** A version was restored, which is shown once the editor is loaded again, perhaps in a page that was reloaded. */
  const restoredKey = `doctray-restored-${page.fileId}`;
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
   * Who has to close the document before a version can be restored.
   * @param isInOtherTab another tab of this browser has the lock
   */
  function lockError(error: unknown, holder: PageState['holder'], isInOtherTab: boolean): unknown {
    if (!isLocked(error)) return error;
    const others = holder?.otherUsers ?? [];
    let who = error.message;
    if (others.length > 0) who = t('page.this-document-is-open-for', { names: listOf(others) });
    else if (holder?.isOpenElsewhere === true || isInOtherTab) who = t('page.you-have-this-document-open');
    else if (holder !== null && !holder.isThisEditor && holder.userName !== null)
      who = `${heldBy(holder)} ${askHolder(page.isOwner)}`;
    return new HostError(error.status, error.code, who);
  }

  async function restoreOnceReleased(versionId: string): Promise<void> {
    go('closing', t('page.restoring'));
    frame.remove();
    const title = t('page.restoring-name', { name: isolated(page.name) });
    store.choose(title, t('page.waiting-for-editor-to-release', { editor: page.editor }));
    const endsAtMs = Date.now() + releaseMs;
    for (;;) {
      try {
        await api.restoreVersion(versionId);
        sessionStorage.setItem(restoredKey, 'true');
        location.reload();
        return;
      } catch (error) {
        if (isLocked(error) && Date.now() < endsAtMs) {
          await pause(500);
          continue;
        }
        const { holder = null } = (await host.askFresh()) ?? {};
        const why = (lockError(error, holder, false) as Error).message;
        const openAgain = mainButton(t('common.open-again'), () => location.reload());
        store.choose(t('page.the-version-wasnt-restored'), why, [openAgain]);
        return;
      }
    }
  }

  return {
    /** Resolves when the document has its earlier content again, or its editor is being closed for that. @throws HostError */
    async restore(versionId: string): Promise<void> {
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
      try {
        await api.restoreVersion(versionId);
      } catch (error) {
        // Tabs of the text editor don't share the lock. Without another tab, a closed page has left it behind.
        const isHeldByOtherTab = isHeldHere && (await tabs.ask('is-open'));
        throw lockError(error, holder, isInOtherTab || isHeldByOtherTab);
      }
      sessionStorage.setItem(restoredKey, 'true');
      page.damaged = null;
      show();
      tabs.announceChange();
      actions.reload();
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

function isLocked(error: unknown): error is HostError {
  return error instanceof HostError && error.code === 'file-locked';
}
