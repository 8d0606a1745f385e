// The `settings` commands.

import type { Command } from 'commander';
import { safeText } from '../../contract/names.ts';
import { formatSetting, parseTypedSetting } from '../../settings/setting-text.ts';
import type { Settings } from '../../settings/settings.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { formatPairs } from '../table.ts';

export function addSettingCommands(program: Command, { terminal, common, plain, run }: CommandHelpers): void {
  const settings = program.command('settings').description('show or change settings');
  plain(
    settings.command('list', { isDefault: true }).description('list all settings'),
    'settings.list',
    () => ({}),
    (all) =>
      formatPairs(
        Object.entries(all).map(([key, value]: [string, Settings[keyof Settings]]) => [
          key,
          formatSetting(value),
        ]),
      ),
  );
  plain(
    settings.command('get <key>').description('show one setting'),
    'settings.get',
    (key = '') => ({ key }),
    ({ value }) => formatSetting(value),
  );
  common(
    settings
      .command('set <key> <value>')
      .description('change a setting; `none` clears it, commas separate the entries of a list'),
  ).action(async (key: string, typed: string, options: CommonOptions) => {
    const value = parseTypedSetting(key, typed, terminal.cwd);
    await run(options, 'settings.set', { key, value }, (set) =>
      [
        safeText(
          `${set.key} is ${formatSetting(set.value)}${set.needsRestart ? ' after the next start' : ''}.`,
        ),
        ...(set.baseUrl === undefined
          ? []
          : [`DocTray ${set.key === 'folder' ? 'serves it' : 'listens'} at ${set.baseUrl}.`]),
        ...('problem' in set ? [safeText(set.problem)] : []),
      ].join('\n'),
    );
  });
}
