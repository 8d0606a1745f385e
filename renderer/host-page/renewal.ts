// Renews the access token while a document is open. Collabora gets the new one by message; the others need their frame reloaded,
// which happens only while nothing can be lost. Otherwise, the host accepts saves with the expired token for another 24 hours.
// `tick` replaces a timer of ten hours, which wouldn't run while a laptop sleeps.

import type { PageToken } from './host-api.ts';

const minuteMs = 60_000;

/** How long before it expires a token is renewed. Collabora warns its user 15 minutes before, so it gets the new one earlier. */
const leadMs = { 'hand-over': 20 * minuteMs, reload: 10 * minuteMs };
const retryMs = minuteMs / 2;
/** The shortest time between two tokens, for an editor that keeps asking, or clocks that disagree. */
const minIntervalMs = minuteMs / 2;

export type Renewal = ReturnType<typeof createRenewal>;

export function createRenewal(deps: {
  now(): number;
  fetchToken(): Promise<PageToken>;
  /** `hand-over`: by message. `reload`: by reloading the frame. */
  way(): 'hand-over' | 'reload';
  handOver(token: PageToken): void;
  canReload(): boolean;
  reload(token: PageToken): void;
  /** The token has expired or couldn't be renewed (`failure`); null once there is a new one. */
  report(problem: { hasEnded: boolean; failure: unknown } | null): void;
}) {
  let endsAtMs = 0;
  let givenAtMs = 0;
  let triedAtMs: number | undefined;
  let askedAtMs: number | undefined;
  let fetching: Promise<PageToken | undefined> | undefined;

  /** The frame uses this token from now on. */
  function given(token: PageToken): void {
    ({ endsAtMs } = token);
    givenAtMs = deps.now();
    triedAtMs = undefined;
    deps.report(null);
  }

  async function fetchOnce(): Promise<PageToken | undefined> {
    fetching ??= deps
      .fetchToken()
      .catch((failure: unknown) => {
        deps.report({ hasEnded: hasEnded(), failure });
        return undefined;
      })
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  }

  const hasEnded = (): boolean => endsAtMs !== 0 && deps.now() >= endsAtMs;

  function isDue(): boolean {
    if (endsAtMs === 0 || deps.now() - givenAtMs < minIntervalMs) return false;
    // A short-lived token is renewed at half its life, or it would be renewed all the time.
    return deps.now() >= endsAtMs - Math.min(leadMs[deps.way()], (endsAtMs - givenAtMs) / 2);
  }

  return {
    given,
    tick(): void {
      if (!isDue() || fetching !== undefined) return;
      const isReload = deps.way() === 'reload';
      if (isReload && !deps.canReload()) {
        if (hasEnded()) deps.report({ hasEnded: true, failure: undefined });
        return;
      }
      if (triedAtMs !== undefined && deps.now() - triedAtMs < retryMs) return;
      triedAtMs = deps.now();
      void fetchOnce().then((token) => {
        // What was safe before the response may no longer be.
        if (token === undefined || (isReload && !deps.canReload())) return;
        given(token);
        if (isReload) deps.reload(token);
        else deps.handOver(token);
      });
    },
    /** For an editor that asks for a token. Undefined if there is none, or if the editor has just got one. */
    async fetchNow(): Promise<PageToken | undefined> {
      const now = deps.now();
      if (fetching === undefined && askedAtMs !== undefined && now - askedAtMs < minIntervalMs)
        return undefined;
      askedAtMs = now;
      const token = await fetchOnce();
      if (token !== undefined) given(token);
      return token;
    },
    /** The user asked for it, whatever may be lost. */
    async reloadNow(): Promise<void> {
      const token = await fetchOnce();
      if (token === undefined) return;
      given(token);
      deps.reload(token);
    },
  };
}
