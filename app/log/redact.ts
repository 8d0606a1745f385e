// Removes secrets from text: tokens, passwords, Authorization values. It is the last step of the log, so it assumes nothing about
// its input: a stack, an upstream response or a whole request. If the end of a value is unclear it removes the rest of the text:
// too little in a log is better than one secret.

const placeholder = '[redacted]';

/** A fast check that lets nearly every line pass; it must match whatever a rule below can match. */
const suspect =
  /tok|auth|passw|passphrase|secret|cookie|bearer|basic|hmac|api-key|:\/\/[^/\s]*@|[A-Za-z0-9_-]{43}/i;

/** Keys of objects and names of headers; `tokenId`, `accessTokenTtl` and `secretStore` don't match. */
const secretName =
  /passw(or)?d|passphrase|^(.*[_-])?authorization$|cookie$|secret$|hmac|^((access|api|refresh|id|bearer|session)[_-]?)?tokens?$|^x-api-key$/i;

/**
 * What follows a name inside text: an optional closing quote, escaped or not, then `:` or `=`. Bounded, so that no text is slow.
 */
const toValue = String.raw`\\{0,15}["'\x60]?\s{0,9}(?:[:=]|%3a|%3d)\s{0,9}`;
/** A quoted value; inside nested quotes, it ends with an equally escaped quote. */
const quoted =
  String.raw`\\"[\s\S]*?(?<!\\)(?:\\{4})*\\"|\\[\s\S]*` +
  String.raw`|"(?:[^"\\]|\\[\s\S])*(?:"|$)|'(?:[^'\\]|\\[\s\S])*(?:'|$)`;
/** Their values may contain any character, so an unquoted one may reach to the end of its line. */
const freeNames = String.raw`(?:passw(?:or)?d|passphrase|authorization|cookie)\w{0,20}`;
const freeValue = new RegExp(String.raw`(${freeNames}${toValue})(?:${quoted}|[^\s"'\\][^\r\n]*)`, 'gi');
const tokenNames = String.raw`(?:tokens?|secret|hmac|api-key)`;
const tokenValue = new RegExp(
  String.raw`(${tokenNames}${toValue})(?:${quoted}|[^\s"'&;,#<>{}()[\]\\]+)`,
  'gi',
);
const scheme = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;
const inAddress = /(:\/\/[^\s/:@]*):[^\s/@]*@/g;
/** 256 bits in base64url, or a longer run of the same characters. */
const secretRun = /[A-Za-z0-9_-]{43,}/g;

/** The text with every secret replaced by `[redacted]`. */
export function redact(text: string): string {
  if (!suspect.test(text)) return text;
  return text
    .replace(freeValue, (_match, before: string) => before + placeholder)
    .replace(tokenValue, (_match, before: string) => before + placeholder)
    .replace(scheme, (_match, word: string) => `${word} ${placeholder}`)
    .replace(inAddress, (_match, before: string) => `${before}:${placeholder}@`)
    .replace(secretRun, (run) => (isSecretRun(run) ? placeholder : run));
}

/** A JSON line with secrets removed by key as well as by pattern. */
export function redactLine(line: string): string {
  return suspect.test(line) ? JSON.stringify(JSON.parse(line), withoutSecrets) : line;
}

function withoutSecrets(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  const hidden = (name: unknown, inner: unknown): unknown =>
    typeof name === 'string' && secretName.test(name) && inner !== null ? placeholder : inner;
  // Node's raw headers are a list of name, value, name, value.
  if (Array.isArray(value)) return value.map((item: unknown, index) => hidden(value[index - 1], item));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), hidden(name, inner)]),
  );
}

/** Exactly 43 characters always match; longer ones only with both cases, which a hexadecimal hash doesn't have. */
function isSecretRun(run: string): boolean {
  return run.length === 43 || (/[a-z]/.test(run) && /[A-Z]/.test(run));
}
