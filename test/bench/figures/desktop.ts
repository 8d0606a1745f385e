// The desktop app: its start, the pushes to its window, what editors get while it is shown, and what it needs when idle. The references
// are a bare app with an empty window, and the terminal host. With the stand-in for Electron, the main process also does Electron's
// work, and Chromium renders in software. Nothing else runs at the same time, so that the apps are really idle.

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildWhereNeeded } from '../../../app/terminal/start-build.ts';
import { electronPath, sandboxArguments } from '../../stand-in/launch.ts';
import { createBodySource } from '../bodies.ts';
import { atLeast, atMost, row, subjectName, type Contender, type Figure, type Row } from '../compare.ts';
import type { ProbeAnswer, ProbeQuestion } from '../desktop-probe.ts';
import { createSide, ownerPassword, sizes, workerNames } from '../hosts.ts';
import type { Arena, Place, Side } from '../hosts.ts';
import {
  listening,
  memoryOf,
  plainEnvironment,
  processorMsOf,
  processTree,
  projectRoot,
  read,
  start,
  wakesOf,
  type ServerProcess,
} from '../processes.ts';
import { checkFileInfo, getFile, lock, putFile, refreshLock, unlock, type WopiFile } from '../wopi-calls.ts';
import { getContender } from './get-file.ts';
import { editingFigures } from './small-calls.ts';

const bareName = 'bare app';
const terminalName = 'terminal host';
/** The view that draws the most. */
const busyView = 'Activity';
/** With the window shown, and again with it hidden. */
const idleMs = 60_000;

type App = Awaited<ReturnType<typeof startApp>>;

export async function* desktopFigures(arena: Arena): AsyncGenerator<Figure | Row> {
  const fault = await buildWhereNeeded({ projectRoot, env: process.env });
  if (fault !== undefined) throw new Error(`the app could not be built: ${fault}`);
  const place = { folder: arena.places.hashing.folder, data: join(arena.root, 'desktop', 'data') };
  yield startFigure(arena, place);

  const app = await startDocTray(arena, place);
  const server = await listening(app);
  await app.run(untilServing);
  for (const view of ['Locks', busyView, 'Documents']) yield* pushes(app, { server, place, view });
  await app.run(goTo(busyView));
  const terminalPlace = { folder: arena.places.bare.folder, data: join(arena.root, 'desktop', 'terminal') };
  const terminal = await arena.startDocTray(terminalPlace);
  const sides = [
    createSide(subjectName, server, place.folder),
    createSide(terminalName, terminal, terminalPlace.folder),
  ] as const;
  const figureOf = await editingFigures(arena, sides);
  const shownFigure = (figure: Figure): Figure => ({
    ...figure,
    name: `desktop: ${figure.name}, ${busyView} shown`,
    references: [{ name: terminalName, floor: atLeast(0.9) }],
  });
  for (const concurrency of [1, 16])
    for (const operation of ['CheckFileInfo', 'Lock + Unlock', 'edit cycle'] as const)
      yield shownFigure(figureOf(operation, concurrency));
  for (const size of ['100 KiB', '10 MiB', '200 MiB'] as const) {
    const contenders = await Promise.all(sides.map((side) => getContender(side, size)));
    yield shownFigure({ name: `GetFile ${size}`, unit: 'MiB', contenders, references: [] });
  }
  await terminal.stop();
  await app.stop();
  yield* idle(arena, place);
}

/** From the start of the process to the first paint of its window. The data folder already exists. */
function startFigure(arena: Arena, place: Place): Figure {
  const contender = (name: string, open: () => Promise<App>): Contender => ({
    name,
    async turn() {
      const app = await open();
      const ms = (await app.run<number>(firstPaint)) - performance.timeOrigin - app.startedAt;
      await app.stop();
      return { units: 1, ms };
    },
  });
  return {
    name: 'desktop: launch to first paint',
    unit: 'ms',
    passes: 1,
    contenders: [
      contender(subjectName, () => startDocTray(arena, place)),
      contender(bareName, () => startApp(arena, join(projectRoot, 'test/bench/bare-app'))),
    ],
    references: [{ name: bareName }],
  };
}

