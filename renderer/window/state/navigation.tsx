// Which view is shown and what it shows, and whether quick open is. A view that is left keeps only what it stores itself.

import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import type { ViewName } from '../../../app/contract/pushes.ts';
import { usePush } from './window-context.tsx';

export interface Place {
  view: ViewName;
  /** What the view is to show: a document or folder inside the hosted folder, a pane or a setting. */
  path: string | undefined;
  /** The row to reveal, where a view has several for one document: a session, a token. */
  id: string | undefined;
  /** Grows with every step, so that the same place asked for twice is seen twice. */
  step: number;
}

interface Navigation {
  place: Place;
  go(view: ViewName, path?: string, id?: string): void;
  isQuickOpen: boolean;
  setQuickOpen(isOpen: boolean): void;
}

const NavigationContext = createContext<Navigation | undefined>(undefined);

export function NavigationProvider(props: { startAt: ViewName; children: ReactNode }) {
  const [place, setPlace] = useState<Place>({ view: props.startAt, path: undefined, id: undefined, step: 0 });
  const [isQuickOpen, setQuickOpen] = useState(false);
  const go = useCallback((view: ViewName, path?: string, id?: string) => {
    setPlace((before) => ({ view, path, id, step: before.step + 1 }));
  }, []);
  usePush(
    'navigate',
    useCallback(
      (push) => {
        // Over whichever view is shown.
        if (push.quickOpen === true) setQuickOpen(true);
        else go(push.view, push.path);
      },
      [go],
    ),
  );
  const navigation = useMemo(() => ({ place, go, isQuickOpen, setQuickOpen }), [place, go, isQuickOpen]);
  return <NavigationContext value={navigation}>{props.children}</NavigationContext>;
}

/** `go('documents', 'Budget.xlsx')` leads to a view; `place` is where the window is. */
export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === undefined) throw new Error('Outside NavigationProvider.');
  return navigation;
}

/** For `reveal` of a table: the row that the view was opened for, by its id or its document. */
export function useReveal(
  view: ViewName,
  rows: readonly { id: string; path: string | null }[],
): { id: string; step: number } | undefined {
  const { place } = useNavigation();
  const { path, id, step } = place;
  const isWanted = place.view === view && (path !== undefined || id !== undefined);
  const rowId = isWanted
    ? rows.find((row) => (id === undefined ? row.path === path : row.id === id))?.id
    : undefined;
  return useMemo(() => (rowId === undefined ? undefined : { id: rowId, step }), [rowId, step]);
}
