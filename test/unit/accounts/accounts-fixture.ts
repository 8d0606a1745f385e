// A real database in a temporary folder, a clock that the test controls, and all account services.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessTokens } from '../../../app/accounts/access-tokens.ts';
import { createApiTokens } from '../../../app/accounts/api-tokens.ts';
import { createSessions } from '../../../app/accounts/sessions.ts';
import { createUsers } from '../../../app/accounts/users.ts';
import type { DomainEvent, HostEvent } from '../../../app/contract/events.ts';
import { openSecretStore } from '../../../app/secrets/secret-store.ts';
import { createAccessTokensTable } from '../../../app/store/access-tokens.ts';
import { createApiTokensTable } from '../../../app/store/api-tokens.ts';
import { openStore } from '../../../app/store/open-store.ts';
import { createUsersTable, type User } from '../../../app/store/users.ts';
import { cheapPasswords } from '../../server/test-host.ts';

export const hour = 60 * 60 * 1000;
export const day = 24 * hour;
export const password = 'correct horse battery';

delete process.env['DBUS_SESSION_BUS_ADDRESS'];

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

export async function openAccounts() {
  const dataDir = await mkdtemp(join(tmpdir(), 'doctray-accounts-'));
  const secrets = await openSecretStore({ dataDir, warn: () => undefined });
  const tokenKey = randomBytes(32);
  const events: DomainEvent[] = [];
  const time = { nowMs: Date.UTC(2026, 10, 20, 12) };
  const clock = (): number => time.nowMs;
  const emit = (event: HostEvent): void => {
    if (event.event !== 'row-changed') events.push(event);
  };
  const lifetimes = { apiTokenDays: 30, accessTokenHours: 10 };
  let store = openStore({ dataDir, clock, onNotice: () => undefined });

  const build = () => {
    const { db } = store;
    const usersTable = createUsersTable(db);
    const accessTokensTable = createAccessTokensTable(db);
    const users = createUsers({
      table: usersTable,
      secrets,
      meta: store,
      clock,
      passwordCost: cheapPasswords,
    });
    return {
      db,
      meta: store,
      usersTable,
      accessTokensTable,
      users,
      apiTokens: createApiTokens({
        table: createApiTokensTable(db),
        users,
        clock,
        tokenKey,
        apiTokenDays: () => lifetimes.apiTokenDays,
        emit,
      }),
      accessTokens: createAccessTokens({
        table: accessTokensTable,
        users,
        clock,
        tokenKey,
        accessTokenHours: () => lifetimes.accessTokenHours,
        emit,
      }),
      sessions: createSessions({ table: accessTokensTable, clock }),
    };
  };

  const accounts = {
    dataDir,
    secrets,
    tokenKey,
    events,
    time,
    lifetimes,
    ...build(),

    /** Adds a user without hashing a password, which is slow. */
    addUser(login: string, role: User['role'] = 'editor'): User {
      const user: User = {
        id: randomBytes(12).toString('hex'),
        login,
        displayName: login.toUpperCase(),
        role,
        createdAtMs: clock(),
      };
      accounts.usersTable.insert({ ...user, passwordHash: 'none' });
      return user;
    },

    addFile(id: string): string {
      accounts.db
        .prepare(`INSERT OR IGNORE INTO tenants (id, root, created_at_ms) VALUES (1, '/folder', 0)`)
        .run();
      accounts.db
        .prepare(
          `INSERT INTO files (id, tenant_id, path, device, inode, birth_ns, size, mtime_ns, ctime_ns, version, created_at_ms)
           VALUES (?, 1, ?, '1', '2', '3', 4, '5', '6', 1, 0)`,
        )
        .run(id, `letters/${id}.docx`);
      return id;
    },

    /** Closes and reopens the database, like a restart of the host. */
    restart(): void {
      store.close();
      store = openStore({ dataDir, clock, onNotice: () => undefined });
      Object.assign(accounts, build());
    },

    async close(): Promise<void> {
      store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return accounts;
}
