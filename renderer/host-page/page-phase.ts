// The phase of the page, and the status that shows it. `closing`: the user is leaving the page, or the page leads elsewhere.

import type { Changes } from './changes.ts';
import type { PageBar } from './page-bar.ts';
import { changeWords, words, type StatusWords } from './words.ts';

export type Phase = 'opening' | 'choosing' | 'loading' | 'ready' | 'failed' | 'closing';

export interface PagePhase {
  is(phase: Phase): boolean;
  current(): Phase;
  /** @param status instead of the phase's own */
  go(phase: Phase, status?: string): void;
  /** Updates the status after something that it depends on has changed. */
  showStatus(): void;
}

export function createPagePhase(deps: {
  bar: Pick<PageBar, 'setStatus'>;
  changes: Changes;
  /** The document can't be saved from here. */
  isReadOnly(): boolean;
  /** The file may be gone, or lack changes made elsewhere. */
  isUncertain(): boolean;
  editorName(): string;
}): PagePhase {
  const { bar, changes } = deps;
  let phase: Phase = 'opening';

  function statusOf(): StatusWords {
    switch (phase) {
      case 'opening':
        return { text: words.asking };
      case 'choosing':
        return { text: '' };
      case 'loading':
        return { text: words.opening(deps.editorName()) };
      case 'failed':
        return { text: words.failed };
      case 'closing':
        return { text: words.closing };
      case 'ready':
        if (['none', 'saved'].includes(changes.state())) {
          if (deps.isReadOnly()) return { text: words.readOnly };
          if (deps.isUncertain()) return { text: '' };
        }
        return changeWords(changes, deps.editorName());
    }
  }

  return {
    is: (one) => phase === one,
    current: () => phase,
    go(next, status) {
      phase = next;
      document.body.dataset['phase'] = next;
      bar.setStatus(
        status === undefined ? statusOf() : { text: status },
        next === 'failed' ? 'bad' : undefined,
      );
    },
    showStatus() {
      bar.setStatus(statusOf(), phase === 'failed' ? 'bad' : undefined);
    },
  };
}
