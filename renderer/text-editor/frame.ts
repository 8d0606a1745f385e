// Everything around the document: the bar with its status and buttons, notices, the status line, the menu and dialogs. Names and texts
// only ever become text nodes. A notice never takes the focus away from the text.

import { forbiddenCharacters, isolated } from '../../app/contract/names.ts';
import { buttonOf, element, lineIcon, type ButtonChoice } from './elements.ts';
import { words } from './words.ts';

export interface Notice {
  text: string;
  more?: string;
  tone: 'info' | 'warn' | 'bad';
  buttons?: ButtonChoice[];
  link?: { name: string; url: string };
  hasDismiss?: boolean;
}

export interface Toggle {
  label: string;
  isOn(): boolean;
  /** Default: always. */
  isAvailable?: () => boolean;
  press(): void;
}

export type MenuItem = ButtonChoice & { keys?: string };

export interface Frame {
  /** Where the document is shown. */
  readonly body: HTMLElement;
  setName(name: string): void;
  /** Within a host page, only `warn` and `bad` are seen: it shows the others itself, but tools read all of them here. */
  setStatus(text: string, tone?: 'good' | 'pending' | 'warn' | 'bad'): void;
  /** Buttons of the bar, before the menu. */
  setTools(tools: readonly (ButtonChoice | Toggle)[]): void;
  /** Shows again which toggles are on and available. */
  updateTools(): void;
  /** The items of the menu, asked for when it opens; without one there is no menu. */
  setMenu(items: () => MenuItem[]): void;
  /** The line below the document, piece by piece. */
  setStatusLine(pieces: readonly (string | ButtonChoice)[]): void;
  /** One notice of each kind; null takes it away. */
  setNotice(kind: string, notice: Notice | null): void;
  /** In place of the document. */
  showMessage(message: Notice): void;
}

/** @param isEmbedded the host page shows the name and *Saved* already */
export function createFrame(app: HTMLElement, isEmbedded: boolean): Frame {
  const nameElement = element('h1', isEmbedded ? { class: 'hidden' } : {});
  const status = element('p', { role: 'status', class: 'state' });
  app.classList.toggle('embedded', isEmbedded);
  const tools = element('div', { class: 'tools' });
  const notices = element('div', { class: 'notices' });
  const body = element('main', { class: 'body' });
  const statusLine = element('footer', { class: 'status-line', hidden: '' });
  const shown = new Map<string, { element: HTMLElement; key: string }>();
  const toggles: { button: HTMLButtonElement; toggle: Toggle }[] = [];
  const menuButton = element(
    'button',
    { type: 'button', class: 'with-icon', 'aria-haspopup': 'menu', 'aria-expanded': 'false', hidden: '' },
    words.more,
    lineIcon('chevron-down'),
  );
  let menuItems = (): MenuItem[] => [];
  const toolButtons = element('div', { class: 'tools' });
  tools.append(
    toolButtons,
    menuButton,
    createMenu(menuButton, () => menuItems()),
  );
  app.replaceChildren(
    element('header', { class: 'bar' }, nameElement, status, tools),
    notices,
    body,
    statusLine,
    element('p', { id: 'tab-hint', hidden: '' }, words.tabHint),
  );

  /** Keyboard users would start again at the top of the page otherwise. */
  const focusDocument = (): void => {
    body.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  };

  const frame: Frame = {
    body,
    setName(name) {
      nameElement.textContent = name;
      nameElement.title = name;
      document.title = `${isolated(name)} – DocTray`;
    },
    setStatus(text, tone) {
      // the same words again would be read out again
      if (status.textContent !== text) status.textContent = text;
      status.className = `state ${tone ?? ''}`;
    },
    setTools(choices) {
      toggles.length = 0;
      toolButtons.replaceChildren(
        ...choices.map((choice) => {
          const button = buttonOf(choice);
          if ('isOn' in choice) toggles.push({ button, toggle: choice });
          return button;
        }),
      );
      frame.updateTools();
    },
    updateTools() {
      for (const { button, toggle } of toggles) {
        button.setAttribute('aria-pressed', String(toggle.isOn()));
        button.disabled = toggle.isAvailable?.() === false;
      }
    },
    setMenu(items) {
      menuButton.hidden = false;
      menuItems = items;
    },
    setStatusLine(pieces) {
      statusLine.hidden = pieces.length === 0;
      // a button keeps the focus while its words change
      const isSame = pieces.length === statusLine.children.length;
      pieces.forEach((piece, index) => {
        const text = typeof piece === 'string' ? piece : piece.label;
        const before = isSame ? statusLine.children[index] : undefined;
        if (before !== undefined) {
          if (before.textContent !== text) before.textContent = text;
        } else {
          if (index === 0) statusLine.replaceChildren();
          statusLine.append(typeof piece === 'string' ? element('span', {}, text) : buttonOf(piece));
        }
      });
    },
    setNotice(kind, notice) {
      const before = shown.get(kind);
      if (notice === null) {
        const hadFocus = before?.element.contains(document.activeElement);
        before?.element.remove();
        shown.delete(kind);
        if (hadFocus === true) focusDocument();
        return;
      }
      const labels = notice.buttons?.map(({ label }) => label);
      const key = JSON.stringify([notice.text, notice.more, notice.link, labels]);
      if (before?.key === key) return;
      const made = noticeElement(notice, () => {
        frame.setNotice(kind, null);
      });
      shown.set(kind, { element: made, key });
      if (before === undefined) {
        notices.append(made);
        return;
      }
      const focusedAt = [...before.element.querySelectorAll('button')].indexOf(
        document.activeElement as HTMLButtonElement,
      );
      before.element.replaceWith(made);
      if (focusedAt === -1) return;
      const buttons = made.querySelectorAll('button');
      const next = buttons[Math.min(focusedAt, buttons.length - 1)];
      if (next === undefined) focusDocument();
      else next.focus();
    },
    showMessage(message) {
      body.replaceChildren(
        element(
          'section',
          { class: 'message' },
          element('h2', {}, message.text),
          ...(message.more === undefined ? [] : [element('p', {}, message.more)]),
          element('div', { class: 'buttons' }, ...(message.buttons ?? []).map(buttonOf)),
        ),
      );
    },
  };
  return frame;
}

