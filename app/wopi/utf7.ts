// UTF-7 (RFC 2152) in the name headers: X-WOPI-SuggestedTarget, -RelativeTarget, -RequestedName, and encoded again for
// X-WOPI-ValidRelativeTarget. Input is untrusted: malformed input never throws, but is taken as literal text, since some clients
// send names unencoded.

// Not in the bundle, hence among `dependencies`: it declares functions inside an `if`, and an ES module wouldn't see them.
import utf7 from 'utf7';

/** Longer than any real name; a header of 16 KiB isn't decoded whole. */
const maxEncodedLength = 8192;

/**
 * The text of a UTF-7 header. Never throws; lone surrogates become U+FFFD; a `%20` stays a `%20`. A `+…` run that isn't exact
 * UTF-16 in base64 stays as it is, so an unencoded `C++ 2024+1.docx` survives.
 */
export function decodeUtf7(text: string): string {
  return text
    .slice(0, maxEncodedLength)
    .replace(/\+([A-Za-z0-9+/]*)-?/g, (run: string, base64: string) => decodeRun(run, base64))
    .toWellFormed();
}

/** Encodes text as UTF-7: plain ASCII, safe as a header value. Lone surrogates become U+FFFD first. */
export function encodeUtf7(text: string): string {
  return utf7.encode(text.slice(0, maxEncodedLength).toWellFormed());
}

function decodeRun(run: string, base64: string): string {
  if (base64 === '') return run === '+-' ? '+' : run;
  if (!isWholeUtf16(base64)) return run;
  // The package's own decode() stops at a `+` inside the base64 that its encode() wrote, and so loses characters as common as 信,
  // 知 and 建 (github.com/kkaefer/utf7/issues/6). Its IMAP decoder has the same alphabet without that bug.
  return utf7.imap.decode(`&${base64.replaceAll('/', ',')}-`);
}

/** RFC 2152: whole 16-bit units, then fewer than six padding bits, all of them zero. */
function isWholeUtf16(base64: string): boolean {
  const paddingBits = (base64.length * 6) % 16;
  if (paddingBits >= 6) return false;
  const last = Buffer.from(`AAA${base64.at(-1) ?? ''}`, 'base64')[2] ?? 0;
  return (last & ((1 << paddingBits) - 1)) === 0;
}
