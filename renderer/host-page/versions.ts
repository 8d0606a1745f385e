// Earlier versions of the document: what the panel beside the editor shows and can do with them, and the page that shows one of them.
// A version opens in its own tab, with a token for that version only; nothing can be saved there.

import { formatSize } from '../../app/contract/format.ts';
import { t, type MessageKey } from '../../app/contract/messages.ts';
import { maxComparedBytes } from '../../app/contract/text-documents.ts';
import type { PageVersions } from '../../app/contract/page-calls.ts';
import { timesOf, type Compared } from '../kit/version-facts.ts';
import { closedAddress, closedUrl } from './closed.ts';
import { copyNotice, loadingNotices } from './document-notices.ts';
import { createEditorFrame } from './editor-frame.ts';
import { asHostError, createHostApi, type ShownDocument } from './host-api.ts';
import type { PageParts } from './page-parts.ts';
import { notice, type PageStore, type ShownVersions } from './page-store.ts';

type Version = PageVersions['versions'][number];

export const versionsButtonId = 'versions-button';

const problems: Readonly<Record<string, MessageKey>> = {
  'not-text': 'page.only-text-can-be-compared',
  'version-unknown': 'page.doctray-no-longer-has-this',
  'version-damaged': 'page.another-program-has-changed-this',
  'file-missing': 'page.this-document-was-deleted-or',
  'not-authenticated': 'page.you-are-signed-out-reload',
};

function problemOf(error: unknown): string {
  const { code, message } = asHostError(error);
  const key = problems[code];
  return key === undefined ? message : t(key);
}

/** @param restoreVersion @throws HostError */
export function createVersionsPanel(
  { page, store, api, frame, actions, ask }: PageParts,
  restoreVersion: (versionId: string) => Promise<void>,
) {
  let wasOpenedFromEditor = false;
  let requests = 0;
  // The dialog returns the focus to its button, in the panel next to the editor.
  const askBeside: PageParts['ask'] = async (dialog) => ask(dialog, () => undefined);

  function setShown(part: Partial<ShownVersions>): void {
    const { versions } = store.get();
    if (versions !== null) store.set({ versions: { ...versions, ...part } });
  }

  /** Requests the list again: a save, a restore in another tab or another program may have changed it. */
  async function update(): Promise<void> {
    if (store.get().versions === null) return;
    requests += 1;
    const number = requests;
    const part = await api.versions().then(
      (listed) => ({ listed, problem: undefined }),
      (error: unknown) => {
        const { code, status } = asHostError(error);
        // A notice shows that the document is gone. Without it or the right to see it, no button works.
        const problem = code === 'file-missing' ? t('page.the-versions-appear-again-once') : problemOf(error);
        return { problem, ...(status >= 400 && status < 500 && { listed: undefined }) };
      },
    );
    // A later request has the newer list, whichever is answered first.
    if (number === requests) setShown(part);
  }

  function copy({ id: versionId }: Version): void {
    store.setNotice('version', null);
    api.call('copy-version', { versionId }).then(
      (copied) => store.setNotice(...copyNotice(copied, actions)),
      (error: unknown) => {
        store.setNotice('version', notice('bad', asHostError(error).message));
        void update();
      },
    );
  }

  async function restore(version: Version, time: string): Promise<void> {
    const answer = await askBeside({
      kind: 'confirm',
      title: t('page.restore-the-version-from-time', { time }),
      more: t('page.the-current-content-is-kept'),
      label: t('common.restore'),
    });
    if (answer === undefined) return;
    store.setNotice('version', null);
    try {
      await restoreVersion(version.id);
    } catch (error) {
      const { code, message } = asHostError(error);
      const name = t('common.save-a-copy-of-the', { time });
      const copyButton = { label: t('common.save-a-copy'), name, isMain: true, press: () => copy(version) };
      const notRestored = t('page.the-version-wasnt-restored');
      const isLocked = code === 'file-locked';
      store.setNotice(
        'version',
        isLocked ? notice('bad', notRestored, message, [copyButton]) : notice('bad', message),
      );
    }
    void update();
  }

  async function compareWithCurrent(version: Version, time: string): Promise<Compared> {
    let currentSize = 0;
    try {
      // The list that is shown may be older than the content.
      const listed = await api.versions();
      currentSize = listed.current.size;
      const now = { ...listed.current, time: timesOf(listed, Date.now())('current') };
      const texts = await api.call('compare-version', { versionId: version.id });
      return { texts, heads: { old: { ...version, time }, now } };
    } catch (error) {
      const isTooLarge =
        asHostError(error).code === 'not-text' && Math.max(version.size, currentSize) > maxComparedBytes;
      const sizes = { limit: maxComparedBytes, version: version.size, current: currentSize };
      const shown = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, formatSize(size)]));
      throw new Error(isTooLarge ? t('page.only-documents-of-up-to', shown) : problemOf(error), {
        cause: error,
      });
    }
  }

  const hide = (): void => store.set({ versions: null });

  function show(): void {
    if (store.get().versions !== null) return;
    wasOpenedFromEditor = document.activeElement instanceof HTMLIFrameElement;
    store.set({
      versions: {
        addressOf: ({ id }) =>
          `${page.address.replace(/\/edit\//u, '/view/')}?version=${encodeURIComponent(id)}`,
        compare(version, time, canRestore) {
          const compared = compareWithCurrent(version, time);
          // Nobody waits for it if another dialog is open.
          compared.catch(() => undefined);
          const dialog = { kind: 'comparison', documentName: page.name, time, compared, canRestore } as const;
          void askBeside(dialog).then((answer) => {
            if (answer !== undefined) void restore(version, time);
          });
        },
        restore: (version, time) => void restore(version, time),
        copy,
        hide,
        closed() {
          if (!wasOpenedFromEditor) document.getElementById(versionsButtonId)?.focus();
          // Its button is hidden by now, or the focus was in the editor.
          if ([document.body, null].includes(document.activeElement as HTMLElement | null)) frame.grabFocus();
        },
      },
    });
    void update();
  }

  return { show, hide, toggle: () => (store.get().versions === null ? show() : hide()), update };
}

