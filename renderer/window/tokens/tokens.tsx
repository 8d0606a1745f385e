// Tokens: what opens documents, for whom and until when. Access tokens open one document for an editor, API tokens the JSON API. The
// window never sees a token, except a new one once.

import { useCallback, useMemo, useState } from 'react';
import { compareNames } from '../../../app/contract/name-order.ts';
import type { SessionItem, TokenItem } from '../../../app/contract/state.ts';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { DetailPanel, TimeFact, type DetailPanelFrame } from '../parts/detail-panel.tsx';
import { DocumentCell, ModeCell, TextLink } from '../parts/document-cell.tsx';
import { capitalized, modeWords, splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { MenuButton, type MenuEntry } from '../parts/menu.tsx';
import { Tabs, View } from '../parts/view.tsx';
import { useTimedText } from '../parts/time.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useReveal } from '../state/navigation.tsx';
import { useWindowState } from '../state/window-context.tsx';
import type { Column, RowAction } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { CreateTokenDialog, useRevoking, type Revoking } from './dialogs.tsx';
import { expirySentence, expiryWords, stateOf } from './words.ts';

const userColumn: Column<TokenItem> = {
  id: 'user',
  title: t('User'),
  value: ({ userName }) => userName,
  filterText: ({ user, userName }) => `${userName} ${user}`,
  width: { min: 112, grow: 1 },
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
    width: { min: 104 },
    priority: 5,
  },
  {
    id: 'last-used',
    title: t('Last used'),
    value: ({ lastUsedAtMs }) => lastUsedAtMs,
    kind: 'time',
    width: { min: 104 },
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
    width: { min: 176, grow: 3 },
    isRowHeader: true,
  },
  {
    id: 'mode',
    title: t('Mode'),
    value: ({ mode }) => (mode === null ? null : modeWords[mode]),
    render: ({ mode }) => (mode === null ? <span className="muted">–</span> : <ModeCell mode={mode} />),
    width: { min: 104 },
    priority: 3,
  },
  { ...userColumn, priority: 4 },
  ...timeColumns,
];

const apiColumns: Column<TokenItem>[] = [
  { ...userColumn, width: { min: 140, grow: 2 }, isRowHeader: true },
  {
    id: 'document',
    title: t('Opens'),
    value: () => t('All documents'),
    width: { min: 130, grow: 2 },
    priority: 4,
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
        isFilled
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
                // The same order as by creation, a column that narrow windows don't show.
                defaultSort={{ column: 'expires', isDescending: true }}
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
        icon: 'trash',
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
          if (token !== undefined && token.path !== null) go('documents', token.path);
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
function Expiry({ token, isShort }: { token: TokenItem; isShort?: boolean }) {
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
  return (
    <span className={`cell token-expired tone-${state === 'saves-only' ? 'warn' : 'muted'}`} title={sentence}>
      <Icon name="clock" size={14} />
      <span className="cut">
        {isShort !== true ? words : state === 'expired' ? t('Expired') : t('Saves only')}
      </span>
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
      title={isApi ? token.userName : name}
      subtitle={
        isApi ? t('API token for all documents') : t('Access token of {user}', { user: token.userName })
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
              <TextLink onPress={() => go('sessions', session.path, session.id)}>
                {session.editor ?? t('Open')}
              </TextLink>
            ),
        },
        { name: t('Token ID'), value: <span className="code">{token.id}</span> },
      ]}
      actions={
        <>
          <Button icon="trash" onPress={props.onRevoke}>
            {t('Revoke…')}
          </Button>
          {path !== null && <Button onPress={() => go('documents', path)}>{t('Show in Documents')}</Button>}
        </>
      }
    />
  );
}
