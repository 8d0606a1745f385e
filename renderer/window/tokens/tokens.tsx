// Tokens: what opens documents, for whom and until when. Access tokens open one document for an editor, API tokens the JSON API. The
// window never sees a token, except a new one once.

import { useCallback, useId, useMemo, useState } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import { capitalized, formatTimeLeft, formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { maxTokenNameLength } from '../../../app/contract/results.ts';
import type { TokenItem } from '../../../app/contract/state.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, ItemList, Notice } from '../../kit/dialog.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useTimedText } from '../../kit/time.tsx';
import {
  countsOf,
  documentField,
  ListTable,
  noFact,
  SessionFact,
  timeField,
  useBulkAction,
  type BulkWords,
  type Field,
  type ListAction,
  type RowLink,
} from '../lists/list.tsx';
import { useTask } from '../parts/action.tsx';
import { FormDialog, useForm } from '../parts/form.tsx';
import { modeWords } from '../parts/format.ts';
import { View } from '../parts/view.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { textWidth } from '../table/model.ts';
import { accessWords, apiTokenName, expiryWords, graceWords, stateOf, states } from './words.ts';

/** A usual one of the longer ones. */
const longAccess = t('window.save-only-for-duration', { duration: formatTimeLeft(23 * 60 * 60_000) });

const userField: Field<TokenItem> = {
  id: 'user',
  title: t('window.user'),
  value: ({ userName }) => userName,
  filterText: ({ user, userName }) => `${userName} ${user}`,
  fact: ({ user, userName }) => t('window.name-login', { name: userName, login: user }),
  width: { min: 112, grow: 1 },
  priority: 4,
  // Below its row it has room beside the side panel, too.
  fallsBelow: 0,
};

const timeFields: Field<TokenItem>[] = [
  timeField('created', t('window.created'), ({ createdAtMs }) => createdAtMs, {
    width: { min: 90 },
    priority: 1,
  }),
  timeField('expires', t('window.expiry'), ({ expiresAtMs }) => expiresAtMs, {
    render: (token) => <Expiry token={token} />,
    fact: (token) => (
      <>
        <Expiry token={token} />
        <div className="fact-exact">{formatTime('toSecond', token.expiresAtMs)}</div>
        <div className="fact-exact">{graceWords(token, hostTime())?.sentence}</div>
      </>
    ),
    width: { min: 90 },
    priority: 5,
  }),
  timeField('last-used', t('window.last-used'), ({ lastUsedAtMs }) => lastUsedAtMs, {
    width: { min: Math.max(90, textWidth(t('window.last-used')) + 24) },
    priority: 2,
  }),
];

const idField: Field<TokenItem> = {
  id: 'id',
  title: t('window.token-id'),
  value: ({ id }) => id,
  fact: ({ id }) => <span className="code">{id}</span>,
};

const accessField: Field<TokenItem> = {
  id: 'access',
  title: t('window.access'),
  value: (token) => accessWords(token, hostTime()),
  render: (token) => <Access token={token} />,
  width: { min: textWidth(longAccess) + 42 },
  priority: 3,
  joinsBelow: true,
};

const accessFields: Field<TokenItem>[] = [
  documentField({ min: 176, grow: 3 }),
  accessField,
  userField,
  ...timeFields,
  {
    id: 'session',
    title: t('window.session'),
    value: () => null,
    fact: ({ id }) => <SessionFact id={id} absent={<span className="muted">–</span>} />,
  },
  idField,
];

const apiFields: Field<TokenItem>[] = [
  {
    id: 'name',
    title: t('window.name'),
    value: apiTokenName,
    render: (token) => (
      <span className={token.name === null ? 'cut muted' : 'cut'} title={apiTokenName(token)}>
        {apiTokenName(token)}
      </span>
    ),
    fact: noFact,
    width: { min: 146, grow: 2 },
    isRowHeader: true,
  },
  userField,
  {
    ...accessField,
    width: { min: textWidth(t('window.mode-all-documents', { mode: modeWords.edit })) + 42 },
  },
  ...timeFields,
  idField,
];

