// What CSS knows of the window, for the few things that CSS cannot decide, such as which columns a table has.

import { useCallback, useSyncExternalStore } from 'react';

/** @example const isNarrow = useMediaQuery('(max-width: 860px)'); */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (notify: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', notify);
      return () => list.removeEventListener('change', notify);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
