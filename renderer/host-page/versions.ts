// Earlier versions of the document: a side panel like the window's, which shows the actions of the chosen one, and the page that shows
// one of them. A version opens in its own tab, with a token for that version only; nothing can be saved there.

import { capitalized, formatRelative, formatSize, formatTime, isSameDay } from '../../app/contract/format.ts';
import type { PageVersions } from '../../app/contract/page-calls.ts';
import { buttonOf, element, iconButton, type ButtonChoice } from '../kit/elements.ts';
import { currentMsOf, howText, saversOf, timesOf } from '../kit/version-facts.ts';
import { closedAddress, closedUrl } from './closed.ts';
import { askToConfirm } from './dialogs.ts';
import { createEditorFrame } from './editor-frame.ts';
import { createHostApi, HostError, type HostApi, type ShownDocument } from './host-api.ts';
import { notices } from './notices.ts';
import { createPageBar, type PageBar } from './page-bar.ts';
import { words } from './words.ts';

export const versionsButtonId = 'versions-button';

export interface VersionsPanel {
  /** Opens it, or closes it. */
  toggle(): void;
  show(): void;
  hide(): void;
  /** Requests the list again: a save, a restore in another tab or another program may have changed it. */
  update(): void;
}

type Version = PageVersions['versions'][number];

const redrawMs = 1000;

