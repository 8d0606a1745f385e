// How fast the window is with 10,000 locks, sessions, tokens and documents: opening a view, scrolling with the wheel,
// dragging the scrollbar. `npm run bench:window` prints one JSON line for each figure and exits with 1 if one is beyond its limit;
// `npm run bench` has the same figures in its table.
//
// Frames are measured by the processor time of the page's main thread, which doesn't depend on the computer's graphics: at 60 frames per
// second, a frame has 16.7 ms. On a busy computer it is more, because a frame then has to draw several steps.
//
// Each figure is also taken of a bare table: reused rows in plain DOM with the texts, columns and number of rows of the view. It's what
// this browser needs on this computer, so a slow table can be told from a slow computer.
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

/** For all rounds of a view. On a busy computer, they take several times as long as on an idle one. */
const viewLimitMs = 5 * 60_000;
const openLimitMs = 200;
const frameLimitMs = 1000 / 60;
const rounds = 3;
/** Of each gesture, one for each frame. */
const steps = 60;

interface Taken {
  what: string;
  /** Of frames, the 95th percentile, so that a garbage collection doesn't decide. */
  ms: number;
  longestMs: number;
  limitMs: number;
}

/** Of the best round: other programs only add to it. */
export interface WindowFigure extends Taken {
  view: string;
  /** Of the bare table, in its best round. */
  bareMs: number;
}

export const isMet = ({ ms, limitMs }: WindowFigure): boolean => ms <= limitMs;

/** @param views names of views; empty: all */
export async function* measureWindow(views: readonly string[] = []): AsyncGenerator<WindowFigure> {
  for (const { view, scenario } of measuredViews) {
    if (views.length > 0 && !views.includes(view)) continue;
    const lab = await openLab({ isLikeApp: true });
    let late: Promise<void> | undefined;
    const timer = setTimeout(() => (late = lab.close()), viewLimitMs);
    try {
      yield* measureView(lab, view, scenario);
    } catch (error) {
      if (late === undefined) throw error;
      throw new Error(`${view} took longer than ${viewLimitMs / 1000} s.`, { cause: error });
    } finally {
      clearTimeout(timer);
      await (late ?? lab.close());
    }
  }
}

async function* measureView(lab: WindowLab, view: ViewName, scenario: string): AsyncGenerator<WindowFigure> {
  const found: Taken[] = [];
  const bare: Taken[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const window = await lab.open({ scenario });
    found.push(...(await figuresOf(window.page, async () => openView(window, view))));
    bare.push(...(await measureBare(window.page)));
    await window.close();
  }
  for (const [what, figures] of Map.groupBy(found, (figure) => figure.what)) {
    const reference = bestOf(bare.filter((figure) => figure.what === what));
    yield { view, ...bestOf(figures), bareMs: reference.ms };
  }
}

function bestOf(figures: readonly Taken[]): Taken {
  return figures.reduce((best, figure) => (figure.ms < best.ms ? figure : best));
}

async function figuresOf(page: Page, open: () => Promise<number>): Promise<Taken[]> {
  const openedInMs = await open();
  return [
    { what: 'open', ms: openedInMs, longestMs: openedInMs, limitMs: openLimitMs },
    await frames('scrollbar', page, dragScrollbar),
    await frames('wheel, 100 px a frame', page, async () => turnWheel(page, 100)),
    await frames('wheel, 400 px a frame', page, async () => turnWheel(page, 400)),
  ];
}

