// The `settings` commands.

import { t, type MessageKey } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import { formatSetting, parseTypedSetting } from '../../settings/setting-text.ts';
import type { SettingKey, Settings } from '../../settings/settings.ts';
import type { CommandHelpers } from '../command-helpers.ts';
import { listOf, type Show } from '../table.ts';

export function addSettingCommands({ terminal, command }: CommandHelpers): void {
  command('settings list', 'settings.list', (all) =>
    listOf('', Object.entries(all) as [SettingKey, Settings[SettingKey]][], {
      'terminal.setting': ([key]) => key,
      'terminal.value': ([, value]) => formatSetting(value),
      // One that isn't in the window has no name there.
      'terminal.in-the-window': ([key]) => t(`setting.${key}` as MessageKey),
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