/** What it allows now. */
function Access({ token }: { token: TokenItem }) {
  const words = useTimedText(useCallback((nowMs: number) => accessWords(token, nowMs), [token]));
  const isValid = ['valid', 'can-save'].includes(stateOf(token, hostTime()));
  return (
    <span className={`cell tone-${isValid && token.mode === 'edit' ? 'info' : 'muted'}`}>
      {isValid && <Icon name={token.mode === 'edit' ? 'edit' : 'eye'} size={14} />}
      {words}
    </span>
  );
}

function Expiry({ token }: { token: TokenItem }) {
  const words = useTimedText(useCallback((nowMs: number) => expiryWords(token, nowMs), [token]));
  const exact = formatTime('toSecond', token.expiresAtMs);
  const shown = capitalized(words);
  return (
    <time title={exact} aria-label={t('window.relative-exact', { relative: shown, exact })}>
      {shown}
    </time>
  );
}

export function TokensView() {
  const tokens = useWindowState((state) => state.tokens);
  const { place, go } = useNavigation();
  const actions = useTokenActions();
  const sessions = useWindowState((state) => state.sessions);
  const link = useMemo<RowLink<TokenItem>>(() => {
    const ids = new Set(sessions.map(({ id }) => id));
    return {
      view: 'sessions',
      title: t('window.show-session'),
      target: ({ id, path }) => (ids.has(id) ? { path, id } : undefined),
    };
  }, [sessions]);
  const [isCreating, setIsCreating] = useState(false);
  const [access, api] = useMemo(
    () => [tokens.filter(({ kind }) => kind === 'access'), tokens.filter(({ kind }) => kind === 'api')],
    [tokens],
  );
  const [tab, setTab] = useState<string>(() => (api.some(({ id }) => id === place.id) ? 'api' : 'access'));
  // A page that was closed before its editor asked for anything leaves one, which is of no interest.
  const [showsUnused, setShowsUnused] = useState(false);
  const used = access.filter(({ id, lastUsedAtMs }) => lastUsedAtMs !== null || id === place.id);
  const unusedCount = used.length === 0 ? 0 : access.length - used.length;
  const shownAccess = showsUnused || unusedCount === 0 ? access : used;
  const shown = tab === 'access' ? shownAccess : api;
  const subtitle = useTimedText(useCallback((nowMs: number) => summary(shown, nowMs), [shown]));
  const create = (look: 'primary' | 'plain') => (
    <Button icon="plus" look={look} onPress={() => setIsCreating(true)}>
      {t('window.create-api-token-ask')}
    </Button>
  );
  const shared = {
    view: 'tokens',
    count: (count: number) => t('window.tokens', { count }),
    filterLabel: t('window.filter-tokens'),
    actions,
    link,
    tone: (token: TokenItem) =>
      ['expired', 'no-document'].includes(stateOf(token, hostTime())) ? 'muted' : undefined,
  } as const;
  return (
    <View
      title={t('common.tokens')}
      subtitle={subtitle === '' ? undefined : subtitle}
      isFilled
      actions={
        <>
          {tab === 'access' && unusedCount > 0 && (
            <Button onPress={() => setShowsUnused(!showsUnused)}>
              {t(showsUnused ? 'window.hide-never-used' : 'window.show-never-used', { count: unusedCount })}
            </Button>
          )}
          {/* Without tokens, the empty table has this button. */}
          {tab === 'api' && api.length > 0 && create('plain')}
        </>
      }
    >
      <Tabs
        label={t('window.kind-of-token')}
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'access',
            title: t('window.access-tokens'),
            count: shownAccess.length,
            children: (
              <ListTable
                {...shared}
                label={t('window.access-tokens')}
                fields={accessFields}
                rows={shownAccess}
                sort={{ column: 'expires', isDescending: false }}
                empty={{
                  title: t('window.no-access-tokens'),
                  sentence: t('window.one-is-issued-when-a'),
                }}
                panel={{ subtitle: ({ userName }) => t('window.access-token-of-user', { user: userName }) }}
              />
            ),
          },
          {
            id: 'api',
            title: t('window.api-tokens'),
            count: api.length,
            children: (
              <ListTable
                {...shared}
                label={t('window.api-tokens')}
                fields={apiFields}
                rows={api}
                sort={{ column: 'expires', isDescending: false }}
                empty={{
                  title: t('window.no-api-tokens'),
                  sentence: t('window.a-program-needs-one-to'),
                  action: create('primary'),
                }}
                panel={{
                  title: apiTokenName,
                  subtitle: ({ userName }) => t('window.api-token-of-user', { user: userName }),
                }}
              />
            ),
          },
        ]}
      />
      {isCreating && (
        <CreateTokenDialog
          onClose={(createdId) => {
            setIsCreating(false);
            if (createdId !== undefined) go('tokens', undefined, createdId);
          }}
        />
      )}
    </View>
  );
}