/** The pushes a second to the window, by name, while editors make 300 calls a second; and the longest task of its main thread. */
async function* pushes(
  app: App,
  { server, place, view }: { server: ServerProcess; place: Place; view: string },
): AsyncGenerator<Row> {
  await app.run(goTo(view));
  await app.run(listen);
  const side = createSide(subjectName, server, place.folder);
  const calls = await load(side, await side.open(workerNames.slice(0, 16)));
  const { heard, longestMs } = await app.run<{ heard: Record<string, number[]>; longestMs: number }>(
    'return window.benchHeard();',
  );
  const about = { unit: '/s', reference: 'editors’ calls' };
  for (const [name, atMs] of Object.entries(heard)) {
    const lastedS = ((atMs.at(-1) ?? 0) - (atMs[0] ?? 0)) / 1000;
    const rate = lastedS > 0 ? (atMs.length - 1) / lastedS : atMs.length;
    yield row(`desktop: pushes, ${name}, ${view} shown`, [Math.round(rate * 10) / 10, calls], {
      ...about,
      floor: atMost(10),
    });
  }
  const task = `desktop: pushes, longest task of the window over 50 ms, ${view} shown`;
  yield row(task, [longestMs, Number.NaN], { unit: 'ms' });
}

/** Every worker edits one document repeatedly, for 6 s. @returns calls per second */
async function load(side: Side, files: WopiFile[]): Promise<number> {
  const startedAt = performance.now();
  const everyMs = (files.length * 1000) / 300;
  let calls = 0;
  await Promise.all(
    files.map(async (file, worker) => {
      const connection = await side.connect();
      const bodies = createBodySource(sizes['100 KiB']);
      const edit = [
        lock,
        checkFileInfo,
        getFile,
        refreshLock,
        checkFileInfo,
        refreshLock,
        (...call: Parameters<typeof getFile>) => putFile(...call, bodies.next()),
        unlock,
      ];
      for (let turn = 0; performance.now() - startedAt < 6000 || turn % edit.length !== 0; turn += 1) {
        const dueAt = startedAt + (turn + worker / files.length) * everyMs;
        await sleep(Math.max(0, dueAt - performance.now()));
        await edit[turn % edit.length]?.(connection, file);
        calls += 1;
      }
      connection.close();
    }),
  );
  return (calls * 1000) / (performance.now() - startedAt);
}

/** Memory, processor time and wakes of both processes, with a locked document, first with the window shown, then hidden. */
async function* idle(arena: Arena, place: Place): AsyncGenerator<Row> {
  const docTray = await startDocTray(arena, place);
  const bare = await startApp(arena, join(projectRoot, 'test/bench/bare-app'));
  const server = await listening(docTray);
  const side = createSide(subjectName, server, place.folder);
  const [file] = (await side.open(workerNames.slice(0, 1))) as [WopiFile];
  const call = async (operation: typeof lock): Promise<void> => {
    const connection = await side.connect();
    await operation(connection, file);
    connection.close();
  };
  await call(lock);
  const apps = [docTray, bare];
  for (const how of ['shown', 'hidden'] as const) {
    for (const app of apps) await app.show(how === 'shown');
    await sleep(5000);
    const pids = {
      'main process': apps.map(({ pid }) => pid),
      'window’s process': await Promise.all(apps.map((app) => app.windowPid())),
    };
    const counts = (): Map<number, [cpuMs: number, wakes: number]> =>
      new Map(
        Object.values(pids)
          .flat()
          .map((pid) => [pid, [processorMsOf(pid), wakesOf(pid)]]),
      );
    const before = counts();
    await sleep(idleMs);
    const after = counts();
    for (const [part, each] of Object.entries(pids)) {
      const used = (at: 0 | 1): [number, number] =>
        each.map(
          (pid) => (((after.get(pid)?.[at] ?? Number.NaN) - (before.get(pid)?.[at] ?? 0)) * 60_000) / idleMs,
        ) as [number, number];
      const idleRow = (what: string, values: [number, number], unit: string): Row =>
        row(`desktop: idle, ${what} of the ${part}, window ${how}`, values, { unit, reference: bareName });
      yield idleRow('CPU', used(0), 'ms/min');
      yield idleRow('wakes', used(1), '/min');
      const memory = each.map((pid) => memoryOf(pid) / 1024 / 1024) as [number, number];
      if (how === 'shown') yield idleRow('memory', memory, 'MiB');
    }
  }
  // Otherwise quitting would ask about the open document.
  await call(unlock);
  for (const app of apps) await app.stop();
}