export function createVersionsPanel(input: {
  api: HostApi;
  bar: Pick<PageBar, 'setNotice'>;
  /** The page's address, without query. */
  address: string;
  documentName(): string;
  /** Resolves when the document has its earlier content again. @throws HostError */
  restore(versionId: string): Promise<void>;
  /** Shows that a copy was created, and a button that opens it. */
  offerCopy(copy: { fileId: string; name: string }): void;
  /** Shows a dialog, unless one is open. The editor doesn't take the focus while it's shown. */
  inDialog<Result>(body: () => Promise<Result>): Promise<Result | undefined>;
  focusEditor(): void;
}): VersionsPanel {
  const { api, bar } = input;
  let panel: HTMLElement | undefined;
  let wasOpenedFromEditor = false;
  let redraw: ReturnType<typeof setInterval> | undefined;
  /** The id of an earlier version; null: none; undefined: the newest, once there is one. */
  let chosenId: string | null | undefined;
  let load = async (): Promise<void> => undefined;

  const barButton = (): HTMLElement | null => document.getElementById(versionsButtonId);

  const close = (): void => {
    panel?.remove();
    panel = undefined;
    load = async () => undefined;
    clearInterval(redraw);
    document.body.classList.remove('has-panel');
    barButton()?.setAttribute('aria-expanded', 'false');
    if (!wasOpenedFromEditor) barButton()?.focus();
    // Its button is hidden by now, or the focus was in the editor.
    if ([document.body, null].includes(document.activeElement as HTMLElement | null)) input.focusEditor();
  };

  // After the bar's own listener, which closes a notice first.
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || panel === undefined) return;
    if (document.querySelector('dialog[open]') === null) close();
  });

  const open = (): void => {
    wasOpenedFromEditor = document.activeElement instanceof HTMLIFrameElement;
    const count = element('p', {});
    const status = element('p', { role: 'status' }, words.versionsLoading);
    const list = element('ol', { 'aria-labelledby': 'versions-title' });
    const title = element('h2', { id: 'versions-title', tabindex: '-1' }, words.versions);
    panel = element(
      'aside',
      { class: 'versions', 'aria-labelledby': 'versions-title' },
      element('header', {}, element('div', {}, title, count), iconButton('close', words.close, close)),
      status,
      list,
    );
    list.addEventListener('keydown', (event) => {
      const rows = rowsOf(list);
      const at = rows.indexOf(document.activeElement as HTMLElement);
      const places: Record<string, number> = {
        ArrowDown: at + 1,
        ArrowUp: at - 1,
        Home: 0,
        End: rows.length - 1,
      };
      const place = places[event.key];
      if (at === -1 || place === undefined) return;
      event.preventDefault();
      rows[place]?.focus();
    });
    document.body.append(panel);
    document.body.classList.add('has-panel');
    barButton()?.setAttribute('aria-expanded', 'true');
    title.focus();
    chosenId = undefined;
    const choose = (id: string | null | undefined): void => {
      chosenId = id;
      const rows = rowsOf(list);
      const chosen = rows.find((row) => row.id === controlId('version', String(id)));
      for (const row of rows) {
        row.setAttribute('aria-expanded', String(row === chosen));
        // The only one that Tab reaches.
        row.tabIndex = row === (chosen ?? rows[0]) ? 0 : -1;
      }
    };
    let drawn = '';
    // Screen readers would read the same text again.
    const showStatus = (text: string): void => {
      if (status.textContent !== text) status.textContent = text;
    };
    let loads = 0;
    load = async () => {
      loads += 1;
      const number = loads;
      try {
        const versions = await api.versions();
        // A later request has the newer list, whichever is answered first.
        if (number !== loads) return;
        const earlier = versions.versions.length;
        count.textContent = earlier === 0 ? '' : words.versionsCount(earlier);
        showStatus(earlier === 0 ? words.versionsNone : '');
        // Without a change, a button that is being pressed stays.
        const answer = JSON.stringify(versions);
        if (answer === drawn) return;
        const focused = list.contains(document.activeElement) ? document.activeElement?.id : undefined;
        list.replaceChildren(...itemsOf(versions, choose));
        // A save adds a version, and the chosen one stays what it is.
        const isListed = versions.versions.some(({ id }) => id === chosenId);
        choose(chosenId === null || isListed ? chosenId : versions.versions[0]?.id);
        if (focused !== undefined) focusControl(focused);
        drawn = answer;
      } catch (error) {
        if (number !== loads) return;
        const { code, message, status: httpStatus } = asHostError(error);
        // A notice shows that the document is gone.
        showStatus(
          code === 'file-missing'
            ? words.versionsGone
            : ((words.problems as Record<string, string>)[code] ?? message),
        );
        // Without the document or the right to see it, no button works.
        if (httpStatus < 400 || httpStatus >= 500) return;
        const hadFocus = list.contains(document.activeElement);
        drawn = '';
        count.textContent = '';
        list.replaceChildren();
        if (hadFocus) title.focus();
      }
    };
    redraw = setInterval(() => {
      for (const since of list.querySelectorAll<HTMLElement>('[data-at]'))
        since.textContent = sinceText(Number(since.dataset['at']));
    }, redrawMs);
    void load();
  };

  /** Focuses the control with this id, or the title if that control is gone. */
  const focusControl = (id: string): void => {
    (document.getElementById(id) ?? panel?.querySelector<HTMLElement>('h2'))?.focus();
  };

  const copy = async ({ id }: Version): Promise<void> => {
    bar.setNotice('version', null);
    try {
      input.offerCopy(await api.copyVersion(id));
    } catch (error) {
      bar.setNotice('version', { text: asHostError(error).message, tone: 'bad', hasDismiss: true });
      await load();
    }
  };

  const restore = async (version: Version, time: string): Promise<void> => {
    const isConfirmed = await input.inDialog(async () =>
      askToConfirm(words.versionRestoreSure(time), words.versionRestoreMore, words.versionRestore),
    );
    if (isConfirmed !== true) return;
    bar.setNotice('version', null);
    const mine = panel;
    try {
      await input.restore(version.id);
      if (mine !== panel) return;
      // The pressed button is gone.
      panel?.querySelector<HTMLElement>('h2')?.focus();
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
              press: () => void copy(version),
            },
          ],
        }),
        hasDismiss: true,
      });
    }
    await load();
  };

  const itemsOf = (listed: PageVersions, choose: (id: string | null) => void): HTMLElement[] => {
    const { versions, current, canRestore, canCompare } = listed;
    const timeOf = timesOf(listed, Date.now());
    return [
      element(
        'li',
        { class: 'current' },
        element(
          'div',
          rowAttributes(currentMsOf(current)),
          timeLine(currentMsOf(current), timeOf('current'), element('strong', {}, words.versionCurrent)),
          detailsLine(current),
        ),
      ),
      ...versions.map((version) => {
        const { id } = version;
        const time = timeOf(id);
        const control = (action: string, choice: ButtonChoice): HTMLElement =>
          buttonOf({ ...choice, id: controlId(action, id) });
        const restoreIt = (): void => void restore(version, time);
        const row = element(
          'button',
          { type: 'button', id: controlId('version', id), ...rowAttributes(version.writtenAtMs) },
          timeLine(version.writtenAtMs, time),
          detailsLine(version),
        );
        const actions = element(
          'div',
          { class: 'buttons' },
          element(
            'a',
            {
              id: controlId('open', id),
              class: 'button',
              href: `${input.address.replace(/\/edit\//u, '/view/')}?version=${encodeURIComponent(id)}`,
              target: '_blank',
              rel: 'noopener',
              'aria-label': words.versionOpenOf(time),
            },
            words.versionOpen,
          ),
          ...(canCompare
            ? [
                control('compare', {
                  label: words.versionCompare,
                  name: words.versionCompareOf(time),
                  press: () => void compareWith(version, time, canRestore ? restoreIt : undefined),
                }),
              ]
            : []),
          ...(canRestore
            ? [
                control('restore', {
                  label: words.versionRestoreAsk,
                  name: words.versionRestoreOf(time),
                  press: restoreIt,
                }),
                control('copy', {
                  label: words.versionCopy,
                  name: words.versionCopyOf(time),
                  press: () => void copy(version),
                }),
              ]
            : []),
        );
        const item = element('li', {}, row, actions);
        row.addEventListener('click', () => {
          choose(chosenId === id ? null : id);
          item.scrollIntoView({ block: 'nearest' });
        });
        return item;
      }),
    ];
  };

  const compareWith = async (
    version: Version,
    time: string,
    restoreIt: (() => void) | undefined,
  ): Promise<void> => {
    // Loaded only when needed: nothing else on the page needs the package that compares lines.
    const loaded = await import('./compare.ts').catch(() => undefined);
    if (loaded === undefined) {
      bar.setNotice('version', { text: words.hostSilent, tone: 'bad', hasDismiss: true });
      return;
    }
    const isToRestore = await input.inDialog(async () =>
      loaded.showComparison(api, input.documentName(), version, time, restoreIt !== undefined),
    );
    // If the list was updated after a save, the button that the browser would focus is gone.
    if (document.activeElement === document.body) focusControl(controlId('compare', version.id));
    if (isToRestore === true) restoreIt?.();
  };

  return {
    show() {
      if (panel === undefined) open();
    },
    hide() {
      if (panel !== undefined) close();
    },
    toggle() {
      if (panel === undefined) open();
      else close();
    },
    update: () => void load(),
  };
}

