// The journal in a view: it watches while the view is shown and the window can be seen.

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useCall, usePush } from '../state/window-context.tsx';
import { createJournal, type Journal, type JournalSnapshot } from './journal.ts';

export function useJournal(): { journal: Journal; snapshot: JournalSnapshot } {
  const call = useCall();
  const [journal] = useState(() =>
    createJournal({
      watch: async (isWatching) => call('activity.watch', { isWatching }),
      list: async () => call('activity.list', {}),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    }),
  );
  usePush('activity-added', journal.take);
  useEffect(() => {
    const turn = () => (document.hidden ? journal.close() : journal.open());
    turn();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      journal.close();
    };
  }, [journal]);
  const snapshot = useSyncExternalStore(
    journal.subscribe,
    useCallback(() => journal.snapshot(), [journal]),
  );
  return { journal, snapshot };
}