/** `9 valid, 1 expired. Next expiry: in 7 h.` */
function summary(tokens: readonly TokenItem[], nowMs: number): string {
  const counts = countsOf(tokens, (token) => stateOf(token, nowMs), states) ?? '';
  const valid = tokens.filter((token) => stateOf(token, nowMs) === 'valid');
  const [next] = valid.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs);
  if (next === undefined) return counts;
  return `${counts} ${t('window.next-expiry', { when: expiryWords(next, nowMs) })}`;
}

type Holder = Pick<TokenItem, 'user' | 'userName'>;

function useTokenActions(): ListAction<TokenItem>[] {
  const revokeAllOf = useRevokeAll();
  const revoke = useBulkAction('tokens.revoke', revoking);
  return useMemo(
    () => [
      {
        id: 'revoke',
        title: ({ length: count }) => t('window.revoke', { count }),
        icon: 'trash',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        isInPanel: true,
        run: (rows) => void revoke(rows),
      },
      {
        id: 'revoke-all',
        title: ([token]) =>
          token === undefined
            ? t('window.revoke-all-tokens-of-this')
            : t('window.revoke-all-tokens-of-user-ask', { user: token.userName }),
        icon: 'user',
        takesMany: false,
        isDanger: true,
        run: ([token]) => void (token && revokeAllOf(token)),
      },
    ],
    [revoke, revokeAllOf],
  );
}

const revoking: BulkWords<'tokens.revoke', TokenItem> = {
  question: (tokens) => ({
    title: t('window.revoke-tokens', { count: tokens.length }),
    body: <Consequences tokens={tokens} />,
    confirm: t('window.revoke-button', { count: tokens.length }),
    isDanger: true,
  }),
  failure: t('window.cant-revoke-the-tokens'),
  done: ({ length: count }) => t('window.tokens-revoked', { count }),
  failed: (count) => t('window.cant-revoke-tokens', { count }),
};

/** Asks, then revokes all tokens of a user, including those issued while the question was open. Never throws. */
function useRevokeAll(): (user: Holder) => Promise<unknown> {
  const tokens = useWindowState((state) => state.tokens);
  return useTask(async (call, { user }: Holder) => call('tokens.revokeOfUser', { login: user }), {
    question: ({ user: login, userName: user }) => ({
      title: t('window.revoke-all-tokens-of-user', { user }),
      body: <Consequences tokens={tokens.filter((token) => token.user === login)} />,
      confirm: t('window.revoke-all'),
      isDanger: true,
    }),
    failure: ({ userName: user }) => t('window.cant-revoke-the-tokens-of', { user }),
    success: ({ count }, { userName: user }) => t('window.tokens-of-user-revoked', { count, user }),
    canOverlap: true,
  }).run;
}

function Consequences({ tokens }: { tokens: readonly TokenItem[] }) {
  const apiCount = tokens.filter(({ kind }) => kind === 'api').length;
  return (
    <>
      <ItemList
        items={tokens.map((token) => ({
          id: token.id,
          name: token.kind === 'api' ? apiTokenName(token) : (token.path ?? t('window.deleted-document')),
          detail: t('window.user-mode', {
            user: token.userName,
            mode: accessWords(token, hostTime()),
          }),
        }))}
      />
      {apiCount > 0 && <p>{t('window.programs-that-use-an-api')}</p>}
      {apiCount < tokens.length && <p>{t('window.the-editor-loses-access-immediately')}</p>}
      {tokens.some(({ kind, mode }) => kind === 'access' && mode === 'edit') && (
        <p>{t('window.unsaved-changes-stay-in-the')}</p>
      )}
      <p className="muted">{t('window.you-cant-undo-this')}</p>
    </>
  );
}

