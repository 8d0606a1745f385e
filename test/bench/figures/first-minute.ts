// The first minute: `npm start` without a display, with an empty home folder and a running browser. Measures the time from the line
// with the served folder until a save is on disk, through the printed link: in a clean clone, where the pages must be built, and with
// built pages. The reference is a bare CodeMirror with a POST. Both have the same autosave delay, which is most of the time.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { buildPage } from '../../../app/terminal/start-build.ts';
import { autosaveMs } from '../../../renderer/text-editor/autosave.ts';
import { findChromium } from '../../stand-in/chromium.ts';
import { atMost, blankRow, verdictOf, type Row } from '../figure.ts';
import type { ProcessStarter } from '../processes.ts';
import { measure, median, type Budget, type Contender } from '../rounds.ts';

export const firstMinuteName = 'first minute: listening line to first byte saved';
const legs = ['link to host page', 'to editor’s page', 'to text shown', 'typing', 'to disk'] as const;
type Leg = (typeof legs)[number];
const cloneName = 'clean clone';
const builtName = 'page built before';
const bareName = 'bare CodeMirror';
const floor = atMost(3);
const plan = { rounds: 3, passes: 1 };
const limitMs = 30_000;

const projectRoot = join(import.meta.dirname, '../../..');
/** The files of a clone that DocTray needs. Packages are already installed. */
const cloned = ['app', 'renderer', 'build', 'package.json', 'package-lock.json', 'tsconfig.json'];

export interface FirstMinute {
  /** Without Chromium, returns a row that says so. */
  take(): Promise<Row[]>;
  killAll(): void;
}

interface Started {
  link: string;
  /** The document that is edited. */
  file: string;
  /** performance.now() when it printed that it serves. */
  listeningAtMs: number;
  startedAtMs: number;
  stop(): Promise<void>;
}

export function firstMinute(deps: {
  /** The bench's temporary folder. */
  root: string;
  starter: ProcessStarter;
  budget: Budget;
}): FirstMinute {
  const root = join(deps.root, 'first-minute');
  const children = new Set<ChildProcess>();
  const taken = new Map<string, Record<Leg | 'start' | 'whole', number>[]>();
  let browser: Browser | undefined;
  let clones = 0;

  const clone = (): string => {
    clones += 1;
    const folder = join(root, `clone-${clones}`);
    mkdirSync(folder, { recursive: true });
    for (const name of cloned) cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  };

  /** Starts DocTray as `npm start` does. */
  const start = async (folder: string): Promise<Started> => {
    const home = mkdtempSync(join(root, 'home-'));
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, [join(folder, 'app/cli.ts'), 'start', '--port', '0'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.add(child);
    const ended = once(child, 'exit').finally(() => children.delete(child));
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 6_000);
      await ended;
      clearTimeout(killer);
      rmSync(home, { recursive: true, force: true });
    };
    let text = '';
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      text += chunk.toString();
      const [, served] = /^DocTray is serving (.+)$/mu.exec(text) ?? [];
      const [, link] = /^ +Open a document +(\S+) .*\n/mu.exec(text) ?? [];
      if (served !== undefined && link !== undefined) {
        const listeningAtMs = performance.now();
        child.stdout.resume();
        return { link, file: join(served, 'Welcome.md'), listeningAtMs, startedAtMs, stop };
      }
    }
    await stop();
    throw new Error(`npm start printed no link: ${text.trim().slice(-200)}`);
  };

  const startBare = async (built: string): Promise<Started> => {
    const file = join(root, 'Welcome.md');
    writeFileSync(file, '# Welcome\n\nA file.\n');
    const server = await deps.starter.start('test/bench/bare-text-editor/server.ts', { args: [built, file] });
    const listeningAtMs = performance.now();
    const link = `http://${server.host}:${server.port}/`;
    return { link, file, listeningAtMs, startedAtMs: server.startedAt, stop: () => server.stop() };
  };

  const contender = (
    name: string,
    { open, prepare }: { open: () => Promise<Started>; prepare?: () => void },
  ): Contender => ({
    name,
    ...(prepare !== undefined && { prepare }),
    async turn() {
      const started = await open();
      const context = await browser!.newContext();
      try {
        const page = await context.newPage();
        const times = await typeAndSave(page, started);
        const whole = times['to disk'] - started.listeningAtMs;
        const since = [started.listeningAtMs, ...legs.map((leg) => times[leg])];
        const spent = Object.fromEntries(
          legs.map((leg, index) => [leg, (since[index + 1] ?? 0) - (since[index] ?? 0)]),
        ) as Record<Leg, number>;
        const start = started.listeningAtMs - started.startedAtMs;
        taken.set(name, [...(taken.get(name) ?? []), { ...spent, start, whole }]);
        return { units: 1, ms: whole };
      } finally {
        await context.close();
        await started.stop();
      }
    },
  });

  return {
    killAll() {
      for (const child of children) child.kill('SIGKILL');
      void browser?.close();
    },
    async take() {
      const executablePath = findChromium();
      if (executablePath === undefined) return [blankRow(firstMinuteName, 'it needs Chromium')];
      mkdirSync(root, { recursive: true });
      const bare = join(root, 'bare');
      await buildBare(bare);
      const built = clone();
      for (const page of ['host-page', 'text-editor'] as const) {
        const fault = await buildPage(page, { projectRoot: built, env: process.env });
        if (fault !== undefined) return [blankRow(firstMinuteName, fault)];
      }
      const { chromium } = await import('playwright');
      const args = ['--no-sandbox', '--disable-background-networking'];
      browser = await chromium.launch({ executablePath, args });
      let fresh = '';
      try {
        const contenders = [
          contender(cloneName, {
            prepare: () => {
              fresh = clone();
            },
            open: () => start(fresh),
          }),
          contender(builtName, { open: () => start(built) }),
          contender(bareName, { open: () => startBare(bare) }),
        ];
        const { problem } = await measure(contenders, plan, deps.budget);
        return rowsOf(taken, problem);
      } finally {
        await browser.close();
      }
    },
  };
}

