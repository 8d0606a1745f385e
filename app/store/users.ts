// The users table. Password hashes leave it through `credentials` alone.

import type { Database } from 'better-sqlite3';
import type { Role, User } from '../accounts/user.ts';

export interface UserRepository {
  /** By login. */
  all(): User[];
  byId(id: string): User | undefined;
  byLogin(login: string): User | undefined;
  credentials(login: string): { user: User; passwordHash: string } | undefined;
  /** False when the login is taken. */
  insert(user: User, passwordHash: string): boolean;
  /** Takes the user's tokens along (foreign keys). */
  remove(id: string): void;
  setPasswordHash(id: string, passwordHash: string): boolean;
  setRole(id: string, role: Role): void;
  setUserInfo(id: string, text: string): void;
  userInfo(id: string): string | undefined;
}

const columns = 'id, login, display_name AS displayName, role, created_at_ms AS createdAtMs';

export function createUserRepository(db: Database): UserRepository {
  const all = db.prepare<[], User>(`SELECT ${columns} FROM users ORDER BY login`);
  const byId = db.prepare<[string], User>(`SELECT ${columns} FROM users WHERE id = ?`);
  const byLogin = db.prepare<[string], User>(`SELECT ${columns} FROM users WHERE login = ?`);
  const passwordHash = db.prepare<[string], string>('SELECT password_hash FROM users WHERE id = ?').pluck();
  const insert = db.prepare<[User & { passwordHash: string }]>(
    `INSERT INTO users (id, login, display_name, role, password_hash, created_at_ms)
     VALUES (:id, :login, :displayName, :role, :passwordHash, :createdAtMs) ON CONFLICT (login) DO NOTHING`,
  );
  const remove = db.prepare<[string]>('DELETE FROM users WHERE id = ?');
  const setPasswordHash = db.prepare<[string, string]>('UPDATE users SET password_hash = ? WHERE id = ?');
  const setRole = db.prepare<[Role, string]>('UPDATE users SET role = ? WHERE id = ?');
  const setUserInfo = db.prepare<[string, string]>('UPDATE users SET user_info = ? WHERE id = ?');
  const userInfo = db.prepare<[string], string | null>('SELECT user_info FROM users WHERE id = ?').pluck();

  return {
    all: () => all.all(),
    byId: (id) => byId.get(id),
    byLogin: (login) => byLogin.get(login),
    credentials(login) {
      const user = byLogin.get(login);
      const hash = passwordHash.get(user?.id ?? '');
      return user && hash !== undefined ? { user, passwordHash: hash } : undefined;
    },
    insert: (user, hash) => insert.run({ ...user, passwordHash: hash }).changes > 0,
    remove: (id) => void remove.run(id),
    setPasswordHash: (id, hash) => setPasswordHash.run(hash, id).changes > 0,
    setRole: (id, role) => void setRole.run(role, id),
    setUserInfo: (id, text) => void setUserInfo.run(text, id),
    userInfo: (id) => userInfo.get(id) ?? undefined,
  };
}
