// Who may use the dashboard: whoever opens a link from the terminal first. The link's secret is exchanged for a session, which the
// page keeps for its tab. Both are kept in memory only, as hashes, and end with the host. No cookies: browsers send those to every
// port of a computer.

import { createHash, randomBytes as systemRandomBytes } from 'node:crypto';
import type { RandomBytes } from '../accounts/password.ts';
import { hasExpired } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';

export const linkLifeMs = 10 * 60_000;
/** After its last connection. */
export const idleSessionLifeMs = 12 * 60 * 60_000;
const maxLinks = 100;
const maxSessions = 16;

export interface DashboardSessions {
  /** 43 characters of base64url, valid once. */
  createLink(): string;
  /**
   * Exchanges a link for a session; undefined if it is unknown or expired. A second use ends the session of the first: one of the
   * two wasn't the user.
   */
  open(link: string): DashboardSession | undefined;
  /** Undefined if unknown, malformed or expired. */
  resume(secret: string): DashboardSession | undefined;
  /** Ends all sessions and links. */
  endAll(): void;
}

export interface DashboardSession {
  /** 43 characters of base64url. */
  secret: string;
  /** Called once, when the session ends. Call the returned function when the connection closes. */
  onEnd(listener: () => void): () => void;
}

interface Session {
  lastUsedAtMs: number;
  listeners: Set<() => void>;
}

export function createDashboardSessions(deps: {
  clock: Clock;
  randomBytes?: RandomBytes;
}): DashboardSessions {
  const { clock, randomBytes = systemRandomBytes } = deps;
  /** By hash, oldest first. `sessionKey`: the session that it became. */
  const links = new Map<string, { createdAtMs: number; sessionKey?: string }>();
  const sessions = new Map<string, Session>();

  const createSecret = (): string => randomBytes(32).toString('base64url');

  const end = (key: string): void => {
    const session = sessions.get(key);
    sessions.delete(key);
    for (const listener of session?.listeners ?? []) listener();
  };

  const use = (secret: string, session: Session): DashboardSession => ({
    secret,
    onEnd(listener) {
      session.lastUsedAtMs = clock();
      session.listeners.add(listener);
      return () => {
        session.lastUsedAtMs = clock();
        session.listeners.delete(listener);
      };
    },
  });

  const sweep = (): void => {
    const nowMs = clock();
    for (const [key, { createdAtMs }] of links) {
      if (hasExpired(createdAtMs, linkLifeMs, nowMs)) links.delete(key);
    }
    for (const [key, { listeners, lastUsedAtMs }] of sessions) {
      if (listeners.size === 0 && hasExpired(lastUsedAtMs, idleSessionLifeMs, nowMs)) end(key);
    }
  };

  return {
    createLink() {
      sweep();
      const [oldest] = links.keys();
      if (links.size >= maxLinks && oldest !== undefined) links.delete(oldest);
      const link = createSecret();
      links.set(hashOf(link), { createdAtMs: clock() });
      return link;
    },

    open(link) {
      sweep();
      const found = links.get(hashOf(link));
      if (found === undefined) return undefined;
      if (found.sessionKey !== undefined) {
        end(found.sessionKey);
        return undefined;
      }
      const [oldest] = sessions.keys();
      if (sessions.size >= maxSessions && oldest !== undefined) end(oldest);
      const secret = createSecret();
      const key = hashOf(secret);
      const session: Session = { lastUsedAtMs: clock(), listeners: new Set() };
      sessions.set(key, session);
      found.sessionKey = key;
      return use(secret, session);
    },

    resume(secret) {
      sweep();
      const key = hashOf(secret);
      const session = sessions.get(key);
      return session === undefined ? undefined : use(secret, session);
    },

    endAll() {
      links.clear();
      for (const key of sessions.keys()) end(key);
    },
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
