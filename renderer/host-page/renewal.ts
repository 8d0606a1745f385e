// Renews the access token while a document is open. Collabora gets the new one by message; the others need their frame reloaded,
// which happens only while nothing can be lost. Otherwise, the host accepts saves with the expired token for another 24 hours.
// `tick` replaces a timer of ten hours, which wouldn't run while a laptop sleeps.

import type { PageToken } from './host-api.ts';

const minuteMs = 60_000;

/** How long before it expires a token is renewed. Collabora warns its user 15 minutes before, so it gets the new one earlier. */
const leadMs = { 'hand-over': 20 * minuteMs, reload: 10 * minuteMs };
/** The shortest time between two requests, for a host that doesn't answer, an editor that keeps asking, or clocks that disagree. */
const minIntervalMs = minuteMs / 2;

export type Renewal = ReturnType<typeof createRenewal>;

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
  let fetching: Promise<PageToken | undefined> | undefined;

  /** The frame uses this token from now on. */
  function given(token: PageToken): void {
    ({ endsAtMs } = token);
    givenAtMs = deps.now();
    deps.report(false);
  }

  const hasEnded = (): boolean => endsAtMs !== 0 && deps.now() >= endsAtMs;

  /** Undefined if there is none. */
  async function fetchOnce(): Promise<PageToken | undefined> {
    if (fetching !== undefined) return fetching;
    fetchedAtMs = deps.now();
    fetching = deps
      .fetchToken()
      .catch(() => {
        deps.report(hasEnded());
        return undefined;
      })
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  }

  const isTooSoon = (): boolean => deps.now() - fetchedAtMs < minIntervalMs;

  function isDue(): boolean {
    // A short-lived token is renewed at half its life, or it would be renewed all the time.
    return (
      endsAtMs !== 0 && deps.now() >= endsAtMs - Math.min(leadMs[deps.way()], (endsAtMs - givenAtMs) / 2)
    );
  }

  return {
    given,
    tick(): void {
      if (!isDue()) return;
      const isReload = deps.way() === 'reload';
      if (isReload && !deps.canReload()) {
        deps.report(hasEnded());
        return;
      }
      if (isTooSoon()) return;
      void fetchOnce().then((token) => {
        // What was safe before the response may no longer be.
        if (token === undefined || (isReload && !deps.canReload())) return;
        given(token);
        deps.give(token);
      });
    },
    /** Undefined if there is none, or too soon for an editor that asks; the user may always ask. */
    async fetchNow(isForUser = false): Promise<PageToken | undefined> {
      if (fetching === undefined && isTooSoon() && !isForUser) return undefined;
      const token = await fetchOnce();
      if (token !== undefined) given(token);
      return token;
    },
  };
}
