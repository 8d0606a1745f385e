// UTF-7 as the three editors write it into a header. They differ in which characters they encode and when they end a run with '-',
// and a host must decode all of them.
// RFC 2152: set D is unencoded; a lone + is +-; everything else is base64 of UTF-16BE between + and -.

const setD = /[A-Za-z0-9'(),\-./:?]/;
const base64Letter = /[A-Za-z0-9+/-]/;

/**
 * @param style `closed`: every run ends with '-', and spaces are encoded (the npm package that ONLYOFFICE uses);
 *   `terse`: '-' only before a base64 character, and spaces are unencoded (iconv, .NET)
 */
export function encodeUtf7(text: string, style: 'closed' | 'terse'): string {
  let encoded = '';
  let run = '';
  const endRun = (next: string): void => {
    if (run === '') return;
    const isOpen = style === 'terse' && next !== '' && !base64Letter.test(next) && run !== '+';
    encoded += `+${run === '+' ? '' : base64Of(run)}${isOpen ? '' : '-'}`;
    run = '';
  };
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charAt(index);
    if (setD.test(unit) || (style === 'terse' && unit === ' ')) {
      endRun(unit);
      encoded += unit;
    } else run += unit;
  }
  endRun('');
  return encoded;
}

function base64Of(run: string): string {
  return Buffer.from(run, 'utf16le').swap16().toString('base64').replace(/=+$/, '');
}
