// One thing `doctor` tried, and what came of it.

import { errorCode } from '../contract/errors.ts';

export interface Finding {
  check:
    | 'folder'
    | 'port'
    | 'address'
    | 'text-editor'
    | 'network'
    | 'pause'
    | 'tls'
    | 'database'
    | 'secrets'
    | 'clock'
    | 'attention'
    | 'start';
  /** `note`: could not be checked now, or works but should be known. */
  verdict: 'ok' | 'note' | 'failed';
  text: string;
}

export function codeOf(error: unknown): string {
  return errorCode(error) || (error instanceof Error ? error.name : 'unknown');
}
