// A document in an older format, which its editor can show and convert, but not edit: the user is asked before it's loaded.

import { t } from '../../app/contract/messages.ts';
import { postToken } from './editor-frame.ts';
import type { ShownDocument } from './host-api.ts';
import type { PageBar } from './page-bar.ts';
import type { PagePhase } from './page-phase.ts';
import { newerFormat, words } from './words.ts';

export interface ConversionDeps {
  bar: Pick<PageBar, 'setChoice'>;
  phase: PagePhase;
  view(page: ShownDocument): void;
}

/** Where the form that converts is posted to; null if there is nothing to ask. */
export function conversionOf(page: ShownDocument, wanted: 'edit' | 'view'): string | null {
  return wanted === 'edit' && !page.canEdit && page.canConvert ? page.convertAction : null;
}

export function offerConversion(
  { bar, phase, view }: ConversionDeps,
  page: ShownDocument,
  action: string,
): void {
  const to = newerFormat(page.name);
  phase.go('choosing');
  bar.setChoice({
    title: words.oldFormat(page.name),
    more: words.oldFormatMore(page.editorName, to),
    buttons: [
      {
        label: words.convert(to),
        isMain: true,
        press: () => {
          phase.go('closing', words.converting);
          // The editor replaces this page, and leads to the copy's page when it's done.
          postToken(action, page, '_top');
        },
      },
      {
        label: t('common.open-read-only'),
        press: () => {
          bar.setChoice(null);
          view(page);
        },
      },
    ],
  });
}
