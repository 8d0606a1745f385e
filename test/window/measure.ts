// Measures the window with the browser's tracing: the cost of opening a view, of a scrolled frame and of live pushes, one JSON line each.
// Times are those of the page's main thread; `cpu` is its processor time, which doesn't depend on the computer's load. At 60 frames per
// second, a frame has 16.7 ms.
// node test/window/measure.ts [--view locks] [--scenario huge,hundred-thousand]

import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright';
import type { ViewName } from '../../app/contract/pushes.ts';
import { startWindowLab, type OpenWindow } from './open-window.ts';

interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  ts: number;
  dur?: number;
  /** Processor time in µs. */
  tdur?: number;
  pid: number;
  tid: number;
  args: { name?: string };
}

/** The parts of the page that the traced code uses. */
interface LabPage {
  harness: { host: { push(name: 'navigate', to: { view: string }): void } };
  document: {
    querySelector(selector: string): { scrollTop: number; innerHTML: string; clientHeight: number } | null;
  };
  requestAnimationFrame(then: () => void): void;
}

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'huge,hundred-thousand' },
    view: { type: 'string', default: 'locks' },
    /** A selector that matches once the view is drawn. */
    sign: { type: 'string', default: '[data-row]' },
  },
});

async function trace(session: CDPSession, body: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata', 'devtools.timeline'] },
  });
  await body();
  const done = new Promise((resolve) => {
    session.once('Tracing.tracingComplete', resolve);
  });
  await session.send('Tracing.end');
  await done;
  return events;
}

/** Tasks on the main thread of the busiest renderer. */
function mainThreadTasks(events: readonly TraceEvent[]): { cpuMs: number; longestCpuMs: number } {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const sums = new Map<string, { cpuMs: number; longestCpuMs: number }>();
  for (const event of events) {
    const key = `${event.pid} ${event.tid}`;
    if (event.ph !== 'X' || !event.name.endsWith('RunTask') || !mains.has(key)) continue;
    const cpuMs = (event.tdur ?? 0) / 1000;
    const sum = sums.get(key) ?? { cpuMs: 0, longestCpuMs: 0 };
    sums.set(key, { cpuMs: sum.cpuMs + cpuMs, longestCpuMs: Math.max(sum.longestCpuMs, cpuMs) });
  }
  return [...sums.values()].toSorted((a, b) => b.cpuMs - a.cpuMs)[0] ?? { cpuMs: 0, longestCpuMs: 0 };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

async function openView(page: Page, view: string, sign: string): Promise<void> {
  await page.evaluate(
    async (to) => {
      const lab = globalThis as unknown as LabPage;
      lab.harness.host.push('navigate', { view: to.view });
      await new Promise<void>((resolve) => {
        const look = () => {
          if (lab.document.querySelector(to.sign) === null) lab.requestAnimationFrame(look);
          else lab.requestAnimationFrame(() => resolve());
        };
        look();
      });
    },
    { view, sign },
  );
}

async function scroll(page: Page, step: number, frames: number): Promise<void> {
  await page.evaluate(
    async (how) => {
      const lab = globalThis as unknown as LabPage;
      const element = lab.document.querySelector('.table-scroller');
      if (element === null) return;
      element.scrollTop = 0;
      for (let frame = 0; frame < how.frames; frame += 1) {
        element.scrollTop += how.step;
        await new Promise<void>((resolve) => {
          lab.requestAnimationFrame(() => resolve());
        });
      }
    },
    { step, frames },
  );
}

async function measure(window: OpenWindow, scenario: string): Promise<void> {
  const { page } = window;
  const view = values.view as ViewName;
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (session === undefined) throw new Error('No browser.');
  const say = (what: string, numbers: object) =>
    console.log(JSON.stringify({ scenario, view, what, ...numbers }));

  for (const name of ['opened first', 'opened again', 'opened again']) {
    await window.push('navigate', { view: view === 'overview' ? 'locks' : 'overview' });
    await page.waitForTimeout(300);
    const startedAt = performance.now();
    const tasks = mainThreadTasks(await trace(session, async () => openView(page, view, values.sign)));
    say(name, { cpuMs: rounded(tasks.cpuMs), wallMs: rounded(performance.now() - startedAt) });
  }
  const frames = 120;
  for (const step of [20, 100, 400, 5000]) {
    const tasks = mainThreadTasks(await trace(session, async () => scroll(page, step, frames)));
    say(`scrolled ${step} px a frame`, {
      cpuMsAFrame: rounded(tasks.cpuMs / frames),
      longestTaskCpuMs: rounded(tasks.longestCpuMs),
    });
  }
  const idle = mainThreadTasks(await trace(session, async () => page.waitForTimeout(5000)));
  say('left alone for 5 s', { cpuMs: rounded(idle.cpuMs) });
}

const lab = await startWindowLab();
try {
  for (const scenario of values.scenario.split(',')) {
    const window = await lab.open({ scenario });
    await settle(window);
    await measure(window, scenario);
    await window.close();
  }
} finally {
  await lab.close();
}

/** Waits until the scenario is created and first drawn. */
async function settle(window: OpenWindow): Promise<void> {
  await window.page.locator('.rail').waitFor();
  await window.page.waitForTimeout(1000);
}
