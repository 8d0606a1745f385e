// What the kernel counts about a process: CPU time, and how often its threads were woken. Linux alone; elsewhere undefined.

import { readFileSync, readdirSync } from 'node:fs';

interface ThreadCount {
  cpuMs: number;
  /** Times it went to sleep by itself, that is, times it was woken. */
  wakes: number;
}

export interface ProcessCount {
  threads: Map<string, ThreadCount>;
}

/** Nanoseconds by the scheduler where it tells, else the hundredths of a second of `stat`. @see proc(5) */
export function countOf(pid: number): ProcessCount | undefined {
  try {
    const threads = new Map<string, ThreadCount>();
    for (const id of readdirSync(`/proc/${pid}/task`)) {
      try {
        threads.set(id, threadCount(`/proc/${pid}/task/${id}`));
      } catch {
        continue; // it ended meanwhile
      }
    }
    return { threads };
  } catch {
    return undefined;
  }
}

/** What was used from one count to another; a thread that ended in between takes its part with it. */
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

/** The process and all that it started, and they. */
export function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

/** One of Chromium's that draw pages, other than its own. There may be more of them than pages. */
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
