// Revokes tokens: asks, says what their holders will meet, and tells what came of it.

import { useCallback, useMemo } from 'react';
import type { TokenItem } from '../../../app/contract/state.ts';
import { Notice, useConfirm } from '../parts/dialog.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { tellOutcome } from '../sessions/outcome.ts';
import { scopeWords } from './words.ts';

export interface Revoking {
  /** Asks, then revokes. Never throws: what goes wrong is a message. */
  some(tokens: readonly TokenItem[]): Promise<void>;
  /** All of one user, also those made while the question was open. */
  allOf(user: { login: string; name: string }, tokens: readonly TokenItem[]): Promise<void>;
}

export function useRevoking(): Revoking {
  const call = useCall();
  const confirm = useConfirm();
  const toasts = useToasts();

  const some = useCallback(
    async (tokens: readonly TokenItem[]) => {
      const [first] = tokens;
      if (first === undefined) return;
      const isOne = tokens.length === 1;
      const isSure = await confirm({
        title: isOne
          ? `Revoke this token of ${first.userName}?`
          : `Revoke ${countOf(tokens.length, 'token')}?`,
        body: <Consequences tokens={tokens} />,
        confirm: isOne ? 'Revoke' : `Revoke ${tokens.length}`,
        isDanger: true,
        width: 'wide',
      });
      if (!isSure) return;
      try {
        const outcome = await call('tokens.revoke', { ids: tokens.map(({ id }) => id) });
        tellOutcome(toasts, outcome, {
          done: (count) =>
            count === 1 ? 'The token was revoked' : `${countOf(count, 'token')} were revoked`,
          failed: (count) =>
            count === 1 ? 'A token was not revoked' : `${countOf(count, 'token')} were not revoked`,
        });
      } catch (error) {
        toasts.show({ tone: 'bad', title: 'Could not revoke the tokens', detail: sentenceOf(error) });
      }
    },
    [call, confirm, toasts],
  );

  const allOf = useCallback(
    async (user: { login: string; name: string }, tokens: readonly TokenItem[]) => {
      const isSure = await confirm({
        title: `Revoke all tokens of ${user.name}?`,
        body: <Consequences tokens={tokens} />,
        confirm: 'Revoke all',
        isDanger: true,
        width: 'wide',
      });
      if (!isSure) return;
      try {
        const { count } = await call('tokens.revokeOfUser', { login: user.login });
        const title =
          count === 0
            ? `${user.name} has no tokens left`
            : `${countOf(count, 'token')} of ${user.name} ${count === 1 ? 'was' : 'were'} revoked`;
        toasts.show({ tone: 'good', title });
      } catch (error) {
        const title = `Could not revoke the tokens of ${user.name}`;
        toasts.show({ tone: 'bad', title, detail: sentenceOf(error) });
      }
    },
    [call, confirm, toasts],
  );

  return useMemo(() => ({ some, allOf }), [some, allOf]);
}

const shownAtMost = 8;

function Consequences({ tokens }: { tokens: readonly TokenItem[] }) {
  const apiCount = tokens.filter(({ kind }) => kind === 'api').length;
  const canEdit = tokens.some(({ mode }) => mode === 'edit');
  return (
    <>
      <ul className="item-list">
        {tokens.slice(0, shownAtMost).map((token) => (
          <li key={token.id}>
            <div className="item-name">{scopeWords(token)}</div>
            <div className="muted">
              {token.userName}, made <RelativeTime atMs={token.createdAtMs} />, last used{' '}
              <RelativeTime atMs={token.lastUsedAtMs} />
            </div>
          </li>
        ))}
      </ul>
      {tokens.length > shownAtMost && <p className="muted">And {tokens.length - shownAtMost} more.</p>}
      {apiCount > 0 && (
        <p>
          {apiCount === 1 ? 'Whoever uses the API token' : 'Whoever uses the API tokens'} is refused from now
          on and must sign in again.
        </p>
      )}
      {apiCount < tokens.length && (
        <p>An editor is refused at its next call; to go on, the document must be opened anew.</p>
      )}
      {canEdit && (
        <Notice tone="warn">
          What is not saved yet stays in the editor and can be copied from there; it can no longer be saved
          here. A save that is on its way right now is kept as a recovered save.
        </Notice>
      )}
      <p className="muted">This cannot be undone.</p>
    </>
  );
}
