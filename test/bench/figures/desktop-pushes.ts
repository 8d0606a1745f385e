// Pushes to the window while scripted editors make some hundred calls per second: the pushes per second by name (at most ten), and
// the longest task of the window's main thread, in the views that draw the most.

import { setTimeout as sleep } from 'node:timers/promises';
import { sizes, workerNames } from '../arena.ts';
import { createBodySource } from '../bodies.ts';
import { atMost, verdictOf, type Row } from '../figure.ts';
import { createSide, type WopiFile } from '../sides.ts';
import { checkFileInfo, getFile, lock, putFile, refreshLock, unlock } from '../wopi-calls.ts';
import { goTo, type DesktopApp } from './desktop-app.ts';

export const pushesName = 'desktop: pushes';
const views = ['Locks', 'Activity', 'Documents'] as const;
const callsASecond = 300;
const atMostASecond = atMost(10);

interface Recording {
  /** The page's performance.now() of each push, by name. */
  pushes: Record<string, number[]>;
  longTasks: number[];
}

const listen = `
  const heard = { pushes: {}, longTasks: [] };
  const names = ['state-changed', 'activity-added', 'folder-changed', 'navigate'];
  const endings = names.map((name) =>
    window.doctray.onPush(name, () => (heard.pushes[name] ??= []).push(performance.now())),
  );
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) heard.longTasks.push(duration);
  });
  tasks.observe({ type: 'longtask' });
  window.benchHeard = () => {
    for (const end of endings) end();
    tasks.disconnect();
    return heard;
  };`;

export async function desktopPushesRows(deps: {
  app: DesktopApp;
  folder: string;
  /** The duration of the load for each view. */
  ms: number;
}): Promise<Row[]> {
  const { app, folder, ms } = deps;
  const files = await createSide('DocTray', app.server, folder).open(workerNames);
  const rows: Row[] = [];
  for (const view of views) {
    await app.run(goTo(view));
    await app.run(listen);
    const calls = await load(files, ms);
    const heard = await app.run<Recording>('return window.benchHeard();');
    rows.push(...rowsOf(view, heard, calls));
  }
  await app.run(goTo('Locks'));
  return rows;
}

/** Every worker edits one document repeatedly, at a pace at which all workers make `callsASecond`. */
async function load(files: WopiFile[], ms: number): Promise<number> {
  const startedAt = performance.now();
  let calls = 0;
  await Promise.all(
    files.map(async (file, worker) => {
      const connection = await file.side.connect();
      const bodies = createBodySource(sizes['100 KiB']);
      const edit = [
        () => lock(connection, file),
        () => checkFileInfo(connection, file),
        () => getFile(connection, file),
        () => refreshLock(connection, file),
        () => checkFileInfo(connection, file),
        () => refreshLock(connection, file),
        () => putFile(connection, file, bodies.next()),
        () => unlock(connection, file),
      ];
      const everyMs = (files.length * 1000) / callsASecond;
      for (let turn = 0; performance.now() - startedAt < ms || turn % edit.length !== 0; turn += 1) {
        const dueAt = startedAt + (turn + worker / files.length) * everyMs;
        if (dueAt > performance.now()) await sleep(dueAt - performance.now());
        await edit[turn % edit.length]?.();
        calls += 1;
      }
      connection.close();
    }),
  );
  return (calls * 1000) / (performance.now() - startedAt);
}

function rowsOf(view: string, heard: Recording, calls: number): Row[] {
  const load = {
    reference: 'editors’ calls',
    referenceValue: `${calls.toFixed(0)} calls/s`,
    ratio: undefined,
  };
  const pushes = Object.entries(heard.pushes).map(([name, atMs]): Row => {
    const perSecond = rateOf(atMs);
    return {
      figure: `${pushesName}, ${name}, ${view} shown`,
      value: `${perSecond.toFixed(1)} pushes/s`,
      ...load,
      floor: atMostASecond,
      verdict: verdictOf(Number(perSecond.toFixed(1)), atMostASecond),
      note: `pushes a second; ${atMs.length} in all, at most ${mostInASecond(atMs)} arrived within one second`,
      numbers: { value: perSecond, reference: calls, ratios: [] },
    };
  });
  const longest = Math.max(0, ...heard.longTasks);
  const busy = heard.longTasks.reduce((sum, each) => sum + each, 0);
  return [
    ...pushes,
    {
      figure: `${pushesName}, longest task of the window’s main thread, ${view} shown`,
      value: longest === 0 ? 'under 50 ms' : `${longest.toFixed(0)} ms`,
      ...load,
      floor: undefined,
      verdict: 'no floor',
      note: `${heard.longTasks.length} tasks over 50 ms, ${busy.toFixed(0)} ms in all`,
      numbers: { value: longest, reference: calls, ratios: [] },
    },
  ];
}

/** The average rate from the first to the last push. */
function rateOf(atMs: number[]): number {
  const [first = 0] = atMs;
  const last = atMs.at(-1) ?? 0;
  return last > first ? ((atMs.length - 1) * 1000) / (last - first) : atMs.length;
}

/** Pushes that are sent at their pace may arrive in bursts on a busy machine. */
function mostInASecond(atMs: number[]): number {
  return Math.max(0, ...atMs.map((from) => atMs.filter((at) => at >= from && at < from + 1000).length));
}
