// Prints the results as a table, and writes them as JSON.

import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Row } from './figure.ts';

const heads = ['figure', 'DocTray', 'reference', 'its value', 'ratio', 'floor', 'verdict'];

export function formatTable(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.figure,
    row.value,
    row.reference,
    row.referenceValue,
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.floor ? `${row.floor.kind} ${row.floor.bound}` : '',
    (row.verdict === 'no floor' ? '' : row.verdict) + (row.note ? ` (${row.note})` : ''),
  ]);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((line) => (line[column] ?? '').length)),
  );
  const line = (texts: string[]): string =>
    texts
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(heads), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.map(line)].join('\n');
}

export function summarise(rows: Row[]): { met: number; missed: number; notMeasured: number } {
  const count = (verdict: Row['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
  return { met: count('met'), missed: count('missed'), notMeasured: count('not measured') };
}

/** @returns the path of the file */
export function writeResults(
  folder: string,
  about: { takenAtMs: number; tookMs: number; entry: string; rows: Row[] },
): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${new Date(about.takenAtMs).toISOString().replaceAll(':', '-')}.json`);
  const machine = {
    platform: platform(),
    release: release(),
    arch: arch(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cpuCount: cpus().length,
    memoryBytes: totalmem(),
    node: process.version,
  };
  const result = {
    takenAt: new Date(about.takenAtMs).toISOString(),
    tookMs: about.tookMs,
    entry: about.entry,
    machine,
  };
  writeFileSync(
    path,
    `${JSON.stringify({ ...result, ...summarise(about.rows), rows: about.rows }, null, 2)}\n`,
  );
  return path;
}
