// Figures, and how their rounds become rows of the table.

import { measure, median, type Budget, type Contender, type Measured, type Plan } from './rounds.ts';

export interface Floor {
  kind: 'at least' | 'at most';
  bound: number;
}

export interface Row {
  figure: string;
  value: string;
  reference: string;
  referenceValue: string;
  ratio: number | undefined;
  floor: Floor | undefined;
  verdict: 'met' | 'missed' | 'no floor' | 'not measured';
  /** The number of rounds if it differs from the usual one, or why nothing was measured. */
  note?: string;
  /** The medians in units per second, or in the unit for times and sizes, and the ratio of each round. */
  numbers?: { value: number; reference: number; ratios: number[] };
}

export interface Figure {
  name: string;
  /** What is counted per second, or `ms`: then the ratios are of times. */
  unit: string;
  contenders: Contender[];
  /** `processorFloor` limits DocTray's processor time to a multiple of the reference's. */
  references: { name: string; floor?: Floor; processorFloor?: Floor }[];
  plan: Plan;
}

export const subjectName = 'DocTray';
export const medianOf = 5;
export const atLeast = (bound: number): Floor => ({ kind: 'at least', bound });
export const atMost = (bound: number): Floor => ({ kind: 'at most', bound });

/** The name of the DocTray with many files in its folder. */
export function manyName(fileCount: number): string {
  return `${subjectName}, ${fileCount.toLocaleString('en')} files`;
}

/** The part of `manyName` that is appended to a figure's name. */
export function suffixOf(name: string): string {
  return name.slice(subjectName.length);
}

/** Within 10 % of the empty folder's figure. */
const sameRate = atLeast(0.9);
const sameTime = atMost(1.1);

/** Measures a figure. If that fails or there is no time left, the rows say so. */
export async function takeFigure(figure: Figure, budget: Budget): Promise<Row[]> {
  const measured = await measure(figure.contenders, figure.plan, budget);
  const taken = measured.rates.get(subjectName)?.length ?? 0;
  if (taken === 0) return blankRows(figure, measured.problem ?? 'no round was whole');
  const wanted = figure.plan.rounds;
  let note = taken === medianOf ? undefined : `${taken} round${taken === 1 ? '' : 's'}`;
  if (measured.problem !== undefined) note = `${taken} of ${wanted} rounds: ${measured.problem}`;
  return pairsOf(figure).flatMap((pair) => [
    rowOf(figure, pair, measured, note),
    ...processorRows(figure, pair, measured, note),
  ]);
}

/** A row for something that wasn't measured, with the reason. */
export function blankRow(figure: string, reason: string): Row {
  const blank = { value: '–', reference: '–', referenceValue: '–', ratio: undefined, floor: undefined };
  return { figure, ...blank, verdict: 'not measured', note: reason };
}

export function blankRows(figure: Figure, reason: string): Row[] {
  return pairsOf(figure).map(({ suffix, reference, floor }) => ({
    ...blankRow(`${figure.name}${suffix}`, reason),
    reference,
    floor,
  }));
}

export function verdictOf(value: number, floor: Floor | undefined): Row['verdict'] {
  if (Number.isNaN(value)) return 'not measured';
  if (!floor) return 'no floor';
  const isMet = floor.kind === 'at least' ? value >= floor.bound : value <= floor.bound;
  return isMet ? 'met' : 'missed';
}

interface Pair {
  name: string;
  /** Added to the figure's name in the table. */
  suffix: string;
  reference: string;
  floor: Floor | undefined;
  processorFloor?: Floor | undefined;
}

/** DocTray with each reference, then the DocTray with many files with the one with few. */
function pairsOf(figure: Figure): Pair[] {
  const known = new Set([subjectName, ...figure.references.map(({ name }) => name)]);
  const many = figure.contenders.map(({ name }) => name).filter((name) => !known.has(name));
  return [
    ...figure.references.map(({ name, floor, processorFloor }) => ({
      name: subjectName,
      suffix: '',
      reference: name,
      floor,
      processorFloor,
    })),
    ...many.map((name) => ({
      name,
      suffix: suffixOf(name),
      reference: subjectName,
      floor: figure.unit === 'ms' ? sameTime : sameRate,
    })),
  ];
}

function rowOf(figure: Figure, pair: Pair, { rates }: Measured, note: string | undefined): Row {
  const isTime = figure.unit === 'ms';
  const own = rates.get(pair.name) ?? [];
  const other = rates.get(pair.reference) ?? [];
  const ratios = own
    .map((rate, round) => rate / (other[round] ?? Number.NaN))
    .map((r) => (isTime ? 1 / r : r));
  const toValue = (each: number[]): number => (isTime ? 1 / median(each) : median(each) * 1000);
  const withUnit = (number: number): string => `${plain(number)} ${isTime ? 'ms' : `${figure.unit}/s`}`;
  const [value, reference, ratio] = [toValue(own), toValue(other), median(ratios)];
  return {
    figure: `${figure.name}${pair.suffix}`,
    value: withUnit(value),
    reference: pair.reference === subjectName ? 'DocTray, empty folder' : pair.reference,
    referenceValue: withUnit(reference),
    ratio,
    floor: pair.floor,
    verdict: verdictOf(ratio, pair.floor),
    ...(note === undefined ? {} : { note }),
    numbers: { value, reference, ratios },
  };
}

/** Compares the processor time, if both have a process. On a busy computer it is more meaningful than the rate. */
function processorRows(figure: Figure, pair: Pair, measured: Measured, note: string | undefined): Row[] {
  const own = measured.processor.get(subjectName) ?? [];
  const other = measured.processor.get(pair.reference) ?? [];
  if (pair.name !== subjectName || own.length === 0 || other.length === 0) return [];
  const ratios = own.map((ms, round) => ms / (other[round] ?? Number.NaN));
  const [value, reference, ratio] = [median(own), median(other), median(ratios)];
  const { reference: referenceName, processorFloor: floor } = pair;
  return [
    {
      figure: `${figure.name}: processor time`,
      value: `${value.toPrecision(3)} ms`,
      reference: referenceName,
      referenceValue: `${reference.toPrecision(3)} ms`,
      ratio,
      floor,
      verdict: verdictOf(ratio, floor),
      ...(note === undefined ? {} : { note }),
      numbers: { value, reference, ratios },
    },
  ];
}

function plain(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
