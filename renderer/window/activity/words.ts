// A request as a sentence: what it was, and what came of it.

import { AppError, isErrorCode, messageFor } from '../../../app/contract/errors.ts';
import {
  capitalized,
  formatDay,
  formatDayTime,
  formatElapsed,
  formatSize,
  formatTime,
  isSameDay,
  startOfDay,
} from '../../../app/contract/format.ts';
import { isMessageKey, t } from '../../../app/contract/messages.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { recoveredReason } from '../../../app/contract/recovered-reasons.ts';
import { isExpectedRefusal, isSaveOperation } from '../../../app/contract/request-errors.ts';
import type { LockItem, WindowState } from '../../../app/contract/state.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';
import { holderOf } from '../locks/words.ts';
import type { SettingId } from '../settings/catalog.ts';

/**
 * `14:05:12`, `Yesterday 14:05:12`; without seconds, short: `14:05`, `Yesterday`, `12 Nov`. The side panel has the milliseconds, to match
 * entries with the editor's own log.
 */
export function clockWords(atMs: number, nowMs: number, withSeconds: boolean): string {
  if (isSameDay(atMs, nowMs)) return formatTime(withSeconds ? 'clockToSecond' : 'clock', atMs);
  if (withSeconds) return capitalized(formatDayTime(atMs, nowMs, true));
  return atMs >= startOfDay(nowMs, -1) ? capitalized(t('shared.yesterday')) : formatDay(atMs, nowMs);
}

/** An action by the user in the window or the terminal; not a request. */
export function isAct(entry: ActivityItem): boolean {
  return entry.method === '';
}

export function isSave(entry: ActivityItem): boolean {
  return isSaveOperation(entry.operation) && entry.status < 400;
}

/** `Done`, `Conflict`, `Low disk space`, `Lock refused`; `Failed` for what the user did. */
export function statusWords(entry: ActivityItem): string {
  const { code, status } = entry;
  if (status < 400) return t('window.done');
  if (isAct(entry)) return t('window.failed');
  const kind = isExpectedRefusal(entry) ? '.expected' : '';
  const key = [`status.${code}`, `status.${status}${kind}`, `status.${status}`].find(isMessageKey);
  return key === undefined ? String(status) : t(key);
}

/**
 * `Conflict`, `Locked by Ana Ruiz`: why it failed; undefined if the status says nothing more.
 * @param holder who has its document locked
 */
export function causeWords(entry: ActivityItem, holder?: string): string | undefined {
  if (holder !== undefined) return t('window.locked-by-user', { user: holder });
  const words = statusWords(entry);
  return words === t('status.500') ? undefined : words;
}

/** Who had locked its document when it was refused, as far as that lock is still there. */
export function holderAt(entry: ActivityItem, locks: readonly LockItem[]): string | undefined {
  if (entry.code !== 'file-locked') return undefined;
  const lock = locks.find(({ id, takenAtMs }) => id === entry.fileId && takenAtMs <= entry.atMs);
  // A program's request without the lock's id can meet a lock of its own user.
  return lock === undefined || lock.user === entry.user ? undefined : holderOf(lock);
}

/** `Save` for a PutFile; operations without a message keep their name. */
export function requestWords(operation: string): string {
  const key = `request.${operation}`;
  if (isMessageKey(key)) return t(key);
  return operation.startsWith('HostPage') ? t('window.document-page') : operationWords(operation);
}

/** What an editor asks for to show a document. */
const readsToOpen: ReadonlySet<string> = new Set(['CheckFileInfo', 'GetFile']);

/** `Save failed`, `Lock failed`: an error in the few words of a column. */
export function errorWords(entry: ActivityItem): string {
  if (readsToOpen.has(entry.operation)) return t('window.opening-failed');
  const values = { operation: requestWords(entry.operation) };
  return isAct(entry) ? t('window.failed-operation', values) : t('window.operation-failed', values);
}

/** What became of a save that failed. */
export function recoveredOf(entry: ActivityItem, recovered: WindowState['recovered']) {
  const isOf = ({ path, receivedAtMs }: (typeof recovered)[number]) =>
    path === entry.documentPath && Math.abs(receivedAtMs - entry.atMs) < 60_000;
  return isSaveOperation(entry.operation) ? recovered.find(isOf) : undefined;
}

/** Where the content of a save is, why it failed and what to do, as far as its recovered save, its code or the lock tells. */
export function problemSentence(entry: ActivityItem, { recovered, locks }: WindowState): string {
  const kept = recoveredOf(entry, recovered);
  if (kept !== undefined) return `${recoveredReason(kept.reason)} ${t('window.the-content-is-in-recovered')}`;
  if (entry.operation !== 'PutFile' || entry.code === 'save-unconfirmed') return reasonOf(entry, locks);
  return `${t('window.the-changes-stay-in-the')} ${reasonOf(entry, locks)}`;
}

function reasonOf(entry: ActivityItem, locks: readonly LockItem[]): string {
  const holder = holderAt(entry, locks);
  const cause = causeWords(entry, holder);
  if (entry.code === 'file-locked' && holder === undefined) return t('window.was-locked-then');
  if (entry.code !== null && isErrorCode(entry.code)) {
    const sentence = messageFor('window', new AppError(entry.code));
    return holder === undefined ? sentence : `${cause}. ${sentence}`;
  }
  return cause === undefined ? t('error.internal') : `${errorWords(entry)}. ${cause}.`;
}

/** The setting that the sentence names. */
export const settingOf: Readonly<Record<string, SettingId>> = {
  'disk-low': 'minFreeMB',
  'upload-too-large': 'maxUploadMB',
  'host-not-allowed': 'allowedHosts',
};

export function durationWords(entry: ActivityItem): string {
  if (isAct(entry)) return '–';
  return entry.durationMs < 1 ? t('window.under-1-ms') : formatElapsed(entry.durationMs);
}

export function bytesWords(bytes: number): string {
  return bytes === 0 ? '–' : formatSize(bytes);
}
