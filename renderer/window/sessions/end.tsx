// Ends sessions: asks, and says what the users will see. Ending a session revokes its token.

import { useCallback } from 'react';
import type { SessionItem } from '../../../app/contract/state.ts';
import { t } from '../../../app/contract/messages.ts';
import { useConfirm } from '../parts/dialog.tsx';
import { modeWords, splitPath } from '../parts/format.ts';
import { showOutcome, useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

/** Asks, then ends. Never throws: failures are shown as messages. */
export function useEndSessions(): (sessions: readonly SessionItem[]) => Promise<void> {
  const call = useCall();
  const confirm = useConfirm();
  const toasts = useToasts();

  return useCallback(
    async (sessions) => {
      const [first] = sessions;
      if (first === undefined) return;
      const isSure = await confirm({
        title:
          sessions.length === 1
            ? t('End {user}’s session in {file}?', { user: first.userName, file: splitPath(first.path).name })
            : t('{count, plural, one {End # session?} other {End # sessions?}}', { count: sessions.length }),
        body: <Consequences sessions={sessions} />,
        confirm: t('{count, plural, one {End session} other {End # sessions}}', { count: sessions.length }),
        isDanger: true,
      });
      if (!isSure) return;
      try {
        const outcome = await call('sessions.end', { ids: sessions.map(({ id }) => id) });
        showOutcome(toasts, outcome, {
          done: (count) => t('{count, plural, one {Session ended} other {# sessions ended}}', { count }),
          failed: (count) =>
            t('{count, plural, one {Can’t end a session} other {Can’t end # sessions}}', { count }),
        });
      } catch (error) {
        toasts.show({ tone: 'bad', title: t('Can’t end the sessions'), detail: sentenceOf(error) });
      }
    },
    [call, confirm, toasts],
  );
}

const shownAtMost = 6;

function Consequences({ sessions }: { sessions: readonly SessionItem[] }) {
  const editing = sessions.filter(({ mode }) => mode === 'edit');
  const listed = [...editing, ...sessions.filter(({ mode }) => mode === 'view')];
  return (
    <>
      {sessions.length > 1 && (
        <ul className="item-list">
          {listed.slice(0, shownAtMost).map((session) => (
            <li key={session.id}>
              <div className="item-name">{splitPath(session.path).name}</div>
              <div className="muted">
                {t('{user}, {mode}', { user: session.userName, mode: modeWords[session.mode] })}
              </div>
            </li>
          ))}
          {sessions.length > shownAtMost && (
            <li className="muted">
              {t('{count, plural, one {# more} other {# more}}', { count: sessions.length - shownAtMost })}
            </li>
          )}
        </ul>
      )}
      <p>{t('The editor loses access immediately. Open the document again to continue.')}</p>
      {editing.length > 0 && (
        <p>{t('Unsaved changes stay in the editor and can be copied from there, but not saved here.')}</p>
      )}
    </>
  );
}
