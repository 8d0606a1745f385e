// Users, their tokens, and the browsers with an open host page. Whatever takes rights away does so here, for all of them.

import { createAccessTokens } from './access-tokens.ts';
import { createApiTokens } from './api-tokens.ts';
import { createPageCopies } from './page-copies.ts';
import { createPageSessions } from './page-sessions.ts';
import type { PasswordCost } from './password.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createTickets } from './tickets.ts';
import { createUsers } from './users.ts';
import type { Clock } from '../contract/clock.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import { createAccessTokensTable } from '../store/access-tokens.ts';
import { createApiTokensTable } from '../store/api-tokens.ts';
import type { Db, Store } from '../store/open-store.ts';
import { createPageSessionsTable } from '../store/page-sessions.ts';
import { createUsersTable } from '../store/users.ts';

/** The accounts' services, by the names used in the host. */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(deps: {
  db: Db;
  meta: Pick<Store, 'meta' | 'setMeta'>;
  secrets: SecretStore;
  tokenKey: Buffer;
  settings: Pick<SettingsStore, 'current'>;
  clock: Clock;
  /** @see HostClock */
  elapsed: Clock;
  emit: EmitEvent;
  passwordCost?: PasswordCost | undefined;
}) {
  const { db, settings, clock } = deps;
  const usersTable = createUsersTable(db);
  const accessTokensTable = createAccessTokensTable(db);
  const users = createUsers({ ...deps, table: usersTable });
  const sessions = createSessions({ ...deps, table: accessTokensTable });
  const accessTokens = createAccessTokens({
    ...deps,
    table: accessTokensTable,
    users,
    unwritten: sessions.unwritten,
    accessTokenHours: () => settings.current().accessTokenHours,
    emit(event) {
      // The page it was issued for would only request another one.
      if (event.event === 'token-revoked') pageSessions.noteRevokedToken(event.tokenId);
      deps.emit(event);
    },
  });
  const tickets = createTickets({ clock: deps.elapsed, users });
  const pageSessions = createPageSessions({
    ...deps,
    tickets,
    table: createPageSessionsTable(db),
    users,
    accessTokens,
  });
  return {
    users,
    signIn: createSignIn({ ...deps, users: usersTable }),
    apiTokens: createApiTokens({
      ...deps,
      table: createApiTokensTable(db),
      users,
      apiTokenDays: () => settings.current().apiTokenDays,
    }),
    accessTokens,
    sessions,
    /** Single-use links to a host page. */
    tickets,
    /** The browsers that have one open. */
    pageSessions,
    /** The copies that were created there. */
    pageCopies: createPageCopies({ clock }),
  };
}
