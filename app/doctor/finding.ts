// The result of one check of `doctor`.

import { errorCode, type CallerName } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';

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
  const key = by === 'window' ? 'host.doctor-not-tested' : 'host.doctor-not-tested-terminal';
  return { check, verdict: 'note', text: t(key) };
}

export function codeOf(error: unknown): string {
  return errorCode(error) || (error instanceof Error ? error.name : 'unknown');
}
