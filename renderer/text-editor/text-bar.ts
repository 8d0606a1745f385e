// The bar's buttons, the menu and the status line of a text document.

import { askName, type Choice, type Frame, type MenuItem, type Toggle } from './frame.ts';
import { extensionOf, languageName, stemOf } from './languages.ts';
import { endingName, endingsOf } from './line-endings.ts';
import type { TextPane } from './text-pane.ts';
import { words } from './words.ts';

export interface TextBarInput {
  frame: Frame;
  pane: TextPane;
  name: () => string;
  /** False: what is shown isn't what the file holds. */
  isUtf8: boolean;
  /** Before the buttons every text has. */
  tools: (Choice | Toggle)[];
  menu: () => (MenuItem | false)[];
}

/** Returns what updates the status line. */
export function showTextBar({ frame, pane, name, isUtf8, tools, menu }: TextBarInput): () => void {
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
  frame.setMenu(() =>
    [...menu(), { label: words.goToLine, press: goToLine }].filter((item) => item !== false),
  );

  return () => {
    const { state } = pane.view;
    const { main } = state.selection;
    const line = state.doc.lineAt(main.head);
    frame.setStatusLine([
      { label: words.position(line.number, main.head - line.from + 1), press: goToLine },
      main.empty ? '' : words.selected(main.to - main.from),
      words.endings[endingName(state.doc, endingsOf(state))],
      isUtf8 ? words.encoding(pane.current().hasBom) : '',
      languageName(name()),
    ]);
  };
}

/** `Ctrl+S`, or `⌘S` on a Mac. */
export function keysOf(letter: string): string {
  return /mac/i.test(navigator.userAgent) ? `⌘${letter}` : `Ctrl+${letter}`;
}

/** The name of a copy, with an extension; undefined when the user cancelled. */
export async function askCopyName(documentName: string): Promise<string | undefined> {
  const extension = extensionOf(documentName);
  const stem = words.copyOf(stemOf(documentName));
  const name = await askName({
    title: words.saveCopyTitle,
    label: words.copyLabel,
    more: words.copyMore,
    value: extension === '' ? stem : `${stem}.${extension}`,
    selected: stem.length,
    button: words.saveCopyTitle,
  });
  return name === undefined || extension === '' || extensionOf(name) !== '' ? name : `${name}.${extension}`;
}

/** The new name without its extension; undefined when it stays. */
export async function askNewName(documentName: string): Promise<string | undefined> {
  const extension = extensionOf(documentName);
  const stem = stemOf(documentName);
  const name = await askName({
    title: words.renameTitle,
    label: words.renameLabel,
    more: words.renameMore(extension),
    value: stem,
    selected: stem.length,
    button: words.renameTitle,
  });
  return name === stem ? undefined : name;
}
