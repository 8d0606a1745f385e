// The first minute: `npm start` without a display, with an empty home folder and a running browser. Measures the time from the line
// with the served folder until a save is on disk, through the printed link: in a clean clone, where the pages must be built, and with
// built pages. The reference is a bare CodeMirror with a POST. Both have the same autosave delay, which is most of the time.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';
import { buildPage } from '../../../app/terminal/start-build.ts';
import { launchBrowser } from '../../browser.ts';
import { atMost, median, push, row, type Contender, type Figure, type Row } from '../compare.ts';
import type { Arena } from '../hosts.ts';
import { plainEnvironment, projectRoot, start, startServer } from '../processes.ts';

export const firstMinuteName = 'first minute: listening line to first byte saved';
const cloneName = 'DocTray';
const builtName = 'DocTray, page built before';
const bareName = 'bare CodeMirror';
const limitMs = 30_000;

/** The files of a clone that DocTray needs. Packages are already installed. */
const cloned = ['app', 'renderer', 'build', 'locales', 'package.json', 'package-lock.json', 'tsconfig.json'];

interface Started {
  link: string;
  /** The document that is edited. */
  file: string;
  startedAt: number;
  /** performance.now() when it printed that it serves. */
  listeningAt: number;
  stop(): Promise<void>;
}

export async function* firstMinute(arena: Arena): AsyncGenerator<Figure | Row> {
  const root = join(arena.root, 'first-minute');
  mkdirSync(root);
  const bare = join(root, 'bare');
  await buildBare(bare);
  let clones = 0;
  const clone = (): string => {
    const folder = join(root, `clone-${(clones += 1)}`);
    for (const name of cloned) cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  };
  const built = clone();
  for (const page of ['host-page', 'text-editor'] as const) {
    const fault = await buildPage(page, { projectRoot: built, env: process.env });
    if (fault !== undefined) throw new Error(fault);
  }
  const browser = await launchBrowser({ isWhole: true, isLikeApp: true });
  /** Ms of each step, by contender and step. */
  const steps = new Map<string, number[]>();
  const contender = (name: string, open: () => Promise<Started>, prepare?: () => void): Contender => ({
    name,
    ...(prepare !== undefined && { prepare }),
    async turn() {
      const started = await open();
      const context = await browser.newContext();
      let last = started.startedAt;
      for (const [step, at] of [
        ['npm start to listening line', started.listeningAt] as const,
        ...(await typeAndSave(await context.newPage(), started)),
      ]) {
        push(steps, `${name} ${step}`, at - last);
        last = at;
      }
      await context.close();
      await started.stop();
      return { units: 1, ms: last - started.listeningAt };
    },
  });
  let fresh = '';
  yield {
    name: firstMinuteName,
    unit: 'ms',
    rounds: 3,
    passes: 1,
    contenders: [
      contender(
        cloneName,
        () => startDocTray(arena, fresh),
        () => (fresh = clone()),
      ),
      contender(builtName, () => startDocTray(arena, built)),
      contender(bareName, () => startBare(arena, bare)),
    ],
    references: [{ name: bareName, floor: atMost(2) }, { name: builtName }],
  };
  for (const key of steps.keys()) {
    if (key.startsWith(bareName)) continue;
    const [name = ''] = [builtName, cloneName].filter((one) => key.startsWith(one));
    const step = key.slice(name.length + 1);
    const values = [key, `${bareName} ${step}`].map((one) => median(steps.get(one) ?? [])) as [
      number,
      number,
    ];
    yield row(`first minute: of it ${step}, ${name}`, values, { unit: 'ms', reference: bareName });
  }
  await browser.close();
}

/** As `npm start` does. */
async function startDocTray({ root, logs }: Arena, folder: string): Promise<Started> {
  const home = mkdtempSync(join(root, 'home-'));
  const { PATH } = plainEnvironment();
  const env = { PATH, HOME: home, LANG: 'C.UTF-8' };
  const args = [join(folder, 'app/cli.ts'), 'start', '--port', '0'];
  const program = start(process.execPath, args, { logs, env });
  const [, served = ''] = await program.waitFor(/^DocTray is serving (.+)$/mu);
  const [, link = ''] = await program.waitFor(/^ +Open a document +(\S+) .*\n/mu);
  const listeningAt = performance.now();
  return { ...program, link, file: join(served, 'Welcome.md'), listeningAt };
}

async function startBare({ root, logs }: Arena, built: string): Promise<Started> {
  const file = join(root, 'Welcome.md');
  writeFileSync(file, '# Welcome\n\nA file.\n');
  const server = await startServer('test/bench/bare-text-editor/server.ts', [built, file], { logs });
  return { ...server, link: `http://${server.host}:${server.port}/`, file, listeningAt: performance.now() };
}

/** When each step was done. */
async function typeAndSave(page: Page, { link, file }: Started): Promise<[step: string, at: number][]> {
  page.setDefaultTimeout(limitMs);
  const before = readFileSync(file);
  const done: [string, number][] = [];
  const note = (step: string): void => void done.push([step, performance.now()]);
  await page.goto(link, { waitUntil: 'commit' });
  note('link to host page');
  const isEditors = (url: string): boolean => /\/edit\?/u.test(url);
  // The bare page has no frame.
  const frame =
    new URL(link).pathname === '/'
      ? page.mainFrame()
      : (page.frames().find((one) => isEditors(one.url())) ??
        (await page.waitForEvent('framenavigated', (one) => isEditors(one.url()))));
  note('to editor’s page');
  const text = frame.locator('.cm-content:not([aria-readonly="true"])');
  await text.waitFor();
  note('to text shown');
  await text.focus();
  await page.keyboard.type('x');
  note('typing');
  for (const limitAt = performance.now() + limitMs; readFileSync(file).equals(before); await sleep(2))
    if (performance.now() > limitAt) throw new Error('nothing was saved');
  note('to disk');
  return done;
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
