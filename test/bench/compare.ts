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
  ratio?: number | undefined;
  floor?: Floor | undefined;
  verdict: 'met' | 'missed' | 'no floor' | 'not measured';
  note?: string;
}

export const subjectName = 'DocTray';
export const atLeast = (bound: number): Floor => ({ kind: 'at least', bound });
export const atMost = (bound: number): Floor => ({ kind: 'at most', bound });

/** What a contender did in a round; the processor time is NaN if its process isn't known. */
type Turn = Work & { processorMs: number };

/** The rows of a figure. If it fails, a row says why. */
export async function measure(figure: Figure): Promise<Row[]> {
  const { name, unit, contenders, references, rounds: count = 5, passes = 4 } = figure;
  const rounds: Map<string, Turn>[] = [];
  try {
    if (passes > 1) await takeRound(contenders, 1);
    for (let round = 0; round < count; round += 1) {
      // A turn can affect the next one (dirty pages, free memory).
      const first = round % contenders.length;
      const order = [...contenders.slice(first), ...contenders.slice(0, first)];
      rounds.push(await takeRound(order, passes));
    }
  } catch (error) {
    return [unmeasured(name, error)];
  }
  const isTime = unit === 'ms';
  const speed = ({ units, ms }: Turn): number => (isTime ? ms / units : (units * 1000) / ms);
  const processorTime = ({ units, processorMs }: Turn): number => processorMs / units;
  const each = (who: string, of: (turn: Turn) => number): number[] =>
    rounds.map((turns) => of(turns.get(who) ?? { units: 0, ms: Number.NaN, processorMs: Number.NaN }));
  return references.flatMap(({ name: reference, floor, processorFloor }) => {
    const compare = (what: string, of: typeof speed, unitText: string, limit?: Floor): Row => {
      const [own, other] = [each(subjectName, of), each(reference, of)];
      const ratio = median(own.map((one, round) => one / (other[round] ?? Number.NaN)));
      const about = { unit: unitText, reference, ratio, floor: limit };
      return row(what, [median(own), median(other)], about);
    };
    const hasProcessorTimes = [subjectName, reference].every((who) =>
      each(who, processorTime).every((ms) => ms > 0),
    );
    return [
      compare(name, speed, isTime ? 'ms' : `${unit}/s`, floor),
      ...(hasProcessorTimes ? [compare(`${name}: processor time`, processorTime, 'ms', processorFloor)] : []),
    ];
  });
}

async function takeRound(contenders: Contender[], passes: number): Promise<Map<string, Turn>> {
  const total = new Map<string, Turn>();
  for (let pass = 0; pass < passes; pass += 1) {
    for (const { name, pid = -1, ...contender } of pass % 2 === 0 ? contenders : contenders.toReversed()) {
      await contender.prepare?.();
      const spentMs = processorMsOf(pid);
      const { units, ms } = await contender.turn();
      const before = total.get(name) ?? { units: 0, ms: 0, processorMs: 0 };
      total.set(name, {
        units: before.units + units,
        ms: before.ms + ms,
        processorMs: before.processorMs + processorMsOf(pid) - spentMs,
      });
    }
  }
  return total;
}

/** DocTray's value beside its reference's; NaN means that there is none. The floor is one of the ratio, or without a ratio, of the value. */
export function row(
  figure: string,
  [value, referenceValue]: [number, number],
  about: { unit: string; reference?: string; ratio?: number; floor?: Floor | undefined },
): Row {
  const { unit, reference = '–', ratio, floor } = about;
  const text = (number: number): string => (Number.isNaN(number) ? '–' : `${plain(number)} ${unit}`);
  const judged = ratio ?? value;
  const isMet = floor?.kind === 'at least' ? judged >= floor.bound : judged <= (floor?.bound ?? Infinity);
  const verdict = Number.isNaN(judged)
    ? 'not measured'
    : floor === undefined
      ? 'no floor'
      : isMet
        ? 'met'
        : 'missed';
  return {
    figure,
    value: text(value),
    reference,
    referenceValue: text(referenceValue),
    ratio,
    floor,
    verdict,
  };
}

export function unmeasured(figure: string, reason: unknown): Row {
  const note = reason instanceof Error ? reason.message : String(reason);
  return { figure, value: '–', reference: '–', referenceValue: '–', verdict: 'not measured', note };
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

/** Prints one line per row. */
export function printTable(rows: Row[]): void {
  console.table(
    rows.map(({ floor, ratio, verdict, note, ...texts }) => ({
      ...texts,
      ratio: ratio?.toFixed(2) ?? '',
      floor: floor === undefined ? '' : `${floor.kind} ${floor.bound}`,
      verdict: [verdict === 'no floor' ? '' : verdict, note].filter(Boolean).join(': '),
    })),
  );
}
