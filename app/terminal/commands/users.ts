// The `users` commands. A password is prompted for or piped in, and is never an argument.

import { AppError } from '../../contract/errors.ts';
import { formatTimestamp } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { listOf } from '../table.ts';

type Role = 'editor' | 'viewer';

interface PasswordOptions extends CommonOptions {
  passwordStdin?: boolean;
}

export function addUserCommands({ terminal, add, command, call, run }: CommandHelpers): void {
  const readPassword = async (login: string, { passwordStdin = false }: PasswordOptions): Promise<string> =>
    (await import('../prompt.ts')).readPassword(terminal, { fromStdin: passwordStdin, login });
  command('users list', 'users.list', (users) =>
    listOf(t('terminal.no-users'), users, {
      'terminal.column-login': ({ login }) => login,
      'terminal.column-name': ({ displayName }) => displayName,
      'terminal.column-role': ({ role }) => role,
      'terminal.column-since': ({ createdAtMs }) => formatTimestamp(createdAtMs),
    }),
  );
  add(
    'users add <login> [--name <name>] [--role <role>=editor] [--password-stdin]',
    async (login: string, options: PasswordOptions & { name?: string; role: Role }) => {
      const { name: displayName, role } = options;
      const password = await readPassword(login, options);
      const args = { login, role, password, displayName };
      await run(options, 'users.add', args, (user) =>
        t('terminal.user-was-added', { login: user.login, role: user.role }),
      );
    },
  );
  command('users role <login> <role>', 'users.setRole', ({ login, role }) =>
    t('terminal.role-is-now', { login, role }),
  );
  command('users revoke-tokens <login>', 'tokens.revokeOfUser', ({ count }) =>
    t('terminal.tokens-were-revoked', { count }),
  );
  command('users remove <login>', 'users.remove', ({ login }) => t('terminal.user-was-removed', { login }));
  add('users password <login> [--password-stdin]', async (login: string, options: PasswordOptions) => {
    const users = await call(options, 'users.list', {});
    if (!users.some((user) => user.login.toLowerCase() === login.toLowerCase()))
      throw new AppError('user-unknown');
    const password = await readPassword(login, options);
    await run(options, 'users.setPassword', { login, password }, (user) =>
      t('terminal.password-was-set', { login: user.login }),
    );
  });
}
