// The window with many rows: opening a view, dragging the scrollbar, turning the wheel, each with its limit and a bare table.

import { isMet, measureWindow } from '../../window/measure.ts';
import { findChromium } from '../../stand-in/chromium.ts';
import { atMost, blankRow, type Row } from '../figure.ts';

export const windowName = 'window';

export async function windowRows(): Promise<Row[]> {
  if (findChromium() === undefined) return [blankRow(windowName, 'it needs Chromium')];
  const rows: Row[] = [];
  for await (const figure of measureWindow()) {
    const { view, what, ms, limitMs, bareMs } = figure;
    const against = (reference: string, referenceMs: number) => ({
      figure: `${windowName}: ${view}, ${what}`,
      value: `${ms.toFixed(1)} ms`,
      reference,
      referenceValue: `${referenceMs.toFixed(1)} ms`,
      ratio: ms / referenceMs,
      numbers: { value: ms, reference: referenceMs, ratios: [ms / referenceMs] },
    });
    rows.push(
      { ...against('limit', limitMs), floor: atMost(1), verdict: isMet(figure) ? 'met' : 'missed' },
      { ...against('bare table', bareMs), floor: undefined, verdict: 'no floor' },
    );
  }
  return rows;
}
