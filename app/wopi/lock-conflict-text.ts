// Says who holds a document, for the user who can't edit it: editors show X-WOPI-LockFailureReason as it is. Contains no lock id.

import { headerText } from './wopi-headers.ts';

const shownNameCharacters = 60;

interface HeldLock {
  /** Login and display name of the user whose token took it. */
  user: string | null;
  userName: string | null;
  editorName: string | null;
  state: 'held' | 'stale';
}

/** Who sees the text. */
interface Reader {
  userLogin: string;
  isOwner: boolean;
}

export function lockConflictText(lock: HeldLock, { userLogin, isOwner }: Reader): string {
  const who = shortName(lock.userName) ?? 'Another user';
  const editor = shortName(lock.editorName);
  const where = editor === undefined ? '' : ` in ${editor}`;
  if (lock.state === 'stale') {
    const advice = isOwner
      ? 'Force-clear the lock in DocTray.'
      : 'Ask the owner of this DocTray to force-clear the lock.';
    return `${who} locked this document${where}, and that editor has gone away. ${advice}`;
  }
  const advice = isOwner
    ? 'force-clear the lock in DocTray.'
    : 'ask the owner of this DocTray to force-clear the lock.';
  return lock.user === userLogin
    ? `You're already editing this document${where}. Close it there, or ${advice}`
    : `${who} is editing this document${where}. Ask them to close it, or ${advice}`;
}

/** The same as a header value: names without an ASCII form are left out. */
export function lockConflictHeader(lock: HeldLock, reader: Reader): string {
  const plain = (name: string | null): string | null => {
    const text = headerText(name ?? '');
    return /[A-Za-z0-9]/u.test(text) ? text : null;
  };
  const named = { ...lock, userName: plain(lock.userName), editorName: plain(lock.editorName) };
  return headerText(lockConflictText(named, reader));
}

function shortName(name: string | null): string | undefined {
  return name?.trim().slice(0, shownNameCharacters).toWellFormed() || undefined;
}