function noticeElement(notice: Notice, dismiss: () => void): HTMLElement {
  const text = element('p', {}, element('strong', {}, notice.text));
  if (notice.more !== undefined) text.append(' ', notice.more);
  if (notice.link !== undefined) {
    const { name, url } = notice.link;
    text.append(' ', element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, name));
  }
  const choices = [...(notice.buttons ?? [])];
  if (notice.hasDismiss === true) choices.push({ label: words.dismiss, press: dismiss });
  return element(
    'section',
    { class: `notice ${notice.tone}`, role: notice.tone === 'bad' ? 'alert' : 'status' },
    text,
    element('div', { class: 'buttons' }, ...choices.map(buttonOf)),
  );
}

/** Arrow keys, Home and End move in it, Escape closes it; the browser gives the focus back. */
function createMenu(button: HTMLButtonElement, items: () => MenuItem[]): HTMLElement {
  const menu = element('div', { class: 'menu', role: 'menu', popover: 'auto', 'aria-label': words.more });
  button.addEventListener('click', () => {
    menu.replaceChildren(
      ...items().map(({ label, keys, press }) => {
        const item = element('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, label);
        if (keys !== undefined) item.append(element('kbd', {}, keys));
        item.addEventListener('click', () => {
          menu.hidePopover();
          press();
        });
        return item;
      }),
    );
    const box = button.getBoundingClientRect();
    menu.style.top = `${box.bottom + 4}px`;
    menu.style.right = `${document.documentElement.clientWidth - box.right}px`;
    menu.togglePopover();
    menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  });
  menu.addEventListener('toggle', (event) => {
    button.setAttribute('aria-expanded', String(event.newState === 'open'));
  });
  menu.addEventListener('keydown', (event) => {
    const entries = [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const next = {
      ArrowDown: (at + 1) % entries.length,
      ArrowUp: (at - 1 + entries.length) % entries.length,
      Home: 0,
      End: entries.length - 1,
    }[event.key];
    if (event.key === 'Tab') menu.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    entries[next]?.focus();
  });
  return menu;
}

/** What the user typed, or why it can't be a name. */
function checkName(typed: string): { name: string } | { problem: string } {
  const name = typed.trim();
  if (name === '') return { problem: words.nameEmpty };
  return name.search(forbiddenCharacters) !== -1 ? { problem: words.nameCharacters } : { name };
}

/** @returns undefined when the user canceled */
export async function askName(input: {
  title: string;
  label: string;
  more: string;
  value: string;
  /** Characters of `value` that are selected. */
  selected: number;
  button: string;
}): Promise<string | undefined> {
  const field = element('input', {
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': 'name-more',
  });
  field.value = input.value;
  const problem = element('p', { role: 'alert', class: 'problem' });
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    element('h2', { id: 'dialog-title' }, input.title),
  );
  let name: string | undefined;
  const form = element(
    'form',
    { novalidate: '' },
    element('label', {}, input.label, field),
    element('p', { id: 'name-more', class: 'more' }, input.more),
    problem,
    element(
      'div',
      { class: 'buttons' },
      buttonOf({
        label: words.cancel,
        press: () => {
          dialog.close();
        },
      }),
      element('button', { type: 'submit', class: 'main' }, input.button),
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const checked = checkName(field.value);
    if ('problem' in checked) {
      problem.textContent = checked.problem;
      field.setAttribute('aria-invalid', 'true');
      field.focus();
      return;
    }
    ({ name } = checked);
    dialog.close();
  });
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
  field.setSelectionRange(0, input.selected);
  await new Promise((resolve) => {
    dialog.addEventListener('close', resolve, { once: true });
  });
  dialog.remove();
  return name;
}

/** Hands bytes to the user as a file, without any server. */
export function downloadBytes(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
