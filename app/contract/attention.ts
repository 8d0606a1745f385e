// What needs a person's attention: one list, for the window, the tray, notifications and the terminal.

import { editorNeedsAttention, type EditorItem } from './editors.ts';
import { formatDuration } from './format.ts';
import { t } from './messages.ts';
import { nameOf, safeText } from './names.ts';
import type {
  ConflictItem,
  HostState,
  LockItem,
  Problem,
  RecoveredItem,
  StaleCause,
  TlsState,
  WindowState,
} from './state.ts';

export type AttentionItem =
  | { kind: 'problem'; problem: Problem }
  | { kind: 'restart' }
  /** No folder is chosen yet. */
  | { kind: 'folder' }
  | { kind: 'tls'; problem: Problem; isBroken: boolean }
  | { kind: 'disk' }
  | { kind: 'editor'; editor: EditorItem }
  | { kind: 'recovered'; save: RecoveredItem }
  | { kind: 'conflict'; conflict: ConflictItem }
  | { kind: 'stale'; lock: LockItem };

export type AttentionKind = AttentionItem['kind'];

export interface AttentionSource extends Pick<WindowState, 'locks' | 'recovered' | 'conflicts' | 'editors'> {
  host: Pick<HostState, 'status' | 'problem' | 'isDiskLow' | 'needsListenerRestart' | 'tls'>;
}

/** Something doesn't work. The others wait for the user. */
export function isFailure(item: AttentionItem): boolean {
  return item.kind === 'problem' || item.kind === 'editor' || (item.kind === 'tls' && item.isBroken);
}

/** HTTPS has no certificate, or an expired one. */
export function isCertificateBroken({ problem, validUntilMs }: Omit<TlsState, 'mode'>): boolean {
  return validUntilMs === null || problem?.code === 'certificate-expired';
}

/** Failures first; stale locks by age. */
export function attentionItems({
  host,
  locks,
  recovered,
  conflicts,
  editors,
}: AttentionSource): AttentionItem[] {
  const { tls } = host;
  const stale = locks.filter((lock) => lock.state === 'stale');
  const items: AttentionItem[] = [
    ...(host.problem === null ? [] : [{ kind: 'problem', problem: host.problem } as const]),
    // Trying again after an error reopens the port too.
    ...(host.needsListenerRestart && host.status !== 'error' ? [{ kind: 'restart' } as const] : []),
    ...(host.status === 'idle' && host.problem === null ? [{ kind: 'folder' } as const] : []),
    ...(tls === null || tls.problem === null
      ? []
      : [{ kind: 'tls', problem: tls.problem, isBroken: isCertificateBroken(tls) } as const]),
    ...(host.isDiskLow ? [{ kind: 'disk' } as const] : []),
    ...editors.filter(editorNeedsAttention).map((editor) => ({ kind: 'editor', editor }) as const),
    ...recovered.map((save) => ({ kind: 'recovered', save }) as const),
    ...conflicts.map((conflict) => ({ kind: 'conflict', conflict }) as const),
    ...stale
      .toSorted((a, b) => a.refreshedAtMs - b.refreshedAtMs)
      .map((lock) => ({ kind: 'stale', lock }) as const),
  ];
  return items.toSorted((a, b) => Number(isFailure(b)) - Number(isFailure(a)));
}

/** The items of one kind, in the same order. */
export function attentionOf<Kind extends AttentionKind>(
  items: readonly AttentionItem[],
  kind: Kind,
): Extract<AttentionItem, { kind: Kind }>[] {
  return items.filter((item): item is Extract<AttentionItem, { kind: Kind }> => item.kind === kind);
}

/** `Its editor has been gone for 22 min.`, `Its token was revoked.` */
export function staleSentence(cause: StaleCause, nowMs: number): string {
  switch (cause.kind) {
    case 'silent':
      return t('shared.its-editor-has-been-gone', {
        duration: formatDuration(nowMs - cause.quietSinceMs),
      });
    case 'expired':
      return t('shared.its-token-has-expired');
    case 'revoked':
      return t('shared.its-token-was-revoked');
  }
}

/**
 * `Budget.xlsx wasn’t saved`
 * @param shown a document's or editor's name as it is shown there
 * @param called what a document with this path is called there
 */
export function attentionTitle(item: AttentionItem, shown = safeText, called = nameOf): string {
  switch (item.kind) {
    case 'problem':
      return item.problem.message;
    case 'restart':
      return t('shared.restart-the-connection-to-use');
    case 'folder':
      return t('shared.no-folder-is-served-yet');
    case 'tls':
      return t('shared.https-needs-attention');
    case 'disk':
      return t('status.disk-low');
    case 'editor':
      return item.editor.problem === null
        ? t('shared.documents-dont-open-in-editor', { editor: shown(item.editor.name) })
        : t('shared.editor-cant-be-reached', { editor: shown(item.editor.name) });
    case 'recovered':
      return item.save.isUnreadable
        ? t('shared.a-save-of-name-isnt', { name: shown(called(item.save.path)) })
        : t('shared.name-wasnt-saved', { name: shown(called(item.save.path)) });
    case 'conflict':
      return t('shared.two-programs-changed-name', { name: shown(called(item.conflict.path)) });
    case 'stale':
      return t('shared.name-has-a-stale-lock', { name: shown(called(item.lock.path)) });
  }
}

/** `2 locks need attention`, `1 recovered save`, …: what the host's status doesn't show already. */
export function attentionCounts(items: readonly AttentionItem[]): string[] {
  const count = (kind: AttentionKind, words: (count: number) => string): string[] => {
    const { length } = attentionOf(items, kind);
    return length === 0 ? [] : [words(length)];
  };
  return [
    ...count('stale', (n) => t('shared.locks-need-attention', { n })),
    ...count('recovered', (n) => t('shared.recovered-saves', { n })),
    ...count('conflict', (n) => t('shared.conflict-copies', { n })),
    ...count('editor', (n) => t('shared.editors-need-attention', { n })),
    ...count('tls', () => t('shared.https-needs-attention')),
    ...count('disk', () => t('status.disk-low')),
    ...count('restart', () => t('shared.the-connection-must-be-restarted')),
  ];
}
