// Earlier versions of the document: a side panel with what can be done with each, and the page that shows one of them. A version opens
// in its own tab with an access to that version only; nothing can be saved there.

import { currentLocale } from '../../app/contract/messages.ts';
import { createEditorFrame } from './editor-frame.ts';
import { buttonOf, element } from './elements.ts';
import { createHostApi, HostError, type HostApi, type PageVersions } from './host-api.ts';
import { notices } from './notices.ts';
import { createPageBar } from './page-bar.ts';
import { words } from './words.ts';

export interface VersionsPanel {
  /** Opens it, or closes it. */
  toggle(): void;
}

export function createVersionsPanel(input: {
  api: HostApi;
  /** Of the page, without query. */
  address: string;
  /** The document has its earlier content again. */
  onRestored(): void;
}): VersionsPanel {
  const { api } = input;
  let panel: HTMLElement | undefined;

  const close = (): void => {
    panel?.remove();
    panel = undefined;
    document.body.classList.remove('has-panel');
  };

  const open = (): void => {
    const status = element('p', { role: 'status' }, words.versionsLoading);
    const list = element('ol', {});
    const closing = buttonOf({ label: words.close, press: close });
    panel = element(
      'aside',
      { class: 'versions', 'aria-labelledby': 'versions-title' },
      element('header', {}, element('h2', { id: 'versions-title', tabindex: '-1' }, words.versions), closing),
      status,
      list,
    );
    panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') close();
    });
    document.body.append(panel);
    document.body.classList.add('has-panel');
    panel.querySelector<HTMLElement>('h2')?.focus();
    const mine = panel;
    const load = async (text: string): Promise<void> => {
      try {
        const versions = await api.versions();
        status.textContent = versions.versions.length === 0 ? words.versionsNone : text;
        list.replaceChildren(...itemsOf(versions, act));
      } catch (error) {
        status.textContent = (error as Error).message;
      }
    };
    const act = async (kind: 'restore' | 'copy', id: string): Promise<void> => {
      status.textContent = '';
      try {
        if (kind === 'copy') {
          status.textContent = words.versionCopied((await api.copyVersion(id)).name);
          return;
        }
        await api.restoreVersion(id);
        input.onRestored();
        if (mine !== panel) return;
        await load(words.versionRestored);
        // The pressed button is gone.
        panel.querySelector<HTMLElement>('h2')?.focus();
      } catch (error) {
        status.textContent = error instanceof HostError ? error.message : String(error);
      }
    };
    void load('');
  };

  const itemsOf = (
    { versions, current, canRestore }: PageVersions,
    act: (kind: 'restore' | 'copy', id: string) => Promise<void>,
  ): HTMLElement[] => [
    element(
      'li',
      { class: 'current' },
      element('strong', {}, words.versionCurrent),
      details(current.savedBy, current.size, timeText(current.savedAtMs ?? current.lastModifiedMs)),
    ),
    ...versions.map(({ id, atMs, savedBy, size }) => {
      const time = timeText(atMs);
      const link = element(
        'a',
        {
          href: `${input.address.replace(/\/edit\//u, '/view/')}?version=${encodeURIComponent(id)}`,
          target: '_blank',
          rel: 'noopener',
          'aria-label': words.versionOpenOf(time),
        },
        words.versionOpen,
      );
      const buttons = canRestore
        ? [
            buttonOf({ label: words.versionCopy, press: () => void act('copy', id) }),
            buttonOf({
              label: words.versionRestore,
              press: () => {
                if (confirm(words.versionRestoreSure(time))) void act('restore', id);
              },
            }),
          ]
        : [];
      return element(
        'li',
        {},
        element('strong', {}, time),
        details(savedBy, size),
        element('div', { class: 'buttons' }, link, ...buttons),
      );
    }),
  ];

  return {
    toggle() {
      if (panel === undefined) open();
      else close();
    },
  };
}

function details(savedBy: string | null, size: number, time?: string): HTMLElement {
  const parts = [time, savedBy, sizeText(size)].filter((part) => part !== undefined && part !== null);
  return element('p', {}, parts.join(' · '));
}

function timeText(atMs: number): string {
  return new Date(atMs).toLocaleString(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' });
}

function sizeText(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(currentLocale(), {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step);
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
  const tryAgain = { label: words.tryAgain, isMain: true, press: () => void load() };
  const frame = createEditorFrame(input.frame, {
    message(message) {
      if (message.kind === 'close') close();
      else if (message.kind === 'load-failed' && !message.isTriedAgain)
        bar.setNotice('loading', notices.couldNotOpen(words.theEditor, message.text, tryAgain));
    },
    blocked: (origin) => bar.setNotice('loading', notices.blocked(origin, tryAgain)),
  });
  const close = (): void => {
    frame.remove();
    // Only a tab that a script opened can be closed by one.
    window.close();
    location.assign(input.address.replace(/\/(?:edit|view)\/[^/]*$/u, '/closed'));
  };
  const load = async (): Promise<void> => {
    bar.setNotice('loading', null);
    bar.setStatus({ text: words.asking });
    try {
      const opened = await createHostApi(input.address).openVersion(input.versionId);
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
