// UTF-7 (RFC 2152) for the names in X-WOPI-SuggestedTarget and X-WOPI-RequestedName. The `utf7` package the host uses needs
// Node's Buffer.

const encodedRun = /[^A-Za-z0-9'(),\-./:?]+/g;

/** Plain ASCII, safe as a header value. Lone surrogates become U+FFFD first. */
export function encodeUtf7(text: string): string {
  return text.toWellFormed().replace(encodedRun, (run) => (run === '+' ? '+-' : `+${base64(run)}-`));
}

/** UTF-16BE in base64 without padding. */
function base64(text: string): string {
  let bytes = '';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    bytes += String.fromCharCode(unit >> 8, unit & 0xff);
  }
  return btoa(bytes).replace(/=+$/, '');
}
