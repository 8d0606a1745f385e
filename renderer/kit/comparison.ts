// An earlier version of a text document and its current content, line by line, for the host page and the window. The texts are shown
// as text; what they contain can't be trusted.

import {
  compareLines,
  lineParts,
  type LineBlock,
  type LineComparison,
  type LinePair,
} from '../../app/contract/compare-lines.ts';
import { t } from '../../app/contract/messages.ts';
import './comparison.css';
import { element } from './elements.ts';
import { versionFacts } from './version-facts.ts';

type Side = keyof LinePair;

/** What the head of a side shows. */
export interface ComparedContent {
  time: string;
  savedBy: readonly string[] | null;
  size: number;
}

export interface Comparison {
  /** `2 changes · 1 line removed · 3 lines added` */
  summary: string;
  /** Undefined if no line differs. */
  lines: HTMLElement | undefined;
  /** The lines end before the texts do. */
  isCut: boolean;
  /** How many changes `step` goes through. */
  changes: number;
  /** Scrolls to the next change, or with -1 to the previous one. Returns `Change 1 of 3`. */
  step(by: 1 | -1): string;
}

export const comparisonWords = {
  cut: t('kit.the-rest-of-this-long'),
  previous: t('kit.previous-change'),
  next: t('kit.next-change'),
  restore: t('common.restore-this-version'),
};

export function createComparison(input: {
  texts: Record<Side, string>;
  heads: Record<Side, ComparedContent>;
}): Comparison {
  const { old, now } = input.texts;
  const compared = compareLines(old, now);
  const lines = compared.changes === 0 ? undefined : linesOf(compared.blocks, input.heads);
  const changed = [...(lines?.querySelectorAll<HTMLElement>('tbody.changed') ?? [])];
  let at = -1;
  return {
    summary: summaryOf(compared, old === now),
    lines,
    isCut: compared.isCut,
    changes: changed.length,
    step(by) {
      changed[at]?.classList.remove('is-at');
      at = (Math.max(at, by < 0 ? 0 : -1) + by + changed.length) % changed.length;
      changed[at]?.classList.add('is-at');
      changed[at]?.scrollIntoView({ block: 'center' });
      return t('kit.change-number-of-count', { number: at + 1, count: changed.length });
    },
  };
}

function summaryOf({ changes, removed, added }: LineComparison, isSame: boolean): string {
  if (isSame) return t('kit.this-version-and-the-current');
  if (changes === 0) return t('kit.only-the-line-endings-differ');
  return [
    t('kit.changes', { count: changes }),
    t('kit.lines-removed', { count: removed }),
    t('kit.lines-added', { count: added }),
  ].join(' · ');
}

function linesOf(blocks: readonly LineBlock[], { old, now }: Record<Side, ComparedContent>): HTMLElement {
  const headOf = (side: Side, title: string, { time, savedBy, size }: ComparedContent): HTMLElement =>
    element(
      'th',
      { scope: 'col', role: 'columnheader', class: side },
      title,
      element('span', {}, versionFacts(savedBy, size, time)),
    );
  // Explicit roles, because a table that is laid out as a grid loses its own.
  const head = element(
    'tr',
    { role: 'row' },
    headOf('old', t('kit.this-version'), old),
    headOf('now', t('common.current'), now),
  );
  const table = element(
    'table',
    { role: 'table', 'aria-label': t('kit.lines') },
    element('thead', { role: 'rowgroup' }, head),
    ...blocks.map(rowsOf),
  );
  return element(
    'div',
    { class: 'comparison', tabindex: '0', role: 'region', 'aria-label': t('kit.lines') },
    table,
  );
}

function rowsOf(block: LineBlock): HTMLElement {
  if (block.kind === 'hidden') {
    const { count } = block;
    const cell = element('td', { role: 'cell', colspan: '2' }, t('kit.unchanged-lines', { count }));
    return element(
      'tbody',
      { role: 'rowgroup', class: 'hidden-lines' },
      element('tr', { role: 'row' }, cell),
    );
  }
  const isChanged = block.kind === 'changed';
  return element(
    'tbody',
    { role: 'rowgroup', class: block.kind },
    ...block.pairs.map((pair) =>
      element('tr', { role: 'row' }, cellOf('old', pair, isChanged), cellOf('now', pair, isChanged)),
    ),
  );
}

function cellOf(side: Side, pair: LinePair, isChanged: boolean): HTMLElement {
  const { [side]: line } = pair;
  if (line === undefined) return element('td', { role: 'cell', class: `${side} no-line` });
  const text = isChanged
    ? element(
        side === 'old' ? 'del' : 'ins',
        {},
        ...lineParts(pair, side).map(({ text, isChanged: isMarked }) =>
          isMarked ? element('mark', {}, text) : text,
        ),
      )
    : element('span', {}, line.text);
  return element(
    'td',
    { role: 'cell', class: side },
    element('span', { class: 'number' }, String(line.number)),
    text,
  );
}
