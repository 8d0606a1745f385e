// How fast the window is with 5,000 locks, sessions and tokens, and with 100,000 documents: opening a view, scrolling with the wheel,
// dragging the scrollbar. `npm run bench:window` prints one JSON line for each figure and exits with 1 if one is beyond its limit;
// `npm run bench` has the same figures in its table.
//
// Frames are measured by the processor time of the page's main thread, which doesn't depend on the computer's graphics: at 60 frames per
// second, a frame has 16.7 ms. On a busy computer it is more, because a frame then has to draw several steps.
//
// node test/window/measure.ts [--view locks,documents] [--check]

import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import type { ViewName } from '../../app/contract/pushes.ts';
import { openLab, type OpenWindow, type WindowLab } from './open-window.ts';

const measuredViews = [
  { view: 'locks', scenario: 'huge' },
  { view: 'sessions', scenario: 'huge' },
  { view: 'tokens', scenario: 'huge' },
  { view: 'documents', scenario: 'documents-many' },
] as const satisfies { view: ViewName; scenario: string }[];

const openLimitMs = 200;
const frameLimitMs = 1000 / 60;
const rounds = 3;
/** Of each gesture, one for each frame. */
const steps = 60;

export interface WindowFigure {
  view: string;
  what: string;
  /** Of the best round: other programs only add to it. Of frames, the 95th percentile, so that a garbage collection doesn't decide. */
  ms: number;
  /** Of the same round. */
  longestMs: number;
  limitMs: number;
}

export const isMet = ({ ms, limitMs }: WindowFigure): boolean => ms <= limitMs;

/** @param views names of views; empty: all */
export async function* measureWindow(views: readonly string[] = []): AsyncGenerator<WindowFigure> {
  const lab = await openLab({ isLikeApp: true });
  try {
    for (const { view, scenario } of measuredViews) {
      if (views.length > 0 && !views.includes(view)) continue;
      yield* measureView(lab, view, scenario);
    }
  } finally {
    await lab.close();
  }
}

async function* measureView(lab: WindowLab, view: ViewName, scenario: string): AsyncGenerator<WindowFigure> {
  const found = new Map<string, WindowFigure[]>();
  for (let round = 0; round < rounds; round += 1) {
    const window = await lab.open({ scenario });
    const openedInMs = await openView(window, view);
    const figures = [
      { what: 'open', ms: openedInMs, longestMs: openedInMs, limitMs: openLimitMs },
      await frames('scrollbar', window, dragScrollbar),
      await frames('wheel, 100 px a frame', window, async (page) => turnWheel(page, 100)),
      await frames('wheel, 400 px a frame', window, async (page) => turnWheel(page, 400)),
    ];
    for (const figure of figures)
      found.set(figure.what, [...(found.get(figure.what) ?? []), { view, ...figure }]);
    await window.close();
  }
  for (const figures of found.values()) {
    const [best] = figures.toSorted((a, b) => a.ms - b.ms);
    if (best !== undefined) yield best;
  }
}

async function frames(what: string, { page }: OpenWindow, gesture: (page: Page) => Promise<void>) {
  const times = (await frameTimes(page, async () => gesture(page))).toSorted((a, b) => b - a).slice(0, steps);
  if (times.length < steps / 2) throw new Error(`${what}: only ${times.length} frames were drawn.`);
  return { what, ms: percentile(times, 0.95), longestMs: Math.max(...times), limitMs: frameLimitMs };
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Ms until the first rows of the view are drawn, from a page that shows the overview and has never shown the view. */
async function openView({ page }: OpenWindow, view: ViewName): Promise<number> {
  await page.locator('.rail').waitFor();
  await page.waitForTimeout(500);
  return page.evaluate(async (to) => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const { harness } = globalThis as unknown as {
      harness: { host: { push(name: 'navigate', place: { view: string }): void } };
    };
    const startedAtMs = performance.now();
    harness.host.push('navigate', { view: to });
    while (document.querySelector('main [data-row]') === null) await nextFrame();
    await nextFrame();
    return performance.now() - startedAtMs;
  }, view);
}

