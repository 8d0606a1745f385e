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

export interface DashboardSession {
  id: string;
  /** Proves to the page that this is the host of its session. Base64url. */
  proofFor(pageNonce: string): string;
  /** Whether the page has proved that it knows the session. */
  isProof(hostNonce: string, proof: string): boolean;
  /** Called once, when the session ends. Call the returned function when the connection closes. */
  onEnd(listener: EndListener): () => void;
}

interface Session {
  /** SHA-256 of the secret. */
  key: Buffer;
  lastUsedAtMs: number;
  listeners: Set<EndListener>;
}

export function createDashboardSessions(deps: {
  clock: Clock;
  randomBytes?: RandomBytes;
}): DashboardSessions {
  const { clock, randomBytes = systemRandomBytes } = deps;
  /** By hash. `sessionId`: the session that it became. */
  const links = new Map<string, { createdAtMs: number; sessionId?: string }>();
  const sessions = new Map<string, Session>();

  const createSecret = (): string => randomBytes(32).toString('base64url');

  const end = (key: string, ...cause: Parameters<EndListener>): void => {
    const session = sessions.get(key);
    sessions.delete(key);
    for (const listener of session?.listeners ?? []) listener(...cause);
  };

  const use = (id: string, session: Session): DashboardSession => {
    const proof = (side: 'host' | 'page', nonce: string): string =>
      createHmac('sha256', session.key).update(`${side} ${nonce}`).digest('base64url');
    return {
      id,
      proofFor: (pageNonce) => proof('host', pageNonce),
      isProof(hostNonce, given) {
        const [right, sent] = [proof('page', hostNonce), given].map((text) => Buffer.from(text));
        return right !== undefined && sent?.length === right.length && timingSafeEqual(right, sent);
      },
      onEnd(listener) {
        session.lastUsedAtMs = clock();
        session.listeners.add(listener);
        return () => {
          session.lastUsedAtMs = clock();
          session.listeners.delete(listener);
        };
      },
    };
  };

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
      const id = randomBytes(12).toString('base64url');
      const session: Session = { key: digestOf(secret), lastUsedAtMs: clock(), listeners: new Set() };
      sessions.set(id, session);
      found.sessionId = id;
      return { session: use(id, session), secret };
    },

    find(secret) {
      sweep();
      const key = digestOf(secret);
      for (const [id, session] of sessions) if (timingSafeEqual(session.key, key)) return use(id, session);
      return undefined;
    },

    resume(id) {
      sweep();
      const session = sessions.get(id);
      return session === undefined ? undefined : use(id, session);
    },

    endAll() {
      links.clear();
      for (const key of sessions.keys()) end(key);
    },
  };
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function hashOf(secret: string): string {
  return digestOf(secret).toString('base64');
}
