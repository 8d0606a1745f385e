// Tokens: what opens documents, for whom and until when. Access tokens open one document for an editor, API tokens the JSON API. The
// window never sees a token, except a new one once.

import { useCallback, useMemo, useState } from 'react';
import { capitalized, formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { compareNames } from '../../../app/contract/name-order.ts';
import { maxTokenNameLength } from '../../../app/contract/results.ts';
import type { SessionItem, TokenItem } from '../../../app/contract/state.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, ItemList, Notice, useConfirm } from '../../kit/dialog.tsx';
import { Select, TextField } from '../../kit/fields.tsx';
import { modeWords, splitPath } from '../parts/format.ts';
import { MenuButton, type MenuEntry } from '../../kit/menu.tsx';
import { useTimedText } from '../../kit/time.tsx';
import { showOutcome, useToasts } from '../../kit/toast.tsx';
import { TextLink } from '../../kit/blocks.tsx';
import { DetailPanel, TimeFact, type DetailPanelFrame } from '../../kit/detail-panel.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { DocumentCell, ModeCell, View } from '../parts/view.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useReveal, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import { textWidth, type Column, type RowAction } from '../table/model.ts';
import { apiTokenName, expirySentence, expiryWords, stateOf, scopeWords } from './words.ts';

const userColumn: Column<TokenItem> = {
  id: 'user',
  title: t('window.user'),
  value: ({ userName }) => userName,
  filterText: ({ user, userName }) => `${userName} ${user}`,
  width: { min: 112, grow: 1 },
  priority: 4,
  joinsBelow: true,
};

const timeColumns: Column<TokenItem>[] = [
  {
    id: 'created',
    title: t('window.created'),
    value: ({ createdAtMs }) => createdAtMs,
    kind: 'time',
    width: { min: 98 },
    priority: 1,
  },
  {
    id: 'expires',
    title: t('window.expires'),
    value: ({ expiresAtMs }) => expiresAtMs,
    render: (token) => <Expiry token={token} isShort />,
    kind: 'time',
    width: { min: Math.max(88, textWidth(t('window.can-save')) + 24) },
    priority: 5,
    fallsBelow: 3,
  },
  {
    id: 'last-used',
    title: t('window.last-used'),
    value: ({ lastUsedAtMs }) => lastUsedAtMs,
    kind: 'time',
    width: { min: Math.max(96, textWidth(t('window.last-used')) + 24) },
    priority: 2,
  },
];

const accessColumns: Column<TokenItem>[] = [
  {
    id: 'document',
    title: t('common.document'),
    value: ({ path }) => path ?? t('window.deleted-document'),
    render: ({ path }) =>
      path === null ? (
        <span className="muted">{t('window.deleted-document')}</span>
      ) : (
        <DocumentCell path={path} />
      ),
    // It and when it expires fit beside the details.
    width: { min: 168, grow: 3 },
    isRowHeader: true,
  },
  {
    id: 'mode',
    title: t('window.mode'),
    value: ({ mode }) => (mode === null ? null : modeWords[mode]),
    render: ({ mode }) => (mode === null ? <span className="muted">–</span> : <ModeCell mode={mode} />),
    width: { min: Math.max(...[t('window.mode'), ...Object.values(modeWords)].map(textWidth)) + 40 },
    priority: 3,
  },
  userColumn,
  ...timeColumns,
];

const apiColumns: Column<TokenItem>[] = [
  {
    id: 'name',
    title: t('window.name'),
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
    title: t('common.documents'),
    value: () => t('window.all-documents'),
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
  // A page that was closed before its editor asked for anything leaves one, which is of no interest.
  const [showsUnused, setShowsUnused] = useState(false);
  const usedAccess = access.filter(({ id, lastUsedAtMs }) => lastUsedAtMs !== null || id === place.id);
  const unusedCount = usedAccess.length === 0 ? 0 : access.length - usedAccess.length;
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
    count: (count: number) => t('window.tokens', { count }),
    filterLabel: t('window.filter-tokens'),
    actions,
    reveal,
    detail,
  };
  return (
    <View
      title={t('common.tokens')}
      isFilled
      actions={
        tab === 'access'
          ? holders.length > 0 && (
              <>
                {unusedCount > 0 && (
                  <Button onPress={() => setShowsUnused(!showsUnused)}>
                    {t(showsUnused ? 'window.hide-never-used' : 'window.show-never-used', {
                      count: unusedCount,
                    })}
                  </Button>
                )}
                <MenuButton
                  label={t('window.revoke-by-user')}
                  icon="user"
                  entries={holders.map(({ login, name, own }): MenuEntry => ({
                    id: login,
                    title: name,
                    keys: t('window.tokens', { count: own.length }),
                    run: () => void revoking.allOf({ login, name }, own),
                  }))}
                />
              </>
            )
          : // without tokens, the empty table has this button
            api.length > 0 && (
              <Button icon="plus" look="primary" onPress={() => setIsCreating(true)}>
                {t('window.create-api-token')}
              </Button>
            )
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
            count: showsUnused || unusedCount === 0 ? access.length : usedAccess.length,
            children: (
              <DataTable
                {...shared}
                label={t('window.access-tokens')}
                defaultSort={{ column: 'expires', isDescending: false }}
                columns={accessColumns}
                rows={showsUnused || unusedCount === 0 ? access : usedAccess}
                empty={{
                  icon: 'tokens',
                  sentence: t('window.no-access-tokens-one-is'),
                  action: <Button onPress={() => go('documents')}>{t('window.show-documents')}</Button>,
                }}
              />
            ),
          },
          {
            id: 'api',
            title: t('window.api-tokens'),
            count: api.length,
            children: (
              <DataTable
                {...shared}
                label={t('window.api-tokens')}
                defaultSort={{ column: 'created', isDescending: true }}
                columns={apiColumns}
                rows={api}
                empty={{
                  icon: 'tokens',
                  sentence: t('window.no-api-tokens-a-program'),
                  action: <Button onPress={() => setIsCreating(true)}>{t('window.create-api-token')}</Button>,
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
          rows.length > 1 ? t('window.revoke-count', { count: rows.length }) : t('window.revoke'),
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
            ? t('window.revoke-all-tokens-of-this')
            : t('window.revoke-all-tokens-of-user-ask', { user: token.userName }),
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
        title: t('window.show-session'),
        icon: 'sessions',
        takesMany: false,
        isFor: ({ id }) => used.has(id),
        run: ([token]) => {
          if (token !== undefined) go('sessions', token.path ?? undefined, token.id);
        },
      },
      {
        id: 'document',
        title: t('window.show-in-documents'),
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
      <time title={sentence} aria-label={t('window.relative-exact', { relative: words, exact: sentence })}>
        {capitalized(words)}
      </time>
    );
  }
  const canSave = state === 'can-save';
  return (
    <span className={canSave ? 'cell-alert tone-warn' : 'muted'} title={sentence}>
      {!isShort ? words : canSave ? t('window.can-save') : t('window.expired')}
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
  const name = path === null ? t('window.deleted-document') : splitPath(path).name;
  return (
    <DetailPanel
      {...props.frame}
      title={isApi ? apiTokenName(token) : name}
      subtitle={
        isApi
          ? t('window.api-token-of-user-for', { user: token.userName })
          : t('window.access-token-of-user', { user: token.userName })
      }
      facts={[
        path !== null && path !== name && { name: t('common.document'), value: path },
        !isApi && { name: t('window.mode'), value: token.mode === null ? null : modeWords[token.mode] },
        {
          name: t('window.user'),
          value: t('window.name-login', { name: token.userName, login: token.user }),
        },
        { name: t('window.created'), value: <TimeFact atMs={token.createdAtMs} /> },
        {
          name: t('window.expires'),
          value: (
            <>
              <Expiry token={token} />
              <div className="fact-exact">{expirySentence(token, hostTime())}</div>
            </>
          ),
        },
        { name: t('window.last-used'), value: <TimeFact atMs={token.lastUsedAtMs} /> },
        !isApi && {
          name: t('window.session'),
          value:
            session === undefined ? null : (
              <>
                <TextLink onPress={() => go('sessions', session.path, session.id)}>
                  {t('window.show-session')}
                </TextLink>
                {session.editor !== null && <div className="fact-exact">{session.editor}</div>}
              </>
            ),
        },
        { name: t('window.token-id'), value: <span className="code">{token.id}</span> },
      ]}
      actions={
        <>
          <Button onPress={props.onRevoke}>{t('window.revoke')}</Button>
          {path !== null && (
            <Button onPress={() => go('documents', path, token.fileId ?? undefined)}>
              {t('window.show-in-documents')}
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
  const create = useAction('tokens.createApiToken', { failure: t('window.cant-create-the-token') });
  const copy = useAction('app.copyText', {
    failure: t('window.cant-copy-the-token'),
    success: t('window.token-copied'),
  });
  const options = [...new Set([...lifetimes, usualDays])].toSorted((a, b) => a - b);

  const wanted = name.trim();
  const nameProblem =
    wanted === ''
      ? t('common.enter-a-name')
      : wanted.length > maxTokenNameLength
        ? t('window.enter-at-most-count-characters', { count: maxTokenNameLength })
        : tokens.some((token) => token.user === login && token.name?.toLowerCase() === wanted.toLowerCase())
          ? t('window.this-user-already-has-a')
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
        title={t('window.new-api-token-name', { name: created.name })}
        isOpen
        role="alertdialog"
        // Escape would lose a token that wasn't copied.
        onClose={() => {
          if (isCopied) props.onClose(created.id);
        }}
        footer={
          <Button look={isCopied ? 'primary' : 'plain'} onPress={() => props.onClose(created.id)}>
            {t('window.done-2')}
          </Button>
        }
      >
        <Notice tone="warn">{t('window.this-token-is-shown-only')}</Notice>
        <TextField
          label={t('window.api-token')}
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
              {isCopied ? t('window.copied') : t('window.copy')}
            </Button>
          }
          hint={t('window.expires-at', { at: formatTime('toMinute', created.expiresAtMs) })}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('window.create-an-api-token')}
      isOpen
      onClose={() => props.onClose()}
      footer={
        <>
          <Button onPress={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            isPending={create.isPending}
            isDisabled={login === ''}
            onPress={() => void submit()}
          >
            {t('common.create-token')}
          </Button>
        </>
      }
    >
      <p>{t('window.a-program-with-this-token')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={t('window.name')}
          value={name}
          onChange={setName}
          autoFocus
          error={isSubmitted ? nameProblem : null}
          hint={t('window.what-the-token-is-for')}
        />
      </form>
      <Select
        label={t('window.user')}
        value={login}
        options={users.map((user) => ({ id: user.login, title: user.displayName, hint: user.login }))}
        onChange={setLogin}
      />
      <Select
        label={t('window.lifetime')}
        value={days}
        options={options.map((count) => ({
          id: String(count),
          title: t('window.days-2', { count }),
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
  const revoke = useAction('tokens.revoke', {
    failure: t('window.cant-revoke-the-tokens'),
    canOverlap: true,
  });
  const revokeAll = useTask(
    async (call, { login }: { login: string; name: string }) => call('tokens.revokeOfUser', { login }),
    {
      failure: ({ name: user }) => t('window.cant-revoke-the-tokens-of', { user }),
      success: ({ count }, { name: user }) => t('window.tokens-of-user-revoked', { count, user }),
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
            ? t('window.revoke-this-token-of-user', { user: first.userName })
            : t('window.revoke-tokens', { count: tokens.length }),
        body: <Consequences tokens={tokens} />,
        confirm: t('window.revoke-2', { count: tokens.length }),
        isDanger: true,
      });
      if (!isSure) return;
      const outcome = await revoke.run({ ids: tokens.map(({ id }) => id) });
      if (outcome === undefined) return;
      showOutcome(toasts, outcome, {
        done: (count) => t('window.tokens-revoked', { count }),
        failed: (count) => t('window.cant-revoke-tokens', { count }),
      });
    },
    [revoke.run, confirm, toasts],
  );

  const allOf = useCallback(
    async (user: { login: string; name: string }, tokens: readonly TokenItem[]) => {
      const isSure = await confirm({
        title: t('window.revoke-all-tokens-of-user', { user: user.name }),
        body: <Consequences tokens={tokens} />,
        confirm: t('window.revoke-all'),
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
      {apiCount > 0 && <p>{t('window.programs-that-use-an-api')}</p>}
      {apiCount < tokens.length && <p>{t('window.the-editor-loses-access-immediately')}</p>}
      {tokens.some(({ mode }) => mode === 'edit') && <p>{t('window.unsaved-changes-stay-in-the')}</p>}
      <p className="muted">{t('window.you-cant-undo-this')}</p>
    </>
  );
}
