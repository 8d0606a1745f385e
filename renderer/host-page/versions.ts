// Earlier versions of the document: what the panel beside the editor can do with them, and the page that shows one of them. A version
// opens in its own tab, with a token for that version only; nothing can be saved there.

import { maxComparedBytes } from '../../app/contract/text-documents.ts';
import type { PageVersions } from '../../app/contract/page-calls.ts';
import { timesOf, type Compared } from '../kit/version-facts.ts';
import { closedAddress, closedUrl } from './closed.ts';
import { createEditorFrame } from './editor-frame.ts';
import { createHostApi, HostError, type HostApi, type ShownDocument } from './host-api.ts';
import { notices } from './notices.ts';
import type { PageBar, PageDialog, PageStore, VersionsModel } from './page-bar.ts';
import { words } from './words.ts';

type Version = PageVersions['versions'][number];

export const versionsButtonId = 'versions-button';

export interface VersionsPanel {
  /** Opens it, or closes it. */
  toggle(): void;
  show(): void;
  hide(): void;
  /** Requests the list again: a save, a restore in another tab or another program may have changed it. */
  update(): void;
}

export function createVersionsPanel(input: {
  api: HostApi;
  bar: Pick<PageStore, 'get' | 'setNotice' | 'setVersions'>;
  /** The page's address, without query. */
  address: string;
  documentName(): string;
  /** Resolves when the document has its earlier content again. @throws HostError */
  restore(versionId: string): Promise<void>;
  /** Shows that a copy was created, and a button that opens it. */
  offerCopy(copy: { fileId: string; name: string }): void;
  /** Shows a dialog, unless one is open. The focus returns to the panel. */
  ask(dialog: PageDialog): Promise<string | undefined>;
  focusEditor(): void;
}): VersionsPanel {
  const { api, bar } = input;
  let wasOpenedFromEditor = false;

  const open = (): void => {
    wasOpenedFromEditor = document.activeElement instanceof HTMLIFrameElement;
    bar.setVersions({ model, reloads: 0 });
  };
  const hide = (): void => bar.setVersions(null);
  const update = (): void => {
    const { versions } = bar.get();
    if (versions !== null) bar.setVersions({ ...versions, reloads: versions.reloads + 1 });
  };

  const copy: VersionsModel['copy'] = ({ id }) => {
    bar.setNotice('version', null);
    api.copyVersion(id).then(input.offerCopy, (error: unknown) => {
      bar.setNotice('version', { text: asHostError(error).message, tone: 'bad', hasDismiss: true });
      update();
    });
  };

  const restore = async (version: Version, time: string): Promise<void> => {
    const answer = await input.ask({
      kind: 'confirm',
      title: words.versionRestoreSure(time),
      more: words.versionRestoreMore,
      label: words.versionRestore,
    });
    if (answer === undefined) return;
    bar.setNotice('version', null);
    try {
      await input.restore(version.id);
    } catch (error) {
      const { code, message } = asHostError(error);
      const isLocked = code === 'file-locked';
      bar.setNotice('version', {
        ...(isLocked ? { text: words.notRestored, more: message } : { text: message }),
        tone: 'bad',
        ...(isLocked && {
          buttons: [
            {
              label: words.versionCopy,
              name: words.versionCopyOf(time),
              isMain: true,
              press: () => copy(version),
            },
          ],
        }),
        hasDismiss: true,
      });
    }
    update();
  };

  const compareWithCurrent = async (version: Version, time: string): Promise<Compared> => {
    let currentSize = 0;
    try {
      // The list that is shown may be older than the content.
      const listed = await api.versions();
      currentSize = listed.current.size;
      const now = { ...listed.current, time: timesOf(listed, Date.now())('current') };
      return { texts: await api.compareVersion(version.id), heads: { old: { ...version, time }, now } };
    } catch (error) {
      throw new Error(problemOf(error, version.size, currentSize), { cause: error });
    }
  };

  const compare: VersionsModel['compare'] = (version, time, canRestore) => {
    const compared = compareWithCurrent(version, time);
    // Nobody waits for it if another dialog is open.
    compared.catch(() => undefined);
    const documentName = input.documentName();
    void input.ask({ kind: 'comparison', documentName, time, compared, canRestore }).then((answer) => {
      if (answer !== undefined) void restore(version, time);
    });
  };

  const model: VersionsModel = {
    load: () => api.versions(),
    problemOf(error) {
      const { code, message, status } = asHostError(error);
      return {
        // A notice shows that the document is gone.
        text:
          code === 'file-missing'
            ? words.versionsGone
            : ((words.problems as Record<string, string>)[code] ?? message),
        isSure: status >= 400 && status < 500,
      };
    },
    addressOf: ({ id }) =>
      `${input.address.replace(/\/edit\//u, '/view/')}?version=${encodeURIComponent(id)}`,
    compare,
    restore: (...which) => void restore(...which),
    copy,
    hide,
    closed() {
      if (!wasOpenedFromEditor) document.getElementById(versionsButtonId)?.focus();
      // Its button is hidden by now, or the focus was in the editor.
      if ([document.body, null].includes(document.activeElement as HTMLElement | null)) input.focusEditor();
    },
  };

  return {
    show() {
      if (bar.get().versions === null) open();
    },
    hide,
    toggle() {
      if (bar.get().versions === null) open();
      else hide();
    },
    update,
  };
}

