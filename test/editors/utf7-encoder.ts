// UTF-7 as the three editors write it into a header. They differ in which characters they encode and when they end a run with '-',
// and a host must decode all of them.
// RFC 2152: set D is unencoded; a lone + is +-; everything else is base64 of UTF-16BE between + and -.

import utf7 from 'utf7';

/**
 * @param style `closed`: every run ends with '-', and spaces are encoded (the npm package, which ONLYOFFICE uses);
 *   `terse`: '-' only before a base64 character, and spaces are unencoded (iconv, .NET)
 */
export function encodeUtf7(text: string, style: 'closed' | 'terse'): string {
  if (style === 'closed') return utf7.encode(text);
  return text.replaceAll(/[^A-Za-z0-9'(),\-./:? ]+/g, (run, at: number) => {
    const next = text.charAt(at + run.length);
    const encoded = utf7.encode(run);
    const isOpen = next !== '' && !/[A-Za-z0-9+/-]/.test(next) && run !== '+';
    return isOpen ? encoded.slice(0, -1) : encoded;
  });
}
