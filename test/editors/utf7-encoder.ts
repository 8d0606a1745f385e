// UTF-7 as the three editors write it into a header. They agree on the alphabet and differ in what they leave in the
// clear and in when they close a run, and a host has to read all of them.
// RFC 2152: set D goes in the clear; a lone + is +-; everything else is base64 of UTF-16BE between + and -.

const setD = /[A-Za-z0-9'(),\-./:?]/;
const base64Letter = /[A-Za-z0-9+/-]/;

/**
 * @param style `closed`: every run ends in '-', a space is encoded (the npm package ONLYOFFICE uses);
 *   `terse`: '-' only where the next letter would be read as base64, a space stays (iconv, .NET)
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
