// The bar above the frame: the document's name, its status, and notices with their buttons. Status and notices are live regions;
// a notice never takes the focus from a user who is typing.

import { currentLocale, t } from '../../app/contract/messages.ts';
import { buttonOf, element, iconButton, lineIcon, type ButtonChoice } from '../kit/elements.ts';
import { words, type StatusWords } from './words.ts';
import { extensionOf, isolated, splitName, stemOf } from '../../app/contract/names.ts';

export interface Notice {
  /** Its first sentence is the heading. */
  text: string;
  /** One or two short sentences, on their own line. */
  more?: string;
  tone: 'info' | 'warn' | 'bad';
  /** One of them is the main one. */
  buttons?: ButtonChoice[];
  link?: { text: string; name: string; url: string };
  /** It has a ×, and Escape closes it. */
  hasDismiss?: boolean;
}

export interface PageBar {
  setName(name: string): void;
  /** The name can be edited in place. An error that `rename` throws is shown in a notice, and what was typed stays. */
  allowRename(rename: (name: string) => Promise<void>): void;
  setStatus(status: StatusWords, tone?: 'warn' | 'bad'): void;
  /** Display names of other users who have the document open. */
  setPeople(names: readonly string[]): void;
  /** Buttons at the end of the bar; they replace the current ones. */
  setButtons(buttons: ButtonChoice[]): void;
  /**
   * One notice of each kind; null removes it. Only the latest is shown, or the latest error, with a button that leads to the others.
   * Errors are above the editor. Other notices that can be dismissed, or that are only information, are toasts over it. Information
   * without a link is hidden after a while.
   */
  setNotice(kind: string, notice: Notice | null): void;
  /** Shown in place of the editor; null removes it. */
  setChoice(choice: { title: string; more: string; buttons: ButtonChoice[] } | null): void;
}

const shownForMs = 8000;
/** Remembered by the browser, for all documents. */
const foldedKey = 'doctray-bar-folded';

