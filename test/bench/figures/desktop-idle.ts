// An idle app: the memory of its main process and its window's process, their CPU time per minute with the window shown and hidden,
// and what wakes them while it is hidden. DocTray has a document open in an idle editor, so that the window shows durations. Both
// apps are idle at the same time, so that other work on the machine affects both.
//
// With the stand-in, the main process also does Electron's work, and Chromium renders in software. A hidden window gets
// `visibilitychange`, but its timers aren't throttled, so they would be counted.

import { setTimeout as sleep } from 'node:timers/promises';
import { workerNames } from '../arena.ts';
import { MiB } from '../bodies.ts';
import { atLeast, verdictOf, type Row } from '../figure.ts';
import { memoryOf } from '../processes.ts';
import { createSide, type WopiFile } from '../sides.ts';
import { lock, unlock } from '../wopi-calls.ts';
import { bareAppName, type AppStarter, type DesktopApp, type StartedApp } from './desktop-app.ts';
import { countOf, processTree, isRenderer, used, type ProcessCount } from './desktop-counters.ts';
import { countPageTimers, takePageTimers } from './desktop-page-timers.ts';
import type { TimerCount } from './desktop-probe.ts';

export const idleName = 'desktop: idle';

interface Idler {
  app: StartedApp;
  pids: { main: number; window: number };
}
type Part = keyof Idler['pids'];
const parts: Part[] = ['main', 'window'];
const partNames = { main: 'main process', window: 'window’s process' } as const;

interface Use {
  cpuMsAMinute: number;
  wakesAMinute: number;
}
type Uses = Record<Part, Use>;

/** Time for the app to finish its start. */
const settleMs = 5_000;
const minuteMs = 60_000;

export async function desktopIdleRows(deps: {
  starter: AppStarter;
  place: { folder: string; data: string };
  /** How long the apps are idle with the window shown, and again with it hidden. */
  idleMs: number;
}): Promise<Row[]> {
  const { starter, place, idleMs } = deps;
  const args = ['--remote-debugging-port=0'];
  const docTray = await starter.openDocTray(place, { args });
  const bare = await starter.startBareApp({ args });
  try {
    const file = await holdDocument(docTray, place.folder);
    await sleep(Math.min(settleMs, idleMs));
    const atFirst: [Idler, Idler] = [await idler(docTray), await idler(bare)];
    const shown = await useOf(atFirst, idleMs);
    const memory = atFirst.map(({ pids }) => ({
      main: memoryOf(pids.main)?.residentBytes ?? Number.NaN,
      window: memoryOf(pids.window)?.residentBytes ?? Number.NaN,
    }));

    for (const app of [docTray, bare]) await countPageTimers(app);
    for (const app of [docTray, bare]) await hide(app);
    await sleep(Math.min(settleMs, idleMs));
    // A reloaded page may have another process.
    const idlers: [Idler, Idler] = [await idler(docTray), await idler(bare)];
    for (const { app } of idlers) {
      await app.ask('startTimers');
      await takePageTimers(app);
    }
    const hidden = await useOf(idlers, idleMs);
    const timers = {
      main: [await docTray.ask('endTimers'), await bare.ask('endTimers')],
      window: [await takePageTimers(docTray), await takePageTimers(bare)],
    } satisfies Record<Part, [TimerCount[], TimerCount[]]>;
    await unlockDocument(file);
    return [
      ...parts.map((part) => memoryRow(part, memory.map((each) => each[part]) as [number, number], idleMs)),
      ...parts.map((part) => cpuRow(part, 'shown', shown)),
      ...parts.map((part) => cpuRow(part, 'hidden', hidden)),
      ...parts.map((part) => wakesRow(part, hidden)),
      ...parts.map((part) => timersRow(part, timers[part], idleMs)),
    ];
  } finally {
    await Promise.all([docTray.stop(), bare.stop()]);
  }
}

async function holdDocument(app: DesktopApp, folder: string): Promise<WopiFile> {
  const side = createSide('DocTray', app.server, folder);
  const [file] = (await side.open([workerNames[0] ?? ''])) as [WopiFile];
  const connection = await side.connect();
  await lock(connection, file);
  connection.close();
  return file;
}

/** Otherwise quitting would ask about the open document. */
async function unlockDocument(file: WopiFile): Promise<void> {
  const connection = await file.side.connect();
  await unlock(connection, file);
  connection.close();
}

async function idler(app: StartedApp): Promise<Idler> {
  return { app, pids: { main: app.pid, window: await windowPid(app) } };
}

