// Keeps the access token fresh while a document is open. Collabora takes a new one in its stride; the others get theirs by
// loading the frame again, which is done only when nothing can be lost by it, and not at all otherwise: the host takes the
// saves of an expired token for 24 hours more. Told the time by `tick`, since a laptop that
// slept has no use for a timer of ten hours.

import type { PageToken } from './host-api.ts';

const minuteMs = 60_000;

/**
 * How long before its end a token is renewed. Collabora warns its user 15 minutes before, so it gets the new one earlier.
 */
const leadMs = { 'hand-over': 20 * minuteMs, reload: 10 * minuteMs };
const retryMs = minuteMs / 2;
/** Nobody gets tokens faster than this: an editor that asks again and again, or clocks that disagree, would ask for ever. */
const restMs = minuteMs / 2;

export interface RenewalDeps {
  now(): number;
  fetchToken(): Promise<PageToken>;
  /** `hand-over`: by a message. `reload`: by loading the frame again. */
  way(): 'hand-over' | 'reload';
  handOver(token: PageToken): void;
  canReload(): boolean;
  reload(token: PageToken): void;
  /** The token has ended, or stopped having; `failure` is what kept it from being renewed, if anything. */
  report(problem: { hasEnded: boolean; failure: unknown } | null): void;
}

export interface Renewal {
  /** The frame works with this token from now on. */
  given(token: PageToken): void;
  tick(): void;
  /** The editor asks for one by itself. Undefined when there is none to be had, or it had one just now. */
  fetchNow(): Promise<PageToken | undefined>;
  /** By the user's own wish, whatever can be lost. */
  reloadNow(): Promise<void>;
}

export function createRenewal(deps: RenewalDeps): Renewal {
  let endsAtMs = 0;
  let givenAtMs = 0;
  let triedAtMs: number | undefined;
  let askedAtMs: number | undefined;
  let fetching: Promise<PageToken | undefined> | undefined;

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

  function hasEnded(): boolean {
    return endsAtMs !== 0 && deps.now() >= endsAtMs;
  }

  function isResting(): boolean {
    return deps.now() - givenAtMs < restMs;
  }

  function isDue(): boolean {
    if (endsAtMs === 0 || isResting()) return false;
    // a token that was short from the start is renewed at its half, or it would be renewed all the time
    const lead = Math.min(leadMs[deps.way()], (endsAtMs - givenAtMs) / 2);
    return deps.now() >= endsAtMs - lead;
  }

  async function renew(how: 'hand-over' | 'reload'): Promise<void> {
    triedAtMs = deps.now();
    const token = await fetchOnce();
    // what was safe before the response may no longer be
    if (token === undefined || (how === 'reload' && !deps.canReload())) return;
    given(token);
    if (how === 'hand-over') deps.handOver(token);
    else deps.reload(token);
  }

  return {
    given,
    tick() {
      if (!isDue() || fetching !== undefined) return;
      const how = deps.way();
      if (how === 'reload' && !deps.canReload()) {
        if (hasEnded()) deps.report({ hasEnded: true, failure: undefined });
        return;
      }
      if (triedAtMs !== undefined && deps.now() - triedAtMs < retryMs) return;
      void renew(how);
    },
    async fetchNow() {
      const now = deps.now();
      if (fetching === undefined && askedAtMs !== undefined && now - askedAtMs < restMs) return undefined;
      askedAtMs = now;
      const token = await fetchOnce();
      if (token !== undefined) given(token);
      return token;
    },
    async reloadNow() {
      const token = await fetchOnce();
      if (token === undefined) return;
      given(token);
      deps.reload(token);
    },
  };
}
