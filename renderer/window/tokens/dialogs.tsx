// Creates an API token and shows it once; revokes tokens: asks, says what their users will see, and shows the result.

import { useCallback, useMemo, useState } from 'react';
import { formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { TokenItem } from '../../../app/contract/state.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, ItemList, Notice, useConfirm } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { showOutcome, useToasts } from '../parts/toast.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { scopeWords } from './words.ts';

const lifetimes = [7, 30, 90, 365];

/** `onClose` gets the id of the token that was created. */
export function CreateTokenDialog(props: { onClose(createdId?: string): void }) {
  const users = useWindowState((state) => state.users);
  const usualDays = useWindowState((state) => state.settings.apiTokenDays);
  const [login, setLogin] = useState(
    () => (users.find(({ role }) => role === 'owner') ?? users[0])?.login ?? '',
  );
  const [days, setDays] = useState(String(usualDays));
  const [created, setCreated] = useState<{
    id: string;
    token: string;
    expiresAtMs: number;
    userName: string;
  }>();
  const [isCopied, setIsCopied] = useState(false);
  const create = useAction('tokens.createApiToken', { failure: t('Can’t create the token') });
  const copy = useAction('app.copyText', { failure: t('Can’t copy the token'), success: t('Token copied') });
  const options = [...new Set([...lifetimes, usualDays])].toSorted((a, b) => a - b);

  if (created !== undefined) {
    return (
      <Dialog
        title={t('New API token of {user}', { user: created.userName })}
        isOpen
        role="alertdialog"
        // Escape would lose a token that wasn't copied.
        onClose={() => {
          if (isCopied) props.onClose(created.id);
        }}
        footer={
          <Button look="primary" onPress={() => props.onClose(created.id)}>
            {t('Done')}
          </Button>
        }
      >
        <Notice tone="warn">{t('This token is shown only once. Copy it now and keep it secret.')}</Notice>
        <TextField
          label={t('API token')}
          value={created.token}
          onChange={() => undefined}
          isCode
          isReadOnly
          action={
            <Button
              autoFocus
              isPending={copy.isPending}
              onPress={() =>
                void copy.run({ text: created.token }).then((result) => {
                  if (result !== undefined) setIsCopied(true);
                })
              }
            >
              {t('Copy')}
            </Button>
          }
          hint={t('Expires {at}.', { at: formatTime('toMinute', created.expiresAtMs) })}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('Create an API token')}
      isOpen
      onClose={() => props.onClose()}
      footer={
        <>
          <Button onPress={() => props.onClose()}>{t('Cancel')}</Button>
          <Button
            look="primary"
            isPending={create.isPending}
            isDisabled={login === ''}
            onPress={() =>
              void create.run({ login, days: Number(days) }).then((result) => {
                if (result === undefined) return;
                const user = users.find((known) => known.login === login);
                setCreated({ ...result, userName: user?.displayName ?? login });
              })
            }
          >
            {t('Create token')}
          </Button>
        </>
      }
    >
      <p>{t('A program with this token can do everything its user can do through the API.')}</p>
      <Select
        label={t('User')}
        value={login}
        options={users.map((user) => ({ id: user.login, title: user.displayName, hint: user.login }))}
        onChange={setLogin}
      />
      <Select
        label={t('Lifetime')}
        value={days}
        options={options.map((count) => ({
          id: String(count),
          title: t('{count, plural, one {# day} other {# days}}', { count }),
        }))}
        onChange={setDays}
      />
    </Dialog>
  );
}

export interface Revoking {
  /** Asks, then revokes. Never throws: failures are shown as messages. */
  some(tokens: readonly TokenItem[]): Promise<void>;
  /** All tokens of a user, including those issued while the question was open. */
  allOf(user: { login: string; name: string }, tokens: readonly TokenItem[]): Promise<void>;
}

export function useRevoking(): Revoking {
  const revoke = useAction('tokens.revoke', { failure: t('Can’t revoke the tokens'), canOverlap: true });
  const revokeAll = useTask(
    async (call, { login }: { login: string; name: string }) => call('tokens.revokeOfUser', { login }),
    {
      failure: ({ name: user }) => t('Can’t revoke the tokens of {user}', { user }),
      success: ({ count }, { name: user }) =>
        t(
          '{count, plural, =0 {{user} has no tokens} one {# token of {user} revoked} other {# tokens of {user} revoked}}',
          { count, user },
        ),
      canOverlap: true,
    },
  );
  const confirm = useConfirm();
  const toasts = useToasts();

  const some = useCallback(
    async (tokens: readonly TokenItem[]) => {
      const [first] = tokens;
      if (first === undefined) return;
      const isSure = await confirm({
        title:
          tokens.length === 1
            ? t('Revoke this token of {user}?', { user: first.userName })
            : t('{count, plural, one {Revoke # token?} other {Revoke # tokens?}}', { count: tokens.length }),
        body: <Consequences tokens={tokens} />,
        confirm: t('{count, plural, one {Revoke} other {Revoke #}}', { count: tokens.length }),
        isDanger: true,
      });
      if (!isSure) return;
      const outcome = await revoke.run({ ids: tokens.map(({ id }) => id) });
      if (outcome === undefined) return;
      showOutcome(toasts, outcome, {
        done: (count) => t('{count, plural, one {Token revoked} other {# tokens revoked}}', { count }),
        failed: (count) =>
          t('{count, plural, one {Can’t revoke a token} other {Can’t revoke # tokens}}', { count }),
      });
    },
    [revoke.run, confirm, toasts],
  );

  const allOf = useCallback(
    async (user: { login: string; name: string }, tokens: readonly TokenItem[]) => {
      const isSure = await confirm({
        title: t('Revoke all tokens of {user}?', { user: user.name }),
        body: <Consequences tokens={tokens} />,
        confirm: t('Revoke all'),
        isDanger: true,
      });
      if (isSure) await revokeAll.run(user);
    },
    [revokeAll.run, confirm],
  );

  return useMemo(() => ({ some, allOf }), [some, allOf]);
}

function Consequences({ tokens }: { tokens: readonly TokenItem[] }) {
  const apiCount = tokens.filter(({ kind }) => kind === 'api').length;
  return (
    <>
      <ItemList
        items={tokens.map((token) => ({ id: token.id, name: scopeWords(token), detail: token.userName }))}
      />
      {apiCount > 0 && <p>{t('Programs that use an API token lose access and must sign in again.')}</p>}
      {apiCount < tokens.length && (
        <p>{t('The editor loses access immediately. Open the document again to continue.')}</p>
      )}
      {tokens.some(({ mode }) => mode === 'edit') && (
        <p>{t('Unsaved changes stay in the editor and can be copied from there, but not saved here.')}</p>
      )}
      <p className="muted">{t('You can’t undo this.')}</p>
    </>
  );
}
