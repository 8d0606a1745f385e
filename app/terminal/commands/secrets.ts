// The `secrets` commands.

import { Argument, type Command } from 'commander';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import type { Show } from '../table.ts';

const show: Show<'secrets.show'> = ({ description }) => `Secrets are in ${description}.`;

export function addSecretCommands(program: Command, { common, plain, run }: CommandHelpers): void {
  const secrets = program.command('secrets').description('show or change where DocTray keeps its secrets');
  plain(
    secrets.command('show', { isDefault: true }).description('show where they are'),
    'secrets.show',
    () => ({}),
    show,
  );
  common(
    secrets
      .command('move')
      .description('move them to the keychain, or to a private file')
      .addArgument(new Argument('<place>').choices(['keychain', 'file'] as const)),
  ).action(async (to: 'keychain' | 'file', options: CommonOptions) => {
    await run(options, 'secrets.move', { to }, show);
  });
}
