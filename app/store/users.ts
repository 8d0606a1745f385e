// The users table. Password hashes leave it through `credentials` only.

import type { Db } from './open-store.ts';
import { statements } from './sql.ts';

export type Role = 'owner' | 'editor' | 'viewer';

export interface User {
  /** Alphanumeric and random: WOPI's UserId allows nothing else. */
  id: string;
  login: string;
  displayName: string;
  role: Role;
  createdAtMs: number;
}

export type UsersTable = ReturnType<typeof createUsersTable>;

export function createUsersTable(db: Db) {
  const { one, all, value, cached, run } = statements(db);
  const rows = 'SELECT id, login, display_name AS displayName, role, created_at_ms AS createdAtMs FROM users';
  const byLogin = one<[login: string], User>(`${rows} WHERE login = ?`);
  const passwordHashOf = value<[id: string], string>('SELECT password_hash FROM users WHERE id = ?');
  const userInfo = cached(
    'user info',
    value<[id: string], string | null>('SELECT user_info FROM users WHERE id = ?'),
  );
  return {
    /** By login. */
    all: all<[], User>(`${rows} ORDER BY login`),
    byId: one<[id: string], User>(`${rows} WHERE id = ?`),
    byLogin,
    credentials(login: string): { user: User; passwordHash: string } | undefined {
      const user = byLogin(login);
      const passwordHash = user && passwordHashOf(user.id);
      return user && passwordHash !== undefined ? { user, passwordHash } : undefined;
    },
    /** False if the login is taken. */
    insert: run<[User & { passwordHash: string }]>(`
      INSERT INTO users (id, login, display_name, role, password_hash, created_at_ms)
      VALUES (@id, @login, @displayName, @role, @passwordHash, @createdAtMs) ON CONFLICT (login) DO NOTHING`),
    /** Removes the user's tokens too (foreign keys). */
    remove: run<[id: string]>('DELETE FROM users WHERE id = ?'),
    setPasswordHash: run<[id: string, { passwordHash: string }]>(`
      UPDATE users SET password_hash = @passwordHash WHERE id = ?`),
    setRole: run<[id: string, { role: Role }]>('UPDATE users SET role = @role WHERE id = ?'),
    setUserInfo: run<[id: string, { text: string }]>('UPDATE users SET user_info = @text WHERE id = ?', {
      cache: 'user info',
      key: (id) => id,
    }),
    userInfo: (id: string): string | undefined => userInfo(id) ?? undefined,
  };
}
