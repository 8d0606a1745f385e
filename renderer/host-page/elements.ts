// Makes elements. Texts only ever become text nodes: names of documents and words of editors are not trusted with markup.

type Child = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** A line icon of the window, decoration beside a word or in a button that has a label. */
export function chevron(direction: 'up' | 'down'): SVGElement {
  const icon = document.createElementNS(svgNamespace, 'svg');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', direction === 'up' ? 'm4 9.8 4-4 4 4' : 'm4 6.2 4 4 4-4');
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