async function typeAndSave(page: Page, { link, file }: Started): Promise<Record<Leg, number>> {
  page.setDefaultTimeout(limitMs);
  const before = readFileSync(file);
  await page.goto(link, { waitUntil: 'commit' });
  const pageAtMs = performance.now();
  // The bare page has no frame.
  const isFramed = new URL(link).pathname !== '/';
  const frame = isFramed
    ? (page.frames().find((one) => isEditors(one.url())) ??
      (await page.waitForEvent('framenavigated', (one) => isEditors(one.url()))))
    : page.mainFrame();
  const framedAtMs = performance.now();
  const text = frame.locator('.cm-content:not([aria-readonly="true"])');
  await text.waitFor();
  const shownAtMs = performance.now();
  await text.focus();
  await page.keyboard.type('x');
  const typedAtMs = performance.now();
  const limitAtMs = typedAtMs + limitMs;
  while (readFileSync(file).equals(before)) {
    if (performance.now() > limitAtMs) throw new Error('nothing was saved');
    await sleep(2);
  }
  const savedAtMs = performance.now();
  return {
    'link to host page': pageAtMs,
    'to editor’s page': framedAtMs,
    'to text shown': shownAtMs,
    typing: typedAtMs,
    'to disk': savedAtMs,
  };
}

function isEditors(url: string): boolean {
  return /\/edit\?/u.test(url);
}

async function buildBare(folder: string): Promise<void> {
  const { build } = await import('vite');
  const root = join(projectRoot, 'test/bench/bare-text-editor');
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir: folder,
      target: 'chrome120',
      rolldownOptions: { input: join(root, 'page.ts'), output: { entryFileNames: 'page.js' } },
    },
  });
  cpSync(join(root, 'index.html'), join(folder, 'index.html'));
}

function rowsOf(
  taken: ReadonlyMap<string, Record<Leg | 'start' | 'whole', number>[]>,
  problem: string | undefined,
): Row[] {
  // The first pass is the warm-up.
  const timesOf = (name: string, what: Leg | 'start' | 'whole'): number[] =>
    (taken.get(name) ?? []).slice(1).map((turn) => turn[what]);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const short = problem === undefined ? [] : [problem];

  const whole = (name: string): Row => {
    const [own, bare] = [timesOf(name, 'whole'), timesOf(bareName, 'whole')];
    const [value, reference] = [median(own), median(bare)];
    return {
      figure: `${firstMinuteName}, ${name}`,
      value: Number.isNaN(value) ? '–' : seconds(value),
      reference: bareName,
      referenceValue: Number.isNaN(reference) ? '–' : seconds(reference),
      ratio: undefined,
      floor,
      verdict: verdictOf(value / 1000, floor),
      note: [
        'seconds',
        `the rounds took ${own.map(seconds).join(', ')}`,
        `both save ${seconds(autosaveMs)} after the change`,
        ...short,
      ].join('; '),
      numbers: { value, reference, ratios: own.map((ms, round) => ms / (bare[round] ?? Number.NaN)) },
    };
  };
  const part = (figure: string, what: Leg | 'start', name: string): Row => {
    const [value, reference] = [median(timesOf(name, what)), median(timesOf(bareName, what))];
    return {
      figure: `first minute: ${figure}, ${name}`,
      value: `${value.toFixed(0)} ms`,
      reference: bareName,
      referenceValue: `${reference.toFixed(0)} ms`,
      ratio: undefined,
      floor: undefined,
      verdict: Number.isNaN(value) ? 'not measured' : 'no floor',
      numbers: { value, reference, ratios: [] },
    };
  };
  return [cloneName, builtName].flatMap((name) => [
    whole(name),
    ...legs.map((leg) => part(`of it ${leg}`, leg, name)),
    part('npm start to listening line', 'start', name),
  ]);
}
