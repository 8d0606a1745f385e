// Notices about what the host knows of the document: copies created here, conflict copies, recovered saves, and a lock that another
// user has. Each is shown once; after that, only something new is.

import { t } from '../../app/contract/messages.ts';
import type { PageState, SiblingDocument } from '../../app/contract/page-state.ts';
import { HostError, type HostApi } from './host-api.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import type { PageBar } from './page-bar.ts';
import { words } from './words.ts';

export interface DocumentNotices {
  show(state: PageState, page: { editorName: string; hasUnsaved: boolean; readyForMs: number }): void;
  /** Restores a recovered save as a copy, and offers to open it. */
  restore(recoveredId: string): Promise<void>;
  /** The same, and opens it at once: only a click allows the browser to open a tab. */
  openSaved(recoveredId: string): void;
  /** A copy was created here. */
  offerCopy(copy: Pick<SiblingDocument, 'fileId' | 'name'>): void;
  /** The editor can't save the document, because it doesn't have the lock. */
  isReadOnly(): boolean;
  /** The document was reloaded, with new content in the editor. */
  reset(): void;
}

export interface DocumentNoticesDeps {
  api: Pick<HostApi, 'ticket' | 'restore' | 'saveAnyway' | 'keepFile'>;
  bar: Pick<PageBar, 'setNotice'>;
  /** ONLYOFFICE reports a document as loaded before it has downloaded it. */
  reportsLoadedEarly(): boolean;
  /** Open for editing. */
  isEditing(): boolean;
  /** The user can force-clear locks. */
  isOwner(): boolean;
  /** The editor itself shows that it lost the lock, and what to do. */
  showsLostLock(): boolean;
  /** The editor saves a copy on request. */
  canSaveCopy(): boolean;
  saveCopy(): void;
  loadAgain(): void;
  showVersions(): void;
  /** Asks in a dialog. */
  confirm(title: string, more: string, label: string): Promise<boolean>;
  askSoon(): void;
}

/** By this time after the document was loaded, an editor has requested its content and its lock. */
const patienceMs = 25_000;

