// How far the page is, and how that is said. `closing` means that the page is being left on purpose.

import type { Changes } from './changes.ts';
import type { PageBar } from './page-bar.ts';
import { changeWords, words } from './words.ts';

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
  editorName(): string;
}): PagePhase {
  const { bar, changes } = deps;
  let phase: Phase = 'opening';

  function statusOf(): string {
    switch (phase) {
      case 'opening':
        return words.asking;
      case 'choosing':
        return '';
      case 'loading':
        return words.opening(deps.editorName());
      case 'failed':
        return words.failed;
      case 'closing':
        return words.closing;
      case 'ready':
        return deps.isReadOnly() && ['none', 'saved'].includes(changes.state())
          ? words.readOnly
          : changeWords(changes.state(), deps.editorName(), changes.savedAtMs());
    }
  }

  return {
    is: (one) => phase === one,
    current: () => phase,
    go(next, status) {
      phase = next;
      document.body.dataset['phase'] = next;
      bar.setStatus(status ?? statusOf(), next === 'failed' ? 'bad' : undefined);
    },
    showStatus() {
      bar.setStatus(statusOf(), phase === 'failed' ? 'bad' : undefined);
    },
  };
}
