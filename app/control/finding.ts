// One thing `doctor` tried, and what came of it.

export interface Finding {
  check: 'folder' | 'port' | 'address' | 'network' | 'tls' | 'database' | 'secrets' | 'clock' | 'start';
  /** `note`: could not be checked now, or works but should be known. */
  verdict: 'ok' | 'note' | 'failed';
  text: string;
}

export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
