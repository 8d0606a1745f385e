// Requests as text for other programs: CSV as RFC 4180 has it, or JSON. Every field by its own name, times in ISO 8601.

import type { Entry } from './journal.ts';

type Value = string | number | boolean | null;

const fields: Record<string, (entry: Entry) => Value> = {
  sequence: ({ sequence }) => sequence,
  time: ({ atMs }) => new Date(atMs).toISOString(),
  operation: ({ operation }) => operation,
  method: ({ method }) => method || null,
  path: ({ path }) => path,
  document: ({ documentPath }) => documentPath,
  isVersion: ({ isVersion }) => isVersion,
  fileId: ({ fileId }) => fileId,
  user: ({ user }) => user,
  status: ({ status }) => status,
  code: ({ code }) => code,
  durationMs: ({ durationMs }) => durationMs,
  lock: ({ lock }) => lock,
  correlationId: ({ correlationId }) => correlationId || null,
  address: ({ address }) => address || null,
  bytesIn: ({ bytesIn }) => bytesIn,
  bytesOut: ({ bytesOut }) => bytesOut,
};

/** Titles, then one line a request; lines end with CR LF. */
export function toCsv(entries: readonly Entry[]): string {
  const lines = entries.map((entry) => Object.values(fields).map((field) => cell(field(entry))));
  return [Object.keys(fields), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

export function toJson(entries: readonly Entry[]): string {
  const items = entries.map((entry) =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(entry)])),
  );
  return `${JSON.stringify(items, undefined, 2)}\n`;
}

function cell(value: Value): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // Document names come from anywhere, and a spreadsheet runs a cell that begins like this as a formula. The apostrophe makes it text.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
