// The `secrets` commands.

import { Argument, type Command } from 'commander';
import { t } from '../../contract/messages.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import type { Show } from '../table.ts';

const show: Show<'secrets.show'> = ({ description }) => t('terminal.secrets-are-in', { place: description });

export function addSecretCommands(program: Command, { common, plain, run }: CommandHelpers): void {
  const secrets = program.command('secrets').description(t('terminal.help-secrets'));
  plain(
    secrets.command('show', { isDefault: true }).description(t('terminal.help-secrets-show')),
    'secrets.show',
    () => ({}),
    show,
  );
  common(
    secrets
      .command('move')
      .description(t('terminal.help-secrets-move'))
      .addArgument(new Argument('<place>').choices(['keychain', 'file'] as const)),
  ).action(async (to: 'keychain' | 'file', options: CommonOptions) => {
    await run(options, 'secrets.move', { to }, show);
  });
}