function asHostError(error: unknown): HostError {
  return error instanceof HostError ? error : new HostError(0, 'unknown', String(error));
}

function problemOf(error: unknown, versionSize: number, currentSize: number): string {
  const { code, message } = asHostError(error);
  if (code === 'not-text' && Math.max(versionSize, currentSize) > maxComparedBytes)
    return words.compareTooLarge(versionSize, currentSize);
  return (words.problems as Record<string, string>)[code] ?? message;
}

/** The page of one version. Its token isn't renewed: the editor has the content once it is shown. */
export async function openVersion(input: {
  bar: PageBar;
  frame: HTMLIFrameElement;
  name: string;
  address: string;
  versionId: string;
}): Promise<void> {
  const { bar } = input;
  let isOwner = false;
  let opened: ShownDocument | undefined;
  const tryAgain = { label: words.tryAgain, isMain: true, press: () => void load() };
  const frame = createEditorFrame(input.frame, {
    message(message) {
      if (message.kind === 'close') close();
      else if (message.kind === 'load-failed' && !message.isTriedAgain)
        bar.setNotice('loading', notices.couldNotOpen(words.theEditor, message.text, tryAgain, isOwner));
    },
    blocked: (origin) => bar.setNotice('loading', notices.blocked(origin, tryAgain, isOwner)),
  });
  const close = (): void => {
    frame.remove();
    // Only a tab that a script opened can be closed by one.
    window.close();
    location.assign(
      closedUrl(closedAddress(input.address), {
        name: opened?.name ?? input.name,
        savedAtMs: undefined,
        address: opened && `${input.address}?version=${encodeURIComponent(input.versionId)}`,
      }),
    );
  };
  const load = async (): Promise<void> => {
    bar.setNotice('loading', null);
    bar.setStatus({ text: words.asking });
    try {
      opened = await createHostApi(input.address).openVersion(input.versionId);
      ({ isOwner } = opened);
      bar.setName(opened.name);
      input.frame.title = opened.name;
      bar.setStatus({ text: words.versionReadOnly });
      bar.setButtons([{ label: words.close, press: close }]);
      frame.load(opened, opened);
    } catch (error) {
      bar.setStatus({ text: words.failed });
      bar.setNotice('loading', {
        text: error instanceof HostError ? error.message : String(error),
        tone: 'bad',
        buttons: [tryAgain],
      });
    }
  };
  await load();
}
