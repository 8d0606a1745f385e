// The token of an Authorization header: raw, as in the seed, or after `Bearer`. @see behaviour page section 9

export function bearerToken(header: string | undefined): string | undefined {
  const token = header?.replace(/^Bearer\s+/iu, '').trim();
  return token === undefined || token === '' ? undefined : token;
}
