// The window with many rows: opening a view, dragging the scrollbar, turning the wheel, each with its limit.

import { isMet, measureWindow } from '../../window/measure.ts';
import { findChromium } from '../../stand-in/chromium.ts';
import { atMost, blankRow, type Row } from '../figure.ts';

export const windowName = 'window';

/** @param signal ends it when the time ran out */
export async function windowRows(signal: AbortSignal): Promise<Row[]> {
  if (findChromium() === undefined) return [blankRow(windowName, 'it needs Chromium')];
  const rows: Row[] = [];
  for await (const figure of measureWindow([], signal)) {
    const { view, what, ms, limitMs } = figure;
    rows.push({
      figure: `${windowName}: ${view}, ${what}`,
      value: `${ms.toFixed(1)} ms`,
      reference: 'limit',
      referenceValue: `${limitMs.toFixed(1)} ms`,
      ratio: ms / limitMs,
      floor: atMost(1),
      verdict: isMet(figure) ? 'met' : 'missed',
      numbers: { value: ms, reference: limitMs, ratios: [ms / limitMs] },
    });
  }
  return rows;
}
