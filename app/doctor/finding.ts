// The result of one check of `doctor`.

import { errorCode } from '../contract/errors.ts';

export interface Finding {
  check:
    | 'folder'
    | 'space'
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
  /** `note`: couldn't be checked, or works but the user should know about it. */
  verdict: 'ok' | 'note' | 'failed';
  text: string;
}

export function codeOf(error: unknown): string {
  return errorCode(error) || (error instanceof Error ? error.name : 'unknown');
}
