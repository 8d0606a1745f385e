// Keys that work everywhere: Ctrl+1…7 for the views, `/` for the filter, F1 or ? for the list of all keys.

import { useEffect, useState } from 'react';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { useNavigation } from './state/navigation.tsx';
import { useWindowState } from './state/window-context.tsx';
import { viewNames } from '../../app/contract/pushes.ts';

/** Keys pressed while writing are text. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"]), textarea, [contenteditable]')
  );
}

export function useShortcuts() {
  const { go } = useNavigation();
  const isMac = useWindowState((state) => state.app.platform === 'darwin');
  const [isHelpOpen, setIsHelpOpen] = useState(false);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // a dialog keeps its keys
      if (event.defaultPrevented || document.querySelector('.dialog-veil') !== null) return;
      const isCommand = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      const view = /^Digit[1-7]$/.test(event.code) ? viewNames[Number(event.code.slice(5)) - 1] : undefined;
      if (isCommand && !event.shiftKey && !event.altKey && view !== undefined) {
        event.preventDefault();
        go(view);
      } else if (event.key === 'F1' || (event.key === '?' && !isWriting(event.target))) {
        event.preventDefault();
        setIsHelpOpen(true);
      } else if (event.key === '/' && !isWriting(event.target) && !event.ctrlKey && !event.metaKey) {
        const field = document.querySelector<HTMLInputElement>('[data-takes-slash]');
        if (field === null) return;
        event.preventDefault();
        field.focus();
        field.select();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [go, isMac]);

  return { isHelpOpen, openHelp: () => setIsHelpOpen(true), closeHelp: () => setIsHelpOpen(false), isMac };
}

const groups: { title: string; keys: [keys: string[], does: string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [['Ctrl+1', 'Ctrl+7'], 'the views, from first to last'],
      [['/'], 'filter what is shown'],
      [['F6'], 'from one part of the window to the next, messages too'],
      [['Ctrl+Z'], 'undo, as long as the message offers it'],
      [['F1', '?'], 'these keys'],
    ],
  },
  {
    title: 'In a table',
    keys: [
      [['↑', '↓', 'Home', 'End'], 'go to a row and select it'],
      [['Shift+↑', 'Shift+↓'], 'select more'],
      [['Ctrl+↑', 'Ctrl+↓', 'Space'], 'go without selecting, then add or take away'],
      [['Ctrl+A', 'Esc'], 'select all, none'],
      [['Enter', 'Del'], 'the row’s first action; take away'],
      [['Menu', 'Shift+F10'], 'everything that can be done with the rows'],
      [['→', '←'], 'to the buttons of a row and back'],
      [['Ctrl+C'], 'copy the selected rows as CSV'],
    ],
  },
];

export function ShortcutHelp(props: { isOpen: boolean; isMac: boolean; onClose(): void }) {
  const named = (key: string) => (props.isMac ? key.replace('Ctrl', 'Cmd') : key);
  return (
    <Dialog
      title="Keyboard"
      isOpen={props.isOpen}
      onClose={props.onClose}
      width="wide"
      footer={
        <Button look="primary" autoFocus onPress={props.onClose}>
          Close
        </Button>
      }
    >
      {groups.map((group) => (
        <div key={group.title} className="stack">
          <h3 className="section-title">{group.title}</h3>
          <dl className="shortcuts">
            {group.keys.flatMap(([keys, does]) => [
              <dt key={`${does} keys`}>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && key.endsWith('+7') && '… '}
                    <kbd className="key">{named(key)}</kbd>
                  </span>
                ))}
              </dt>,
              <dd key={does}>{does}</dd>,
            ])}
          </dl>
        </div>
      ))}
    </Dialog>
  );
}
