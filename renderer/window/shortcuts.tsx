// Keys that work everywhere: Ctrl+K for quick open, Ctrl+1…7 for the views, `/` for the search, F1 or ? for the list of all keys.

import { useEffect, useState } from 'react';
import { t } from '../../app/contract/messages.ts';
import { viewNames } from '../../app/contract/pushes.ts';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { isWriting } from './parts/fields.tsx';
import { useNavigation } from './state/window-context.tsx';

/** Keys belong to the keyboard in front of the window; the host may run on another system. */
export const isMac = navigator.userAgent.includes('Macintosh');

const names: Readonly<Record<string, string>> = {
  Ctrl: t('Ctrl'),
  Shift: t('Shift'),
  Enter: t('Enter'),
  Space: t('Space'),
  Home: t('Home'),
  End: t('End'),
  Del: t('Del'),
  Delete: t('Del'),
  Menu: t('Menu'),
};

/** `Ctrl+K`: `Cmd+K` on a Mac, `Strg+K` in German. */
export function keyWords(keys: string, isMac: boolean): string {
  return keys
    .split('+')
    .map((key) => (isMac && key === 'Ctrl' ? 'Cmd' : (names[key] ?? key)))
    .join('+');
}

export function useShortcuts(isMac: boolean) {
  const { go, setQuickOpen } = useNavigation();
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
      } else if (isCommand && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setQuickOpen(true);
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
  }, [go, isMac, setQuickOpen]);

  return { isHelpOpen, openHelp: () => setIsHelpOpen(true), closeHelp: () => setIsHelpOpen(false) };
}

const groups: { title: string; keys: [keys: string[], does: string][] }[] = [
  {
    title: t('Everywhere'),
    keys: [
      [['Ctrl+K'], t('Quick open')],
      [['Ctrl+1', 'Ctrl+7'], t('Go to a view')],
      [['/'], t('Search or filter the view')],
      [['F6'], t('Go to the next part of the window')],
      [['Ctrl+Z'], t('Undo the last action')],
      [['F1', '?'], t('Show these shortcuts')],
    ],
  },
  {
    title: t('Documents'),
    keys: [
      [['F2'], t('Rename')],
      [['Alt+↑', 'Backspace'], t('Go up one folder')],
    ],
  },
  {
    title: t('In a table'),
    keys: [
      [['↑', '↓', 'Home', 'End'], t('Go to a row and select it')],
      [['Shift+↑', 'Shift+↓'], t('Select more rows')],
      [['Ctrl+↑', 'Ctrl+↓'], t('Move without selecting')],
      [['Space'], t('Select or deselect the row')],
      [['Ctrl+A'], t('Select all')],
      [['Esc'], t('Select none')],
      [['Enter'], t('Open')],
      [['Del'], t('Move to trash, revoke or force-clear')],
      [['Menu', 'Shift+F10'], t('Show all actions of the rows')],
      [['→'], t('Go to the buttons of the row')],
      [['←'], t('Go back to the row')],
      [['Ctrl+C'], t('Copy the selected rows as CSV')],
    ],
  },
];

export function ShortcutHelp(props: { isOpen: boolean; isMac: boolean; onClose(): void }) {
  const named = (key: string) => keyWords(key, props.isMac);
  return (
    <Dialog
      title={t('Keyboard')}
      isOpen={props.isOpen}
      onClose={props.onClose}
      width="wide"
      footer={
        <Button look="primary" autoFocus onPress={props.onClose}>
          {t('Close')}
        </Button>
      }
    >
      <div className="shortcuts-groups">
        {groups.map((group) => (
          <div key={group.title}>
            <h3 className="section-title">{group.title}</h3>
            <dl className="shortcuts">
              {group.keys.map(([keys, does]) => (
                <div key={does}>
                  <dt>
                    {keys.map((key, index) => (
                      <span key={key}>
                        {index > 0 && key.endsWith('+7') && '… '}
                        <kbd className="key">{named(key)}</kbd>
                      </span>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </Dialog>
  );
}
