// How far the page is, and how that is said. `closing` means that the page is being left on purpose.

import type { Changes } from './changes.ts';
import type { PageBar } from './page-bar.ts';
import { changeWords, words, type StatusWords } from './words.ts';

export type Phase = 'opening' | 'choosing' | 'loading' | 'ready' | 'failed' | 'closing';

export interface PagePhase {
  is(phase: Phase): boolean;
  current(): Phase;
  /** @param status in place of the phase's own words */
  go(phase: Phase, status?: string): void;
  /** Says it again: something it speaks of has changed. */
  showStatus(): void;
}

export function createPagePhase(deps: {
  bar: Pick<PageBar, 'setStatus'>;
  changes: Changes;
  /** The document cannot be saved from here. */
  isReadOnly(): boolean;
  /** It isn't known whether the file has all that was written elsewhere, or whether there is a file. */
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
        return changeWords(changes.state(), deps.editorName(), changes.savedAtMs());
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
