// Earlier versions of the document: what the panel beside the editor shows and can do with them, and the page that shows one of them.
// A version opens in its own tab, with a token for that version only; nothing can be saved there.

import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { PageVersions } from '../../app/contract/page-calls.ts';
import { timesOf, type Compared } from '../kit/version-facts.ts';
import { closedAddress, closedUrl } from './closed.ts';
import { copyNotice, loadingNotices, signInAgain } from './document-notices.ts';
import { createEditorFrame } from './editor-frame.ts';
import { asHostError, createHostApi } from './host-api.ts';
import { OpenDocument } from './open-document.ts';
import type { PageInput, PageParts } from './page-parts.ts';
import { notice, type ShownVersions } from './page-store.ts';

type Version = PageVersions['versions'][number];

export const versionsButtonId = 'versions-button';

export function createVersionsPanel(
  { page, store, api, frame, actions, ask }: PageParts,
  restoreVersion: (versionId: string) => Promise<void>,
) {
  let wasOpenedFromEditor = false;
  let requests = 0;
  // The dialog returns the focus to its button, in the panel next to the editor.
  const askBeside: PageParts['ask'] = async (dialog) => ask(dialog, () => undefined);

  /** Requests the list again: a save, a restore in another tab or another program may have changed it. */
  async function update(): Promise<void> {
    if (store.get().versions === null) return;
    requests += 1;
    const number = requests;
    const part: Partial<ShownVersions> = await api.versions().then(
      (listed) => ({ listed, problem: undefined, signIn: undefined }),
      (error: unknown) => {
        const { status, message } = asHostError(error);
        // Without the document or the right to see it, no button works.
        const signIn = status === 401 ? signInAgain(page.isWritten) : undefined;
        return { problem: message, signIn, ...(status >= 400 && status < 500 && { listed: undefined }) };
      },
    );
    // A later request has the newer list, whichever is answered first.
    const { versions } = store.get();
    if (number === requests && versions !== null) store.set({ versions: { ...versions, ...part } });
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
    await restoreVersion(version.id);
    if (page.phase !== 'closing') void update();
  }

  async function compare(version: Version, heads: Compared['heads']): Promise<void> {
    const { time } = heads.old;
    // The list that is shown may be older than the content.
    const texts = api.call('compare-version', { versionId: version.id });
    const compared = Promise.all([texts, api.versions()]).then(([texts, listed]): Compared => {
      const now = { ...listed.current, time: timesOf(listed, Date.now())('current') };
      return { texts, heads: { ...heads, now } };
    });
    // Nobody waits for it if another dialog is open.
    compared.catch(() => undefined);
    const canRestore = store.get().versions?.listed?.canRestore === true;
    const documentName = isolated(page.name);
    const answer = await askBeside({ kind: 'comparison', documentName, time, compared, canRestore });
    if (answer !== undefined) await restore(version, time);
  }

  const shown: ShownVersions = {
    addressOf: ({ id }) => `${page.address.replace(/\/edit\//u, '/view/')}?version=${encodeURIComponent(id)}`,
    compare: (...of) => void compare(...of),
    restore: (...of) => void restore(...of),
    copy,
    hide: () => store.set({ versions: null }),
    closed() {
      if (!wasOpenedFromEditor) document.getElementById(versionsButtonId)?.focus();
      // Its button is hidden by now, or the focus was in the editor.
      if ([document.body, null].includes(document.activeElement as HTMLElement | null)) frame.grabFocus();
    },
  };

  function show(): void {
    if (store.get().versions !== null) return;
    wasOpenedFromEditor = document.activeElement instanceof HTMLIFrameElement;
    store.set({ versions: shown });
    void update();
  }

  return { show, toggle: () => (store.get().versions === null ? show() : shown.hide()), update };
}

/** The page of one version. Its token isn't renewed: the editor has the content once it is shown. */
export async function openVersion(input: PageInput & { versionId: string }): Promise<void> {
  const { store, address, versionId } = input;
  const page = new OpenDocument(input.name, address);
  const notices = loadingNotices(page, () => void load());
  const frame = createEditorFrame(input.frame, {
    message(message) {
      if (message.kind === 'close') close();
      else if (message.kind === 'load-failed') store.setNotice('loading', notices.couldNotOpen(message.text));
    },
    blocked: (origin) => store.setNotice('loading', notices.blocked(origin)),
  });
  function close(): void {
    frame.remove();
    // Only a tab that a script opened can be closed by one.
    window.close();
    const again = page.opened && `${address}?version=${encodeURIComponent(versionId)}`;
    const left = { name: page.name, savedAtMs: undefined, address: again };
    location.assign(closedUrl(closedAddress(address), left));
  }
  async function load(): Promise<void> {
    store.setNotice('loading', null);
    store.set({ status: { text: t('common.opening') } });
    try {
      const opened = await createHostApi(address).open({ versionId });
      const { name } = opened;
      Object.assign(page, { opened, name });
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
