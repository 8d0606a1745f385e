// Chromium's network errors by their CDP name, with the number that Electron reports.

const codes: Record<string, number> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_FILE_NOT_FOUND: -6,
  ERR_TIMED_OUT: -7,
  ERR_UNEXPECTED: -9,
  ERR_ACCESS_DENIED: -10,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_BLOCKED_BY_RESPONSE: -27,
  ERR_BLOCKED_BY_CSP: -30,
  ERR_CONNECTION_CLOSED: -100,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_ADDRESS_UNREACHABLE: -109,
  ERR_CERT_AUTHORITY_INVALID: -202,
  ERR_INVALID_URL: -300,
  ERR_DISALLOWED_URL_SCHEME: -301,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_TOO_MANY_REDIRECTS: -310,
  ERR_UNSAFE_PORT: -312,
  ERR_INVALID_RESPONSE: -320,
  ERR_EMPTY_RESPONSE: -324,
};

export interface NetError {
  name: string;
  code: number;
}

/** Takes `net::ERR_ABORTED` or `ERR_ABORTED`; unknown names get the number of ERR_FAILED. */
export function netError(text: string): NetError {
  const name = text.replace(/^net::/, '');
  return { name, code: codes[name] ?? -2 };
}

/** The error that `loadURL` rejects with. */
export function loadError(
  error: NetError,
  url: string,
): Error & { code: string; errno: number; url: string } {
  return Object.assign(new Error(`${error.name} (${error.code}) loading '${url}'`), {
    code: error.name,
    errno: error.code,
    url,
  });
}
