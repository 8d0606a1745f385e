// A program on this computer that has a document open counts like an editor's lock: the document isn't locked, renamed, replaced
// or removed while it is in use. The user's setting decides how strictly.

import { desktopLockReason, type DesktopLock } from '../files/desktop-lock.ts';
import type { FoundFile } from '../files/document-index.ts';
import { lockConflict, type WopiAnswer } from './wopi-call.ts';
import { headerText } from './wopi-headers.ts';

/** The conflict with the program that holds the document; undefined if none does, or the setting ignores it. */
export type DesktopLockCheck = (found: FoundFile) => Promise<WopiAnswer | undefined>;

export interface DesktopLockCheckDeps {
  /** Refuse, warn in the log and continue, or don't check. */
  setting: () => 'block' | 'warn' | 'ignore';
  /** @param path inside the hosted folder */
  find: (path: string) => Promise<DesktopLock | undefined>;
  warn: (text: string) => void;
}

export function createDesktopLockCheck(deps: DesktopLockCheckDeps): DesktopLockCheck {
  return async (found) => {
    const setting = deps.setting();
    const held = setting === 'ignore' ? undefined : await deps.find(found.row.path);
    if (held === undefined) return undefined;
    if (setting === 'block') return lockConflict(held.id, headerText(desktopLockReason(held)));
    deps.warn(`An editor locked a document that ${held.program} on this computer has open.`);
    return undefined;
  };
}
