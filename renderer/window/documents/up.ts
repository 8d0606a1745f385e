// Backspace and Alt+↑ lead one folder up, wherever in the view the focus is, unless somebody is typing or asked something.

import { useEffect, useRef } from 'react';

export function useGoUp(goUp: () => void): void {
  const latest = useRef(goUp);
  latest.current = goUp;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUp = event.altKey && event.key === 'ArrowUp';
      const isBack = event.key === 'Backspace' && !event.altKey;
      if ((!isUp && !isBack) || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
        return;
      const { target } = event;
      if (!(target instanceof HTMLElement) || target.matches('input, textarea, [contenteditable]')) return;
      if (document.querySelector('.dialog-veil, .popover') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    // Before the table, for which Alt+↑ is ↑.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}
