// Editors name themselves in User-Agent, in words of their own. A person knows the product.

const products: readonly [pattern: RegExp, name: string][] = [
  [/^DocTray text editor$/, 'Text editor'],
  [/\b[CL]OOLWSD\b.*?(\d[\d.]*)?$/i, 'Collabora Online'],
  [/\bonlyoffice\b.*?(\d[\d.]*)?$/i, 'ONLYOFFICE Docs'],
  // The name of the HTTP library in it, which no other editor sends.
  [/^Node\.js\/6\.13$/, 'ONLYOFFICE Docs'],
  [/\b(?:MSWAC|Office Online|OfficeOnline)\b.*?(\d[\d.]*)?$/i, 'Office Online'],
];

/** The product and its version where it is known, else what the editor says; null when it says nothing. */
export function editorName(userAgent: string | null): string | null {
  const text = (userAgent ?? '').trim();
  if (text === '') return null;
  for (const [pattern, name] of products) {
    const found = pattern.exec(text);
    if (found !== null) return found[1] === undefined ? name : `${name} ${found[1]}`;
  }
  return text;
}
