// The host's state as one mark and few words: the tray's badge, the rail and the Overview all come from here, so that they never
// contradict each other.

import { attentionItems, isFailure, type AttentionItem, type AttentionSource } from './attention.ts';
import { t } from './messages.ts';
import { documentsBeingEdited, type HostState, type Problem, type WindowState } from './state.ts';

export type HostMark = 'serving' | 'editing' | 'attention' | 'paused' | 'error';

export interface HostStatus {
  mark: HostMark;
  /** How many things need attention, besides a folder that isn't chosen yet: the words show that. */
  attention: number;
  /** How many documents are being edited. */
  editing: number;
  /** `3 need attention`, for the rail. */
  short: string;
  /** `3 things need attention`, for the Overview. */
  long: string;
}

type HostStatusSource = Omit<AttentionSource, 'host'> & Pick<WindowState, 'host'>;

/** What is wrong comes first, then what the user did to the host, then what needs attention, then what the host does. */
export function hostStatus(state: HostStatusSource): HostStatus {
  const items = attentionItems(state);
  const attention = items.filter(({ kind }) => kind !== 'folder').length;
  const editing = documentsBeingEdited(state).length;
  return {
    mark: markOf(state.host.status, items, editing),
    attention,
    editing,
    ...wordsOf(state.host, attention),
  };
}

function markOf(status: HostState['status'], items: readonly AttentionItem[], editing: number): HostMark {
  if (status === 'error') return 'error';
  if (status === 'paused') return 'paused';
  if (items.length > 0) return items.some(isFailure) ? 'error' : 'attention';
  if (status !== 'serving') return 'paused';
  return editing > 0 ? 'editing' : 'serving';
}

function wordsOf(host: HostState, attention: number): Pick<HostStatus, 'short' | 'long'> {
  const folder = host.folderName ?? '';
  switch (host.status) {
    case 'starting':
      return { short: t('common.starting'), long: t('common.starting') };
    case 'idle':
      return { short: t('shared.no-folder-yet'), long: t('shared.no-folder-is-chosen-yet') };
    case 'paused':
      return { short: t('common.paused'), long: t('common.paused') };
    case 'error':
      return {
        short: t('common.not-serving'),
        long: folder === '' ? t('common.not-serving') : t('shared.not-serving-folder', { folder }),
      };
    case 'stopping':
      return { short: t('common.stopping'), long: t('common.stopping') };
    case 'serving':
      return attention === 0
        ? { short: t('shared.serving'), long: t('shared.serving-folder', { folder }) }
        : {
            short: t('shared.need-attention', {
              count: attention,
            }),
            long: t('shared.things-need-attention', {
              count: attention,
            }),
          };
  }
}

/** The folder is missing, or can't be created or served: another one solves it, and there is nothing to open in the file manager. */
export function isFolderProblem(problem: Pick<Problem, 'code'> | null): boolean {
  return problem !== null && (problem.code.startsWith('folder-') || problem.code === 'default-folder-failed');
}
