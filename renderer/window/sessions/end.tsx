// Ends sessions: asks, and says what the editor will meet. To end a session is to revoke its token.

import { useCallback } from 'react';
import type { SessionItem } from '../../../app/contract/state.ts';
import { Notice, useConfirm } from '../parts/dialog.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { splitPath } from '../parts/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { tellOutcome } from './outcome.ts';

/** Asks, then ends. Never throws: what goes wrong is a message. */
export function useEndSessions(): (sessions: readonly SessionItem[]) => Promise<void> {
  const call = useCall();
  const confirm = useConfirm();
  const toasts = useToasts();

  return useCallback(
    async (sessions) => {
      const [first] = sessions;
      if (first === undefined) return;
      const isOne = sessions.length === 1;
      const isSure = await confirm({
        title: isOne
          ? `End the session of ${first.userName} in ${splitPath(first.path).name}?`
          : `End ${countOf(sessions.length, 'session')}?`,
        body: <Consequences sessions={sessions} />,
        confirm: isOne ? 'End session' : `End ${sessions.length} sessions`,
        isDanger: true,
        width: 'wide',
      });
      if (!isSure) return;
      try {
        const outcome = await call('sessions.end', { ids: sessions.map(({ id }) => id) });
        tellOutcome(toasts, outcome, {
          done: (count) =>
            count === 1 ? 'The session has ended' : `${countOf(count, 'session')} have ended`,
          failed: (count) =>
            count === 1 ? 'A session was not ended' : `${countOf(count, 'session')} were not ended`,
        });
      } catch (error) {
        toasts.show({ tone: 'bad', title: 'Could not end the sessions', detail: sentenceOf(error) });
      }
    },
    [call, confirm, toasts],
  );
}

const shownAtMost = 8;

function Consequences({ sessions }: { sessions: readonly SessionItem[] }) {
  const editing = sessions.filter(({ mode }) => mode === 'edit');
  return (
    <>
      <ul className="item-list">
        {[...editing, ...sessions.filter(({ mode }) => mode === 'view')]
          .slice(0, shownAtMost)
          .map((session) => (
            <li key={session.id}>
              <div className="item-name">{session.path}</div>
              <div className="muted">
                {session.userName} {session.mode === 'edit' ? 'edits' : 'views'} it
                {session.editor !== null && ` in ${session.editor}`}. Last call{' '}
                <RelativeTime atMs={session.lastCallAtMs} />.
              </div>
            </li>
          ))}
      </ul>
      {sessions.length > shownAtMost && <p className="muted">And {sessions.length - shownAtMost} more.</p>}
      <p>
        {sessions.length === 1
          ? 'The editor’s next call is refused'
          : 'The next call of each editor is refused'}
        ; to go on, the document must be opened anew.
      </p>
      {editing.length > 0 && (
        <Notice tone="warn">
          What is not saved yet stays in the editor and can be copied from there; it can no longer be saved
          here. A save that is on its way right now is kept as a recovered save.
        </Notice>
      )}
    </>
  );
}
