// One line in the log and one entry in the journal for every request that isn't a repeated poll: operation, result, duration.
// Never the query, which may contain tokens, and never a body. Also sets the headers of every response.

import type { Context, Middleware } from 'koa';
import type { Clock } from '../../contract/clock.ts';
import type { Journal, JournalEntry } from '../../log/journal.ts';
import type { Logger } from '../../log/logger.ts';
import { redact } from '../../log/redact.ts';
import type { RequestState } from '../request-state.ts';
import { correlationIdOf } from '../correlation-id.ts';

export interface RequestJournalDeps {
  clock: Clock;
  journal: Pick<Journal, 'add'>;
  log: Pick<Logger, 'request'>;
}

const maxPathLength = 256;

/** What editors and pages poll while a document is open. */
const polls: ReadonlySet<string> = new Set(['CheckFileInfo', 'GetLock', 'HostPageState']);
/** Of identical polls, one in this time is logged, or the log would contain nothing else. */
const pollEveryMs = 60_000;
const maxPolls = 1000;

/**
 * Without the query and secrets, and limited in length. A copy: a slice would keep the whole address in memory for as long as the
 * journal keeps the entry.
 */
function shownPath(url: string): string {
  const end = url.indexOf('?');
  const path = url.slice(0, Math.min(end < 0 ? url.length : end, maxPathLength));
  return redact(Buffer.from(path).toString());
}

export function createRequestJournal(deps: RequestJournalDeps): Middleware<RequestState> {
  const writtenAtMs = new Map<string, number>();
  /** The same request by the same user from the same address in the same session, with the same result as before. */
  const isRepeated = (
    { operation = '', fileId = '', user = '', sessionId = '', client }: RequestState,
    status: number,
  ): boolean => {
    if (status !== 200 || !polls.has(operation)) return false;
    const key = `${operation} ${fileId} ${user} ${sessionId} ${client.clientAddress}`;
    const nowMs = performance.now();
    const lastMs = writtenAtMs.get(key);
    if (lastMs !== undefined && nowMs - lastMs < pollEveryMs) return true;
    if (writtenAtMs.size >= maxPolls) writtenAtMs.clear();
    writtenAtMs.set(key, nowMs);
    return false;
  };
  return async (context, next) => {
    const startedAt = performance.now();
    const { req, res, state } = context;
    state.correlationId = correlationIdOf(req.headers['x-wopi-correlationid']);
    res.setHeader('X-WOPI-CorrelationId', state.correlationId);
    // Documents contain untrusted content: no browser may interpret one as a page or a script.
    res.setHeader('X-Content-Type-Options', 'nosniff');
    try {
      await next();
    } finally {
      const isUnjournaled = state.isUnjournaled === true && res.statusCode < 500;
      if (!isUnjournaled && !isRepeated(state, res.statusCode)) write(deps, context, startedAt);
    }
  };
}

function write(
  deps: RequestJournalDeps,
  { req, res, state }: Context & { state: RequestState },
  startedAt: number,
): void {
  const entry: JournalEntry = {
    atMs: deps.clock(),
    operation: state.operation ?? 'Request',
    method: req.method ?? '',
    path: shownPath(req.url ?? ''),
    status: res.statusCode,
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    code: state.code,
    fileId: state.fileId,
    isVersion: state.isVersion,
    user: state.user,
    sessionId: state.sessionId,
    lock: state.lock,
    lockHeaders: state.lockHeaders,
    correlationId: state.correlationId,
    address: state.client.clientAddress,
    bytesIn: Number(req.headers['content-length'] ?? 0) || 0,
    bytesOut: Number(res.getHeader('content-length') ?? 0),
  };
  deps.journal.add(entry);
  deps.log.request(entry);
}
