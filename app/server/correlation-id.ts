// The id that identifies a request in the logs of both sides: the editor's own if it sent a valid one.

import { randomUUID } from 'node:crypto';
import { redact } from '../log/redact.ts';
import { readCorrelationId } from '../wopi/wopi-headers.ts';

export function correlationIdOf(header: string | string[] | undefined): string {
  const given = readCorrelationId(() => (Array.isArray(header) ? header[0] : header));
  return given === undefined ? randomUUID() : redact(given);
}
