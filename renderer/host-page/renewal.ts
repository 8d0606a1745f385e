// Renews the access token while a document is open. Collabora gets the new one by message; the others need their frame reloaded,
// which happens only while nothing can be lost. Otherwise, the host accepts saves with the expired token for another 24 hours.
// `tick` replaces a timer of ten hours, which wouldn't run while a laptop sleeps.

import type { PageToken } from './host-api.ts';

const minuteMs = 60_000;

/**
 * How long before it expires a token is renewed. Collabora warns its user 15 minutes before, so it gets the new one earlier.
 */
const leadMs = { 'hand-over': 20 * minuteMs, reload: 10 * minuteMs };
const retryMs = minuteMs / 2;
/** The shortest time between two tokens, for an editor that keeps asking, or clocks that disagree. */
const minIntervalMs = minuteMs / 2;

export interface RenewalDeps {
  now(): number;
  fetchToken(): Promise<PageToken>;
  /** `hand-over`: by message. `reload`: by reloading the frame. */
  way(): 'hand-over' | 'reload';
  handOver(token: PageToken): void;
  canReload(): boolean;
  reload(token: PageToken): void;
  /** The token has expired or couldn't be renewed (`failure`); null once there is a new one. */
  report(problem: { hasEnded: boolean; failure: unknown } | null): void;
}

export interface Renewal {
  /** The frame uses this token from now on. */
  given(token: PageToken): void;
  tick(): void;
  /** For an editor that asks for a token. Undefined if there is none, or if the editor has just got one. */
  fetchNow(): Promise<PageToken | undefined>;
  /** The user asked for it, whatever may be lost. */
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

  function isRenewedRecently(): boolean {
    return deps.now() - givenAtMs < minIntervalMs;
  }

  function isDue(): boolean {
    if (endsAtMs === 0 || isRenewedRecently()) return false;
    // A short-lived token is renewed at half its life, or it would be renewed all the time.
    const lead = Math.min(leadMs[deps.way()], (endsAtMs - givenAtMs) / 2);
    return deps.now() >= endsAtMs - lead;
  }

  async function renew(how: 'hand-over' | 'reload'): Promise<void> {
    triedAtMs = deps.now();
    const token = await fetchOnce();
    // What was safe before the response may no longer be.
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
      if (fetching === undefined && askedAtMs !== undefined && now - askedAtMs < minIntervalMs)
        return undefined;
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
