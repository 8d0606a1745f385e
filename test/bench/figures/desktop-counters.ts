// A process's CPU time, and how often its threads were woken, from the kernel. Linux only; undefined on other systems.

import { readFileSync, readdirSync } from 'node:fs';

interface ThreadCount {
  cpuMs: number;
  /** Voluntary context switches, that is, how often it was woken. */
  wakes: number;
}

export interface ProcessCount {
  threads: Map<string, ThreadCount>;
}

/** Uses the scheduler's nanoseconds if available, otherwise the ticks (10 ms) in `stat`. @see proc(5) */
export function countOf(pid: number): ProcessCount | undefined {
  try {
    const threads = new Map<string, ThreadCount>();
    for (const id of readdirSync(`/proc/${pid}/task`)) {
      try {
        threads.set(id, threadCount(`/proc/${pid}/task/${id}`));
      } catch {
        continue; // The thread has exited.
      }
    }
    return { threads };
  } catch {
    return undefined;
  }
}

/** The usage between two counts. Threads that exited in between aren't included. */
export function used(before: ProcessCount | undefined, after: ProcessCount | undefined): ThreadCount {
  const total = { cpuMs: 0, wakes: 0 };
  if (before === undefined || after === undefined) return { cpuMs: Number.NaN, wakes: Number.NaN };
  for (const [id, { cpuMs, wakes }] of after.threads) {
    const first = before.threads.get(id);
    total.cpuMs += cpuMs - (first?.cpuMs ?? 0);
    total.wakes += wakes - (first?.wakes ?? 0);
  }
  return total;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number(
            readFileSync(`/proc/${pid}/stat`, 'latin1')
              .replace(/^.*\) /s, '')
              .split(' ')[1],
          ) === parent
        );
      } catch {
        return false;
      }
    });
}

/** The process with all its descendants. */
export function processTree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)];
}

/** Whether it is a renderer process of Chromium for web pages. There may be more of them than pages. */
export function isRenderer(pid: number): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return line.includes('--type=renderer') && !line.includes('--top-chrome-webui');
  } catch {
    return false;
  }
}

function threadCount(folder: string): ThreadCount {
  const wakes = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${folder}/status`, 'latin1'))?.[1];
  return { cpuMs: cpuMs(folder), wakes: Number(wakes) };
}

const tickMs = 10;

function cpuMs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    const fields = readFileSync(`${folder}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  }
}
