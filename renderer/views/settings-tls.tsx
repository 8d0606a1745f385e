// Encryption on the network: none, by a certificate of the user's, or by a local authority that DocTray makes and that editors
// and browsers are told to trust. The authority's key is never seen here.

import { useCallback, useState } from 'react';
import type { SettingsState } from '../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { formatExact } from '../parts/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useAction } from '../state/use-action.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { listed } from './editor-words.ts';
import { ChoiceRow, PathSetting } from './settings-fields.tsx';
import { SettingRow } from './settings-section.tsx';
import { useChosenValue } from './settings-value.ts';

type Mode = SettingsState['tls'];

export function TlsSettings() {
  const call = useCall();
  const stored = useWindowState((state) => state.settings.tls);
  const hasFiles = useWindowState(
    ({ settings }) => settings.tlsCertificate !== null && settings.tlsKey !== null,
  );
  /** Files are asked for first: without them there is nothing to serve by. */
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
        label="Encryption on the network"
        hint="This machine itself is always answered without it."
        value={shown}
        error={error}
        onChange={(mode) => {
          setWantsFiles(mode === 'files' && !hasFiles);
          if (mode !== 'files' || hasFiles) choose(mode);
        }}
        options={[
          {
            id: 'off',
            title: 'None',
            hint: 'What is opened and saved can be read on the way. Right for this machine alone.',
          },
          {
            id: 'local-authority',
            title: 'By a certificate DocTray makes',
            hint: 'From an authority of its own on this machine. Editors and browsers must be told to trust it, once.',
          },
          {
            id: 'files',
            title: 'By a certificate of yours',
            hint: 'Two PEM files. When they are renewed, DocTray reads them again by itself.',
          },
        ]}
      />
      {shown === 'files' && (
        <>
          <PathSetting
            settingKey="tlsCertificate"
            label="Certificate file"
            hint="With those between it and its authority."
            placeholder="/etc/ssl/doctray/fullchain.pem"
          />
          <PathSetting
            settingKey="tlsKey"
            label="Key file"
            hint="The private key that belongs to it. DocTray keeps no copy."
            placeholder="/etc/ssl/doctray/privkey.pem"
          />
          {isWaiting && (
            <SettingRow title={hasFiles ? 'Both files are known' : 'Give both files first'}>
              <Button
                look="primary"
                isDisabled={!hasFiles}
                onPress={() => {
                  setWantsFiles(false);
                  choose('files');
                }}
              >
                Encrypt by these
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
    failure: 'Could not save the certificate',
    success: ({ savedTo }) => (savedTo === null ? 'Nothing was saved' : `Saved ${savedTo}`),
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
            <>
              The certificate ends <RelativeTime atMs={validUntilMs} />
            </>
          }
          hint={
            <>
              Valid until {formatExact(validUntilMs)}
              {names.length > 0 && (
                <>
                  , for <span className="selectable">{listed(names)}</span>
                </>
              )}
              .{tls.mode === 'local-authority' && ' DocTray renews it by itself.'}
            </>
          }
        />
      )}
      {fingerprint !== null && (
        <SettingRow
          title="The authority’s certificate"
          hint={
            <>
              To be trusted by editors and browsers. Its SHA-256 fingerprint:{' '}
              <span className="code selectable tls-fingerprint">{fingerprint}</span>
            </>
          }
        >
          <CopyButton text={fingerprint} what="fingerprint" />
          <Button icon="download" isPending={save.isPending} onPress={() => void save.run({})}>
            Save certificate…
          </Button>
        </SettingRow>
      )}
    </>
  );
}
