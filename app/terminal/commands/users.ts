// The `users` commands. A password is prompted for or piped in, and is never an argument.

import { Argument, Option, type Command } from 'commander';
import { AppError } from '../../contract/errors.ts';
import { formatTimestamp } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { listOr, type Show } from '../table.ts';

interface AddUserOptions extends CommonOptions {
  name?: string;
  role: 'editor' | 'viewer';
  passwordStdin?: boolean;
}

export function addUserCommands(
  program: Command,
  { terminal, common, plain, call, run }: CommandHelpers,
): void {
  const users = program.command('users').description(t('terminal.help-users'));
  const hidden = t('terminal.help-users-password-stdin');
  plain(
    users.command('list', { isDefault: true }).description(t('terminal.help-users-list')),
    'users.list',
    () => ({}),
    showUsers,
  );
  common(users.command('add <login>').description(t('terminal.help-users-add')))
    .option('--name <name>', t('terminal.help-users-add-name'))
    .addOption(
      new Option('--role <role>', t('terminal.help-users-add-role'))
        .choices(['editor', 'viewer'])
        .default('editor'),
    )
    .option('--password-stdin', hidden)
    .action(async (login: string, options: AddUserOptions) => {
      const { readPassword } = await import('../prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      const named = options.name === undefined ? {} : { displayName: options.name };
      const args = { login, role: options.role, password, ...named };
      await run(options, 'users.add', args, ({ login, role }) =>
        t('terminal.user-was-added', { login, role }),
      );
    });
  common(
    users
      .command('role <login>')
      .description(t('terminal.help-users-role'))
      .addArgument(new Argument('<role>').choices(['editor', 'viewer'])),
  ).action(async (login: string, role: 'editor' | 'viewer', options: CommonOptions) => {
    await run(options, 'users.setRole', { login, role }, ({ login, role }) =>
      t('terminal.role-is-now', { login, role }),
    );
  });
  plain(
    users.command('revoke-tokens <login>').description(t('terminal.help-users-revoke-tokens')),
    'tokens.revokeOfUser',
    (login = '') => ({ login }),
    ({ count }) => t('terminal.tokens-were-revoked', { count }),
  );
  plain(
    users.command('remove <login>').description(t('terminal.help-users-remove')),
    'users.remove',
    (login = '') => ({ login }),
    ({ login }) => t('terminal.user-was-removed', { login }),
  );
  common(users.command('password <login>').description(t('terminal.help-users-password')))
    .option('--password-stdin', hidden)
    .action(async (login: string, options: CommonOptions & { passwordStdin?: boolean }) => {
      const users = await call(options, 'users.list', {});
      if (!users.some((user) => user.login.toLowerCase() === login.toLowerCase())) {
        throw new AppError('user-unknown');
      }
      const { readPassword } = await import('../prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      await run(options, 'users.setPassword', { login, password }, ({ login }) =>
        t('terminal.password-was-set', { login }),
      );
    });
}

const showUsers: Show<'users.list'> = (users) =>
  listOr(
    t('terminal.no-users'),
    ['terminal.column-login', 'terminal.column-name', 'terminal.column-role', 'terminal.column-since'],
    users.map((user) => [user.login, user.displayName, user.role, formatTimestamp(user.createdAtMs)]),
  );
