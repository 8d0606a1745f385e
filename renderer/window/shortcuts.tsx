// Keys that work everywhere: Ctrl+K for quick open, Ctrl+1…7 for the views, `/` for the search, F1 or ? for the list of all keys.

import { useEffect, useState } from 'react';
import { t } from '../../app/contract/messages.ts';
import { viewNames } from '../../app/contract/pushes.ts';
import { Dialog } from '../kit/dialog.tsx';
import { isWriting } from '../kit/fields.tsx';
import { keyWords } from '../kit/keys.ts';
import { useNavigation } from './state/window-context.tsx';

/** Keys belong to the keyboard in front of the window; the host may run on another system. */
export const isMac = navigator.userAgent.includes('Macintosh');

export function useShortcuts(isMac: boolean) {
  const { go, setQuickOpen } = useNavigation();
  const [isHelpOpen, setIsHelpOpen] = useState(false);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // a dialog keeps its keys
      if (event.defaultPrevented || document.querySelector('.dialog-veil') !== null) return;
      const hasCommandKey = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      const isCommand = hasCommandKey && !event.shiftKey && !event.altKey;
      const view = /^Digit[1-7]$/.test(event.code) ? viewNames[Number(event.code.slice(5)) - 1] : undefined;
      if (isCommand && view !== undefined) {
        event.preventDefault();
        // The rail stays, and would keep the focus from the heading.
        document.querySelector<HTMLElement>('.rail :focus')?.blur();
        go(view);
      } else if (isCommand && event.key.toLowerCase() === 'k') {
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
    title: t('window.everywhere'),
    keys: [
      [['Ctrl+K'], t('window.quick-open')],
      [['Ctrl+1', 'Ctrl+7'], t('window.go-to-a-view')],
      [['/'], t('window.search-or-filter-the-view')],
      [['F6'], t('window.go-to-the-next-part')],
      [['Ctrl+Z'], t('window.undo-the-last-action')],
      [['F1', '?'], t('window.show-these-shortcuts')],
    ],
  },
  {
    title: t('common.documents'),
    keys: [
      [['F2'], t('common.rename')],
      [['Alt+↑', 'Backspace'], t('window.go-up-one-folder')],
    ],
  },
  {
    title: t('window.in-a-table'),
    keys: [
      [['↑', '↓', 'Home', 'End'], t('window.go-to-a-row-and')],
      [['Shift+↑', 'Shift+↓'], t('window.select-more-rows')],
      [['Ctrl+↑', 'Ctrl+↓'], t('window.move-without-selecting')],
      [['Space'], t('window.select-or-deselect-the-row')],
      [['Ctrl+A'], t('common.select-all')],
      [['Esc'], t('window.select-none')],
      [['Enter'], t('common.open')],
      [['Del'], t('window.move-to-trash-revoke-or')],
      [['Menu', 'Shift+F10'], t('window.show-all-actions-of-the')],
      [['→'], t('window.go-to-the-buttons-of')],
      [['←'], t('window.go-back-to-the-row')],
    ],
  },
];

export function ShortcutHelp(props: { isOpen: boolean; isMac: boolean; onClose(): void }) {
  const named = (key: string) => keyWords(key, props.isMac);
  return (
    <Dialog title={t('window.keyboard')} isOpen={props.isOpen} onClose={props.onClose} width="wide">
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