async function frames(what: string, page: Page, gesture: (page: Page) => Promise<void>): Promise<Taken> {
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

/** What a bare table has in common with the view that a page shows. */
interface TableShape {
  /** Of the scroller, in px of the page. */
  left: number;
  top: number;
  width: number;
  height: number;
  font: string;
  /** `grid-template-columns`. */
  columns: string;
  rowHeight: number;
  rowCount: number;
  /** Of the drawn rows, also those around the ones in view, and of their cells. */
  texts: string[][];
}

/** In another page of the same size. */
async function measureBare(shown: Page): Promise<Taken[]> {
  const shape = await shown.locator('.table-scroller').evaluate((scroller): TableShape => {
    const rows = [...scroller.querySelectorAll<HTMLElement>('[data-row]')];
    const [row] = rows;
    if (row === undefined) throw new Error('The view shows no rows.');
    const { left, top, width, height } = scroller.getBoundingClientRect();
    const { fontSize, lineHeight, fontFamily, gridTemplateColumns: columns } = getComputedStyle(row);
    const font = `${fontSize} / ${lineHeight} ${fontFamily}`;
    const texts = rows.map(({ children }) => [...children].map(({ textContent }) => textContent));
    const rowHeight = row.offsetHeight;
    const rowCount = Math.floor(scroller.scrollHeight / rowHeight);
    return { left, top, width, height, font, columns, rowHeight, rowCount, texts };
  });
  const page = await shown.context().newPage();
  try {
    await page.setViewportSize(shown.viewportSize() ?? { width: 1100, height: 720 });
    await page.waitForTimeout(500);
    return await figuresOf(page, async () => page.evaluate(openBareTable, shape));
  } finally {
    await page.close();
  }
}

/** Runs in the page. Ms until its first rows are drawn. */
async function openBareTable(shape: TableShape): Promise<number> {
  const { rowHeight, rowCount, texts } = shape;
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const startedAtMs = performance.now();
  const add = (parent: HTMLElement, style: string): HTMLElement => {
    const element = document.createElement('div');
    element.style.cssText = style;
    parent.append(element);
    return element;
  };
  const scroller = add(
    document.body,
    `position: absolute; left: ${shape.left}px; top: ${shape.top}px; width: ${shape.width}px; height: ${shape.height}px; ` +
      `overflow: auto; font: ${shape.font};`,
  );
  scroller.className = 'table-scroller';
  const body = add(scroller, `position: relative; height: ${rowCount * rowHeight}px;`);
  const rows = texts.map((cells) => {
    const style = `position: absolute; inset: 0 0 auto; height: ${rowHeight}px; display: grid; grid-template-columns: ${shape.columns};`;
    const row = add(body, style);
    const cellStyle = 'overflow: hidden; text-overflow: ellipsis; white-space: nowrap;';
    return { row, cells: cells.map(() => add(row, cellStyle)), index: -1 };
  });
  const around = Math.floor((rows.length - shape.height / rowHeight) / 2);
  const draw = (): void => {
    const wanted = Math.floor(scroller.scrollTop / rowHeight) - around;
    const first = Math.max(0, Math.min(wanted, rowCount - rows.length));
    for (let index = first; index < first + rows.length; index += 1) {
      const drawn = rows[index % rows.length];
      if (drawn === undefined || drawn.index === index) continue;
      drawn.index = index;
      drawn.row.style.top = `${index * rowHeight}px`;
      // Another one each time the row is used.
      const rowTexts = texts[(index + Math.floor(index / rows.length)) % texts.length] ?? [];
      for (const [column, cell] of drawn.cells.entries()) cell.textContent = rowTexts[column] ?? '';
    }
  };
  scroller.addEventListener('scroll', draw);
  draw();
  await nextFrame();
  await nextFrame();
  return performance.now() - startedAtMs;
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
  const rounded = (ms: number): number => Math.round(ms * 10) / 10;
  const above: string[] = [];
  for await (const figure of measureWindow(values.view.split(',').filter(Boolean))) {
    const { view, what, ms, longestMs, limitMs, bareMs } = figure;
    console.log(
      JSON.stringify({
        view,
        what,
        ms: rounded(ms),
        longestMs: rounded(longestMs),
        limitMs: rounded(limitMs),
        bareMs: rounded(bareMs),
        ratio: rounded(ms / bareMs),
        isMet: isMet(figure),
      }),
    );
    if (!isMet(figure))
      above.push(
        `${view}, ${what}: ${rounded(ms)} of ${rounded(limitMs)} ms (bare table: ${rounded(bareMs)} ms)`,
      );
  }
  if (values.check && above.length > 0) {
    console.error(`Above the limit: ${above.join('; ')}`);
    process.exitCode = 1;
  }
}
