// About: the version and its updates, diagnostics, and where DocTray keeps its own data.

import type { ReactNode } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { UpdateState } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Message } from '../parts/message.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { entryOf } from './catalog.ts';
import { Diagnostics } from './diagnostics.tsx';
import { SettingRow, SettingsGroup, SwitchSetting } from './fields.tsx';

export function AboutPane({ path }: { path?: string | undefined }) {
  const app = useWindowState((state) => state.app);
  const help = useAction('app.openHelp', { failure: t('Couldn’t open the page') });
  const versions = Object.entries(app.versions).map((pair) => pair.join(' '));
  const text = [`${app.name} ${app.version}`, app.platform, ...versions].join('\n');
  return (
    <>
      <SettingsGroup>
        <SettingRow id="version" title={`${app.name} ${app.version}`} hint={versions.join(' · ')}>
          <CopyButton text={text} what={t('versions')} />
        </SettingRow>
        {app.update !== null && <UpdateRows name={app.name} update={app.update} />}
        <SettingRow id="licenses" title={t('Guides and licenses')}>
          <Button icon="external" onPress={() => void help.run({ page: 'start' })}>
            {t('Getting started')}
          </Button>
          <Button icon="external" onPress={() => void help.run({ page: 'licenses' })}>
            {t('Licenses')}
          </Button>
        </SettingRow>
      </SettingsGroup>
      <Diagnostics path={path} />
      <SettingsGroup title={t('Storage')}>
        <Secrets />
        <DataFolder />
      </SettingsGroup>
    </>
  );
}

function UpdateRows({ name, update }: { name: string; update: UpdateState }) {
  const check = useAction('app.checkForUpdates', { failure: t('Couldn’t check for updates') });
  const restart = useAction('app.restartToUpdate', { failure: t('Couldn’t restart') });
  const { status, version, notes, problem, checkedAtMs, canRestart } = update;
  const newer = `${name} ${version ?? ''}`;
  const rows: Record<UpdateState['status'], { title: string; hint?: ReactNode }> = {
    unknown: { title: t('Updates') },
    checking: { title: t('Checking for updates…') },
    current: {
      title: t('{app} is up to date', { app: name }),
      hint: <Message of="Checked {when}." values={{ when: <RelativeTime atMs={checkedAtMs} /> }} />,
    },
    downloading: { title: t('Downloading {app}…', { app: newer }), hint: t('You can keep working.') },
    ready: {
      title: t('{app} is ready', { app: newer }),
      hint: t('It’s installed when you quit DocTray. Logging out doesn’t install it.'),
    },
    failed: { title: t('Updates') },
  };
  const isBusy = status === 'checking' || status === 'downloading';
  return (
    <>
      <SettingRow {...rows[status]} error={problem?.message ?? null}>
        {status === 'ready' ? (
          canRestart && <Button onPress={() => void restart.run({})}>{t('Restart to update')}</Button>
        ) : (
          <Button isDisabled={isBusy} onPress={() => void check.run({})}>
            {t('Check for updates')}
          </Button>
        )}
      </SettingRow>
      {notes !== null && (
        <details className="setting update-notes">
          <summary>{t('What’s new in {app}', { app: newer })}</summary>
          <div className="update-notes-text">{notes}</div>
        </details>
      )}
      <SwitchSetting settingKey="checkForUpdates" />
    </>
  );
}

function Secrets() {
  const secrets = useWindowState((state) => state.host.secrets);
  const { label, hint } = entryOf('secrets');
  return (
    <SettingRow
      id="secrets"
      title={label}
      hint={
        <>
          {hint}
          <span className="setting-note">
            {secrets === null
              ? t('Not known while DocTray isn’t running.')
              : secrets.kind === 'keychain'
                ? secrets.description
                : t('{place}. Only you can read it. DocTray uses a keychain if there is one.', {
                    place: secrets.description,
                  })}
          </span>
        </>
      }
    />
  );
}

function DataFolder() {
  const dataDir = useWindowState((state) => state.app.dataDir);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const reveal = useAction('app.revealDataFolder', { failure: t('Couldn’t show the data folder') });
  const { label, hint } = entryOf('data');
  return (
    <SettingRow
      id="data"
      title={label}
      hint={
        <>
          {hint}
          <span className="setting-note selectable setting-path">{dataDir}</span>
        </>
      }
    >
      {!isInBrowser && (
        <Button isPending={reveal.isPending} onPress={() => void reveal.run({})}>
          {t('Show in file manager')}
        </Button>
      )}
    </SettingRow>
  );
}
