// The token of an Authorization header: raw, or after `Bearer`. @see docs/protocol.md, “JSON API”

export function bearerToken(header: string | undefined): string | undefined {
  const token = header?.replace(/^Bearer\s+/iu, '').trim();
  return token === undefined || token === '' ? undefined : token;
}