/** Chromium doesn't report the process of a page, so this finds the one that uses CPU time while the page is busy. */
async function windowPid(app: StartedApp): Promise<number> {
  const browser = (await app.ask('browserPid')) ?? app.pid;
  const pids = processTree(browser).filter(isRenderer);
  const before = new Map(pids.map((pid) => [pid, countOf(pid)]));
  await app.run('const until = performance.now() + 300; while (performance.now() < until);');
  const worked = pids.map((pid) => ({ pid, ms: used(before.get(pid), countOf(pid)).cpuMs }));
  // A process that has exited has no count.
  return worked.filter(({ ms }) => ms > 0).toSorted((a, b) => b.ms - a.ms)[0]?.pid ?? -1;
}

/** A reloaded page of a hidden window gets `visibilitychange` only after the window was shown. */
async function hide(app: StartedApp): Promise<void> {
  for (const wanted of [true, false]) await app.ask('isVisible', { wanted });
  if (!(await app.run<boolean>('return document.hidden;')))
    throw new Error('The page does not know that it is hidden.');
}

async function useOf(idlers: [Idler, Idler], ms: number): Promise<[Uses, Uses]> {
  const counts = (): Record<Part, ProcessCount | undefined>[] =>
    idlers.map(({ pids }) => ({ main: countOf(pids.main), window: countOf(pids.window) }));
  const before = counts();
  const startedAt = performance.now();
  await sleep(ms);
  const after = counts();
  const toMinute = minuteMs / (performance.now() - startedAt);
  const use = (at: number, part: Part): Use => {
    const { cpuMs, wakes } = used(before[at]?.[part], after[at]?.[part]);
    return { cpuMsAMinute: cpuMs * toMinute, wakesAMinute: wakes * toMinute };
  };
  const uses = (at: number): Uses => ({ main: use(at, 'main'), window: use(at, 'window') });
  return [uses(0), uses(1)];
}

function row(figure: string, texts: [string, string], numbers: [number, number], note?: string): Row {
  const [value, reference] = numbers;
  const ratio = value / reference;
  return {
    figure: `${idleName}, ${figure}`,
    value: texts[0],
    reference: bareAppName,
    referenceValue: texts[1],
    ratio: Number.isFinite(ratio) ? ratio : undefined,
    floor: undefined,
    verdict: Number.isNaN(value) ? 'not measured' : 'no floor',
    ...(note !== undefined && { note }),
    numbers: { value, reference, ratios: Number.isFinite(ratio) ? [ratio] : [] },
  };
}

function memoryRow(part: Part, bytes: [number, number], idleMs: number): Row {
  const mib = bytes.map((each) => each / MiB) as [number, number];
  const texts = mib.map((each) => `${each.toFixed(1)} MiB`) as [string, string];
  const note = `resident, after ${seconds(idleMs)} idle; ${(mib[0] - mib[1]).toFixed(1)} MiB more`;
  return row(`memory of the ${partNames[part]}`, texts, mib, note);
}

function cpuRow(part: Part, how: 'shown' | 'hidden', uses: [Uses, Uses]): Row {
  const ms = uses.map((each) => each[part].cpuMsAMinute) as [number, number];
  const texts = ms.map((each) => `${each.toFixed(0)} ms/min`) as [string, string];
  return row(`CPU of the ${partNames[part]}, window ${how}`, texts, ms);
}

function wakesRow(part: Part, uses: [Uses, Uses]): Row {
  const wakes = uses.map((each) => each[part].wakesAMinute) as [number, number];
  const texts = wakes.map((each) => `${each.toFixed(0)} /min`) as [string, string];
  return row(`threads woken in the ${partNames[part]}, window hidden`, texts, wakes);
}

/** The floor: with a hidden window, no timer may fire more often than once a second. */
function timersRow(part: Part, [timers, bare]: [TimerCount[], TimerCount[]], idleMs: number): Row {
  const floor = atLeast(1);
  const [fastest] = timers.toSorted((a, b) => gapOf(a) - gapOf(b));
  const gapS = fastest === undefined ? Number.POSITIVE_INFINITY : gapOf(fastest) / 1000;
  const firings = (all: TimerCount[]): string => `${all.reduce((sum, { count }) => sum + count, 0)} firings`;
  const again = Number.isFinite(gapS) ? `${gapS.toFixed(2)} s (${fastest?.what})` : 'none fired twice';
  return {
    figure: `${idleName}, shortest time between firings of a timer, ${partNames[part]}, window hidden`,
    value: `${Number.isFinite(gapS) ? `${gapS.toFixed(1)} s` : 'none twice'}, ${firings(timers)}`,
    reference: bareAppName,
    referenceValue: firings(bare),
    ratio: undefined,
    floor,
    verdict: verdictOf(Number(gapS.toFixed(2)), floor),
    note: `seconds; in ${seconds(idleMs)}: ${again}`,
    numbers: { value: gapS, reference: Number.NaN, ratios: [] },
  };
}

function gapOf({ shortestGapMs }: TimerCount): number {
  return shortestGapMs ?? Number.POSITIVE_INFINITY;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`;
}
