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
