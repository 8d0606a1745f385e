// `npm run bench` compares DocTray with minimal references, and prints a table: the host, the first minute of a new user, the desktop
// app and the window with many rows. Exits with 1 if a floor is missed or nothing could be measured.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMet, measureWindow } from '../window/measure.ts';
import { atMost, measure, printTable, row, unmeasured, type Figure, type Row } from './compare.ts';
import { desktopFigures } from './figures/desktop.ts';
import { firstMinute, firstMinuteName } from './figures/first-minute.ts';
import { getFileFigures } from './figures/get-file.ts';
import { openDocument, openName } from './figures/open-document.ts';
import { putFileFigures } from './figures/put-file.ts';
import { slowDisk } from './figures/slow-disk.ts';
import { smallCalls } from './figures/small-calls.ts';
import { startFigures } from './figures/start.ts';
import { buildArena, firstRuns, startSides, type Arena, type Sides } from './hosts.ts';
import { stopAll } from './processes.ts';

const usage = `npm run bench -- [--only WORDS] [--against FILE] [--files N]
  --only WORDS   measure only figures whose names contain one of these comma-separated words
  --against FILE compare with another DocTray (app/cli.ts of another checkout) instead of the bare host
  --files N      the number of files in the large folder (100000)
\`npm run bench:window\` measures only the window, without the other preparations.
Wait five minutes between two runs: ext4 creates files more slowly while it remembers those that the first run deleted.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    against: { type: 'string' },
    files: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
});
const words = values.only.toLowerCase().split(',').filter(Boolean);

/** Figures that are measured with the same processes. */
interface Group {
  /** Words of its figures. */
  names: string[];
  figures(arena: Arena, sides: () => Promise<Sides>): AsyncIterable<Figure | Row>;
  /** They start their own processes, beside which no other runs. */
  isAlone?: true;
}

const groups: Group[] = [
  { names: ['start to first answer', 'memory after'], figures: startFigures, isAlone: true },
  { names: ['edit cycle', 'Lock + Unlock', 'CheckFileInfo'], figures: smallCalls },
  { names: ['PutFile 200 MiB', 'PutFile 100 KiB'], figures: putFileFigures },
  { names: ['GetFile'], figures: getFileFigures },
  { names: [openName], figures: openDocument },
  { names: ['disk with 3 ms a sync'], figures: slowDisk, isAlone: true },
  { names: [firstMinuteName], figures: firstMinute, isAlone: true },
  { names: ['desktop'], figures: desktopFigures, isAlone: true },
  { names: ['window'], figures: windowRows },
];

/** The window with many rows: opening a view, dragging the scrollbar, turning the wheel, each with its limit and a bare table. */
async function* windowRows(): AsyncGenerator<Row> {
  for await (const figure of measureWindow()) {
    const { view, what, ms, limitMs, bareMs } = figure;
    const beside = (reference: string, than: number): Row =>
      row(`window: ${view}, ${what}`, [ms, than], { unit: 'ms', reference, ratio: ms / than });
    yield { ...beside('limit', limitMs), floor: atMost(1), verdict: isMet(figure) ? 'met' : 'missed' };
    yield beside('bare table', bareMs);
  }
}

function isWanted(name: string): boolean {
  return words.length === 0 || words.some((word) => name.toLowerCase().includes(word));
}

/** Whether a word is in one of its names, or the other way round. */
function isGroupWanted({ names }: Group): boolean {
  return names.some((name) => isWanted(name) || words.some((word) => word.includes(name.toLowerCase())));
}

async function main(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'doctray-bench-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const rows: Row[] = [];
  const arena = buildArena(root, { against: values.against, fileCount: Number(values.files) });
  log(`created ${values.files} files in the temporary folder`);
  if (!isWanted('start to first answer')) await firstRuns(arena);
  let sides: Promise<Sides> | undefined;
  for (const group of groups.filter(isGroupWanted)) {
    if (group.isAlone === true) await stopAll();
    try {
      for await (const figure of group.figures(arena, () => (sides ??= startSides(arena)))) {
        if ('verdict' in figure) rows.push(figure);
        else if (isWanted(figure.name)) {
          rows.push(...(await measure(figure)));
          log(figure.name);
        }
      }
    } catch (error) {
      rows.push(unmeasured(group.names.join(', '), error));
    }
  }
  await stopAll();
  const count = (verdict: Row['verdict']): number => rows.filter((one) => one.verdict === verdict).length;
  const [missed, unknown] = [count('missed'), count('not measured')];
  printTable(rows);
  console.log(`${count('met')} floors met, ${missed} missed, ${unknown} not measured`);
  return missed > 0 || unknown > 0 || rows.length === 0 ? 1 : 0;
}

function log(text: string): void {
  process.stderr.write(`bench: ${(performance.now() / 1000).toFixed(0)} s  ${text}\n`);
}

if (values.help) process.stdout.write(`${usage}\n`);
else process.exitCode = await main();
