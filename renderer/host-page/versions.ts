// Earlier versions of the document: a side panel with what can be done with each, and the page that shows one of them. A version opens
// in its own tab with an access to that version only; nothing can be saved there.

import { closedAddress } from './closed.ts';
import { createEditorFrame } from './editor-frame.ts';
import { buttonOf, element, lineIcon } from '../pages/elements.ts';
import { createHostApi, HostError, type HostApi, type PageVersions } from './host-api.ts';
import { notices } from './notices.ts';
import { createPageBar } from './page-bar.ts';
import { versionFacts } from '../pages/version-facts.ts';
import { words } from './words.ts';
import { formatDayTime } from '../../app/contract/format.ts';

export interface VersionsPanel {
  /** Opens it, or closes it. */
  toggle(): void;
  /** The document was saved: there may be another version. */
  refresh(): void;
}

function controlId(action: 'open' | 'compare' | 'copy' | 'restore', versionId: string): string {
  return `${action}-${versionId}`;
}

export function createVersionsPanel(input: {
  api: HostApi;
  /** Of the page, without query. */
  address: string;
  /** Resolves when the document has its earlier content again. @throws HostError */
  restore(versionId: string): Promise<void>;
  /** Shows a dialog, unless one is open. The editor doesn't take the focus while it's shown. */
  inDialog(body: () => Promise<void>): Promise<void>;
  focusEditor(): void;
}): VersionsPanel {
  const { api } = input;
  let panel: HTMLElement | undefined;
  /** What had the focus before. */
  let opener: Element | null = null;
  let reload = (): void => undefined;
  let say = (_text: string): void => undefined;

  const close = (): void => {
    panel?.remove();
    panel = undefined;
    reload = () => undefined;
    say = () => undefined;
    document.body.classList.remove('has-panel');
    if (document.activeElement !== document.body) return;
    if (opener instanceof HTMLButtonElement) opener.focus();
    // The editor had the focus, or the button is hidden by now.
    if (document.activeElement === document.body) input.focusEditor();
  };

  const open = (): void => {
    opener = document.activeElement;
    const status = element('p', { role: 'status' }, words.versionsLoading);
    const list = element('ol', {});
    const closing = element(
      'button',
      { type: 'button', class: 'fold', 'aria-label': words.close, title: words.close },
      lineIcon('close'),
    );
    closing.addEventListener('click', close);
    panel = element(
      'aside',
      // A click on its empty area gives it the focus, so that Escape still closes it.
      { class: 'versions', 'aria-labelledby': 'versions-title', tabindex: '-1' },
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
    let drawn = '';
    /** What became of the user's latest action. It stays when the list is loaded again. */
    let said = '';
    let loads = 0;
    const report = (text: string): void => {
      said = text;
      status.textContent = text;
    };
    say = report;
    const load = async (): Promise<void> => {
      loads += 1;
      const number = loads;
      try {
        const versions = await api.versions();
        // A later request has a newer list, whichever is answered first.
        if (number !== loads) return;
        status.textContent = versions.versions.length === 0 ? words.versionsNone : said;
        // Without a change, a button that is being pressed stays.
        const answer = JSON.stringify(versions);
        if (answer !== drawn) {
          const focused = list.contains(document.activeElement) ? document.activeElement?.id : undefined;
          list.replaceChildren(...itemsOf(versions, act));
          if (focused !== undefined) focusControl(focused);
        }
        drawn = answer;
      } catch (error) {
        if (number === loads) status.textContent = (error as Error).message;
      }
    };
    const act = async (kind: 'restore' | 'copy', id: string): Promise<void> => {
      report('');
      try {
        if (kind === 'copy') {
          report(words.versionCopied((await api.copyVersion(id)).name));
          return;
        }
        await input.restore(id);
        if (mine !== panel) return;
        report(words.versionRestored);
        await load();
        // The pressed button is gone.
        panel.querySelector<HTMLElement>('h2')?.focus();
      } catch (error) {
        report(error instanceof HostError ? error.message : String(error));
        await load();
      }
    };
    reload = () => void load();
    void load();
  };

  /** Focuses the control with this id, or the title if that control is gone. */
  const focusControl = (id: string): void => {
    (document.getElementById(id) ?? panel?.querySelector<HTMLElement>('h2'))?.focus();
  };

  const itemsOf = (
    { versions, current, canRestore, canCompare }: PageVersions,
    act: (kind: 'restore' | 'copy', id: string) => Promise<void>,
  ): HTMLElement[] => [
    element(
      'li',
      { class: 'current' },
      element('strong', {}, words.versionCurrent),
      element(
        'p',
        {},
        versionFacts(
          current.savedBy,
          current.size,
          formatDayTime(current.savedAtMs ?? current.lastModifiedMs, Date.now()),
        ),
      ),
    ),
    ...versions.map((version) => {
      const { id, atMs, savedBy, size } = version;
      const time = formatDayTime(atMs, Date.now());
      const link = element(
        'a',
        {
          id: controlId('open', id),
          href: `${input.address.replace(/\/edit\//u, '/view/')}?version=${encodeURIComponent(id)}`,
          target: '_blank',
          rel: 'noopener',
          'aria-label': words.versionOpenOf(time),
        },
        words.versionOpen,
      );
      const askToRestore = (): void => {
        if (confirm(words.versionRestoreSure(time))) void act('restore', id);
      };
      const compare = buttonOf({
        label: words.versionCompare,
        press: () => void compareWith(version, canRestore ? askToRestore : undefined),
      });
      compare.setAttribute('aria-label', words.versionCompareOf(time));
      compare.id = controlId('compare', id);
      const copy = buttonOf({ label: words.versionCopy, press: () => void act('copy', id) });
      copy.id = controlId('copy', id);
      const restore = buttonOf({ label: words.versionRestore, press: askToRestore });
      restore.id = controlId('restore', id);
      return element(
        'li',
        {},
        element('strong', {}, time),
        element('p', {}, versionFacts(savedBy, size)),
        element(
          'div',
          { class: 'buttons' },
          link,
          ...(canCompare ? [compare] : []),
          ...(canRestore ? [copy, restore] : []),
        ),
      );
    }),
  ];

  const compareWith = async (
    version: PageVersions['versions'][number],
    restore: (() => void) | undefined,
  ): Promise<void> => {
    // Loaded when it's needed: its comparison of lines is a package, and nothing else on the page needs one.
    const loaded = await import('./compare.ts').catch(() => undefined);
    if (loaded === undefined) {
      say(words.hostSilent);
      return;
    }
    let isToRestore = false;
    await input.inDialog(async () => {
      isToRestore = await loaded.showComparison(api, version, restore !== undefined);
    });
    // If a save drew the list again, the button that the browser would focus is gone.
    if (document.activeElement === document.body) focusControl(controlId('compare', version.id));
    if (isToRestore) restore?.();
  };

  return {
    toggle() {
      if (panel === undefined) open();
      else close();
    },
    refresh: () => reload(),
  };
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
    location.assign(closedAddress(input.address));
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
