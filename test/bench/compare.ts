// A figure compares DocTray with references. In each round, every contender has several short turns in alternating order (A B C, C B A),
// so that changes of the machine's speed affect all of them. Ratios are computed per round; the result is the median of the rounds.

import { processorMsOf } from './processes.ts';

export interface Work {
  /** The number of calls, pairs, cycles, MiB, or starts. */
  units: number;
  ms: number;
}

export interface Contender {
  name: string;
  /** Its process, to compare the processor time too. */
  pid?: number;
  /** One turn. */
  turn(): Promise<Work>;
  /** Run before each turn, outside its time. */
  prepare?(): Promise<void> | void;
}

export interface Floor {
  kind: 'at least' | 'at most';
  bound: number;
}

export interface Figure {
  name: string;
  /** What is counted per second, or `ms`: then the ratios are of times. */
  unit: string;
  /** DocTray first. */
  contenders: Contender[];
  /** With which of the others it is compared. `processorFloor` limits its processor time to a multiple of the reference's. */
  references: { name: string; floor?: Floor | undefined; processorFloor?: Floor }[];
  /** 5 when left out. */
  rounds?: number;
  /** Turns of each contender in a round; 4 when left out. One that takes seconds needs neither several nor a warm-up. */
  passes?: number;
}

export interface Row {
  figure: string;
  value: string;
  reference: string;
  referenceValue: string;
  ratio?: number;
  floor?: Floor;
  verdict: 'met' | 'missed' | 'no floor' | 'not measured';
  note?: string;
  /** The ratio of each round. */
  ratios?: number[];
}

export const subjectName = 'DocTray';
export const atLeast = (bound: number): Floor => ({ kind: 'at least', bound });
export const atMost = (bound: number): Floor => ({ kind: 'at most', bound });

/** The rows of a figure. If it fails, a row says why. */
export async function measure({ unit, contenders, references, ...figure }: Figure): Promise<Row[]> {
  const { name, rounds = 5, passes = 4 } = figure;
  const rates = new Map<string, number[]>();
  const processor = new Map<string, number[]>();
  try {
    if (passes > 1) await takeRound(contenders, 1);
    for (let round = 0; round < rounds; round += 1) {
      // A turn can affect the next one (dirty pages, free memory).
      const first = round % contenders.length;
      const order = [...contenders.slice(first), ...contenders.slice(0, first)];
      for (const [who, { units, ms, processorMs }] of await takeRound(order, passes)) {
        push(rates, who, units / ms);
        if (processorMs !== undefined) push(processor, who, processorMs / units);
      }
    }
  } catch (error) {
    return [unmeasured(name, error)];
  }
  const isTime = unit === 'ms';
  const valueOf = (each: number[]): number => (isTime ? 1 / median(each) : median(each) * 1000);
  const shown = (each: number[]): string => `${plain(valueOf(each))} ${isTime ? 'ms' : `${unit}/s`}`;
  const own = rates.get(subjectName) ?? [];
  const ownProcessor = processor.get(subjectName) ?? [];
  return references.flatMap(({ name: reference, floor, processorFloor }) => {
    const other = rates.get(reference) ?? [];
    const otherProcessor = processor.get(reference) ?? [];
    const rows = [
      compared(name, {
        value: shown(own),
        reference,
        referenceValue: shown(other),
        ratios: isTime ? ratiosOf(other, own) : ratiosOf(own, other),
        floor,
      }),
    ];
    if (ownProcessor.length > 0 && otherProcessor.length > 0)
      rows.push(
        compared(`${name}: processor time`, {
          value: `${plain(median(ownProcessor))} ms`,
          reference,
          referenceValue: `${plain(median(otherProcessor))} ms`,
          ratios: ratiosOf(ownProcessor, otherProcessor),
          floor: processorFloor,
        }),
      );
    return rows;
  });
}

type Turns = Map<string, Work & { processorMs?: number }>;

async function takeRound(contenders: Contender[], passes: number): Promise<Turns> {
  const total: Turns = new Map();
  for (let pass = 0; pass < passes; pass += 1) {
    for (const { name, pid = -1, ...contender } of pass % 2 === 0 ? contenders : contenders.toReversed()) {
      await contender.prepare?.();
      const spentMs = processorMsOf(pid);
      const { units, ms } = await contender.turn();
      const processorMs = processorMsOf(pid) - spentMs;
      const before = total.get(name) ?? { units: 0, ms: 0, processorMs: 0 };
      total.set(name, {
        units: before.units + units,
        ms: before.ms + ms,
        ...(processorMs > 0 && { processorMs: (before.processorMs ?? 0) + processorMs }),
      });
    }
  }
  return total;
}

/** A row with a ratio and its verdict. */
export function compared(
  figure: string,
  about: Pick<Row, 'value' | 'reference' | 'referenceValue'> & {
    ratios: number[];
    floor?: Floor | undefined;
    note?: string;
  },
): Row {
  const { floor, ratios, ...texts } = about;
  const ratio = median(ratios);
  return {
    figure,
    ...texts,
    ratios,
    ...(Number.isFinite(ratio) && { ratio }),
    ...(floor !== undefined && { floor }),
    verdict: verdictOf(ratio, floor),
  };
}

/** A row of a value that is shown beside its reference's, without a ratio. */
export function shown(
  figure: string,
  [value, reference]: [number, number],
  about: { unit: string; reference: string; floor?: Floor; note?: string },
): Row {
  const text = (number: number): string => (Number.isNaN(number) ? '–' : `${plain(number)} ${about.unit}`);
  return {
    figure,
    value: text(value),
    reference: about.reference,
    referenceValue: text(reference),
    ...(about.floor !== undefined && { floor: about.floor }),
    verdict: verdictOf(value, about.floor),
    ...(about.note !== undefined && { note: about.note }),
  };
}

export function unmeasured(figure: string, reason: unknown): Row {
  const note = reason instanceof Error ? reason.message : String(reason);
  return { figure, value: '–', reference: '–', referenceValue: '–', verdict: 'not measured', note };
}

function verdictOf(value: number, floor: Floor | undefined): Row['verdict'] {
  if (Number.isNaN(value)) return 'not measured';
  if (floor === undefined) return 'no floor';
  const isMet = floor.kind === 'at least' ? value >= floor.bound : value <= floor.bound;
  return isMet ? 'met' : 'missed';
}

export function ratiosOf(own: number[], other: number[]): number[] {
  return own.map((value, round) => value / (other[round] ?? Number.NaN));
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function push(lists: Map<string, number[]>, name: string, value: number): void {
  lists.set(name, [...(lists.get(name) ?? []), value]);
}

function plain(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

const heads = ['figure', 'DocTray', 'reference', 'its value', 'ratio', 'floor', 'verdict'];

export function formatTable(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.figure,
    row.value,
    row.reference,
    row.referenceValue,
    row.ratio?.toFixed(2) ?? '',
    row.floor === undefined ? '' : `${row.floor.kind} ${row.floor.bound}`,
    (row.verdict === 'no floor' ? '' : row.verdict) + (row.note === undefined ? '' : ` (${row.note})`),
  ]);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const lines = [heads, widths.map((width) => '-'.repeat(width)), ...cells];
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
