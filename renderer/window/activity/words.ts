// A request as a sentence: what it was, and what came of it.

import { AppError, isErrorCode, messageFor } from '../../../app/contract/errors.ts';
import { formatElapsed, formatSize, formatTime, isSameDay } from '../../../app/contract/format.ts';
import { isMessageKey, t } from '../../../app/contract/messages.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { recoveredReason } from '../../../app/contract/recovered-reasons.ts';
import { isError, isExpectedRefusal, isSaveOperation } from '../../../app/contract/request-errors.ts';
import type { RecoveredItem } from '../../../app/contract/state.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';

/** `14:05:12` of today, `26 Jul, 14:05` before. The side panel has the milliseconds, to match entries with the editor's own log. */
export function clockWords(atMs: number, nowMs: number): string {
  return formatTime(isSameDay(atMs, nowMs) ? 'clockToSecond' : 'dayAndClock', atMs);
}

/** An action by the user in the window or the terminal; not a request. */
export function isAct(entry: ActivityItem): boolean {
  return entry.method === '';
}

export function isSave(entry: ActivityItem): boolean {
  return isSaveOperation(entry.operation) && entry.status < 400;
}

/** `OK`, `Conflict`, `Lock refused`; `Done` for what the user did. */
export function statusWords(entry: ActivityItem): string {
  if (isAct(entry)) return isError(entry) ? t('window.failed') : t('window.done');
  if (entry.status < 400) return t('common.ok');
  const key = `status.${entry.status}`;
  return refusalWords(entry) ?? (isMessageKey(key) ? t(key) : String(entry.status));
}

/** `Conflict`; undefined if the status says nothing more. */
export function causeWords(entry: ActivityItem): string | undefined {
  return entry.status === 500 ? undefined : statusWords(entry);
}

/** Why it was refused, where more is known than the status. A save that was refused for the same reason is an error. */
export function refusalWords(entry: ActivityItem): string | undefined {
  if (entry.status === 401 && entry.code === 'session-over') return t('window.session-ended');
  if (!isExpectedRefusal(entry)) return undefined;
  if (entry.status === 401) return t('window.sign-in-required');
  return entry.code === 'file-locked' ? t('window.document-is-locked') : t('window.lock-refused');
}

/** `Save` for a PutFile; operations without a message keep their name. */
export function requestWords(operation: string): string {
  const key = `request.${operation}`;
  if (isMessageKey(key)) return t(key);
  return operation.startsWith('HostPage') ? t('window.document-page') : operationWords(operation);
}

const recoveredWithinMs = 60_000;

/** What an editor asks for to show a document. */
const readsToOpen: ReadonlySet<string> = new Set(['CheckFileInfo', 'GetFile']);

/** `Save failed`, `Lock failed`: an error in the few words of a column. */
export function errorWords(entry: ActivityItem): string {
  if (readsToOpen.has(entry.operation)) return t('window.opening-failed');
  const values = { operation: requestWords(entry.operation) };
  return isAct(entry) ? t('window.failed-operation', values) : t('window.operation-failed', values);
}

/** Why it failed and what to do, as far as its code or the recovered save of its document tells. */
export function problemSentence(entry: ActivityItem, recovered: readonly RecoveredItem[]): string {
  if (entry.code !== null && isErrorCode(entry.code)) return messageFor('window', new AppError(entry.code));
  const kept = recovered.find(
    ({ path, receivedAtMs }) =>
      path === entry.documentPath && Math.abs(receivedAtMs - entry.atMs) < recoveredWithinMs,
  );
  if (kept !== undefined && isSaveOperation(entry.operation)) return recoveredReason(kept.reason);
  return entry.status >= 500 ? t('error.internal') : `${errorWords(entry)} (${statusWords(entry)}).`;
}

export function durationWords(entry: ActivityItem): string {
  if (isAct(entry)) return '–';
  return entry.durationMs < 1 ? t('window.under-1-ms') : formatElapsed(entry.durationMs);
}

export function bytesWords(bytes: number): string {
  return bytes === 0 ? '–' : formatSize(bytes);
}
