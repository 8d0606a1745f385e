// What stands above the frame: the document's name, how it is, and notices with what can be done. Status and notices are live
// regions; a notice never takes the focus from somebody who writes.

import { t } from '../../app/contract/messages.ts';
import { buttonOf, element, type ButtonChoice } from './elements.ts';

export interface Notice {
  text: string;
  more?: string;
  tone: 'info' | 'warn' | 'bad';
  buttons?: ButtonChoice[];
  link?: { text: string; name: string; url: string };
  hasDismiss?: boolean;
}

export interface PageBar {
  setName(name: string): void;
  setStatus(text: string, tone?: 'warn' | 'bad'): void;
  /** Buttons next to the status; they replace the current ones. */
  setButtons(buttons: ButtonChoice[]): void;
  /** One notice of each kind; null takes it away. */
  setNotice(kind: string, notice: Notice | null): void;
  /** In place of the editor, until it is taken away by null. */
  setChoice(choice: { title: string; more: string; buttons: ButtonChoice[] } | null): void;
}

export function createPageBar(main: HTMLElement, name: string): PageBar {
  const nameElement = element('h1', {});
  const status = element('p', { role: 'status' });
  const buttons = element('div', { class: 'buttons' });
  const notices = element('div', { class: 'notices' });
  const shown = new Map<string, { element: HTMLElement; key: string }>();
  let choiceElement: HTMLElement | undefined;

  main.replaceChildren(
    element('header', {}, element('div', { class: 'name-and-status' }, nameElement, status), buttons),
    notices,
  );

  const bar: PageBar = {
    setName(name) {
      if (nameElement.textContent === name) return;
      nameElement.textContent = name;
      nameElement.title = name;
      document.title = `${name} – DocTray`;
    },
    setStatus(text, tone) {
      // the same words again would be read out again
      if (status.textContent !== text) status.textContent = text;
      status.className = tone ?? '';
    },
    setButtons(choices) {
      buttons.replaceChildren(...choices.map(buttonOf));
    },
    setNotice(kind, notice) {
      const before = shown.get(kind);
      if (notice === null) {
        before?.element.remove();
        shown.delete(kind);
        return;
      }
      const key = JSON.stringify([notice.text, notice.more, notice.link]);
      if (before?.key === key) return;
      const made = noticeElement(notice, () => {
        bar.setNotice(kind, null);
      });
      if (before === undefined) notices.append(made);
      else before.element.replaceWith(made);
      shown.set(kind, { element: made, key });
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

function noticeElement(notice: Notice, dismiss: () => void): HTMLElement {
  const words = element('p', {}, element('strong', {}, notice.text));
  if (notice.more !== undefined) words.append(' ', notice.more);
  if (notice.link !== undefined) {
    const link = element('a', { href: notice.link.url, target: '_blank', rel: 'noopener' }, notice.link.name);
    words.append(' ', notice.link.text, link);
  }
  const choices = [...(notice.buttons ?? [])];
  if (notice.hasDismiss === true) choices.push({ label: t('Dismiss'), press: dismiss });
  return element(
    'section',
    { class: `notice ${notice.tone}`, role: notice.tone === 'info' ? 'status' : 'alert' },
    words,
    element('div', { class: 'buttons' }, ...choices.map(buttonOf)),
  );
}