export function createDocumentNotices(deps: DocumentNoticesDeps): DocumentNotices {
  const { api, bar } = deps;
  const seen = new Set<string>();
  let hadLock = false;
  let isReadOnly = false;
  let recoveredShown = '';
  let missedShown = '';
  let isUnreadShown = false;

  function failed(error: unknown): void {
    const text = error instanceof HostError ? error.message : String(error);
    bar.setNotice('failed', { text, tone: 'bad', hasDismiss: true });
  }

  async function openCopy(kind: string, copy: Pick<SiblingDocument, 'fileId' | 'name'>): Promise<void> {
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
      failed(error);
    }
  }

  function offer(
    copy: Pick<SiblingDocument, 'fileId' | 'name'>,
    notice: { text: string; more?: string; tone: 'info' | 'warn' },
  ): void {
    if (seen.has(copy.fileId)) return;
    seen.add(copy.fileId);
    const kind = `copy ${copy.fileId}`;
    bar.setNotice(kind, {
      ...notice,
      buttons: [{ label: t('common.open-copy'), press: () => void openCopy(kind, copy) }],
      hasDismiss: true,
    });
  }

  function offerCopy(copy: Pick<SiblingDocument, 'fileId' | 'name'>): void {
    offer(copy, { text: words.copy(copy.name), tone: 'info' });
  }

  async function restore(id: string): Promise<void> {
    try {
      const copy = await api.restore(id);
      bar.setNotice('recovered', null);
      offer(copy, { text: words.restored(copy.name), tone: 'info' });
      deps.askSoon();
    } catch (error) {
      failed(error);
    }
  }

  /** Runs what a button decides; the host's next answer removes the notice. */
  function deciding(decide: () => Promise<void>): () => void {
    return () =>
      void decide()
        .catch(failed)
        .finally(() => {
          deps.askSoon();
        });
  }

  function openSaved(id: string): void {
    deciding(async () => {
      const copy = await api.restore(id);
      seen.add(copy.fileId);
      await openCopy(`copy ${copy.fileId}`, copy);
    })();
  }

  async function discard(id: string): Promise<void> {
    if (await deps.confirm(words.keepGoodSure, words.keepGoodMore, words.keepGood))
      await api.keepFile({ id });
  }

  /** A save that is only a version, or that the host doesn't have. Recovered saves have their own notice. */
  function showMissed({ missed, canRestore }: PageState, editorName: string): void {
    const isShown = canRestore && (missed?.kind === 'version' || missed?.kind === 'nowhere');
    const kind = isShown ? missed.kind : undefined;
    const keepFile: ButtonChoice = {
      label: words.keepFile,
      press: deciding(() => api.keepFile({ missedAtMs: missed?.atMs ?? 0 })),
    };
    const key = kind === undefined ? '' : `${kind} ${missed?.atMs}`;
    if (key === missedShown) return;
    missedShown = key;
    if (kind === undefined) {
      bar.setNotice('missed', null);
      return;
    }
    bar.setNotice('missed', {
      text: words.missed[kind],
      more: words.missedMore(kind, editorName),
      tone: kind === 'nowhere' ? 'bad' : 'warn',
      buttons: [
        ...(kind === 'version'
          ? [{ label: words.showVersions, isMain: true, press: deps.showVersions }]
          : deps.canSaveCopy()
            ? [{ label: t('common.save-a-copy-ask'), isMain: true, press: deps.saveCopy }]
            : []),
        keepFile,
      ],
      hasDismiss: true,
    });
  }

  function showRecovered({ recovered, missed, canRestore, name }: PageState): void {
    const key = [missed?.keptId, ...recovered.map(({ id }) => id)].join(' ');
    if (key === recoveredShown) return;
    recoveredShown = key;
    const [newest] = recovered;
    if (newest === undefined) {
      bar.setNotice('recovered', null);
      return;
    }
    if (newest.isUnreadable) {
      const { id } = newest;
      bar.setNotice('recovered', {
        text: words.unreadable(name, newest.receivedAtMs),
        more: canRestore ? words.unreadableMore : `${words.unreadableMore} ${words.unreadableMoreViewer}`,
        tone: 'warn',
        ...(canRestore && {
          buttons: [
            { label: words.openSaved, isMain: true, press: () => openSaved(id) },
            // Not if the document was saved since.
            ...(missed?.keptId === id
              ? [{ label: words.saveAnyway, press: deciding(() => api.saveAnyway(id)) }]
              : []),
            { label: words.keepGood, press: deciding(() => discard(id)) },
          ],
        }),
        hasDismiss: !canRestore || missed?.keptId !== id,
      });
      return;
    }
    bar.setNotice('recovered', {
      text: words.recovered(recovered.length, newest.receivedAtMs),
      more: canRestore ? words.recoveredMore : words.recoveredMoreViewer,
      tone: 'warn',
      ...(canRestore && {
        buttons: [{ label: t('common.restore-as-copy'), isMain: true, press: () => void restore(newest.id) }],
      }),
      hasDismiss: true,
    });
  }

  function showLock(
    { holder, clearedBy }: Pick<PageState, 'holder' | 'clearedBy'>,
    hasUnsaved: boolean,
    readyForMs: number,
  ): void {
    const isHeld = holder !== null && !holder.hasLapsed;
    if (holder?.isThisEditor === true) hadLock = true;
    isReadOnly =
      deps.isEditing() && holder?.isThisEditor !== true && (isHeld || hadLock || readyForMs >= patienceMs);
    if (!isReadOnly || deps.showsLostLock()) {
      bar.setNotice('lock', null);
      return;
    }
    const canSaveCopy = deps.canSaveCopy();
    const copyFirst = canSaveCopy ? words.saveCopyFirst : words.copyFirst;
    const held = isHeld ? words.heldBy(holder.userName, holder.editorName) : undefined;
    const why =
      clearedBy !== null ? words.lockClearedBy(clearedBy) : hadLock ? words.lockLost : words.lockMissing;
    const copyButton = { label: t('common.save-a-copy-ask'), isMain: hasUnsaved, press: deps.saveCopy };
    const reloadButton = {
      label: t('page.reload'),
      isMain: !(hasUnsaved && canSaveCopy),
      press: deps.loadAgain,
    };
    bar.setNotice('lock', {
      text: held !== undefined && !hasUnsaved ? held : words.notReaching,
      more: hasUnsaved
        ? `${held ?? why} ${copyFirst}`
        : held === undefined
          ? `${why} ${words.reloadToContinue}`
          : words.askHolder(deps.isOwner()),
      tone: 'warn',
      buttons: !canSaveCopy
        ? [reloadButton]
        : hasUnsaved
          ? [copyButton, reloadButton]
          : [reloadButton, copyButton],
    });
  }

  function showUnread(isUnread: boolean, editorName: string): void {
    if (isUnread === isUnreadShown) return;
    isUnreadShown = isUnread;
    bar.setNotice(
      'unread',
      isUnread
        ? {
            text: words.unread(editorName),
            more: words.unreadMore,
            tone: 'warn',
            buttons: [{ label: t('page.reload'), press: deps.loadAgain }],
            hasDismiss: true,
          }
        : null,
    );
  }

  return {
    show(state, { editorName, hasUnsaved, readyForMs }) {
      for (const copy of state.copies) offerCopy(copy);
      for (const copy of state.conflicts)
        offer(copy, { text: words.conflict, more: words.conflictMore(copy.name), tone: 'warn' });
      showRecovered(state);
      showMissed(state, editorName);
      showLock(state, hasUnsaved, readyForMs);
      showUnread(
        deps.reportsLoadedEarly() && !state.isRead && !state.isKnown && readyForMs >= patienceMs,
        editorName,
      );
    },
    restore,
    openSaved,
    offerCopy,
    isReadOnly: () => isReadOnly,
    reset() {
      hadLock = false;
      isReadOnly = false;
    },
  };
}
