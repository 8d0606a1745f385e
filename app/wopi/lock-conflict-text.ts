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

/** @param userLogin the user who sees the text */
export function lockConflictText(lock: HeldLock, userLogin: string): string {
  const who = shortName(lock.userName) ?? 'Another user';
  const editor = shortName(lock.editorName);
  const where = editor === undefined ? '' : ` in ${editor}`;
  if (lock.state === 'stale') {
    return `${who} locked this document${where}, and that editor has gone away. Force-clear the lock in DocTray.`;
  }
  return lock.user === userLogin
    ? `You're already editing this document${where}. Close it there, or force-clear the lock in DocTray.`
    : `${who} is editing this document${where}. Ask them to close it, or force-clear the lock in DocTray.`;
}

/** The same as a header value: names without an ASCII form are left out. */
export function lockConflictHeader(lock: HeldLock, userLogin: string): string {
  const plain = (name: string | null): string | null => {
    const text = headerText(name ?? '');
    return /[A-Za-z0-9]/u.test(text) ? text : null;
  };
  const named = { ...lock, userName: plain(lock.userName), editorName: plain(lock.editorName) };
  return headerText(lockConflictText(named, userLogin));
}

function shortName(name: string | null): string | undefined {
  return name?.trim().slice(0, shownNameCharacters).toWellFormed() || undefined;
}