async function startDocTray(arena: Arena, { folder, data }: Place): Promise<App> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const settings = { folder, port: 0, windowFirstRunDone: true };
  writeFileSync(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  return startApp(arena, projectRoot, [`--data=${data}`, '--json']);
}

/** Built app or bare app, with the stand-in for Electron, or real Electron if ELECTRON=real, and a home of its own. */
async function startApp({ root, logs }: Arena, folder: string, args: string[] = []) {
  const home = join(root, 'desktop', 'home');
  mkdirSync(home, { recursive: true });
  const env = {
    ...plainEnvironment(),
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    DBUS_SESSION_BUS_ADDRESS: '',
    DOCTRAY_TRAY: 'on',
    DOCTRAY_OWNER_PASSWORD: ownerPassword,
    NODE_OPTIONS: `--require=${join(projectRoot, 'test/bench/desktop-probe.ts')}`,
  };
  const command = [...sandboxArguments, folder, ...args];
  const program = start(electronPath(), command, { logs, env, hasChannel: true });
  const { child } = program;
  const gone = once(child, 'exit').then(() => {
    throw new Error('The app has ended.');
  });
  gone.catch(() => undefined);
  const waiting = new Map<number, (answer: ProbeAnswer) => void>();
  let asked = 0;
  child.on('message', (answer: ProbeAnswer) => waiting.get(answer.id)?.(answer));
  const ask = async (question: Omit<ProbeQuestion, 'id'>) => {
    const id = (asked += 1);
    const { promise, resolve, reject } = Promise.withResolvers<ProbeAnswer>();
    waiting.set(id, resolve);
    gone.catch(reject);
    child.send({ id, ...question });
    const answer = await promise;
    if ('problem' in answer) throw new Error(answer.problem);
    return answer;
  };
  /** Runs the body of an async function in the window's page. */
  const run = async <Result>(body: string): Promise<Result> =>
    (await ask({ script: `(async () => { ${body} })()` })).result as Result;
  return Object.assign(program, {
    run,
    show: async (isShown: boolean) => void (await ask({ isShown })),
    /** The process that draws the window. Chromium doesn't tell it, so this finds the one that uses processor time while the page is busy. */
    async windowPid() {
      const { browserPid } = await ask({});
      const pids = processTree(browserPid).filter((pid) =>
        /--type=renderer/u.test(read(`/proc/${pid}/cmdline`)),
      );
      const before = pids.map(processorMsOf);
      await run('const until = performance.now() + 300; while (performance.now() < until);');
      const worked = pids.map((pid, index) => ({ pid, ms: processorMsOf(pid) - (before[index] ?? 0) }));
      return worked.toSorted((a, b) => b.ms - a.ms)[0]?.pid ?? -1;
    },
  });
}

/** Epoch milliseconds of the first contentful paint. */
const firstPaint = `
  const paint = await new Promise((done) => {
    const onEntries = (list) => {
      const [first] = list.getEntriesByName('first-contentful-paint');
      if (first !== undefined) done(first.startTime);
    };
    new PerformanceObserver(onEntries).observe({ type: 'paint', buffered: true });
  });
  return performance.timeOrigin + paint;`;

const untilServing = `
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (!/Serving/.test(document.body?.textContent ?? '')) await frame();`;

/** Opens a view with its button in the rail. */
const goTo = (view: string): string => `
  const items = [...document.querySelectorAll('nav button')];
  const item = items.find((button) => button.textContent.startsWith(${JSON.stringify(view)}));
  if (item === undefined) throw new Error('The rail has no such view.');
  item.click();
  await new Promise((done) => setTimeout(done, 500));`;

const listen = `
  const heard = {};
  let longestMs = 0;
  const names = ['state-changed', 'activity-added', 'folder-changed', 'navigate'];
  const endings = names.map((name) =>
    window.doctray.onPush(name, () => (heard[name] ??= []).push(performance.now())),
  );
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestMs = Math.max(longestMs, duration);
  });
  tasks.observe({ type: 'longtask' });
  window.benchHeard = () => {
    for (const end of endings) end();
    tasks.disconnect();
    return { heard, longestMs };
  };`;