/** The page of one version. Its token isn't renewed: the editor has the content once it is shown. */
export async function openVersion(input: {
  store: PageStore;
  frame: HTMLIFrameElement;
  name: string;
  address: string;
  versionId: string;
}): Promise<void> {
  const { store, address, versionId } = input;
  let opened: ShownDocument | undefined;
  const notices = loadingNotices(
    () => opened?.isOwner === true,
    () => void load(),
  );
  const frame = createEditorFrame(input.frame, {
    message(message) {
      if (message.kind === 'close') close();
      else if (message.kind === 'load-failed' && !message.isTriedAgain)
        store.setNotice('loading', notices.couldNotOpen(t('page.the-editor'), message.text));
    },
    blocked: (origin) => store.setNotice('loading', notices.blocked(origin)),
  });
  function close(): void {
    frame.remove();
    // Only a tab that a script opened can be closed by one.
    window.close();
    const again = opened && `${address}?version=${encodeURIComponent(versionId)}`;
    const name = opened?.name ?? input.name;
    location.assign(closedUrl(closedAddress(address), { name, savedAtMs: undefined, address: again }));
  }
  async function load(): Promise<void> {
    store.setNotice('loading', null);
    store.set({ status: { text: t('common.opening') } });
    try {
      opened = await createHostApi(address).open({ versionId });
      const { name } = opened;
      input.frame.title = name;
      store.set({
        name,
        status: { text: t('page.earlier-version-read-only') },
        buttons: [{ label: t('common.close'), press: close }],
      });
      frame.load(opened, opened);
    } catch (error) {
      store.set({ status: { text: t('page.not-opened') } });
      store.setNotice('loading', notices.refused(asHostError(error).message));
    }
  }
  await load();
}
