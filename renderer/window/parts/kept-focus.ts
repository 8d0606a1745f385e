// Keyboard focus isn't lost when what had it is removed, such as the button of a problem that it solved, or a dialog that opened after
// its menu had closed. Everywhere in the window; tables, whose rows move, look after their own first.

import { useEffect } from 'react';
import { focusable } from '../../kit/blocks.tsx';

const overlays = '.dialog-veil, .popover';

/** An element that had the focus, and the areas around it, the nearest first. */
interface Place {
  element: HTMLElement;
  /** Tables reuse the elements of rows. */
  rowId: string | undefined;
  /** None of a row: the table knows which row is in its place. `index`: how many buttons, links and fields of the area come before it. */
  areas: { area: Element; index: number }[];
}

function placeOf(element: HTMLElement): Place {
  const rowId = element.dataset.row;
  // Not the host's card: Resume is in it, but the Pause button that replaces it is in the view's header.
  const section = element.closest('section:not(.section-body)');
  const around = rowId === undefined ? [section, element.closest('.view')] : [];
  return {
    element,
    rowId,
    areas: around
      .filter((area) => area !== null)
      .map((area) => ({ area, index: stopsIn(area).indexOf(element) }))
      .filter(({ index }) => index !== -1),
  };
}

function stopsIn(area: Element): HTMLElement[] {
  return [...area.querySelectorAll<HTMLElement>(focusable)].filter((stop) =>
    stop.checkVisibility({ visibilityProperty: true }),
  );
}

/** To the element itself, else to what is in its place now, else to the heading of its section. */
function returnTo({ element, rowId, areas }: Place) {
  if (element.isConnected && element.dataset.row === rowId) return element.focus();
  const left = areas.find(({ area }) => area.isConnected);
  if (left === undefined) return undefined;
  const next = stopsIn(left.area)[left.index];
  if (next !== undefined) return next.focus();
  focusHeading(left.area.closest(':has(h1, h2, h3)'));
}

/** Focuses the area's heading, where keys do nothing. */
export function focusHeading(area: Element | null) {
  const heading = area?.querySelector<HTMLElement>('h1, h2, h3');
  if (heading == null) return;
  heading.tabIndex = -1;
  heading.focus();
}

const everywhere = { childList: true, subtree: true };

export function useKeptFocus() {
  useEffect(() => {
    let focused: Element | undefined;
    let place: Place | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      // Scrolling rows change the document in every frame, and tables look after their own focus.
      if (target.closest('.table-scroller') === null) observer.observe(document.body, everywhere);
      else observer.disconnect();
      if (target.closest(`${overlays}, .toasts`) === null) place = placeOf(target);
    };
    // A press beside everything takes the focus away on purpose.
    const onPress = ({ target }: Event) => {
      if (focused?.contains(target as Node) === true || document.querySelector(overlays) !== null) return;
      focused = undefined;
      observer.disconnect();
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || focused?.isConnected !== false) return;
      focused = undefined;
      observer.disconnect();
      afterOverlay(() => {
        if (place !== undefined) returnTo(place);
      });
    });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress, true);
      observer.disconnect();
    };
  }, []);
}

/** Once overlays are closed and have given the focus back where they could; nothing when it is somewhere. */
export function afterOverlay(act: () => void) {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body) return act();
      const overlay = activeElement.closest(overlays);
      if (overlay === null) return undefined;
      new MutationObserver((_changes, observer) => {
        if (overlay.isConnected) return;
        observer.disconnect();
        afterOverlay(act);
      }).observe(body, { childList: true });
    }),
  );
}