export function createPageBar(main: HTMLElement, name: string): PageBar {
  let shownName = '';
  const nameButton = element('button', { type: 'button', class: 'name', disabled: '' });
  const nameElement = element('h1', {}, nameButton);
  const status = element('p', { role: 'status' });
  const reasonElement = element('span', { class: 'reason', role: 'tooltip', id: 'status-reason' });
  const people = element('p', { class: 'people' });
  const buttons = element('div', { class: 'buttons' });
  const place = element('div', { class: 'notices' });
  const notices = new Map<string, Notice>();
  let shown: { kind: string; key: string } | undefined;
  let choiceElement: HTMLElement | undefined;
  let leaves: ReturnType<typeof setTimeout> | undefined;

  const fold = element('button', { type: 'button', class: 'fold' });
  const setFolded = (isFolded: boolean): void => {
    document.body.classList.toggle('has-folded-bar', isFolded);
    const label = isFolded ? words.showBar : words.hideBar;
    fold.replaceChildren(lineIcon(isFolded ? 'down' : 'up'));
    fold.title = label;
    fold.setAttribute('aria-label', label);
    fold.setAttribute('aria-expanded', String(!isFolded));
  };
  fold.addEventListener('click', () => {
    const isFolded = !document.body.classList.contains('has-folded-bar');
    setFolded(isFolded);
    localStorage.setItem(foldedKey, String(isFolded));
  });
  setFolded(localStorage.getItem(foldedKey) === 'true');

  const mark = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;
  main.replaceChildren(
    element(
      'header',
      {},
      ...(mark === undefined ? [] : [element('img', { class: 'mark', src: mark, alt: '' })]),
      element(
        'div',
        { class: 'name-and-status' },
        nameElement,
        element('div', { class: 'state' }, status, reasonElement),
        people,
      ),
      buttons,
      fold,
    ),
    place,
  );

  const showNotice = (after?: string): void => {
    const ranked = [...notices]
      .toReversed()
      .toSorted(([, a], [, b]) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
    const index =
      after === undefined ? 0 : (ranked.findIndex(([kind]) => kind === after) + 1) % ranked.length;
    const [kind, notice] = ranked[index] ?? [];
    if (kind === undefined || notice === undefined) {
      place.replaceChildren();
      shown = undefined;
      return;
    }
    const key = JSON.stringify([notice.text, notice.more, notice.link, ranked.length]);
    if (shown?.kind === kind && shown.key === key) return;
    clearTimeout(leaves);
    const hidesAutomatically = notice.tone === 'info' && notice.link === undefined;
    const remove = (): void => bar.setNotice(kind, null);
    const pager = ranked.length === 1 ? undefined : pagerOf({ number: index + 1, count: ranked.length });
    pager?.addEventListener('click', () => {
      showNotice(kind);
      place.querySelector<HTMLElement>('.pager')?.focus();
    });
    const isToast = hidesAutomatically || (notice.hasDismiss === true && notice.tone !== 'bad');
    place.replaceChildren(noticeElement(notice, { isToast, pager, remove }));
    shown = { kind, key };
    const scheduleHide = (): void => {
      leaves = setTimeout(() => {
        if (document.hidden || place.matches(':hover, :focus-within')) scheduleHide();
        else remove();
      }, shownForMs);
    };
    if (hidesAutomatically) scheduleHide();
  };

  // Also while the focus is elsewhere on the page; never in a dialog.
  document.addEventListener('keydown', (event) => {
    const notice = shown === undefined ? undefined : notices.get(shown.kind);
    if (event.key !== 'Escape' || event.defaultPrevented || notice?.hasDismiss !== true) return;
    if (shown === undefined || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    bar.setNotice(shown.kind, null);
  });

  /** Enter and leaving the field rename, Escape doesn't. The extension stays. */
  const editName = (rename: (name: string) => Promise<void>): void => {
    const ending = extensionOf(shownName);
    const before = stemOf(shownName);
    const input = element('input', { class: 'name', 'aria-label': words.newName, spellcheck: 'false' });
    input.value = before;
    let isOver = false;
    const close = (): void => {
      // After Escape, a rename that is still running must not close the field of the next edit.
      if (isOver) return;
      isOver = true;
      // During the rename, the user may have clicked into the document.
      const hadFocus = document.activeElement === input;
      bar.setNotice('rename', null);
      nameElement.replaceChildren(nameButton);
      if (hadFocus) nameButton.focus();
    };
    const commit = async (): Promise<void> => {
      if (isOver || input.readOnly) return;
      const typed = input.value.trim();
      if (typed === '' || typed === before) {
        close();
        return;
      }
      input.readOnly = true;
      try {
        await rename(typed);
        close();
      } catch (error) {
        if (isOver) return;
        input.readOnly = false;
        bar.setNotice('rename', { text: (error as Error).message, tone: 'bad', hasDismiss: true });
      }
    };
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.isComposing) void commit();
      if (event.key !== 'Escape') return;
      event.preventDefault();
      close();
    });
    input.addEventListener('blur', () => void commit());
    nameElement.replaceChildren(input, ending);
    input.focus();
    input.select();
  };

  const bar: PageBar = {
    setName(name) {
      if (shownName === name) return;
      shownName = name;
      const [start, end] = splitName(name);
      nameButton.replaceChildren(
        element('span', { class: 'stem' }, start),
        element('span', { class: 'end' }, end),
      );
      // Screen readers would read the two parts as two words.
      nameButton.setAttribute('aria-label', name);
      nameButton.title = nameButton.disabled ? name : words.renameOf(name);
      document.title = `${isolated(name)} – DocTray`;
    },
    allowRename(rename) {
      nameButton.disabled = false;
      nameButton.title = words.renameOf(shownName);
      nameButton.onclick = () => editName(rename);
    },
    setStatus({ text, reason }, tone) {
      // Screen readers would read the same text again.
      if (status.textContent !== text) status.textContent = text;
      reasonElement.textContent = reason ?? '';
      // It can be focused only while there is more to read.
      status.tabIndex = reason === undefined ? -1 : 0;
      status.setAttribute('aria-describedby', reasonElement.id);
      status.className = tone ?? '';
    },
    setPeople(names) {
      const shownNames = new Intl.ListFormat(currentLocale()).format(names.map(isolated));
      people.replaceChildren();
      if (names.length > 0)
        people.append(
          element('span', { class: 'all' }, words.others(shownNames)),
          // For a narrow bar.
          element('span', { class: 'count', 'aria-hidden': 'true' }, `+${names.length}`),
        );
      people.title = shownNames;
    },
    setButtons(choices) {
      buttons.replaceChildren(...choices.map(buttonOf));
    },
    setNotice(kind, notice) {
      if (notice === null) notices.delete(kind);
      else notices.set(kind, notice);
      showNotice();
    },
    setChoice(choice) {
      choiceElement?.remove();
      choiceElement = undefined;
      document.body.classList.toggle('has-choice', choice !== null);
      if (choice === null) return;
      choiceElement = element(
        'section',
        { class: 'choice', 'aria-labelledby': 'choice-title' },
        element('h2', { id: 'choice-title' }, choice.title),
        element('p', {}, choice.more),
        element('div', { class: 'buttons' }, ...choice.buttons.map(buttonOf)),
      );
      main.append(choiceElement);
      choiceElement.querySelector('button')?.focus();
    },
  };
  bar.setName(name);
  return bar;
}

function noticeElement(
  notice: Notice,
  { isToast, pager, remove }: { isToast: boolean; pager: HTMLElement | undefined; remove: () => void },
): HTMLElement {
  const { heading, rest } = splitHeading(notice.text);
  const words = element('div', {}, element('strong', {}, heading));
  const more = [rest, notice.more].filter(Boolean).join(' ');
  if (more !== '') words.append(element('p', {}, more));
  if (notice.link !== undefined) {
    const link = element('a', { href: notice.link.url, target: '_blank', rel: 'noopener' }, notice.link.name);
    words.append(element('p', {}, notice.link.text, link));
  }
  const buttons = [...(notice.buttons ?? []).map(buttonOf), ...(pager === undefined ? [] : [pager])];
  return element(
    'section',
    {
      class: `notice ${notice.tone}${isToast ? ' toast' : ''}`,
      role: notice.tone === 'info' ? 'status' : 'alert',
    },
    lineIcon(notice.tone),
    words,
    ...(buttons.length === 0 ? [] : [element('div', { class: 'buttons' }, ...buttons)]),
    ...(notice.hasDismiss === true ? [iconButton('close', t('common.dismiss'), remove)] : []),
  );
}

/** The first sentence without its full stop, and the others. A full stop in quotes or inside a name ends no sentence. */
export function splitHeading(text: string): { heading: string; rest: string } {
  const [, heading = text, rest = ''] = /^((?:“[^”]*”|„[^“]*“|[^“„])*?)\.(?:\s+(.*))?$/su.exec(text) ?? [];
  return { heading, rest };
}

function pagerOf(at: { number: number; count: number }): HTMLElement {
  const label = t('page.next-notice-number-of-count', at);
  return element(
    'button',
    { type: 'button', class: 'pager', title: label, 'aria-label': label },
    t('page.number-of-count', at),
    lineIcon('right'),
  );
}
