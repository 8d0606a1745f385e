// The `secrets` commands.

import { t } from '../../contract/messages.ts';
import type { CommandHelpers } from '../command-helpers.ts';
import type { Show } from '../table.ts';

const show: Show<'secrets.show'> = ({ description }) => t('terminal.secrets-are-in', { place: description });

export function addSecretCommands({ command }: CommandHelpers): void {
  command('secrets show', 'secrets.show', show);
  command('secrets move <place>', 'secrets.move', show, { args: (to: 'keychain' | 'file') => ({ to }) });
}
