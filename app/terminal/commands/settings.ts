// The `settings` commands.

import { isMessageKey, t } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import { formatSetting, parseTypedSetting } from '../../settings/setting-text.ts';
import { defaultSettings, type SettingKey, type Settings } from '../../settings/settings.ts';
import type { CommandHelpers } from '../command-helpers.ts';
import { listOf, type Show } from '../table.ts';

export function addSettingCommands({ terminal, command }: CommandHelpers): void {
  command('settings list', 'settings.list', (all) =>
    listOf('', Object.entries(all) as [SettingKey, Settings[SettingKey]][], {
      'terminal.setting': ([key]) => key,
      'terminal.value': ([, value]) => formatSetting(value),
      'terminal.default-value': ([key]) => formatSetting(defaultSettings[key]),
      'terminal.in-the-window': ([key]) => {
        const name: string = `setting.${key}`;
        return isMessageKey(name) ? t(name) : null;
      },
    }),
  );
  command('settings get <key>', 'settings.get', ({ value }) => formatSetting(value));
  command('settings set <key> <value>', 'settings.set', showSet, {
    args: (key: string, typed: string) => ({ key, value: parseTypedSetting(key, typed, terminal.cwd) }),
  });
}

const showSet: Show<'settings.set'> = (set) => {
  const { key, baseUrl: url } = set;
  const values = { key, value: formatSetting(set.value) };
  const lines = [t(set.needsRestart ? 'terminal.setting-is-after-restart' : 'terminal.setting-is', values)];
  if (url !== undefined)
    lines.push(t(key === 'folder' ? 'terminal.doctray-serves-it-at' : 'host.doctor-listens', { url }));
  if ('problem' in set) lines.push(set.problem);
  return lines.map(safeText).join('\n');
};
