// The id by which one request is found again in the logs of both sides: the editor's own where it sent a sane one.

import { randomUUID } from 'node:crypto';
import { redact } from '../log/redact.ts';
import { readCorrelationId } from '../wopi/wopi-headers.ts';

export function correlationIdOf(header: string | string[] | undefined): string {
  const given = readCorrelationId(() => (Array.isArray(header) ? header[0] : header));
  return given === undefined ? randomUUID() : redact(given);
}
