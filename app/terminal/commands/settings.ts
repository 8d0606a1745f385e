// The `settings` commands.

import type { Command } from 'commander';
import { t } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import { formatSetting, parseTypedSetting } from '../../settings/setting-text.ts';
import type { Settings } from '../../settings/settings.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { formatPairs } from '../table.ts';

export function addSettingCommands(program: Command, { terminal, common, plain, run }: CommandHelpers): void {
  const settings = program.command('settings').description(t('terminal.help-settings'));
  plain(
    settings.command('list', { isDefault: true }).description(t('terminal.help-settings-list')),
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
    settings.command('get <key>').description(t('terminal.help-settings-get')),
    'settings.get',
    (key = '') => ({ key }),
    ({ value }) => formatSetting(value),
  );
  common(settings.command('set <key> <value>').description(t('terminal.help-settings-set'))).action(
    async (key: string, typed: string, options: CommonOptions) => {
      const value = parseTypedSetting(key, typed, terminal.cwd);
      await run(options, 'settings.set', { key, value }, (set) =>
        [
          safeText(
            t(set.needsRestart ? 'terminal.setting-is-after-restart' : 'terminal.setting-is', {
              key: set.key,
              value: formatSetting(set.value),
            }),
          ),
          ...(set.baseUrl === undefined
            ? []
            : [
                t(set.key === 'folder' ? 'terminal.doctray-serves-it-at' : 'host.doctor-listens', {
                  url: set.baseUrl,
                }),
              ]),
          ...('problem' in set ? [safeText(set.problem)] : []),
        ].join('\n'),
      );
    },
  );
}
