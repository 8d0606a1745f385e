// A text file's bytes as an editor document, and back without losing one. CodeMirror keeps lines without their endings, so the ending
// of each line break is kept beside them: one usual ending for the file, and a set of the breaks that differ from it. The set follows
// every change, and undo brings back the endings of the breaks it brings back.

import { invertedEffects } from '@codemirror/commands';
import {
  MapMode,
  RangeSet,
  RangeSetBuilder,
  RangeValue,
  StateEffect,
  StateField,
  Text,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Transaction,
} from '@codemirror/state';

export type Ending = '\n' | '\r\n' | '\r';

/** Marks one line break of the document, the position from its line's end to the next line's start. */
class OddEnding extends RangeValue {
  // what is inserted right before or after the break isn't part of it
  override startSide = 1;
  override endSide = -1;
  override mapMode = MapMode.TrackDel;
  readonly ending: Ending;
  constructor(ending: Ending) {
    super();
    this.ending = ending;
  }
}

const oddEndings: Record<Ending, OddEnding> = {
  '\n': new OddEnding('\n'),
  '\r\n': new OddEnding('\r\n'),
  '\r': new OddEnding('\r'),
};

const noOddEndings: RangeSet<OddEnding> = RangeSet.of<OddEnding>([]);

export interface Endings {
  /** Of every line break that `odd` doesn't mark. It never changes while a document is open. */
  usual: Ending;
  odd: RangeSet<OddEnding>;
}

/** A document as it is in a file. */
export interface FileText {
  doc: Text;
  endings: Endings;
  hasBom: boolean;
}

const bom = [0xef, 0xbb, 0xbf] as const;

function hasBomAt(bytes: Uint8Array): boolean {
  return bom.every((byte, index) => bytes[index] === byte);
}

/**
 * The text of a file in UTF-8; undefined if its bytes aren't UTF-8, or are UTF-16.
 * @param usual the usual ending to keep, when the file is read again
 */
