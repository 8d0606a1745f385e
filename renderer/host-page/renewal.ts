// Renews the access token while a document is open. Collabora gets the new one by message; the others need their frame reloaded,
// which happens only while nothing can be lost. Otherwise, the host accepts saves with the expired token for another 24 hours.
// `tick` replaces a timer of ten hours, which wouldn't run while a laptop sleeps.

import type { PageToken } from './host-api.ts';

const minuteMs = 60_000;

/** How long before it expires a token is renewed. Collabora warns its user 15 minutes before, so it gets the new one earlier. */
const leadMs = { 'hand-over': 20 * minuteMs, reload: 10 * minuteMs };
/** The shortest time between two requests, for a host that doesn't answer, an editor that keeps asking, or clocks that disagree. */
const minIntervalMs = minuteMs / 2;

export function createRenewal(deps: {
  now(): number;
  fetchToken(): Promise<PageToken>;
  /** `hand-over`: by message. `reload`: by reloading the frame. */
  way(): 'hand-over' | 'reload';
  canReload(): boolean;
  /** In that way. */
  give(token: PageToken): void;
  /** Whether the token has expired without another one; called when that may have changed. */
  report(hasEnded: boolean): void;
}) {
  let endsAtMs = 0;
  let givenAtMs = 0;
  let fetchedAtMs = -Infinity;

  /** The frame uses this token from now on. */
  function given(token: PageToken): void {
    ({ endsAtMs } = token);
    givenAtMs = deps.now();
    deps.report(false);
  }

  const reportEnd = (): void => deps.report(endsAtMs !== 0 && deps.now() >= endsAtMs);

  /** Undefined if there is none, or if the latest request was too recent; the user may always ask. */
  async function fetchNow(isForUser = false): Promise<PageToken | undefined> {
    if (deps.now() - fetchedAtMs < minIntervalMs && !isForUser) return undefined;
    fetchedAtMs = deps.now();
    return deps.fetchToken().catch(() => {
      reportEnd();
      return undefined;
    });
  }

  return {
    given,
    fetchNow,
    tick(): void {
      // A short-lived token is renewed at half its life, or it would be renewed all the time.
      const dueAtMs = endsAtMs - Math.min(leadMs[deps.way()], (endsAtMs - givenAtMs) / 2);
      if (endsAtMs === 0 || deps.now() < dueAtMs) return;
      const isSafe = (): boolean => deps.way() === 'hand-over' || deps.canReload();
      if (!isSafe()) return reportEnd();
      void fetchNow().then((token) => {
        // What was safe before the response may no longer be.
        if (token === undefined || !isSafe()) return;
        given(token);
        deps.give(token);
      });
    },
  };
}
