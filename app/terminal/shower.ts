// What the texts of all commands are made of.

import type { CommandName, CommandResult } from '../commands/commands.ts';
import { formatDistance, formatTable, formatTime } from './table.ts';

/** The result of a command as text for people. */
export type Shower<Name extends CommandName> = (result: CommandResult<Name>, nowMs: number) => string;

export const orNone = (text: string | null): string => text ?? '-';

export function listOr(nothing: string, headings: string[], rows: string[][]): string {
  return rows.length === 0 ? nothing : formatTable(headings, rows);
}

export function untilText(atMs: number, nowMs: number): string {
  return `${formatTime(atMs)} (${formatDistance(atMs, nowMs)})`;
}