/** Of the earlier versions, without the current content. */
function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('button.row')];
}

function controlId(action: string, versionId: string): string {
  return `${action}-${versionId}`;
}

function asHostError(error: unknown): HostError {
  return error instanceof HostError ? error : new HostError(0, 'unknown', String(error));
}

/** Empty if it isn't from today. */
function sinceText(atMs: number): string {
  const nowMs = Date.now();
  return isSameDay(atMs, nowMs) ? formatRelative(atMs, nowMs) : '';
}

/** With the exact time as its tooltip. */
function rowAttributes(atMs: number): Record<string, string> {
  return { class: 'row', title: formatTime('toSecond', atMs) };
}

/** `Today 14:03  26 min ago` */
function timeLine(atMs: number, time: string, ...before: HTMLElement[]): HTMLElement {
  return element(
    'span',
    { class: 'time' },
    ...before,
    element('time', { datetime: new Date(atMs).toISOString() }, capitalized(time)),
    element('span', { class: 'since', 'data-at': String(atMs) }, sinceText(atMs)),
  );
}

/** `Ana Ruiz · Autosaved`, and the size on the right. */
function detailsLine(version: Version | PageVersions['current']): HTMLElement {
  const how = capitalized(howText(version));
  return element(
    'span',
    { class: 'details' },
    element('span', {}, version.savedBy === null ? how : `${saversOf(version.savedBy)} · ${how}`),
    element('span', { class: 'size' }, formatSize(version.size)),
  );
}

/** The page of one version. Its token isn't renewed: the editor has the content once it is shown. */
export function openVersion(input: {
  main: HTMLElement;
  frame: HTMLIFrameElement;
  name: string;
  address: string;
  versionId: string;
}): void {
  const bar = createPageBar(input.main, input.name);
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
  void load();
}
