// Tokens: what opens something here, for whom and until when; revoked one by one or all of a user. Never a secret.

import { useCallback, useMemo } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { TokenItem } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { Icon } from '../parts/icon.tsx';
import { MenuButton, type MenuEntry } from '../parts/menu.tsx';
import type { Column, RowAction } from '../table/column.ts';
import { useTimedText } from '../parts/ticker.tsx';
import { View } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { DocumentCell, ModeCell } from '../sessions/cells.tsx';
import { modeWords } from '../sessions/words.ts';
import { useRevoking } from './revoke.tsx';
import { endSentence, endWords, goneWords, kindWords, standingOf } from './words.ts';
import { hostTime } from '../state/host-clock.ts';

const columns: Column<TokenItem>[] = [
  {
    id: 'scope',
    title: 'Scope',
    value: (token) => (token.kind === 'api' ? 'API' : (token.path ?? goneWords)),
    render: (token) => <Scope token={token} />,
    width: { min: 160, grow: 3 },
    isRowHeader: true,
  },
  {
    id: 'mode',
    title: 'Mode',
    value: ({ mode }) => (mode === null ? null : modeWords[mode]),
    render: ({ mode }) => (mode === null ? <span className="muted">–</span> : <ModeCell mode={mode} />),
    width: { min: 72 },
  },
  { id: 'kind', title: 'Kind', value: ({ kind }) => kindWords[kind], width: { min: 72 } },
  {
    id: 'user',
    title: 'User',
    value: ({ userName }) => userName,
    filterText: ({ user, userName }) => `${userName} ${user}`,
    width: { min: 104, grow: 1 },
  },
  { id: 'made', title: 'Made', value: ({ createdAtMs }) => createdAtMs, kind: 'time', width: { min: 116 } },
  {
    id: 'ends',
    title: 'Ends',
    value: ({ expiresAtMs }) => expiresAtMs,
    render: (token) => <Ends token={token} />,
    kind: 'time',
    width: { min: 180 },
  },
  {
    id: 'last-used',
    title: 'Last used',
    value: ({ lastUsedAtMs }) => lastUsedAtMs,
    kind: 'time',
    width: { min: 116 },
  },
];

export function TokensView() {
  const tokens = useWindowState((state) => state.tokens);
  const sessions = useWindowState((state) => state.sessions);
  const { place, go } = useNavigation();
  const revoking = useRevoking();
  const used = useMemo(() => new Set(sessions.map(({ id }) => id)), [sessions]);

  const actions = useMemo<RowAction<TokenItem>[]>(
    () => [
      {
        id: 'revoke',
        title: (rows) => (rows.length > 1 ? `Revoke ${rows.length}…` : 'Revoke…'),
        icon: 'trash',
        keys: 'Delete',
        isDanger: true,
        isInToolbar: true,
        run: (rows) => void revoking.some(rows),
      },
      {
        id: 'revoke-all',
        title: ([token]) =>
          token === undefined ? 'Revoke all of the user…' : `Revoke all of ${token.userName}…`,
        takesMany: false,
        isDanger: true,
        run: ([token]) => {
          if (token === undefined) return;
          const own = tokens.filter(({ user }) => user === token.user);
          void revoking.allOf({ login: token.user, name: token.userName }, own);
        },
      },
      {
        id: 'document',
        title: 'Show document',
        icon: 'documents',
        takesMany: false,
        isPrimary: true,
        isFor: ({ path }) => path !== null,
        run: ([token]) => {
          if (token !== undefined && token.path !== null) go('documents', token.path);
        },
      },
      {
        id: 'session',
        title: 'Show session',
        icon: 'sessions',
        takesMany: false,
        isFor: ({ id }) => used.has(id),
        run: ([token]) => {
          if (token !== undefined && token.path !== null) go('sessions', token.path);
        },
      },
    ],
    [revoking, go, tokens, used],
  );
  const holders = useMemo(() => holdersOf(tokens), [tokens]);
  const wantedId =
    place.view === 'tokens' && place.path !== undefined
      ? tokens.find(({ path }) => path === place.path)?.id
      : undefined;
  const reveal = useMemo(
    () => (wantedId === undefined ? undefined : { id: wantedId, step: place.step }),
    [wantedId, place.step],
  );

  return (
    <View
      title="Tokens"
      subtitle="A token’s secret is shown once, when it is made, and never again."
      isFilled
      actions={
        holders.length > 0 && (
          <MenuButton
            label="Revoke all of…"
            icon="user"
            entries={holders.map(({ login, name, own }): MenuEntry => ({
              id: login,
              title: name,
              keys: countOf(own.length, 'token'),
              run: () => void revoking.allOf({ login, name }, own),
            }))}
          />
        )
      }
    >
      <DataTable
        label="Tokens"
        count={(count) => t('{count, plural, one {# token} other {# tokens}}', { count })}
        columns={columns}
        rows={tokens}
        defaultSort={{ column: 'made', isDescending: true }}
        actions={actions}
        reveal={reveal}
        exportName="tokens"
        empty={{
          icon: 'tokens',
          sentence: 'Nothing is handed out. A token is made when a document is opened or a program signs in.',
          action: <Button onPress={() => go('documents')}>Show documents</Button>,
        }}
      />
    </View>
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
  return [...holders.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

function Scope({ token }: { token: TokenItem }) {
  if (token.kind === 'api') {
    return (
      <span className="cell tone-muted">
        <Icon name="tokens" size={14} />
        API
        <span className="muted">all documents</span>
      </span>
    );
  }
  return (
    <span className="cell tone-muted">
      <Icon name="file" size={14} />
      {token.path === null ? <span className="muted">{goneWords}</span> : <DocumentCell path={token.path} />}
    </span>
  );
}

function Ends({ token }: { token: TokenItem }) {
  const words = useTimedText(useCallback((nowMs: number) => endWords(token, nowMs), [token]));
  const nowMs = hostTime();
  const standing = standingOf(token, nowMs);
  const sentence = endSentence(token, nowMs);
  if (standing === 'good') {
    return (
      <time title={sentence} aria-label={`${words}, ${sentence}`}>
        {words}
      </time>
    );
  }
  return (
    <span className={`cell token-ended tone-${standing === 'afterlife' ? 'warn' : 'muted'}`} title={sentence}>
      <Icon name="clock" size={14} />
      <span className="cut">{words}</span>
    </span>
  );
}
