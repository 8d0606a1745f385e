// One line in the log and one entry in the journal for every request: which operation, how it ended, how long it took. Never
// the query, where tokens travel, and never a body.

import type { Middleware } from 'koa';
import type { Clock } from '../../contract/clock.ts';
import type { Journal } from '../../log/journal.ts';
import type { Logger } from '../../log/logger.ts';
import type { RequestState } from '../request-state.ts';
import { correlationIdOf } from '../correlation-id.ts';

export interface RequestJournalDeps {
  clock: Clock;
  journal: Journal;
  log: Logger;
}

export function createRequestJournal(deps: RequestJournalDeps): Middleware<RequestState> {
  return async (context, next) => {
    const startedAt = performance.now();
    const { req, res, state } = context;
    state.correlationId = correlationIdOf(req.headers['x-wopi-correlationid']);
    res.setHeader('X-WOPI-CorrelationId', state.correlationId);
    try {
      await next();
    } finally {
      const entry = {
        atMs: deps.clock(),
        operation: state.operation ?? 'Request',
        method: context.method,
        path: context.path,
        status: context.status,
        durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
        ...(state.fileId !== undefined && { fileId: state.fileId }),
        ...(state.user !== undefined && { user: state.user }),
        ...(state.lock !== undefined && { lock: state.lock }),
        correlationId: state.correlationId,
        address: req.socket.remoteAddress ?? '',
        bytesIn: Number(req.headers['content-length'] ?? 0) || 0,
        bytesOut: context.length ?? 0,
      };
      deps.journal.add(entry);
      // The log has its own time and no need of what the journal counts.
      const { operation, atMs: _atMs, method: _method, bytesIn: _in, bytesOut: _out, ...fields } = entry;
      deps.log.info(fields, operation);
    }
  };
}
