// `npm run bench` compares DocTray with minimal references, and prints a table: the host (at most four minutes), the first minute of a
// new user (at most two), the desktop app (at most five, most of which it is idle), and the window with many rows (about one).
// Exits with 1 if a floor is missed or nothing could be measured; with --strict also if a floor wasn't measured.

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildArena, firstRuns, startSides } from './arena.ts';
import { blankRow, blankRows, takeFigure, type Figure, type Row } from './figure.ts';
import { desktopBench, type DesktopBench } from './figures/desktop-rows.ts';
import { firstMinute, firstMinuteName, type FirstMinute } from './figures/first-minute.ts';
import { getFileFigures } from './figures/get-file.ts';
import { hugeName, hugePutFile } from './figures/huge-put-file.ts';
import { manyOpen, manyOpenName } from './figures/many-open.ts';
import { openDocument, openName } from './figures/open-document.ts';
import { putFileFigures } from './figures/put-file.ts';
import { smallCallFigures } from './figures/small-calls.ts';
import { startFigure } from './figures/start.ts';
import { windowName, windowRows } from './figures/window.ts';
import { createProcessStarter } from './processes.ts';
import { removeFolder } from './removal.ts';
import { formatTable, summarise, writeResults } from './table.ts';

const usage = `npm run bench -- [--only WORDS] [--strict] [--entry FILE | --self-test] [--against FILE] [--files N] [--seconds N]
                     [--idle-seconds N] [--desktop-seconds N] [--open-seconds N]
  --only WORDS   measure only figures whose names contain one of these comma-separated words
  --strict       exit with 1 also if a floor wasn't measured
  --entry FILE   the script to start instead of DocTray (app/cli.ts)
  --against FILE compare with another DocTray (app/cli.ts of another checkout) instead of the bare host
  --self-test    measure the bare host instead of DocTray: its ratios to itself should be about 1
  --files N      the number of files in the large folder (100000)
  --seconds N    the time limit for the host's figures (240)
  --desktop-seconds N  the time limit for the desktop app's figures (300); 0 skips them
  --open-seconds N     how long a thousand documents are open with an editor's traffic (0: skipped; 180 is useful)
  --idle-seconds N     how long the app is idle with its window shown, and again with it hidden (60)
"--only desktop" measures only the desktop app. \`npm run bench:window\` measures only the window, without the other preparations.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    strict: { type: 'boolean', default: false },
    entry: { type: 'string', default: 'app/cli.ts' },
    'self-test': { type: 'boolean', default: false },
    against: { type: 'string' },
    files: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '240' },
    'desktop-seconds': { type: 'string', default: '300' },
    'open-seconds': { type: 'string', default: '0' },
    'idle-seconds': { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});

/** Reserved for stopping the processes and removing the files. */
const cleanupMs = 20_000;
/** Reserved for a round of the last figure, which the memory floor needs. */
const hugeMs = 35_000;
const firstMinuteMs = 120_000;
/** For creating and opening a thousand documents. */
const manyOpenStartMs = 60_000;

async function main(): Promise<number> {
  const takenAtMs = Date.now();
  let limitMs = Number(values.seconds) * 1000 - cleanupMs;
  const leftMs = (): number => limitMs - performance.now();
  const entry = values['self-test'] ? 'test/bench/bare-host.ts' : values.entry;
  const root = fs.mkdtempSync(join(tmpdir(), 'doctray-bench-'));
  const logFolder = join(root, 'logs');
  fs.mkdirSync(logFolder);
  const starter = createProcessStarter({ logFolder, cwd: join(import.meta.dirname, '../..') });
  // If a figure hangs, its server is killed at the time limit.
  let desktop: DesktopBench | undefined;
  const budget = { leftMs };
  const opening = firstMinute({ root, starter, budget });
  const killAll = (): void => {
    starter.killAll();
    opening.killAll();
    desktop?.killAll();
  };
  const setAlarm = (): NodeJS.Timeout => setTimeout(killAll, Math.max(0, leftMs()) + 2_000);
  let alarm = setAlarm();
  const interrupt = (): void => {
    killAll();
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    process.exit(130);
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);

  const rows: Row[] = [];
  const words = values.only.toLowerCase().split(',').filter(Boolean);
  const isWanted = (name: string): boolean =>
    words.length === 0 || words.some((word) => name.toLowerCase().includes(word));
  const take = async (figure: Figure, reserveMs = isWanted(hugeName) ? hugeMs : 0): Promise<void> => {
    if (!isWanted(figure.name)) {
      rows.push(...blankRows(figure, 'left out by --only'));
      return;
    }
    const startedAt = performance.now();
    rows.push(...(await takeFigure(figure, { leftMs: () => leftMs() - reserveMs })));
    log(`${figure.name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };

  try {
    const arena = buildArena({
      root,
      starter,
      entry,
      against: values.against,
      fileCount: Number(values.files),
    });
    log(`created ${values.files} files in the temporary folder: ${seconds()} s`);
    await take(startFigure(arena, await firstRuns(arena)));
    const sides = await startSides(arena, starter);
    const groups = {
      'edit cycle, Lock + Unlock, CheckFileInfo': smallCallFigures,
      PutFile: putFileFigures,
      GetFile: getFileFigures,
    };
    for (const [name, figures] of Object.entries(groups)) {
      try {
        for (const figure of await figures(arena, sides)) await take(figure);
      } catch (error) {
        rows.push(blankRow(name, error instanceof Error ? error.message : String(error)));
      }
    }
    if (isWanted(openName)) {
      try {
        const opening = await openDocument(arena, sides);
        await take(opening.figure);
        rows.push(...opening.legRows());
      } catch (error) {
        rows.push(blankRow(openName, error instanceof Error ? error.message : String(error)));
      }
    } else rows.push(blankRow(openName, 'left out by --only'));
    await starter.stopAll();
    const huge = hugePutFile(arena);
    await take(huge.figure, 0);
    if (isWanted(hugeName)) rows.push(...huge.memoryRows());
    clearTimeout(alarm);
    const openSeconds = Number(values['open-seconds']);
    if (openSeconds > 0) {
      limitMs = performance.now() + openSeconds * 1000 + manyOpenStartMs;
      alarm = setAlarm();
      try {
        rows.push(...(await manyOpen(arena, openSeconds)));
      } catch (error) {
        rows.push(blankRow(manyOpenName, error instanceof Error ? error.message : String(error)));
      }
      clearTimeout(alarm);
      await starter.stopAll();
      log(`${manyOpenName}: ${seconds()} s`);
    }
    if (isWanted(firstMinuteName)) {
      limitMs = performance.now() + firstMinuteMs - cleanupMs;
      alarm = setAlarm();
      rows.push(...(await takeFirstMinute(opening)));
      log(`${firstMinuteName}: ${seconds()} s`);
      clearTimeout(alarm);
    } else rows.push(blankRow(firstMinuteName, 'left out by --only'));
    const desktopMs = Number(values['desktop-seconds']) * 1000;
    limitMs = performance.now() + desktopMs - cleanupMs;
    alarm = setAlarm();
    desktop = desktopBench({
      arena,
      starter,
      root,
      idleMs: Number(values['idle-seconds']) * 1000,
      isWanted,
      leftOutBy: values['self-test'] ? '--self-test' : desktopMs === 0 ? '--desktop-seconds' : undefined,
      budget,
      log,
    });
    await desktop.take();
    rows.push(...desktop.rows);
    clearTimeout(alarm);
    if (!isWanted(windowName)) rows.push(blankRow(windowName, 'left out by --only'));
    else if (values['self-test']) rows.push(blankRow(windowName, 'left out by --self-test'));
    else {
      try {
        rows.push(...(await windowRows()));
      } catch (error) {
        rows.push(blankRow(windowName, error instanceof Error ? error.message : String(error)));
      }
      log(`${windowName}: ${seconds()} s`);
    }
    report(rows, { takenAtMs, entry });
  } finally {
    clearTimeout(alarm);
    await starter.stopAll();
    const isRemoved = await removeFolder(root, Math.max(1_000, leftMs() + cleanupMs));
    log(
      `${isRemoved ? 'removed the temporary files' : `another process still removes ${root}`}: ${seconds()} s`,
    );
  }
  const { missed, notMeasured } = summarise(rows);
  return missed > 0 || (values.strict && notMeasured > 0) ? 1 : 0;
}

async function takeFirstMinute(opening: FirstMinute): Promise<Row[]> {
  try {
    return await opening.take();
  } catch (error) {
    return [blankRow(firstMinuteName, error instanceof Error ? error.message : String(error))];
  }
}

function report(rows: Row[], about: { takenAtMs: number; entry: string }): void {
  const path = writeResults(join(import.meta.dirname, 'results'), {
    ...about,
    tookMs: performance.now(),
    rows,
  });
  const { met, missed, notMeasured } = summarise(rows);
  const unmeasured = notMeasured > 0 ? `, ${notMeasured} rows not measured` : '';
  process.stdout.write(`${formatTable(rows)}\n\n`);
  process.stdout.write(`${met} floors met, ${missed} missed${unmeasured}. ${seconds()} s.\n${path}\n`);
}

/** The time since the start of this process. */
function seconds(): string {
  return (performance.now() / 1000).toFixed(0);
}

function log(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

if (values.help) {
  process.stdout.write(`${usage}\n`);
} else {
  process.exitCode = await main().catch((error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  });
}