const lifetimes = [7, 30, 90, 365];

type CreatedToken = CommandResult<'tokens.createApiToken'> & { name: string };

/** `onClose` gets the id of the token that was created. */
function CreateTokenDialog({ onClose }: { onClose(createdId?: string): void }) {
  const users = useWindowState((state) => state.users);
  const usualDays = useWindowState((state) => state.settings.apiTokenDays);
  const tokens = useWindowState((state) => state.tokens);
  const [created, setCreated] = useState<CreatedToken>();
  const days = [...new Set([...lifetimes, usualDays])].toSorted((a, b) => a - b);
  const form = useForm({
    fields: [
      {
        name: 'name',
        label: t('window.name'),
        hint: t('window.what-the-token-is-for'),
        check(typed, { login }) {
          const name = typed.trim();
          if (name === '') return t('common.enter-a-name');
          if (name.length > maxTokenNameLength)
            return t('window.enter-at-most-count-characters', { count: maxTokenNameLength });
          const isTaken = tokens.some(
            (token) => token.user === login && token.name?.toLowerCase() === name.toLowerCase(),
          );
          return isTaken ? t('window.this-user-already-has-a') : null;
        },
      },
      {
        name: 'login',
        label: t('window.user'),
        initial: users.find(({ role }) => role === 'owner')?.login,
        options: users.map(({ login, displayName }) => ({ id: login, title: displayName, hint: login })),
      },
      {
        name: 'days',
        label: t('window.lifetime'),
        initial: `${usualDays}`,
        options: days.map((count) => ({ id: `${count}`, title: t('window.count-days', { count }) })),
      },
    ],
    async submit(call, { login, name, days: chosen }) {
      const result = await call('tokens.createApiToken', { login, name, days: Number(chosen) });
      setCreated({ ...result, name });
    },
  });
  return created === undefined ? (
    <FormDialog
      title={t('window.create-an-api-token')}
      confirm={t('common.create-token')}
      form={form}
      onClose={onClose}
      before={<p>{t('window.a-program-with-this-token')}</p>}
    />
  ) : (
    <CreatedTokenDialog created={created} onClose={() => onClose(created.id)} />
  );
}

function CreatedTokenDialog({ created, onClose }: { created: CreatedToken; onClose(): void }) {
  const fieldId = useId();
  const [isCopied, setIsCopied] = useState(false);
  const copy = useTask(
    async (call) => {
      await call('app.copyText', { text: created.token });
      setIsCopied(true);
    },
    { failure: t('window.cant-copy-the-token'), success: t('window.token-copied') },
  );
  return (
    <Dialog
      title={t('window.new-api-token-name', { name: created.name })}
      role="alertdialog"
      // Escape would lose a token that wasn't copied.
      onClose={() => isCopied && onClose()}
      close={null}
      buttons={
        <Button look={isCopied ? 'primary' : 'plain'} onPress={onClose}>
          {t('common.close')}
        </Button>
      }
      confirm={{
        label: isCopied ? t('window.copied') : t('window.copy'),
        look: isCopied ? 'plain' : 'primary',
        icon: isCopied ? 'check' : 'copy',
        autoFocus: true,
        isPending: copy.isPending,
        onPress: () => void copy.run(),
      }}
    >
      <Notice tone="info">{t('window.this-token-is-shown-only')}</Notice>
      <div className="stack field">
        <label className="field-label" htmlFor={fieldId}>
          {t('window.api-token')}
        </label>
        <textarea
          className="input code"
          id={fieldId}
          aria-describedby={`${fieldId}-hint`}
          readOnly
          value={created.token}
          // So that it can be copied by hand if the button fails.
          onFocus={({ target }) => target.select()}
        />
        <p className="field-hint" id={`${fieldId}-hint`}>
          {t('window.expires-at', { at: formatTime('toMinute', created.expiresAtMs) })}
        </p>
      </div>
    </Dialog>
  );
}