/** Past the button at the end of the scrollbar, which some systems have, and within the shortest handle. */
const handleFromTop = 22;

/** From the top to a third, which leaves enough rows for the wheel. */
async function dragScrollbar(page: Page): Promise<void> {
  const { right, top, height } = await placeOfScroller(page);
  const x = right - 7;
  await page.mouse.move(x, top + handleFromTop);
  await page.mouse.down();
  for (let at = 1; at <= steps; at += 1) {
    await page.mouse.move(x, top + handleFromTop + (height * at) / steps / 3);
    await pause(frameLimitMs);
  }
  await page.mouse.up();
  const { scrollTop, scrollHeight } = await placeOfScroller(page);
  if (scrollTop < scrollHeight / 4)
    throw new Error(`The scrollbar scrolled only ${scrollTop} of ${scrollHeight} px.`);
}

async function turnWheel(page: Page, step: number): Promise<void> {
  const before = await placeOfScroller(page);
  await page.mouse.move(before.right / 2, before.top + before.height / 2);
  for (let at = 0; at < steps; at += 1) {
    await page.mouse.wheel(0, step);
    await pause(frameLimitMs);
  }
  const scrolled = (await placeOfScroller(page)).scrollTop - before.scrollTop;
  if (scrolled < (steps * step) / 2) throw new Error(`The wheel scrolled only ${scrolled} px.`);
}

async function placeOfScroller(page: Page) {
  return page.locator('.table-scroller').evaluate((scroller) => {
    const { right, top, height } = scroller.getBoundingClientRect();
    const { scrollTop, scrollHeight } = scroller;
    return { right, top, height, scrollTop, scrollHeight };
  });
}

interface TraceEvent {
  name: string;
  ph: string;
  /** µs. */
  ts: number;
  /** Processor time in µs. */
  tdur?: number;
  pid: number;
  tid: number;
  args: { name?: string };
}

/** The processor time of the main thread for each frame drawn during `work`, in ms. */
async function frameTimes(page: Page, work: () => Promise<void>): Promise<number[]> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (session === undefined) throw new Error('No browser.');
  const events = await trace(session, work);
  await session.detach();
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const byThread = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`);
  // Other renderers are pages that are kept for reuse, and draw nothing.
  const times = [...mains].map((thread) => cutIntoFrames(byThread.get(thread) ?? []));
  return times.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

function cutIntoFrames(events: readonly TraceEvent[]): number[] {
  const ends = events
    .filter(({ name, ph }) => name === 'AnimationFrame' && ph === 'e')
    .map(({ ts }) => ts)
    .toSorted((a, b) => a - b);
  const times = ends.map(() => 0);
  let frame = 0;
  const tasks = events.filter(({ name, ph }) => ph === 'X' && name === 'ThreadControllerImpl::RunTask');
  for (const { ts, tdur = 0 } of tasks.toSorted((a, b) => a.ts - b.ts)) {
    while (frame < ends.length && (ends[frame] ?? 0) < ts) frame += 1;
    if (frame < ends.length) times[frame] = (times[frame] ?? 0) + tdur / 1000;
  }
  return times;
}

async function trace(session: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata', 'devtools.timeline'] },
  });
  await work();
  const done = new Promise((resolve) => {
    session.once('Tracing.tracingComplete', resolve);
  });
  await session.send('Tracing.end');
  await done;
  return events;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { view: { type: 'string', default: '' }, check: { type: 'boolean', default: false } },
  });
  for await (const figure of measureWindow(values.view.split(',').filter(Boolean))) {
    const rounded = (ms: number): number => Math.round(ms * 10) / 10;
    const { view, what, ms, longestMs, limitMs } = figure;
    console.log(
      JSON.stringify({
        view,
        what,
        ms: rounded(ms),
        longestMs: rounded(longestMs),
        limitMs: rounded(limitMs),
        isMet: isMet(figure),
      }),
    );
    if (values.check && !isMet(figure)) process.exitCode = 1;
  }
}
