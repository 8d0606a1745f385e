// Takes out of a text whatever opens something: tokens, passwords, Authorization values. It stands at the log's only way
// out, so it trusts nobody inside: a stack, an upstream answer or a whole request may be in what it gets. Where a value's
// end cannot be told it takes the rest of the text: too little in a log is better than one secret.

const gap = '[redacted]';

/** A quick look that lets nearly every line pass untouched; whatever a rule below can find must be found here too. */
const suspect =
  /tok|auth|passw|passphrase|secret|cookie|bearer|basic|hmac|api-key|:\/\/[^/\s]*@|[A-Za-z0-9_-]{43}/i;

/** Keys of objects and names of headers; `tokenId`, `accessTokenTtl` and `secretStore` are none of them. */
const secretName =
  /passw(or)?d|passphrase|^(.*[_-])?authorization$|cookie$|secret$|hmac|^((access|api|refresh|id|bearer|session)[_-]?)?tokens?$|^x-api-key$/i;

/** What follows a name inside a text: perhaps a closing quote, escaped or not, then `:` or `=`. Bounded, so that no text is slow. */
const toValue = String.raw`\\{0,15}["'\x60]?\s{0,9}(?:[:=]|%3a|%3d)\s{0,9}`;
/** A value in quotes; in quotes that are themselves inside quotes, where its end is an equally escaped quote. */
const quoted =
  String.raw`\\"[\s\S]*?(?<!\\)(?:\\{4})*\\"|\\[\s\S]*` +
  String.raw`|"(?:[^"\\]|\\[\s\S])*(?:"|$)|'(?:[^'\\]|\\[\s\S])*(?:'|$)`;
/** May hold any character, so unquoted it may reach to the end of its line. */
const freeNames = String.raw`(?:passw(?:or)?d|passphrase|authorization|cookie)\w{0,20}`;
const freeValue = new RegExp(String.raw`(${freeNames}${toValue})(?:${quoted}|[^\s"'\\][^\r\n]*)`, 'gi');
const tokenNames = String.raw`(?:tokens?|secret|hmac|api-key)`;
const tokenValue = new RegExp(
  String.raw`(${tokenNames}${toValue})(?:${quoted}|[^\s"'&;,#<>{}()[\]\\]+)`,
  'gi',
);
const scheme = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;
const inAddress = /(:\/\/[^\s/:@]*):[^\s/@]*@/g;
/** 256 bits in base64url, alone or run together with more of its letters. */
const secretRun = /[A-Za-z0-9_-]{43,}/g;

/** The text with every secret replaced by `[redacted]`. */
export function redact(text: string): string {
  if (!suspect.test(text)) return text;
  return text
    .replace(freeValue, (_match, before: string) => before + gap)
    .replace(tokenValue, (_match, before: string) => before + gap)
    .replace(scheme, (_match, word: string) => `${word} ${gap}`)
    .replace(inAddress, (_match, before: string) => `${before}:${gap}@`)
    .replace(secretRun, (run) => (isSecretRun(run) ? gap : run));
}

/** A line of JSON with secrets replaced by their key as well as by their look. */
export function redactLine(line: string): string {
  if (!suspect.test(line)) return line;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return redact(line);
  }
  return JSON.stringify(redactValue(value));
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return redactList(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      redact(key),
      isSecretName(key) && inner !== null ? gap : redactValue(inner),
    ]),
  );
}

/** Node's raw headers are a list of name, value, name, value. */
function redactList(list: unknown[]): unknown[] {
  return list.map((item, index) => {
    const before: unknown = list[index - 1];
    return typeof before === 'string' && isSecretName(before) ? gap : redactValue(item);
  });
}

function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Exactly 43 always is; longer ones only with letters of both cases, which a hexadecimal hash has not. */
function isSecretRun(run: string): boolean {
  return run.length === 43 || (/[a-z]/.test(run) && /[A-Z]/.test(run));
}
