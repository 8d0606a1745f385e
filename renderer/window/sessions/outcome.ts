// What came of ending many things at once, as messages: what was done, and what was not with the first reason.

import type { Outcome } from '../../../app/contract/results.ts';
import type { Toasts } from '../parts/toast.tsx';

export function tellOutcome(
  toasts: Toasts,
  outcome: Outcome,
  words: { done(count: number): string; failed(count: number): string },
): void {
  const { done, failed } = outcome;
  if (done.length > 0) toasts.show({ tone: 'good', title: words.done(done.length) });
  const [first] = failed;
  if (first === undefined) return;
  const others = failed.length - 1;
  toasts.show({
    tone: 'bad',
    title: words.failed(failed.length),
    detail: others === 0 ? first.message : `${first.message} And ${others} more.`,
  });
}
