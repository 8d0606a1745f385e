// The network: where DocTray listens, who may open documents from other computers, and HTTPS for them: off, with the user's own
// certificate, or with a local authority that DocTray creates and that editors and browsers must trust. The authority's key never gets
// here.

import { useCallback, useState } from 'react';
import { formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { SettingsState } from '../../../app/contract/state.ts';
import { listed } from '../editors/words.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton, useAction } from '../parts/action.tsx';
import { Notice } from '../parts/dialog.tsx';
import { Message } from '../parts/view.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { entryOf } from './catalog.ts';
import {
  ChoiceRow,
  NumberSetting,
  PathSetting,
  SettingRow,
  SettingsGroup,
  SwitchSetting,
  TextSetting,
  useChosenValue,
} from './fields.tsx';

export function NetworkPane() {
  const needsRestart = useWindowState((state) => state.host.needsListenerRestart);
  const baseUrl = useWindowState((state) => state.host.baseUrl);
  return (
    <>
      <SettingsGroup
        hint={
          baseUrl === null ? (
            t('DocTray isn’t listening at the moment.')
          ) : (
            <Message
              of="DocTray listens on {address}."
              values={{ address: <span className="code selectable">{baseUrl}</span> }}
            />
          )
        }
      >
        {needsRestart && <RestartNotice />}
        <TextSetting settingKey="host" />
        <NumberSetting settingKey="port" />
        <TextSetting settingKey="publicUrl" placeholder={baseUrl ?? 'http://'} />
        <SwitchSetting settingKey="networkPages" />
      </SettingsGroup>
      <SettingsGroup title="HTTPS">
        <TlsSettings />
      </SettingsGroup>
    </>
  );
}

function RestartNotice() {
  const restart = useAction('host.restart', {
    failure: t('Couldn’t reopen the port'),
    success: t('The port was reopened'),
  });
  return (
    <div className="setting-notice">
      <Notice tone="warn">
        <div className="row">
          <span className="grow">
            {t('The new address takes effect when the port is reopened. Running saves finish first.')}
          </span>
          <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
            {t('Reopen port')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

type Mode = SettingsState['tls'];

function TlsSettings() {
  const call = useCall();
  const stored = useWindowState((state) => state.settings.tls);
  const hasFiles = useWindowState(
    ({ settings }) => settings.tlsCertificate !== null && settings.tlsKey !== null,
  );
  /** The files are asked for first: without them, HTTPS can't be turned on. */
  const [wantsFiles, setWantsFiles] = useState(false);
  const { value, error, choose } = useChosenValue<Mode>(
    stored,
    useCallback(
      async (mode) =>
        mode === 'local-authority'
          ? call('tls.useLocalAuthority', {})
          : call('settings.set', { key: 'tls', value: mode }),
      [call],
    ),
  );
  const isWaiting = wantsFiles && value !== 'files';
  const shown = isWaiting ? 'files' : value;
  return (
    <>
      <ChoiceRow
        id="tls"
        label={entryOf('tls').label}
        hint={entryOf('tls').hint}
        value={shown}
        error={error}
        onChange={(mode) => {
          setWantsFiles(mode === 'files' && !hasFiles);
          if (mode !== 'files' || hasFiles) choose(mode);
        }}
        options={[
          {
            id: 'off',
            title: t('Off'),
            hint: t('Plain HTTP. Fine if only this computer uses DocTray.'),
          },
          {
            id: 'local-authority',
            title: t('Certificate created by DocTray'),
            hint: t('Editors and browsers must trust its local authority once.'),
          },
          {
            id: 'files',
            title: t('Your own certificate'),
            hint: t('Two PEM files. DocTray picks up renewed files automatically.'),
          },
        ]}
      />
      {shown === 'files' && (
        <>
          <PathSetting settingKey="tlsCertificate" placeholder="/etc/ssl/doctray/fullchain.pem" />
          <PathSetting settingKey="tlsKey" placeholder="/etc/ssl/doctray/privkey.pem" />
          {isWaiting && (
            <SettingRow title={hasFiles ? t('Both files are chosen') : t('Choose both files first')}>
              <Button
                look="primary"
                isDisabled={!hasFiles}
                onPress={() => {
                  setWantsFiles(false);
                  choose('files');
                }}
              >
                {t('Turn on HTTPS')}
              </Button>
            </SettingRow>
          )}
        </>
      )}
      {!isWaiting && stored !== 'off' && <TlsStanding />}
    </>
  );
}

function TlsStanding() {
  const tls = useWindowState((state) => state.host.tls);
  const save = useAction('tls.saveAuthority', {
    failure: t('Couldn’t save the certificate'),
    success: ({ savedTo }) =>
      savedTo === null ? t('Nothing was saved') : t('Saved {path}', { path: savedTo }),
  });
  if (tls === null) return null;
  const { problem, names, validUntilMs, authorityFingerprint: fingerprint } = tls;
  return (
    <>
      {problem !== null && (
        <div className="setting-notice">
          <Notice tone={validUntilMs === null ? 'bad' : 'warn'}>{problem.message}</Notice>
        </div>
      )}
      {validUntilMs !== null && (
        <SettingRow
          title={
            <Message
              of="The certificate expires {when}"
              values={{ when: <RelativeTime atMs={validUntilMs} /> }}
            />
          }
          hint={
            <>
              <Message
                of="On {date}, for {names}."
                values={{
                  date: formatTime('toSecond', validUntilMs),
                  names: <span className="selectable">{listed(names)}</span>,
                }}
              />
              {tls.mode === 'local-authority' && (
                <span className="setting-note">{t('DocTray renews it automatically.')}</span>
              )}
            </>
          }
        />
      )}
      {fingerprint !== null && (
        <SettingRow
          title={t('Certificate of the authority')}
          hint={
            <Message
              of="Editors and browsers must trust it. SHA-256 fingerprint: {fingerprint}"
              values={{
                fingerprint: <span className="code selectable tls-fingerprint">{fingerprint}</span>,
              }}
            />
          }
        >
          <CopyButton text={fingerprint} what={t('fingerprint')} />
          <Button icon="download" isPending={save.isPending} onPress={() => void save.run({})}>
            {t('Save certificate…')}
          </Button>
        </SettingRow>
      )}
    </>
  );
}
