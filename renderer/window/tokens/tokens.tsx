// Tokens: what opens documents, for whom and until when. Access tokens open one document for an editor, API tokens the JSON API. The
// window never sees a token, except a new one once.

import { useCallback, useMemo, useState } from 'react';
import { capitalized, formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { compareNames } from '../../../app/contract/name-order.ts';
import { maxTokenNameLength } from '../../../app/contract/results.ts';
import type { SessionItem, TokenItem } from '../../../app/contract/state.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, ItemList, Notice, useConfirm } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { modeWords, splitPath } from '../parts/format.ts';
import { MenuButton, type MenuEntry } from '../parts/menu.tsx';
import { useTimedText } from '../parts/time.tsx';
import { showOutcome, useToasts } from '../parts/toast.tsx';
import {
  DetailPanel,
  DocumentCell,
  ModeCell,
  Tabs,
  TextLink,
  TimeFact,
  View,
  type DetailPanelFrame,
} from '../parts/view.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useReveal, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { textWidth, type Column, type RowAction } from '../table/model.ts';
import { apiTokenName, expirySentence, expiryWords, stateOf, scopeWords } from './words.ts';

const userColumn: Column<TokenItem> = {
  id: 'user',
  title: t('User'),
  value: ({ userName }) => userName,
  filterText: ({ user, userName }) => `${userName} ${user}`,
  width: { min: 112, grow: 1 },
  priority: 4,
  joinsBelow: true,
};

const timeColumns: Column<TokenItem>[] = [
  {
    id: 'created',
    title: t('Created'),
    value: ({ createdAtMs }) => createdAtMs,
    kind: 'time',
    width: { min: 98 },
    priority: 1,
  },
  {
    id: 'expires',
    title: t('Expires'),
    value: ({ expiresAtMs }) => expiresAtMs,
    render: (token) => <Expiry token={token} isShort />,
    kind: 'time',
    width: { min: Math.max(88, textWidth(t('Can save')) + 24) },
    priority: 5,
    fallsBelow: 3,
  },
  {
    id: 'last-used',
    title: t('Last used'),
    value: ({ lastUsedAtMs }) => lastUsedAtMs,
    kind: 'time',
    width: { min: Math.max(96, textWidth(t('Last used')) + 24) },
    priority: 2,
  },
];

const accessColumns: Column<TokenItem>[] = [
  {
    id: 'document',
    title: t('Document'),
    value: ({ path }) => path ?? t('Deleted document'),
    render: ({ path }) =>
      path === null ? <span className="muted">{t('Deleted document')}</span> : <DocumentCell path={path} />,
    // It and when it expires fit beside the details.
    width: { min: 168, grow: 3 },
    isRowHeader: true,
  },
  {
    id: 'mode',
    title: t('Mode'),
    value: ({ mode }) => (mode === null ? null : modeWords[mode]),
    render: ({ mode }) => (mode === null ? <span className="muted">–</span> : <ModeCell mode={mode} />),
    width: { min: Math.max(...[t('Mode'), ...Object.values(modeWords)].map(textWidth)) + 40 },
    priority: 3,
  },
  userColumn,
  ...timeColumns,
];

const apiColumns: Column<TokenItem>[] = [
  {
    id: 'name',
    title: t('Name'),
    value: apiTokenName,
    render: (token) => (
      <span className={token.name === null ? 'cut muted' : 'cut'} title={apiTokenName(token)}>
        {apiTokenName(token)}
      </span>
    ),
    width: { min: 120, grow: 2 },
    isRowHeader: true,
  },
  userColumn,
  {
    id: 'document',
    title: t('Documents'),
    value: () => t('All documents'),
    width: { min: 120 },
    priority: 0,
  },
  ...timeColumns,
];

export function TokensView() {
  const tokens = useWindowState((state) => state.tokens);
  const sessions = useWindowState((state) => state.sessions);
  const { place, go } = useNavigation();
  const revoking = useRevoking();
  const [isCreating, setIsCreating] = useState(false);
  const used = useMemo(() => new Map(sessions.map((session) => [session.id, session])), [sessions]);
  const [access, api] = useMemo(
    () => [tokens.filter(({ kind }) => kind === 'access'), tokens.filter(({ kind }) => kind === 'api')],
    [tokens],
  );
  const [tab, setTab] = useState<string>(() =>
    place.id !== undefined && api.some(({ id }) => id === place.id) ? 'api' : 'access',
  );
  const actions = useTokenActions({ tokens, used, revoking });
  const holders = useMemo(() => holdersOf(tokens), [tokens]);
  const reveal = useReveal('tokens', tokens);

  const detail = (token: TokenItem, frame: DetailPanelFrame) => (
    <TokenDetail
      key={token.id}
      token={token}
      session={used.get(token.id)}
      frame={frame}
      onRevoke={() => void revoking.some([token])}
    />
  );
  const shared = {
    count: (count: number) => t('{count, plural, one {# token} other {# tokens}}', { count }),
    filterLabel: t('Filter tokens'),
    actions,
    reveal,
    detail,
  };
  return (
    <View
      title={t('Tokens')}
      isFilled
      actions={
        tab === 'access'
          ? holders.length > 0 && (
              <MenuButton
                label={t('Revoke by user')}
                icon="user"
                entries={holders.map(({ login, name, own }): MenuEntry => ({
                  id: login,
                  title: name,
                  keys: t('{count, plural, one {# token} other {# tokens}}', { count: own.length }),
                  run: () => void revoking.allOf({ login, name }, own),
                }))}
              />
            )
          : // without tokens, the empty table has this button
            api.length > 0 && (
              <Button icon="plus" look="primary" onPress={() => setIsCreating(true)}>
                {t('Create API token')}
              </Button>
            )
      }
    >
      <Tabs
        label={t('Kind of token')}
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'access',
            title: t('Access tokens'),
            count: access.length,
            children: (
              <DataTable
                {...shared}
                label={t('Access tokens')}
                defaultSort={{ column: 'expires', isDescending: false }}
                columns={accessColumns}
                rows={access}
                exportName="access-tokens"
                empty={{
                  icon: 'tokens',
                  sentence: t('No access tokens. One is issued when a document is opened.'),
                  action: <Button onPress={() => go('documents')}>{t('Show documents')}</Button>,
                }}
              />
            ),
          },
          {
            id: 'api',
            title: t('API tokens'),
            count: api.length,
            children: (
              <DataTable
                {...shared}
                label={t('API tokens')}
                defaultSort={{ column: 'created', isDescending: true }}
                columns={apiColumns}
                rows={api}
                exportName="api-tokens"
                empty={{
                  icon: 'tokens',
                  sentence: t('No API tokens. A program needs one to use the API.'),
                  action: <Button onPress={() => setIsCreating(true)}>{t('Create API token')}</Button>,
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

function useTokenActions(input: {
  tokens: readonly TokenItem[];
  used: ReadonlyMap<string, SessionItem>;
  revoking: Revoking;
}): RowAction<TokenItem>[] {
  const { tokens, used, revoking } = input;
  const { go } = useNavigation();
  return useMemo(
    () => [
      {
        id: 'revoke',
        title: (rows) =>
          rows.length > 1 ? t('Revoke {count, number}…', { count: rows.length }) : t('Revoke…'),
        icon: 'close',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void revoking.some(rows),
      },
      {
        id: 'revoke-all',
        title: ([token]) =>
          token === undefined
            ? t('Revoke all tokens of this user…')
            : t('Revoke all tokens of {user}…', { user: token.userName }),
        takesMany: false,
        isDanger: true,
        run: ([token]) => {
          if (token === undefined) return;
          const own = tokens.filter(({ user }) => user === token.user);
          void revoking.allOf({ login: token.user, name: token.userName }, own);
        },
      },
      {
        id: 'session',
        title: t('Show session'),
        icon: 'sessions',
        takesMany: false,
        isFor: ({ id }) => used.has(id),
        run: ([token]) => {
          if (token !== undefined) go('sessions', token.path ?? undefined, token.id);
        },
      },
      {
        id: 'document',
        title: t('Show in Documents'),
        icon: 'documents',
        takesMany: false,
        isFor: ({ path }) => path !== null,
        run: ([token]) => {
          if (token !== undefined && token.path !== null)
            go('documents', token.path, token.fileId ?? undefined);
        },
      },
    ],
    [revoking, go, tokens, used],
  );
}

interface Holder {
  login: string;
  name: string;
  own: TokenItem[];
}

function holdersOf(tokens: readonly TokenItem[]): Holder[] {
  const holders = new Map<string, Holder>();
  for (const token of tokens) {
    const holder = holders.get(token.user);
    if (holder === undefined)
      holders.set(token.user, { login: token.user, name: token.userName, own: [token] });
    else holder.own.push(token);
  }
  return [...holders.values()].toSorted((a, b) => compareNames(a.name, b.name));
}

/** `isShort`: the state of an expired one without its time. */
function Expiry({ token, isShort = false }: { token: TokenItem; isShort?: boolean }) {
  const words = useTimedText(useCallback((nowMs: number) => expiryWords(token, nowMs), [token]));
  const nowMs = hostTime();
  const state = stateOf(token, nowMs);
  const sentence = expirySentence(token, nowMs);
  if (state === 'valid') {
    return (
      <time title={sentence} aria-label={t('{relative}, {exact}', { relative: words, exact: sentence })}>
        {capitalized(words)}
      </time>
    );
  }
  const canSave = state === 'can-save';
  return (
    <span className={canSave ? 'cell-alert tone-warn' : 'muted'} title={sentence}>
      {!isShort ? words : canSave ? t('Can save') : t('Expired')}
    </span>
  );
}

function TokenDetail(props: {
  token: TokenItem;
  session: SessionItem | undefined;
  frame: DetailPanelFrame;
  onRevoke(): void;
}) {
  const { token, session } = props;
  const { path } = token;
  const { go } = useNavigation();
  const isApi = token.kind === 'api';
  const name = path === null ? t('Deleted document') : splitPath(path).name;
  return (
    <DetailPanel
      {...props.frame}
      title={isApi ? apiTokenName(token) : name}
      subtitle={
        isApi
          ? t('API token of {user}, for all documents', { user: token.userName })
          : t('Access token of {user}', { user: token.userName })
      }
      facts={[
        path !== null && path !== name && { name: t('Document'), value: path },
        !isApi && { name: t('Mode'), value: token.mode === null ? null : modeWords[token.mode] },
        { name: t('User'), value: t('{name} ({login})', { name: token.userName, login: token.user }) },
        { name: t('Created'), value: <TimeFact atMs={token.createdAtMs} /> },
        {
          name: t('Expires'),
          value: (
            <>
              <Expiry token={token} />
              <div className="fact-exact">{expirySentence(token, hostTime())}</div>
            </>
          ),
        },
        { name: t('Last used'), value: <TimeFact atMs={token.lastUsedAtMs} /> },
        !isApi && {
          name: t('Session'),
          value:
            session === undefined ? null : (
              <>
                <TextLink onPress={() => go('sessions', session.path, session.id)}>
                  {t('Show session')}
                </TextLink>
                {session.editor !== null && <div className="fact-exact">{session.editor}</div>}
              </>
            ),
        },
        { name: t('Token ID'), value: <span className="code">{token.id}</span> },
      ]}
      actions={
        <>
          <Button onPress={props.onRevoke}>{t('Revoke…')}</Button>
          {path !== null && (
            <Button onPress={() => go('documents', path, token.fileId ?? undefined)}>
              {t('Show in Documents')}
            </Button>
          )}
        </>
      }
    />
  );
}

// Creates an API token and shows it once; revokes tokens: asks, says what their users will see, and shows the result.

const lifetimes = [7, 30, 90, 365];

/** `onClose` gets the id of the token that was created. */
function CreateTokenDialog(props: { onClose(createdId?: string): void }) {
  const users = useWindowState((state) => state.users);
  const usualDays = useWindowState((state) => state.settings.apiTokenDays);
  const tokens = useWindowState((state) => state.tokens);
  const [name, setName] = useState('');
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [login, setLogin] = useState(
    () => (users.find(({ role }) => role === 'owner') ?? users[0])?.login ?? '',
  );
  const [days, setDays] = useState(String(usualDays));
  const [created, setCreated] = useState<{
    id: string;
    token: string;
    expiresAtMs: number;
    name: string;
  }>();
  const [isCopied, setIsCopied] = useState(false);
  const create = useAction('tokens.createApiToken', { failure: t('Can’t create the token') });
  const copy = useAction('app.copyText', { failure: t('Can’t copy the token'), success: t('Token copied') });
  const options = [...new Set([...lifetimes, usualDays])].toSorted((a, b) => a - b);

  const wanted = name.trim();
  const nameProblem =
    wanted === ''
      ? t('Enter a name.')
      : wanted.length > maxTokenNameLength
        ? t('Enter at most {count, number} characters.', { count: maxTokenNameLength })
        : tokens.some((token) => token.user === login && token.name?.toLowerCase() === wanted.toLowerCase())
          ? t('This user already has a token with this name. Choose another.')
          : null;
  const submit = async () => {
    setIsSubmitted(true);
    if (nameProblem !== null) return;
    const result = await create.run({ login, name: wanted, days: Number(days) });
    if (result !== undefined) setCreated({ ...result, name: wanted });
  };

  if (created !== undefined) {
    return (
      <Dialog
        title={t('New API token “{name}”', { name: created.name })}
        isOpen
        role="alertdialog"
        // Escape would lose a token that wasn't copied.
        onClose={() => {
          if (isCopied) props.onClose(created.id);
        }}
        footer={
          <Button look={isCopied ? 'primary' : 'plain'} onPress={() => props.onClose(created.id)}>
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
              look={isCopied ? 'plain' : 'primary'}
              icon={isCopied ? 'check' : 'copy'}
              isPending={copy.isPending}
              onPress={() =>
                void copy.run({ text: created.token }).then((result) => {
                  if (result !== undefined) setIsCopied(true);
                })
              }
            >
              {isCopied ? t('Copied') : t('Copy')}
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
            onPress={() => void submit()}
          >
            {t('Create token')}
          </Button>
        </>
      }
    >
      <p>{t('A program with this token can do everything its user can do through the API.')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={t('Name')}
          value={name}
          onChange={setName}
          autoFocus
          error={isSubmitted ? nameProblem : null}
          hint={t('What the token is for, such as the program that uses it.')}
        />
      </form>
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

interface Revoking {
  /** Asks, then revokes. Never throws: failures are shown as messages. */
  some(tokens: readonly TokenItem[]): Promise<void>;
  /** All tokens of a user, including those issued while the question was open. */
  allOf(user: { login: string; name: string }, tokens: readonly TokenItem[]): Promise<void>;
}

function useRevoking(): Revoking {
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
