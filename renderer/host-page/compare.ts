// An earlier version of a text document and its current content, side by side, in a dialog above the editor.

import { maxComparedBytes } from '../../app/contract/text-documents.ts';
import { comparisonWords, createComparison, type Comparison } from '../kit/comparison.ts';
import { dialogOf, show } from './dialogs.ts';
import { timesOf } from '../kit/version-facts.ts';
import { buttonOf, element, iconButton, type IconShape } from '../kit/elements.ts';
import type { PageVersions } from '../../app/contract/page-calls.ts';
import { HostError, type HostApi } from './host-api.ts';
import { words } from './words.ts';

type Version = PageVersions['versions'][number];

/** Resolves when the dialog is closed, with whether to restore the version. */
export async function showComparison(
  api: Pick<HostApi, 'versions' | 'compareVersion'>,
  documentName: string,
  version: Version,
  time: string,
  canRestore: boolean,
): Promise<boolean> {
  const status = element('p', { role: 'status', class: 'more' }, words.versionsLoading);
  const bar = element('div', { class: 'compare-bar' }, status);
  const footer = element('div', { class: 'buttons' });
  const title = words.compareTitle(documentName, time);
  const dialog = dialogOf(title, bar, footer);
  dialog.classList.add('compare');
  const heading = dialog.querySelector('h2');
  heading?.setAttribute('tabindex', '-1');
  heading?.setAttribute('autofocus', '');
  let isToRestore = false;
  if (canRestore) {
    const press = (): void => {
      isToRestore = true;
      dialog.close();
    };
    footer.append(buttonOf({ label: comparisonWords.restore, press }));
  }
  footer.append(buttonOf({ label: words.close, press: () => dialog.close() }));
  const shown = show(dialog);
  let currentSize = 0;
  try {
    const listed = await api.versions();
    currentSize = listed.current.size;
    const timeOf = timesOf(listed, Date.now());
    const comparison = createComparison({
      texts: await api.compareVersion(version.id),
      heads: {
        old: { ...version, time },
        now: { ...listed.current, time: timeOf('current') },
      },
    });
    status.textContent = comparison.summary;
    dialog.classList.toggle('is-short', comparison.lines === undefined);
    if (comparison.lines !== undefined) footer.before(comparison.lines);
    if (comparison.isCut) footer.before(element('p', { class: 'more' }, comparisonWords.cut));
    if (comparison.changes > 1) bar.append(...stepButtons(comparison, status));
  } catch (error) {
    dialog.classList.add('is-short');
    bar.replaceWith(
      element('p', { role: 'alert', class: 'problem' }, problemOf(error, version.size, currentSize)),
    );
  }
  await shown;
  return isToRestore;
}

function problemOf(error: unknown, versionSize: number, currentSize: number): string {
  if (!(error instanceof HostError)) return String(error);
  const { code, message } = error;
  if (code === 'not-text' && Math.max(versionSize, currentSize) > maxComparedBytes)
    return words.compareTooLarge(versionSize, currentSize);
  return Object.hasOwn(words.problems, code) ? words.problems[code as keyof typeof words.problems] : message;
}

/** They keep the focus, so that they can be pressed again. */
function stepButtons({ step }: Comparison, status: HTMLElement): HTMLElement[] {
  const buttonFor = (icon: IconShape, label: string, by: 1 | -1): HTMLElement =>
    iconButton(icon, label, () => (status.textContent = step(by)));
  return [buttonFor('up', comparisonWords.previous, -1), buttonFor('down', comparisonWords.next, 1)];
}
