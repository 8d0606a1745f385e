// All figures of the desktop app, in order. A failure of one doesn't affect the others. Nothing else runs at the same time, so that
// the apps are really idle.

import { join } from 'node:path';
import { buildWhereNeeded } from '../../../app/terminal/start-build.ts';
import { findChromium } from '../../stand-in/chromium.ts';
import type { Arena } from '../arena.ts';
import { blankRow, blankRows, subjectName, takeFigure, type Row } from '../figure.ts';
import type { ProcessStarter } from '../processes.ts';
import type { Budget } from '../rounds.ts';
import { createSide } from '../sides.ts';
import { createAppStarter, goTo, projectRoot, type AppStarter, type DesktopApp } from './desktop-app.ts';
import { desktopHttpFigures, terminalName } from './desktop-http.ts';
import { desktopIdleRows, idleName } from './desktop-idle.ts';
import { desktopPushesRows, pushesName } from './desktop-pushes.ts';
import { desktopStart, startName } from './desktop-start.ts';

export const desktopName = 'desktop';
const httpNames = ['CheckFileInfo', 'Lock + Unlock', 'edit cycle', 'GetFile'].map(
  (name) => `desktop: ${name}`,
);
const view = 'Activity';
const mostPushesMs = 6_000;
/** For starting both apps and waiting until they are idle. */
const idleStartMs = 30_000;

export interface DesktopBench {
  rows: Row[];
  take(): Promise<void>;
  killAll(): void;
}

export function desktopBench(deps: {
  arena: Arena;
  starter: ProcessStarter;
  /** The bench's temporary folder. */
  root: string;
  idleMs: number;
  isWanted: (name: string) => boolean;
  /** The option that leaves out all of these rows. */
  leftOutBy: string | undefined;
  budget: Budget;
  log: (text: string) => void;
}): DesktopBench {
  const { arena, root, idleMs, isWanted, leftOutBy, log } = deps;
  const idleBudgetMs = isWanted(idleName) ? 2 * idleMs + idleStartMs : 0;
  const budget: Budget = { leftMs: () => deps.budget.leftMs() - idleBudgetMs };
  const rows: Row[] = [];
  const starter: AppStarter = createAppStarter({
    logFolder: join(root, 'logs'),
    home: join(root, 'desktop', 'home'),
  });
  const place = { folder: arena.places.hashing.folder, data: join(root, 'desktop', 'data') };

  /** Runs a part. If it fails or isn't wanted, a row says so. */
  async function part(names: string[], work: () => Promise<void>): Promise<void> {
    const [name = ''] = names;
    if (!names.some((one) => isWanted(one))) {
      rows.push(blankRow(name, 'left out by --only'));
      return;
    }
    if (deps.budget.leftMs() <= (name === idleName ? idleBudgetMs : 0)) {
      rows.push(blankRow(name, 'the time ran out'));
      return;
    }
    const startedAt = performance.now();
    try {
      await work();
    } catch (error) {
      rows.push(blankRow(name, error instanceof Error ? error.message : String(error)));
    } finally {
      log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
  }

  async function start(): Promise<void> {
    const { figure, servingRow } = desktopStart({ starter, place });
    rows.push(...(await takeFigure(figure, budget)), servingRow());
  }

  async function pushes(app: DesktopApp): Promise<void> {
    rows.push(
      ...(await desktopPushesRows({ app, folder: place.folder, ms: Math.min(mostPushesMs, idleMs) })),
    );
  }

  async function http(app: DesktopApp): Promise<void> {
    const terminalPlace = { folder: arena.places.bare.folder, data: join(root, 'desktop', 'terminal-data') };
    const terminal = await arena.startDocTray(terminalPlace);
    try {
      await app.run(goTo(view));
      const sides = [
        createSide(subjectName, app.server, place.folder),
        createSide(terminalName, terminal, terminalPlace.folder),
      ] as const;
      for (const { figure, cpuRow } of await desktopHttpFigures({ arena, sides: [...sides], view })) {
        if (!isWanted(figure.name)) {
          rows.push(...blankRows(figure, 'left out by --only'));
          continue;
        }
        rows.push(...(await takeFigure(figure, budget)), cpuRow());
        log(figure.name);
      }
    } finally {
      await terminal.stop();
    }
  }

  return {
    rows,
    killAll: starter.killAll,
    async take() {
      if (
        !isWanted(desktopName) &&
        ![startName, idleName, pushesName, ...httpNames].some((name) => isWanted(name))
      ) {
        rows.push(blankRow(desktopName, 'left out by --only'));
        return;
      }
      const reason = leftOutBy === undefined ? await missingRequirement() : `left out by ${leftOutBy}`;
      if (reason !== undefined) {
        rows.push(blankRow(desktopName, reason));
        return;
      }
      await part([startName], start);
      let app: DesktopApp | undefined;
      const open = async (): Promise<DesktopApp> => (app ??= await starter.openDocTray(place));
      await part([pushesName], async () => pushes(await open()));
      await part(httpNames, async () => http(await open()));
      await app?.stop();
      await part([idleName], async () => {
        rows.push(...(await desktopIdleRows({ starter, place, idleMs })));
      });
    },
  };
}

/** Why nothing can be measured. */
async function missingRequirement(): Promise<string | undefined> {
  if (process.env['ELECTRON'] !== 'real' && findChromium() === undefined)
    return 'the stand-in for Electron needs Chromium';
  const fault = await buildWhereNeeded({ projectRoot, env: process.env });
  return fault === undefined ? undefined : `the app could not be built: ${fault}`;
}
