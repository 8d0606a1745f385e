// An earlier version of a text document and its current content, side by side, in a dialog above the editor. The texts are shown as
// text; what they contain can't be trusted.

import { compareLines, lineParts, type LineBlock, type LinePair } from '../../app/contract/compare-lines.ts';
import { formatDayTime } from '../../app/contract/format.ts';
import { maxComparedBytes } from '../../app/contract/text-documents.ts';
import { dialogOf, show } from './dialogs.ts';
import { buttonOf, element } from '../pages/elements.ts';
import { HostError, type HostApi, type PageVersions } from './host-api.ts';
import { versionFacts, words } from './words.ts';

type Version = PageVersions['versions'][number];
type Side = keyof LinePair;

/** Resolves when the dialog is closed. */
export async function showComparison(
  api: Pick<HostApi, 'versions' | 'compareVersion'>,
  version: Version,
): Promise<void> {
  const status = element('p', { role: 'status', class: 'more' }, words.versionsLoading);
  const toolbar = element('div', { class: 'buttons' });
  const dialog = dialogOf(words.compareTitle(formatDayTime(version.atMs, Date.now())), toolbar, status);
  dialog.classList.add('compare');
  const heading = dialog.querySelector('h2');
  heading?.setAttribute('tabindex', '-1');
  heading?.setAttribute('autofocus', '');
  toolbar.append(buttonOf({ label: words.close, press: () => dialog.close() }));
  const shown = show(dialog);
  let currentSize = 0;
  try {
    const { current } = await api.versions();
    currentSize = current.size;
    const { old, now } = await api.compareVersion(version.id);
    const comparison = compareLines(old, now);
    status.textContent = words.compareSummary(comparison, old === now);
    dialog.classList.toggle('is-short', comparison.changes === 0);
    if (comparison.changes > 0) {
      const view = viewOf(comparison.blocks, version, current);
      dialog.append(view);
      if (comparison.isCut) dialog.append(element('p', { class: 'more' }, words.compareCut));
      toolbar.prepend(...stepButtons(view, status));
    }
  } catch (error) {
    dialog.classList.add('is-short');
    status.replaceWith(
      element('p', { role: 'alert', class: 'problem' }, problemOf(error, version.size, currentSize)),
    );
  }
  await shown;
}

function problemOf(error: unknown, versionSize: number, currentSize: number): string {
  if (!(error instanceof HostError)) return String(error);
  const { code, message } = error;
  if (code === 'not-text' && Math.max(versionSize, currentSize) > maxComparedBytes)
    return words.compareTooLarge(versionSize, currentSize);
  return Object.hasOwn(words.compareProblems, code)
    ? words.compareProblems[code as keyof typeof words.compareProblems]
    : message;
}

function viewOf(
  blocks: readonly LineBlock[],
  version: Version,
  current: PageVersions['current'],
): HTMLElement {
  // Explicit roles, because a table that is laid out as a grid loses its own.
  const head = element(
    'thead',
    { role: 'rowgroup' },
    element(
      'tr',
      { role: 'row' },
      headOf(
        'old',
        words.compareOld,
        versionFacts(version.savedBy, version.size, formatDayTime(version.atMs, Date.now())),
      ),
      headOf(
        'now',
        words.versionCurrent,
        versionFacts(
          current.savedBy,
          current.size,
          formatDayTime(current.savedAtMs ?? current.lastModifiedMs, Date.now()),
        ),
      ),
    ),
  );
  const table = element(
    'table',
    { role: 'table', 'aria-labelledby': 'dialog-title' },
    head,
    ...blocks.map(rowsOf),
  );
  return element(
    'div',
    { class: 'lines', tabindex: '0', role: 'region', 'aria-label': words.compareLines },
    table,
  );
}

function headOf(side: Side, title: string, facts: string): HTMLElement {
  return element(
    'th',
    { scope: 'col', role: 'columnheader', class: side },
    title,
    element('span', {}, facts),
  );
}

function rowsOf(block: LineBlock): HTMLElement {
  if (block.kind === 'hidden') {
    const cell = element('td', { role: 'cell', colspan: '2' }, words.compareHidden(block.count));
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

/** They keep the focus, so that pressing again goes on. */
function stepButtons(view: HTMLElement, status: HTMLElement): HTMLElement[] {
  const changed = [...view.querySelectorAll<HTMLElement>('tbody.changed')];
  if (changed.length < 2) return [];
  let at = -1;
  const step = (by: number): void => {
    changed[at]?.classList.remove('is-at');
    at = (Math.max(at, by < 0 ? 0 : -1) + by + changed.length) % changed.length;
    changed[at]?.classList.add('is-at');
    changed[at]?.scrollIntoView({ block: 'center' });
    status.textContent = words.compareAt(at + 1, changed.length);
  };
  return [
    buttonOf({ label: words.comparePrevious, press: () => step(-1) }),
    buttonOf({ label: words.compareNext, press: () => step(1) }),
  ];
}
