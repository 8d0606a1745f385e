// CSV and its relatives: which separator a file uses, and one color for each column.

import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StringStream } from '@codemirror/language';
import type { Extension, Text } from '@codemirror/state';
import { Tag } from '@lezer/highlight';

export type Separator = ',' | ';' | '\t' | '|';

const separators: readonly Separator[] = [',', ';', '\t', '|'];
const sampledLines = 30;
const maxSampledLine = 5000;

/** The separator that splits the first lines into the same number of columns most often. */
export function detectSeparator(doc: Text, extension = 'csv'): Separator {
  const preferred: Separator = extension === 'tsv' || extension === 'tab' ? '\t' : ',';
  const lines: string[] = [];
  for (const line of doc.iterLines(1, Math.min(doc.lines, sampledLines) + 1))
    if (line.trim() !== '') lines.push(line.slice(0, maxSampledLine));
  let best: { separator: Separator; score: number } = { separator: preferred, score: 0 };
  for (const separator of [preferred, ...separators]) {
    const counts = lines.map((line) => countSeparators(line, separator));
    const first = counts[0] ?? 0;
    const agreeing = counts.filter((count) => count === first).length;
    const score = first === 0 ? 0 : agreeing / counts.length + Math.min(first, 20) / 1000;
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

function countSeparators(line: string, separator: Separator): number {
  let count = 0;
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) count += 1;
  }
  return count;
}

/** Colors repeat after these. */
const colors = ['name', 'string', 'keyword', 'number', 'fifth', 'sixth'];
const columnTags = colors.map(() => Tag.define());
const separatorTag = Tag.define();

interface RowState {
  column: number;
  isQuoted: boolean;
}

/** Exported for its test: the name of the next piece's token, `column0` … or `separator`. */
export function nextToken(stream: StringStream, state: RowState, separator: Separator): string {
  if (stream.sol() && !state.isQuoted) state.column = 0;
  if (!state.isQuoted && stream.peek() === separator) {
    stream.next();
    state.column += 1;
    return 'separator';
  }
  const token = `column${state.column % colors.length}`;
  while (!stream.eol()) {
    const character = stream.peek();
    if (!state.isQuoted && character === separator) break;
    stream.next();
    // a doubled quote inside quotes closes and opens again, which comes to the same
    if (character === '"') state.isQuoted = !state.isQuoted;
  }
  return token;
}

export function csvLanguage(separator: Separator): StreamLanguage<RowState> {
  return StreamLanguage.define<RowState>({
    name: 'csv',
    startState: () => ({ column: 0, isQuoted: false }),
    token: (stream, state) => nextToken(stream, state, separator),
    tokenTable: {
      separator: separatorTag,
      ...Object.fromEntries(columnTags.map((tag, index) => [`column${index}`, tag])),
    },
  });
}

export function csvHighlighting(): Extension {
  return syntaxHighlighting(
    HighlightStyle.define([
      ...columnTags.map((tag, index) => ({ tag, color: `var(--hl-${colors[index]})` })),
      { tag: separatorTag, color: 'var(--text-muted)' },
    ]),
  );
}
