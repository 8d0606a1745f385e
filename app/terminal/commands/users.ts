// The `users` commands. A password is prompted for or piped in, and is never an argument.

import { Argument, Option, type Command } from 'commander';
import { AppError } from '../../contract/errors.ts';
import { countOf, formatTimestamp } from '../../contract/format.ts';
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
  const users = program.command('users').description('list, add, change or remove users');
  const hidden = 'read the password from standard input instead of asking';
  plain(
    users.command('list', { isDefault: true }).description('list all users'),
    'users.list',
    () => ({}),
    showUsers,
  );
  common(users.command('add <login>').description('add a user; asks for the password'))
    .option('--name <name>', 'name shown to others (default: the login)')
    .addOption(
      new Option('--role <role>', 'role of the user').choices(['editor', 'viewer']).default('editor'),
    )
    .option('--password-stdin', hidden)
    .action(async (login: string, options: AddUserOptions) => {
      const { readPassword } = await import('../prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      const named = options.name === undefined ? {} : { displayName: options.name };
      const args = { login, role: options.role, password, ...named };
      await run(options, 'users.add', args, (user) => `${user.login} was added as ${user.role}.`);
    });
  common(
    users
      .command('role <login>')
      .description('change a user’s role')
      .addArgument(new Argument('<role>').choices(['editor', 'viewer'])),
  ).action(async (login: string, role: 'editor' | 'viewer', options: CommonOptions) => {
    await run(
      options,
      'users.setRole',
      { login, role },
      ({ login, role }) => `${login} is now ${role === 'editor' ? 'an editor' : 'a viewer'}.`,
    );
  });
  plain(
    users.command('revoke-tokens <login>').description('revoke all of a user’s tokens'),
    'tokens.revokeOfUser',
    (login = '') => ({ login }),
    ({ count }) => `${countOf(count, 'token was', 'tokens were')} revoked.`,
  );
  plain(
    users.command('remove <login>').description('remove a user and revoke their tokens'),
    'users.remove',
    (login = '') => ({ login }),
    ({ login }) => `${login} was removed, and their tokens were revoked.`,
  );
  common(users.command('password <login>').description('set a user’s password; asks for it'))
    .option('--password-stdin', hidden)
    .action(async (login: string, options: CommonOptions & { passwordStdin?: boolean }) => {
      const users = await call(options, 'users.list', {});
      if (!users.some((user) => user.login.toLowerCase() === login.toLowerCase())) {
        throw new AppError('user-unknown');
      }
      const { readPassword } = await import('../prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      await run(
        options,
        'users.setPassword',
        { login, password },
        ({ login }) => `${login} has a new password, and their API tokens were revoked.`,
      );
    });
}

const showUsers: Show<'users.list'> = (users) =>
  listOr(
    'No users.',
    ['LOGIN', 'NAME', 'ROLE', 'SINCE'],
    users.map((user) => [user.login, user.displayName, user.role, formatTimestamp(user.createdAtMs)]),
  );
