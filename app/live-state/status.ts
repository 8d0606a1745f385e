// What the terminal shows of a running host: what it serves, and what needs attention.

import { messageFor } from '../contract/errors.ts';
import {
  attentionCounts,
  attentionItems,
  attentionTitle,
  type AttentionItem,
  type AttentionKind,
  type AttentionSource,
} from '../contract/attention.ts';
import { shellQuoted } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { safeText } from '../contract/names.ts';
import { documentsBeingEdited } from '../contract/state.ts';
import { editorItems } from '../editors/editor-item.ts';
import type { RunningHost, RunningState } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import { lockItems, recoveredItems } from './state-rows.ts';

export interface Status {
  status: RunningState['status'];
  folder: string | null;
  baseUrl: string | null;
  pausedUntilMs: number | null;
  /** Paths of the documents that an editor holds. */
  openDocuments: string[];
  attention: { kind: AttentionKind; title: string; remedy: string }[];
}

export function describeStatus(host: RunningHost): Status {
  const { services } = host;
  const { problem, pausedUntilMs, ...state } = host.state();
  const documents = documentTables(services);
  const attention = attentionItems({
    ...documents,
    editors: editorItems(services, host),
    host: {
      ...state,
      problem:
        problem === undefined ? null : { code: problem.code, message: messageFor('terminal', problem) },
      tls: host.tls.state(),
    },
  });
  return {
    status: state.status,
    folder: services.folder()?.root ?? services.settings.current().folder,
    baseUrl: host.baseUrl === '' ? null : host.baseUrl,
    pausedUntilMs,
    openDocuments: documentsBeingEdited(documents).map(({ path }) => path),
    attention: attention.map((item) => ({
      kind: item.kind,
      title: attentionTitle(item, safeText, (path) => path),
      remedy: remedyOf(item),
    })),
  };
}

/** Counts of documents that need attention; works without a running host. */
export function documentAttention(services: Services): string[] {
  const quiet = { problem: null, isDiskLow: false, needsListenerRestart: false, tls: null };
  const host = { status: 'serving', ...quiet } as const;
  return attentionCounts(attentionItems({ ...documentTables(services), editors: [], host }));
}

function documentTables(services: Services): Pick<AttentionSource, 'locks' | 'recovered' | 'conflicts'> {
  return {
    // A session would only add the editor's name.
    locks: lockItems(services, []),
    recovered: recoveredItems(services),
    conflicts: services.conflictCopies.list(),
  };
}

/** What to do in the terminal. */
function remedyOf(item: AttentionItem): string {
  switch (item.kind) {
    case 'problem':
      return t('host.remedy-problem');
    case 'restart':
      return t('host.remedy-restart');
    case 'folder':
      return t('host.remedy-folder');
    case 'tls':
      return t('host.remedy-tls', { problem: item.problem.message });
    case 'disk':
      return t('error.disk-low');
    case 'editor':
      return t('host.remedy-editor', { id: item.editor.id });
    case 'recovered':
      return t(item.save.isUnreadable ? 'host.remedy-unreadable-save' : 'host.remedy-recovered', {
        id: item.save.id,
      });
    case 'conflict':
      return t('host.remedy-conflict', { copy: item.conflict.copy, id: shellQuoted(item.conflict.id) });
    case 'stale':
      return t('host.remedy-stale-lock', { path: shellQuoted(item.lock.path) });
  }
}