export function readText(bytes: Uint8Array, usual?: Ending): FileText | undefined {
  // Without a BOM it is valid UTF-8 with a NUL in every second place, and one typed letter would damage all that follows.
  if (utf16Of(bytes) !== undefined) return undefined;
  const hasBom = hasBomAt(bytes);
  try {
    // a second BOM is text
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { ...splitLines(decoder.decode(hasBom ? bytes.subarray(bom.length) : bytes), usual), hasBom };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The text of a file that isn't UTF-8, to be shown only: as UTF-16, else with replacement characters. */
export function readDamagedText(bytes: Uint8Array): { shown: FileText; encoding: 'UTF-16' | 'unknown' } {
  const utf16 = utf16Of(bytes);
  const text = new TextDecoder(utf16 ?? 'utf-8').decode(bytes);
  const encoding = utf16 === undefined ? 'unknown' : 'UTF-16';
  return { shown: { ...splitLines(text, undefined), hasBom: false }, encoding };
}

const sampleBytes = 4096;
/** A shorter text may be anything. */
const minPairs = 4;

/** By its BOM; without one, by the zero bytes of the letters, digits and spaces that most text has. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (mark === '255 254') return 'utf-16le';
  if (mark === '254 255') return 'utf-16be';
  const pairs = Math.floor(Math.min(bytes.length, sampleBytes) / 2);
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [first = 0, second = 0] = zeros;
  if (pairs < minPairs || Math.max(first, second) < pairs / 2 || Math.min(first, second) > 0)
    return undefined;
  return first < second ? 'utf-16le' : 'utf-16be';
}

function splitLines(text: string, usual: Ending | undefined): { doc: Text; endings: Endings } {
  if (!text.includes('\r')) {
    const lines = text.split('\n');
    return { doc: Text.of(lines), endings: markEndings(lines, undefined, usual ?? '\n') };
  }
  const lines: string[] = [];
  const found: Ending[] = [];
  const counts: Record<Ending, number> = { '\n': 0, '\r\n': 0, '\r': 0 };
  let start = 0;
  for (const match of text.matchAll(/\r\n?|\n/g)) {
    const ending = match[0] as Ending;
    lines.push(text.slice(start, match.index));
    found.push(ending);
    counts[ending] += 1;
    start = match.index + ending.length;
  }
  lines.push(text.slice(start));
  const most = (Object.keys(counts) as Ending[]).reduce((best, ending) =>
    counts[ending] > counts[best] ? ending : best,
  );
  return { doc: Text.of(lines), endings: markEndings(lines, found, usual ?? most) };
}

/** @param found the ending of each line but the last; undefined: all are LF */
function markEndings(lines: string[], found: Ending[] | undefined, usual: Ending): Endings {
  const builder = new RangeSetBuilder<OddEnding>();
  if (found !== undefined || usual !== '\n') {
    let position = 0;
    for (let index = 0; index < lines.length - 1; index += 1) {
      position += lines[index]?.length ?? 0;
      const ending = found?.[index] ?? '\n';
      if (ending !== usual) builder.add(position, position + 1, oddEndings[ending]);
      position += 1;
    }
  }
  return { usual, odd: builder.finish() };
}

/** The bytes of a file: those that `readText` took apart, as far as nothing was changed. */
export function writeText({ doc, endings, hasBom }: FileText): Uint8Array<ArrayBuffer> {
  const text = (hasBom ? '\ufeff' : '') + joinLines(doc, endings);
  return new TextEncoder().encode(text);
}

function joinLines(doc: Text, { usual, odd }: Endings): string {
  if (odd.size === 0) return doc.sliceString(0, doc.length, usual);
  const parts: string[] = [];
  let isAfterCr = false;
  const append = (part: string): void => {
    if (part === '') return;
    // After an edit a lone CR may meet a lone LF. Both stay line breaks: together they would be one.
    const text = isAfterCr ? part.replace(/^\n+/, (breaks) => '\r'.repeat(breaks.length)) : part;
    isAfterCr = text.endsWith('\r');
    parts.push(text);
  };
  let position = 0;
  for (const cursor = odd.iter(); cursor.value !== null; cursor.next()) {
    append(doc.sliceString(position, cursor.from, usual));
    append(cursor.value.ending);
    position = cursor.to;
  }
  append(doc.sliceString(position, doc.length, usual));
  return parts.join('');
}

export function isSameText(a: FileText, b: FileText): boolean {
  return a.hasBom === b.hasBom && a.doc.eq(b.doc) && hasSameEndings(a.endings, b.endings);
}

function hasSameEndings(a: Endings, b: Endings): boolean {
  return a.usual === b.usual && (a.odd === b.odd || RangeSet.eq([a.odd], [b.odd]));
}

/** `LF`, `CRLF`, `CR` or `Mixed`, as the status bar shows it. */
export function endingName(doc: Text, { usual, odd }: Endings): 'LF' | 'CRLF' | 'CR' | 'Mixed' {
  const names = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' } as const;
  const first = odd.iter().value;
  if (first === null) return names[usual];
  // every break is odd, in the same way: the file was rewritten while it was open
  if (odd.size < doc.lines - 1) return 'Mixed';
  for (const cursor = odd.iter(); cursor.value !== null; cursor.next())
    if (cursor.value !== first) return 'Mixed';
  return names[first.ending];
}

// in an editor's state

/** Where the breaks are after a change. A break that was replaced is gone, also when a break replaced it. */
function mapEndings(odd: RangeSet<OddEnding>, changes: ChangeDesc): RangeSet<OddEnding> {
  if (odd.size === 0) return odd;
  let kept = odd;
  changes.iterChangedRanges((fromA, toA) => {
    if (toA > fromA)
      kept = kept.update({
        filterFrom: fromA,
        filterTo: toA,
        filter: (from, to) => to <= fromA || from >= toA,
      });
  });
  return kept.map(changes);
}

/** Every ending of the document after the change: it came from the disk. */
const setEndings = StateEffect.define<RangeSet<OddEnding>>({ map: mapEndings });
/** Endings of breaks that an undo or a redo brings back. */
const restoreEndings = StateEffect.define<RangeSet<OddEnding>>({ map: mapEndings });

const endingsField = StateField.define<Endings>({
  create: () => ({ usual: '\n', odd: noOddEndings }),
  update({ usual, odd }, transaction) {
    const replaced = transaction.effects.findLast((effect) => effect.is(setEndings));
    if (replaced !== undefined) return { usual, odd: replaced.value };
    if (!transaction.docChanged) return { usual, odd };
    const mapped = mapEndings(odd, transaction.changes);
    const restored = transaction.effects.flatMap((effect) =>
      effect.is(restoreEndings) ? [effect.value] : [],
    );
    const sets = [...restored, newEndings(transaction, { usual, odd })].filter((set) => set.size > 0);
    return { usual, odd: sets.length === 0 ? mapped : RangeSet.join([mapped, ...sets]) };
  },
});

/** In a file with mixed endings, a new line break ends as the line does in which it is inserted. */
function newEndings(transaction: Transaction, { usual, odd }: Endings): RangeSet<OddEnding> {
  if (odd.size === 0 || transaction.isUserEvent('undo') || transaction.isUserEvent('redo'))
    return noOddEndings;
  const { doc } = transaction.startState;
  const builder = new RangeSetBuilder<OddEnding>();
  transaction.changes.iterChanges((fromA, _toA, fromB, _toB, inserted) => {
    if (inserted.lines === 1) return;
    const line = doc.lineAt(fromA);
    const neighbor = line.number < doc.lines ? line.to : line.from - 1;
    const ending = neighbor < 0 ? usual : endingAt(odd, neighbor, usual);
    if (ending === usual) return;
    let position = fromB;
    for (let number = 1; number < inserted.lines; number += 1) {
      position += inserted.line(number).length;
      builder.add(position, position + 1, oddEndings[ending]);
      position += 1;
    }
  });
  return builder.finish();
}

function endingAt(odd: RangeSet<OddEnding>, position: number, usual: Ending): Ending {
  let ending = usual;
  odd.between(position, position + 1, (from, _to, value) => {
    if (from === position) ({ ending } = value);
  });
  return ending;
}

/** The odd endings that a change removes: what its undo must restore. */
function removedEndings(transaction: Transaction): RangeSet<OddEnding> {
  const { odd } = transaction.startState.field(endingsField);
  if (odd.size === 0) return noOddEndings;
  const builder = new RangeSetBuilder<OddEnding>();
  transaction.changes.iterChanges((fromA, toA) => {
    // in order, which `between` doesn't promise
    for (const cursor = odd.iter(fromA); cursor.value !== null && cursor.to <= toA; cursor.next())
      if (cursor.from >= fromA) builder.add(cursor.from, cursor.to, cursor.value);
  });
  return builder.finish();
}

/** Keeps the endings of a document in its editor's state. */
export function keepEndings(endings: Endings): Extension {
  return [
    endingsField.init(() => endings),
    invertedEffects.of((transaction) => {
      if (!transaction.docChanged) return [];
      const removed = removedEndings(transaction);
      return removed.size === 0 ? [] : [restoreEndings.of(removed)];
    }),
  ];
}

export function endingsOf(state: EditorState): Endings {
  return state.field(endingsField);
}

/**
 * For a change that brings text from the disk: the endings after it, those on disk and those of what the user typed.
 * @param mine from the text both began with to the editor's
 * @param theirs from the text both began with to the disk's
 */
export function withEndingsOf(
  onDisk: Endings,
  state: EditorState,
  mine: ChangeDesc,
  theirs: ChangeDesc,
): StateEffect<unknown> {
  const { odd } = state.field(endingsField);
  const typed = new RangeSetBuilder<OddEnding>();
  mine.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    for (const cursor = odd.iter(fromB); cursor.value !== null && cursor.to <= toB; cursor.next())
      if (cursor.from >= fromB) typed.add(cursor.from, cursor.to, cursor.value);
  });
  return setEndings.of(
    RangeSet.join([
      mapEndings(onDisk.odd, mine.mapDesc(theirs, true)),
      mapEndings(typed.finish(), theirs.mapDesc(mine)),
    ]),
  );
}
