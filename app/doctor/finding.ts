// The result of one check of `doctor`.

import { errorCode, type CallerName } from '../contract/errors.ts';

export interface Finding {
  check:
    | 'folder'
    | 'space'
    | 'port'
    | 'address'
    | 'text-editor'
    | 'network'
    | 'settings'
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

/** The result of a check that needs a running host when there is none. */
export function notTested(check: Finding['check'], by: CallerName): Finding {
  const text =
    by === 'window'
      ? 'Not tested, because DocTray isn’t serving.'
      : 'Not tested: DocTray isn’t running with this data folder.';
  return { check, verdict: 'note', text };
}

export function codeOf(error: unknown): string {
  return errorCode(error) || (error instanceof Error ? error.name : 'unknown');
}
