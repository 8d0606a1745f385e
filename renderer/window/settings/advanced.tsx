// What few people change: lifetimes, limits, and who may connect from the network.

import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { entryOf } from './catalog.ts';
import {
  ChoiceSetting,
  ListSetting,
  NumberSetting,
  OptionalPortSetting,
  SettingRow,
  SettingsGroup,
  SwitchSetting,
} from './fields.tsx';

export function AdvancedPane() {
  const { go } = useNavigation();
  const proofKeys = entryOf('proofKeys');
  return (
    <>
      <SettingsGroup title={t('Tokens and locks')}>
        <NumberSetting settingKey="accessTokenHours" unit={t('hours')} />
        <NumberSetting settingKey="apiTokenDays" unit={t('days')} />
        <ChoiceSetting
          settingKey="desktopLocks"
          options={[
            {
              id: 'block',
              title: t('Refuse the editor'),
              hint: t('The editor reports that the document is locked.'),
            },
            {
              id: 'warn',
              title: t('Allow, with a warning in the log'),
              hint: t('If both save, the other content is kept as a conflict copy.'),
            },
            {
              id: 'ignore',
              title: t('Ignore lock files'),
              hint: t('For synchronized folders, where old lock files stay behind.'),
            },
          ]}
        />
        <SettingRow id="proofKeys" title={proofKeys.label} hint={proofKeys.hint}>
          <Button onPress={() => go('settings', 'editors')}>{t('Show editors')}</Button>
        </SettingRow>
      </SettingsGroup>
      <SettingsGroup title={t('Limits')}>
        <NumberSetting settingKey="maxUploadMiB" unit="MiB" />
        <NumberSetting settingKey="minFreeMiB" unit="MiB" />
      </SettingsGroup>
      <SettingsGroup title={t('Network access')}>
        <SwitchSetting settingKey="networkApi" />
        <SwitchSetting settingKey="networkDashboard" />
        <OptionalPortSetting settingKey="dashboardPort" />
        <ListSetting settingKey="allowedHosts" placeholder="docs.example.org" />
        <ListSetting settingKey="allowedAddresses" placeholder="192.168.1.0/24" />
        <ListSetting settingKey="trustedProxies" placeholder="192.168.1.2" />
      </SettingsGroup>
    </>
  );
}
