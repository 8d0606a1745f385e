// What is worth a notification: a problem of the host, a recovered save, a conflict copy, a lock that became stale, an editor
// that can't be reached. Remembers what was shown, so that nothing is shown twice; several of one kind become one.

import { attentionItems } from '../contract/attention.ts';
import type { EditorItem } from '../contract/editors.ts';
import type { ConflictItem, LockItem, RecoveredItem, WindowState } from '../contract/state.ts';
import type { ViewName } from '../contract/pushes.ts';
import { countText, fileText, namesText, nameText } from './menu-text.ts';

export const noticeKinds = ['problem', 'rescued', 'conflict', 'stale', 'editor'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export interface Notice {
  kind: NoticeKind;
  title: string;
  body: string;
  /** Where a press leads. */
  leadsTo: { view: ViewName; path?: string };
}

export interface NoticeRules {
  /** Looks for what is new. @returns true when there is something to tell */
  look(state: WindowState): boolean;
  /** One notice for each of these kinds about all that is new and still true; from then on it counts as told. */
  take(state: WindowState, kinds: ReadonlySet<NoticeKind>, nowMs: number): Notice[];
  /** The kinds that have something to tell. */
  waiting(): NoticeKind[];
}

/** More than are ever stale or recovered at the same time. */
const mostTold = 20_000;

export function createNoticeRules(): NoticeRules {
  /** Also of what is gone: a force-clear that was undone brings back the very same lock. */
  const told = new Set<string>();
  const fresh: Record<NoticeKind, Set<string>> = {
    problem: new Set(),
    rescued: new Set(),
    conflict: new Set(),
    stale: new Set(),
    editor: new Set(),
  };
  let toldProblem: string | undefined;
  let hasBase = false;

  function note(kind: NoticeKind, key: string): void {
    if (told.has(key)) return;
    told.add(key);
    fresh[kind].add(key);
  }

  /** What was there when the app started was told then, or is told by the tray's icon. */
  function takeAsTold(state: WindowState): void {
    for (const { key } of noticeable(state)) told.add(key);
  }

  function lookAtProblem({ host }: WindowState): void {
    // One that comes back while the host tries to start is still the same.
    if (host.status === 'starting' || host.status === 'stopping') return;
    const code = host.status === 'error' ? (host.problem?.code ?? 'internal') : undefined;
    if (code === toldProblem) return;
    toldProblem = code;
    if (code !== undefined) fresh.problem.add(code);
  }

  return {
    look(state) {
      lookAtProblem(state);
      if (!hasBase) {
        // Before that nothing is known of the tables.
        if (state.host.status === 'starting' || state.host.status === 'error') return fresh.problem.size > 0;
        hasBase = true;
        takeAsTold(state);
      }
      for (const { kind, key, atMs } of noticeable(state)) {
        // Another folder was chosen, and this happened in its time.
        if (atMs < (state.host.startedAtMs ?? 0)) told.add(key);
        else note(kind, key);
      }
      forget(told);
      return Object.values(fresh).some((keys) => keys.size > 0);
    },
    waiting() {
      return noticeKinds.filter((kind) => fresh[kind].size > 0);
    },
    take(state, kinds, nowMs) {
      const { host, settings } = state;
      const notices: Notice[] = [];
      if (kinds.has('problem') && fresh.problem.size > 0) {
        if (settings.notifyErrors && host.status === 'error') notices.push(problemNotice(state));
        fresh.problem.clear();
      }
      if (kinds.has('rescued')) {
        const items = state.rescued.filter((item) => fresh.rescued.has(recoveredKey(item)));
        if (settings.notifyErrors && items.length > 0) notices.push(recoveredNotice(items));
        fresh.rescued.clear();
      }
      if (kinds.has('conflict')) {
        const items = state.conflicts.filter((item) => fresh.conflict.has(conflictKey(item)));
        if (settings.notifyErrors && items.length > 0) notices.push(conflictNotice(items));
        fresh.conflict.clear();
      }
      if (kinds.has('stale')) {
        const locks = state.locks.filter((lock) => lock.state === 'stale' && fresh.stale.has(lockKey(lock)));
        if (settings.notifyStaleLocks && locks.length > 0) notices.push(staleNotice(locks, nowMs));
        fresh.stale.clear();
      }
      if (kinds.has('editor')) {
        const editors = state.editors.filter(
          (editor) => editor.problem !== null && fresh.editor.has(editorKey(editor)),
        );
        if (settings.notifyEditorUnreachable && editors.length > 0) notices.push(editorNotice(editors));
        fresh.editor.clear();
      }
      return notices;
    },
  };
}

interface Noticeable {
  kind: Exclude<NoticeKind, 'problem'>;
  key: string;
  /** When it happened; Infinity if it is news whenever it is seen first. */
  atMs: number;
}

function noticeable(state: WindowState): Noticeable[] {
  return attentionItems(state).flatMap((item): Noticeable | Noticeable[] => {
    const { kind } = item;
    switch (kind) {
      case 'rescued':
        return { kind, key: recoveredKey(item.save), atMs: item.save.receivedAtMs };
      case 'conflict':
        return { kind, key: conflictKey(item.conflict), atMs: item.conflict.madeAtMs };
      case 'stale':
        return { kind, key: lockKey(item.lock), atMs: Infinity };
      case 'editor':
        // A failed test is seen by whoever ran it.
        return item.editor.problem === null ? [] : { kind, key: editorKey(item.editor), atMs: Infinity };
      default:
        return [];
    }
  });
}

/** A lock that was refreshed and became stale again is told again. */
function lockKey(lock: LockItem): string {
  return `lock ${lock.id} ${lock.takenAtMs} ${lock.refreshedAtMs}`;
}

/** One that came back and went away again is told again. */
function editorKey({ id, problem }: EditorItem): string {
  return `editor ${id} ${problem?.sinceMs}`;
}

function recoveredKey(item: RecoveredItem): string {
  return `rescued ${item.id}`;
}

function conflictKey(item: ConflictItem): string {
  return `conflict ${item.id} ${item.madeAtMs}`;
}

function forget(told: Set<string>): void {
  for (const key of told) {
    if (told.size <= mostTold) return;
    told.delete(key);
  }
}

function problemNotice({ host }: WindowState): Notice {
  return {
    kind: 'problem',
    title: 'DocTray is not serving',
    body: host.problem?.message ?? 'Open DocTray to see why.',
    leadsTo: { view: 'overview' },
  };
}

function recoveredNotice(items: readonly RecoveredItem[]): Notice {
  const paths = items.map(({ path }) => path);
  const one = items.length === 1;
  return {
    kind: 'rescued',
    title: one
      ? `A save of ${fileText(paths[0] ?? '')} was recovered`
      : `${items.length} saves were recovered`,
    body: one
      ? "It couldn't be written to the document. Restore it or discard it."
      : `They couldn't be written to their documents: ${namesText(paths)}. Restore or discard each.`,
    leadsTo: { view: 'overview' },
  };
}

function conflictNotice(items: readonly ConflictItem[]): Notice {
  const [first] = items;
  if (items.length > 1 || first === undefined) {
    return {
      kind: 'conflict',
      title: `${items.length} documents were changed by two programs`,
      body: `Both contents were kept: ${namesText(items.map(({ path }) => path))}. Compare each with its conflict copy.`,
      leadsTo: { view: 'overview' },
    };
  }
  return {
    kind: 'conflict',
    title: `${fileText(first.path)} was changed by two programs`,
    body: `Both contents were kept. Compare it with ${fileText(first.copy)}.`,
    leadsTo: { view: 'overview' },
  };
}

function staleNotice(locks: readonly LockItem[], nowMs: number): Notice {
  const [first] = locks;
  if (locks.length > 1 || first === undefined) {
    return {
      kind: 'stale',
      title: `${locks.length} locks became stale`,
      body: `${namesText(locks.map(({ path }) => path))}. Force-clear the locks to free the documents.`,
      leadsTo: { view: 'locks' },
    };
  }
  return {
    kind: 'stale',
    title: `The lock on ${fileText(first.path)} became stale`,
    body: `${staleText(first, nowMs)} Force-clear the lock to free the document.`,
    leadsTo: { view: 'locks', path: first.path },
  };
}

function editorNotice(editors: readonly EditorItem[]): Notice {
  const [first] = editors;
  const one = editors.length === 1;
  return {
    kind: 'editor',
    title: one
      ? `${nameText(first?.name ?? 'An editor')} cannot be reached`
      : `${editors.length} editors cannot be reached`,
    body: one
      ? (first?.problem?.sentence ?? '')
      : `${namesText(editors.map(({ name }) => name))}. Test the connections in the settings.`,
    leadsTo: { view: 'settings' },
  };
}

function staleText({ stale, userName, user }: LockItem, nowMs: number): string {
  if (stale?.kind === 'token-ended') return stale.sentence;
  const holder = userName ?? user;
  const minutes = Math.max(1, Math.floor((nowMs - (stale?.quietSinceMs ?? nowMs)) / 60_000));
  return `No call from ${holder === null ? 'its editor' : nameText(holder)} for ${countText(minutes, 'minute', 'minutes')}.`;
}
