// Formats command results as readable text: aligned tables and times. File names come from other programs and editor names from
// the network, so control characters that would move the cursor, change colors or reverse the text direction are made visible.

import type { CommandName, CommandResult } from '../commands/commands.ts';
import { formatRelative, formatTimestamp } from '../contract/format.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { safeText } from '../contract/names.ts';

/** Formats a command's result as readable text; with --json the result itself is printed. */
export type Show<Name extends CommandName> = (result: CommandResult<Name>, nowMs: number) => string;

export const orNone = (text: string | null): string => text ?? '-';

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u{ff01}-\u{ff60}\u{3000}-\u{303e}]/u;
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** The number of terminal columns that the text takes up. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += zeroWidth.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** Headings and rows; each column is as wide as its widest cell. */
export function formatTable(headings: string[], rows: string[][]): string {
  const cells = [headings, ...rows.map((row) => row.map(safeText))];
  const widths = headings.map((_heading, column) =>
    Math.max(...cells.map((row) => textWidth(row[column] ?? ''))),
  );
  return cells.map((row) => alignRow(row, widths)).join('\n');
}

/** One name and its value per line, with the values aligned. Leaves out those without a value. */
export function formatPairs(pairs: [name: string, value: string | undefined][]): string {
  const width = Math.max(...pairs.map(([name]) => textWidth(name)));
  return pairs
    .flatMap(([name, value]) => (value === undefined ? [] : alignRow([name, safeText(value)], [width])))
    .join('\n');
}

/** A table with a row for each item, or that sentence if there is none. A value that is null is shown as `-`. */
export function listOf<Item>(
  emptyText: string,
  items: readonly Item[],
  columns: Partial<Record<MessageKey, (item: Item) => string | null>>,
): string {
  if (items.length === 0) return emptyText;
  const cells = Object.values(columns);
  return formatTable(
    Object.keys(columns).map((key) => t(key as MessageKey)),
    items.map((item) => cells.map((cell) => orNone(cell(item)))),
  );
}

function alignRow(row: string[], widths: number[]): string {
  return row
    .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(cell))))
    .join('  ')
    .trimEnd();
}

/** `2026-11-21 05:02 (in 3 h)` */
export function formatUntil(atMs: number, nowMs: number): string {
  return `${formatTimestamp(atMs)} (${formatRelative(atMs, nowMs)})`;
}
