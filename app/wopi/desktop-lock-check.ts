// A program on this machine that has a document open holds it as an editor's lock does: nothing is taken, renamed, replaced or
// removed under its hands. What that means is the user's setting.
// @see behaviour page section 3, Lock, "a desktop program holds the file"

import { desktopLockReason, type DesktopLock } from '../files/desktop-lock.ts';
import type { FoundFile } from '../files/document-index.ts';
import { lockConflict, type WopiAnswer } from './wopi-call.ts';
import { headerText } from './wopi-headers.ts';

/** The conflict with the program that holds the document; undefined when none does, or the setting lets it pass. */
export type DesktopLockCheck = (found: FoundFile) => Promise<WopiAnswer | undefined>;

export interface DesktopLockCheckDeps {
  /** Refuse, go on all the same and say so in the log, or do not look. */
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
    deps.warn(`An editor was let in although ${held.program} on this machine has the document open.`);
    return undefined;
  };
}
