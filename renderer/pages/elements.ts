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
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 7.4v3.8M8 4.9v.5',
  warn: 'M8 2.4 14.4 13.4H1.6zM8 6.6v3M8 11.3v.4',
  bad: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 4.8v3.8M8 10.7v.5',
};

/** A line icon like the window's. Decorative: beside words, or in a button that has a label. */
export function lineIcon(shape: keyof typeof shapes): SVGElement {
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
  press(): void;
}

export function buttonOf({ label, isMain, press }: ButtonChoice): HTMLButtonElement {
  const button = element('button', { type: 'button', ...(isMain === true && { class: 'main' }) }, label);
  button.addEventListener('click', press);
  return button;
}
