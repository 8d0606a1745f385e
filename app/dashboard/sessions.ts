// Who may use the dashboard: the first browser that opens a link from the terminal. The link's secret is exchanged for a session, which the
// page keeps for its tab. Both are kept in memory only, as hashes, and end with the host. No cookies: browsers send those to every
// port of a computer. When a page connects again, another program may listen on the port by then, so both sides prove that they know
// the session, and neither sends it.

import { createHash, createHmac, randomBytes as systemRandomBytes, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../accounts/password.ts';
import { hasExpired } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';

export const linkLifeMs = 10 * 60_000;
/** After its last connection. */
export const idleSessionLifeMs = 12 * 60 * 60_000;

export interface DashboardSessions {
  /** 43 characters of base64url, valid once. */
  createLink(): string;
  /**
   * Exchanges a link for a session; undefined if it is unknown or expired. A second use ends the session of the first: one of the
   * two wasn't the user.
   */
  open(link: string): { session: DashboardSession; secret: string } | 'used' | undefined;
  /** By its secret. Undefined if unknown, malformed or expired. */
  find(secret: string): DashboardSession | undefined;
  /** By its id, for a page that has yet to prove that it knows the secret. Undefined if unknown or expired. */
  resume(id: string): DashboardSession | undefined;
  /** Ends all sessions and links. */
  endAll(): void;
}

type EndListener = (cause?: 'link-used-again') => void;

export type DashboardSession = ReturnType<typeof createSession>;

/** @param key SHA-256 of its secret */
function createSession(id: string, key: Buffer, clock: Clock) {
  const listeners = new Set<EndListener>();
  let lastUsedAtMs = clock();
  const proof = (side: 'host' | 'page', nonce: string): string =>
    createHmac('sha256', key).update(`${side} ${nonce}`).digest('base64url');
  return {
    id,
    hasSecret: (secret: string) => timingSafeEqual(key, digestOf(secret)),
    /** Proves to the page that this is the host of its session. Base64url. */
    proofFor: (pageNonce: string) => proof('host', pageNonce),
    /** Whether the page has proved that it knows the session. */
    isProof: (hostNonce: string, given: string) =>
      timingSafeEqual(digestOf(proof('page', hostNonce)), digestOf(given)),
    isIdle: () => listeners.size === 0 && hasExpired(lastUsedAtMs, idleSessionLifeMs, clock()),
    end(...cause: Parameters<EndListener>) {
      for (const listener of listeners) listener(...cause);
    },
    /** Called once, when the session ends. Call the returned function when the connection closes. */
    onEnd(listener: EndListener) {
      listeners.add(listener);
      return () => {
        lastUsedAtMs = clock();
        listeners.delete(listener);
      };
    },
  };
}

export function createDashboardSessions(deps: {
  clock: Clock;
  randomBytes?: RandomBytes;
}): DashboardSessions {
  const { clock, randomBytes = systemRandomBytes } = deps;
  /** By hash. `sessionId`: the session that it became. */
  const links = new Map<string, { createdAtMs: number; sessionId?: string }>();
  const sessions = new Map<string, DashboardSession>();

  const createSecret = (): string => randomBytes(32).toString('base64url');

  const end = (id: string, ...cause: Parameters<EndListener>): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    session?.end(...cause);
  };

  const sweep = (): void => {
    for (const [key, { createdAtMs }] of links)
      if (hasExpired(createdAtMs, linkLifeMs, clock())) links.delete(key);
    for (const [id, session] of sessions) if (session.isIdle()) end(id);
  };

  return {
    createLink() {
      sweep();
      const link = createSecret();
      links.set(hashOf(link), { createdAtMs: clock() });
      return link;
    },

    open(link) {
      sweep();
      const found = links.get(hashOf(link));
      if (found === undefined) return undefined;
      if (found.sessionId !== undefined) {
        end(found.sessionId, 'link-used-again');
        return 'used';
      }
      const secret = createSecret();
      const session = createSession(randomBytes(12).toString('base64url'), digestOf(secret), clock);
      sessions.set(session.id, session);
      found.sessionId = session.id;
      return { session, secret };
    },

    find(secret) {
      sweep();
      return [...sessions.values()].find((session) => session.hasSecret(secret));
    },

    resume(id) {
      sweep();
      return sessions.get(id);
    },

    endAll() {
      links.clear();
      for (const id of sessions.keys()) end(id);
    },
  };
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function hashOf(secret: string): string {
  return digestOf(secret).toString('base64');
}
