// The bar's buttons, the menu and the status line of a text document.

import { maxTextBytes } from '../../app/contract/text-documents.ts';
import { element, type ButtonChoice } from './elements.ts';
import type { Frame, MenuItem, Toggle } from './frame.ts';
import { languageName } from './languages.ts';
import { endingName, endingsOf } from './line-endings.ts';
import type { TextPane } from './text-pane.ts';
import { words } from './words.ts';

/** The status line shows the size of a text when it is near the limit. */
const shownFrom = 0.9;

export interface TextBarInput {
  frame: Frame;
  pane: TextPane;
  name: () => string;
  /** False: what is shown isn't what the file holds. */
  isUtf8: boolean;
  /** The size as it was last read or saved. */
  bytes: () => number;
  /** Of the help page. */
  helpUrl: () => string | undefined;
  /** Before the buttons every text has. */
  tools: (ButtonChoice | Toggle)[];
  menu: () => (MenuItem | false)[];
}

/** Returns what updates the status line. */
export function showTextBar({
  frame,
  pane,
  name,
  isUtf8,
  bytes,
  helpUrl,
  tools,
  menu,
}: TextBarInput): () => void {
  frame.setTools([
    ...tools,
    {
      label: words.find,
      press: () => {
        pane.find();
      },
    },
    {
      label: words.wrap,
      isOn: () => pane.isWrapping(),
      press: () => {
        pane.setWrapping(!pane.isWrapping());
        frame.updateTools();
      },
    },
  ]);
  const goToLine = (): void => {
    pane.goToLine();
  };
  frame.setMenu(() => {
    const url = helpUrl();
    const help = url !== undefined && {
      label: words.help,
      press: () => {
        element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }).click();
      },
    };
    return [...menu(), { label: words.goToLine, press: goToLine }, help].filter((item) => item !== false);
  });

  return () => {
    const { state } = pane.view;
    const { main } = state.selection;
    const line = state.doc.lineAt(main.head);
    frame.setStatusLine([
      { label: words.position(line.number, main.head - line.from + 1), press: goToLine },
      main.empty ? '' : words.selected(main.to - main.from),
      words.endings[endingName(state.doc, endingsOf(state))],
      isUtf8 ? words.encoding(pane.current().hasBom) : '',
      bytes() > maxTextBytes * shownFrom ? words.sizeOf(bytes(), maxTextBytes) : '',
      languageName(name()),
    ]);
  };
}

/** `Ctrl+S`, or `⌘S` on a Mac. */
export function keysOf(letter: string): string {
  return /mac/i.test(navigator.userAgent) ? `⌘${letter}` : `Ctrl+${letter}`;
}
