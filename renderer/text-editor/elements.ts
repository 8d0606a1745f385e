// Creates elements. Texts only ever become text nodes, so that names of documents and texts of the host are never parsed as markup.

import { shapes } from '../kit/icon-shapes.ts';

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

/** A line icon of the kit. Decorative: beside words, or in a button that has a label. */
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
