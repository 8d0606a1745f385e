// Settings of the app itself: what it tells, how it starts and looks, where its own data lies.

import { useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { sentenceOf } from '../state/call.ts';
import { useAction } from '../state/use-action.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { ChoiceSetting, SwitchRow, SwitchSetting } from './fields.tsx';
import { SettingRow, SettingsSection } from './section.tsx';
import { UpdateRows } from './update.tsx';

export function NotificationsSection() {
  return (
    <SettingsSection id="notifications" title="Notifications">
      <SwitchSetting
        settingKey="notifyErrors"
        label="Errors"
        hint="When DocTray stops serving, or a save had to be recovered."
      />
      <SwitchSetting
        settingKey="notifyStaleLocks"
        label="Stale locks"
        hint="When a lock’s editor has gone away."
      />
      <SwitchSetting
        settingKey="notifyEditorUnreachable"
        label="An editor that cannot be reached"
        hint="When a connected editor stops responding."
      />
    </SettingsSection>
  );
}

export function StartSection() {
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
  return (
    <SettingsSection id="start" title="Start at login">
      {isOn === null ? (
        <SettingRow
          title="Not offered by this system"
          hint="Add DocTray to what your desktop starts by itself, where it has such a list."
        />
      ) : (
        <SwitchRow
          label="Start DocTray when you log in"
          hint="It starts in the tray, without a window."
          isOn={wanted ?? isOn}
          error={error}
          onChange={(next) => void set(next)}
        />
      )}
    </SettingsSection>
  );
}

export function AppearanceSection() {
  return (
    <SettingsSection id="appearance" title="Appearance">
      <ChoiceSetting
        settingKey="appearance"
        label="Colours of this window"
        hint="Contrast themes of the system are always followed."
        isRow
        options={[
          { id: 'system', title: 'As the system' },
          { id: 'light', title: 'Light' },
          { id: 'dark', title: 'Dark' },
        ]}
      />
    </SettingsSection>
  );
}

export function SecretsSection() {
  const secrets = useWindowState((state) => state.host.secrets);
  return (
    <SettingsSection id="secrets" title="Secrets in use">
      <SettingRow
        title={
          secrets === null
            ? 'Not known while DocTray serves nothing'
            : secrets.kind === 'keychain'
              ? 'Your keychain'
              : 'A private file'
        }
        hint={
          secrets === null ? (
            'The keys of tokens and the owner’s password lie in the keychain, or in a private file where there is none.'
          ) : (
            <>
              {secrets.description}. The keys of tokens and the owner’s password lie there; they are never
              shown here.
              {secrets.kind === 'file' &&
                ' Only you can read the file. DocTray uses a keychain if there is one.'}
            </>
          )
        }
      />
    </SettingsSection>
  );
}

export function DataSection() {
  const dataDir = useWindowState((state) => state.app.dataDir);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const reveal = useAction('app.revealDataFolder', { failure: 'Could not show the data folder' });
  return (
    <SettingsSection id="data" title="Data folder">
      <SettingRow
        title={<span className="selectable">{dataDir}</span>}
        hint="Settings, versions, recovered saves and the log. Your documents are not in it."
      >
        {!isInBrowser && (
          <Button isPending={reveal.isPending} onPress={() => void reveal.run({})}>
            Show in file manager
          </Button>
        )}
      </SettingRow>
    </SettingsSection>
  );
}

export function AboutSection() {
  const app = useWindowState((state) => state.app);
  const help = useAction('app.openHelp', { failure: 'Could not open the help page' });
  const versions = Object.entries(app.versions);
  const text = [`${app.name} ${app.version}`, app.platform, ...versions.map((pair) => pair.join(' '))].join(
    '\n',
  );
  return (
    <SettingsSection id="about" title="About">
      <SettingRow
        title={
          <>
            {app.name} {app.version}
          </>
        }
        hint={versions.map((pair) => pair.join(' ')).join(' · ')}
      >
        <CopyButton text={text} what="versions" />
        <Button icon="external" onPress={() => void help.run({ page: 'start' })}>
          Getting started
        </Button>
        <Button icon="external" onPress={() => void help.run({ page: 'licenses' })}>
          Licenses
        </Button>
      </SettingRow>
      {app.update !== null && <UpdateRows name={app.name} update={app.update} />}
    </SettingsSection>
  );
}
