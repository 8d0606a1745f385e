// Creates elements for the host pages and the text editor. Texts only ever become text nodes, so that names of documents and texts of
// editors are never parsed as markup.

type Child = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

const shapes = {
  up: 'm4 9.8 4-4 4 4',
  down: 'm4 6.2 4 4 4-4',
  right: 'm6.2 4 4 4-4 4',
  close: 'm4 4 8 8M12 4l-8 8',
  history: 'M2.6 8a5.4 5.4 0 1 0 1.6-3.8L2.6 5.8M2.6 2.6v3.2h3.2M8 5.2V8l1.9 1.4',
  share: 'M8 9.6V2.2M5.4 4.6 8 2l2.6 2.6M5 7H3.4v6.6h9.2V7H11',
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 7.4v3.8M8 4.9v.5',
  warn: 'M8 2.4 14.4 13.4H1.6zM8 6.6v3M8 11.3v.4',
  bad: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 4.8v3.8M8 10.7v.5',
};

export type IconShape = keyof typeof shapes;

/** A line icon like the window's. Decorative: beside words, or in a button that has a label. */
export function lineIcon(shape: IconShape): SVGElement {
  const icon = document.createElementNS(svgNamespace, 'svg');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', shapes[shape]);
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.setAttribute('class', 'icon');
  icon.setAttribute('aria-hidden', 'true');
  icon.append(path);
  return icon;
}

export interface ButtonChoice {
  label: string;
  /** The one to press; the others are quieter. */
  isMain?: boolean;
  /** In a narrow window, it replaces the label. */
  icon?: IconShape;
  /** Instead of the label, for screen readers; begins with it. */
  name?: string;
  id?: string;
  press(): void;
}

export function buttonOf({ label, isMain, icon, name, id, press }: ButtonChoice): HTMLButtonElement {
  const button = element('button', {
    type: 'button',
    ...(isMain === true && { class: 'main' }),
    ...(name !== undefined && { 'aria-label': name }),
    ...(id !== undefined && { id }),
  });
  if (icon === undefined) button.append(label);
  else {
    button.classList.add('has-icon');
    button.title = label;
    button.append(lineIcon(icon), element('span', {}, label));
  }
  button.addEventListener('click', press);
  return button;
}

/** Shows only its icon, everywhere. */
export function iconButton(icon: IconShape, label: string, press: () => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'icon-only', 'aria-label': label, title: label },
    lineIcon(icon),
  );
  button.addEventListener('click', press);
  return button;
}
