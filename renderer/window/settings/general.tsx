// What most people change: the folder, where documents open, how DocTray starts and looks, and what it reports.

import { useEffect, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { documentsBeingEdited } from '../../../app/contract/state.ts';
import { quickOpenShortcuts } from '../../../app/contract/quick-open-shortcuts.ts';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/select.tsx';
import { sentenceOf } from '../state/call.ts';
import { useAction } from '../state/use-action.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { entryOf } from './catalog.ts';
import { ChoiceSetting, SettingRow, SettingsGroup, SwitchRow, SwitchSetting } from './fields.tsx';
import { useChosenSetting } from './value.ts';

export function GeneralPane() {
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  return (
    <>
      <SettingsGroup>
        <Folder />
        {!isInBrowser && (
          <ChoiceSetting
            settingKey="openIn"
            isRow
            options={[
              { id: 'browser', title: t('Browser') },
              { id: 'window', title: t('Window') },
            ]}
          />
        )}
        <ChoiceSetting
          settingKey="appearance"
          isRow
          options={[
            { id: 'system', title: t('System') },
            { id: 'light', title: t('Light') },
            { id: 'dark', title: t('Dark') },
          ]}
        />
        {!isInBrowser && <StartAtLogin />}
        {!isInBrowser && <QuickOpenShortcut />}
      </SettingsGroup>
      {!isInBrowser && (
        <SettingsGroup title={t('Notifications')} hint={t('Shown by the system when this happens.')}>
          <SwitchSetting settingKey="notifyErrors" />
          <SwitchSetting settingKey="notifyStaleLocks" />
          <SwitchSetting settingKey="notifyEditorUnreachable" />
        </SettingsGroup>
      )}
    </>
  );
}

function Folder() {
  const folder = useWindowState((state) => state.host.folder);
  const editing = useWindowState((state) => documentsBeingEdited(state).length);
  const choose = useAction('host.chooseFolder', { failure: t('Couldn’t use this folder') });
  const open = useAction('host.openFolder', { failure: t('Couldn’t open the folder') });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  return (
    <SettingRow
      id="folder"
      title={entryOf('folder').label}
      hint={
        <>
          {folder === null ? (
            t('No folder is chosen yet.')
          ) : (
            <span className="selectable setting-path">{folder}</span>
          )}
          {editing > 0 && (
            <span className="setting-note">
              {t(
                '{count, plural, one {# document is} other {# documents are}} open. They can still be saved here after a change.',
                { count: editing },
              )}
            </span>
          )}
        </>
      }
    >
      {folder !== null && !isInBrowser && (
        <Button isPending={open.isPending} onPress={() => void open.run({})}>
          {t('Open folder')}
        </Button>
      )}
      <Button
        icon="folder"
        look={folder === null ? 'primary' : 'plain'}
        isPending={choose.isPending}
        onPress={() => void choose.run({})}
      >
        {folder === null ? t('Choose folder…') : t('Change folder…')}
      </Button>
    </SettingRow>
  );
}

function StartAtLogin() {
  const isOn = useWindowState((state) => state.app.startsAtLogin);
  const call = useCall();
  const [wanted, setWanted] = useState<boolean>();
  const [error, setError] = useState<string | null>(null);
  useEffect(() => setWanted(undefined), [isOn]);
  const set = async (next: boolean) => {
    setWanted(next);
    setError(null);
    try {
      await call('app.setStartsAtLogin', { isOn: next });
    } catch (problem) {
      setWanted(undefined);
      setError(sentenceOf(problem));
    }
  };
  const { label, hint } = entryOf('startAtLogin');
  if (isOn === null) {
    return (
      <SettingRow
        id="startAtLogin"
        title={label}
        hint={t('This system doesn’t support it. Add DocTray to your desktop’s startup programs.')}
      />
    );
  }
  return (
    <SwitchRow
      id="startAtLogin"
      label={label}
      hint={hint}
      isOn={wanted ?? isOn}
      error={error}
      onChange={(next) => void set(next)}
    />
  );
}

const off = 'off';

function QuickOpenShortcut() {
  const { value, error, choose } = useChosenSetting('quickOpenShortcut');
  const isRefused = useWindowState((state) => state.app.isQuickOpenShortcutRefused);
  const isMac = useWindowState((state) => state.app.platform === 'darwin');
  const { label, hint } = entryOf('quickOpenShortcut');
  return (
    <SettingRow
      id="quickOpenShortcut"
      title={label}
      hint={hint}
      error={
        error ??
        (isRefused && value !== null
          ? t('The system refused this shortcut. Another program may use it. Choose another.')
          : null)
      }
    >
      <Select
        label={label}
        isLabelHidden
        value={value ?? off}
        options={[
          { id: off, title: t('Off') },
          ...quickOpenShortcuts.map((shortcut) => ({ id: shortcut, title: keyNames(shortcut, isMac) })),
        ]}
        onChange={(id) => choose(quickOpenShortcuts.find((shortcut) => shortcut === id) ?? null)}
      />
    </SettingRow>
  );
}

function keyNames(shortcut: string, isMac: boolean): string {
  const names = shortcut.replace('CommandOrControl', isMac ? '⌘' : 'Ctrl');
  return isMac ? names.replace('Alt', '⌥').replace('Shift', '⇧').replaceAll('+', ' ') : names;
}
