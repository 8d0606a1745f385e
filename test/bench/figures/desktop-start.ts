// The time from the start of the app's process to the first paint of its window, and until the window shows the host's status,
// compared with the bare app's first paint. The data folder already exists.

import { medianOf, subjectName, type Figure, type Row } from '../figure.ts';
import { median, type Contender } from '../rounds.ts';
import { bareAppName, untilServing, type AppStarter, type StartedApp } from './desktop-app.ts';

export const startName = 'desktop: launch to first paint';
const servingName = 'desktop: launch to "Serving …" in the window';

/** Runs in the page. Resolves to the epoch milliseconds of the first contentful paint. */
const firstPaint = `
  const paint = await new Promise((done) => {
    const onEntries = (list) => {
      const [first] = list.getEntriesByName('first-contentful-paint');
      if (first !== undefined) done(first.startTime);
    };
    new PerformanceObserver(onEntries).observe({ type: 'paint', buffered: true });
  });
  return performance.timeOrigin + paint;`;

export interface DesktopStart {
  figure: Figure;
  /** Available once the figure was measured. */
  servingRow(): Row;
}

export function desktopStart(deps: {
  starter: AppStarter;
  place: { folder: string; data: string };
}): DesktopStart {
  const { starter, place } = deps;
  const paints = new Map<string, number[]>();
  const servings: number[] = [];
  const contender = (name: string, start: () => Promise<StartedApp>): Contender => ({
    name,
    async turn() {
      const app = await start();
      try {
        const ms = (await app.run<number>(firstPaint)) - app.startedAtMs;
        paints.set(name, [...(paints.get(name) ?? []), ms]);
        if (name === subjectName) servings.push((await app.run<number>(untilServing)) - app.startedAtMs);
        return { units: 1, ms };
      } finally {
        await app.stop();
      }
    },
  });
  return {
    figure: {
      name: startName,
      unit: 'ms',
      plan: { rounds: medianOf, passes: 1 },
      contenders: [
        contender(subjectName, () => starter.startDocTray(place)),
        contender(bareAppName, () => starter.startBareApp()),
      ],
      references: [{ name: bareAppName }],
    },
    servingRow() {
      // The first pass of both is the warm-up.
      const own = servings.slice(1);
      const bare = (paints.get(bareAppName) ?? []).slice(1);
      const ratios = own.map((ms, round) => ms / (bare[round] ?? Number.NaN));
      const [value, reference] = [median(own), median(bare)];
      return {
        figure: servingName,
        value: `${value.toFixed(0)} ms`,
        reference: `${bareAppName}, first paint`,
        referenceValue: `${reference.toFixed(0)} ms`,
        ratio: median(ratios),
        floor: undefined,
        verdict: own.length === 0 ? 'not measured' : 'no floor',
        numbers: { value, reference, ratios },
      };
    },
  };
}
