// Which answers are errors that a user should know of, for Activity and the Overview's strip. Every refused request has a status of 400 or
// more, but some of them are how editors and hosts negotiate: nothing is lost, and the client knows what to do next.

export interface AnsweredRequest {
  operation: string;
  status: number;
  /** Why it was refused: the code of an AppError, or `session-over`. */
  code?: string | null | undefined;
}

const saves: ReadonlySet<string> = new Set(['PutFile', 'PutRelativeFile']);

/**
 * “409 Conflict” is WOPI's answer to an editor that may not have the lock, or no longer has it: it opens the document read-only, or takes
 * the lock that the answer names. @see https://learn.microsoft.com/microsoft-365/cloud-storage-partner-program/rest/files/lock
 */
const lockOperations: ReadonlySet<string> = new Set(['Lock', 'RefreshLock', 'Unlock', 'UnlockAndRelock']);

export function isSaveOperation(operation: string): boolean {
  return saves.has(operation);
}

/** Its sender expects this refusal. */
export function isExpectedRefusal({ operation, status, code }: AnsweredRequest): boolean {
  // Whatever the reason, the text isn't in the file.
  if (isSaveOperation(operation)) return false;
  if (status === 409 && lockOperations.has(operation)) return true;
  // A page asks to restore a version until its own editor has released the lock, and then reports a lock that stays.
  if (operation === 'HostPageRestoreVersion' && code === 'file-locked') return true;
  // Someone who isn't signed in opened a document's page, and got its sign-in form.
  if (operation === 'HostPage' && status === 401) return true;
  // The token was revoked or has expired: the editor or page asks to open the document again.
  return status === 401 && code === 'session-over';
}

export function isError(request: AnsweredRequest): boolean {
  return request.status >= 400 && !isExpectedRefusal(request);
}
