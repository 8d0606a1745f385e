// In each round, every contender has several short turns, in alternating order (A B C, C B A), so that changes of the machine's speed
// affect all of them. The ratios are computed per round, and the result is the median of the rounds. The first pass is a warm-up.

import { processorMsOf } from './processes.ts';

export interface Work {
  /** The number of calls, pairs, cycles, MiB, or starts. */
  units: number;
  ms: number;
  /** Processor time of the contender's process. */
  processorMs?: number;
}

export interface Contender {
  name: string;
  /** Its process, to compare the processor time too. */
  pid?: number;
  /** One turn. */
  turn(): Promise<Work>;
  /** Run before each turn, outside its time. */
  prepare?: () => Promise<void> | void;
}

export interface Budget {
  /** Milliseconds left for figures. */
  leftMs(): number;
}

export interface Plan {
  rounds: number;
  /** Turns of each contender in a round. */
  passes: number;
  /** Skips the warm-up, for turns that take seconds. */
  isCold?: boolean;
}

export interface Measured {
  /** By contender, units per millisecond of each complete round. */
  rates: Map<string, number[]>;
  /** By contender with a process, processor milliseconds per unit of each complete round. */
  processor: Map<string, number[]>;
  /** Why there are fewer rounds than planned. */
  problem?: string;
}

export async function measure(contenders: Contender[], plan: Plan, budget: Budget): Promise<Measured> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const processor = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  let longestMs = 0;
  try {
    if (!plan.isCold && budget.leftMs() > 0) await takeRound(contenders, 1);
    for (let round = 0; round < plan.rounds; round += 1) {
      if (budget.leftMs() <= longestMs) return { rates, processor, problem: 'the time ran out' };
      const startedAt = performance.now();
      // Rotate the order, because a turn can affect the next one (dirty pages, free memory).
      const first = round % contenders.length;
      const work = await takeRound([...contenders.slice(first), ...contenders.slice(0, first)], plan.passes);
      for (const [name, { units, ms, processorMs }] of work) {
        rates.get(name)?.push(units / ms);
        if (processorMs !== undefined) processor.get(name)?.push(processorMs / units);
      }
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
    return { rates, processor };
  } catch (error) {
    // When the time is over, the processes are killed, so the error isn't the reason.
    if (budget.leftMs() <= 0) return { rates, processor, problem: 'the time ran out' };
    return { rates, processor, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function takeRound(contenders: Contender[], passes: number): Promise<Map<string, Work>> {
  const total = new Map<string, Work>();
  for (let pass = 0; pass < passes; pass += 1) {
    for (const contender of pass % 2 === 0 ? contenders : contenders.toReversed()) {
      await contender.prepare?.();
      const { pid } = contender;
      const spentMs = pid === undefined ? undefined : processorMsOf(pid);
      const { units, ms } = await contender.turn();
      const nowMs = pid === undefined ? undefined : processorMsOf(pid);
      const before = total.get(contender.name) ?? { units: 0, ms: 0 };
      total.set(contender.name, {
        units: before.units + units,
        ms: before.ms + ms,
        ...(spentMs !== undefined &&
          nowMs !== undefined && { processorMs: (before.processorMs ?? 0) + nowMs - spentMs }),
      });
    }
  }
  return total;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
