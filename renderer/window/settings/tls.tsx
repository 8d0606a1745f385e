// HTTPS for other computers: off, with the user's own certificate, or with a local authority that DocTray creates and that editors
// and browsers must trust. The authority's key never gets here.

import { useCallback, useState } from 'react';
import type { SettingsState } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { formatExact } from '../parts/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useAction } from '../state/use-action.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { listed } from '../editors/words.ts';
import { ChoiceRow, PathSetting } from './fields.tsx';
import { SettingRow } from './section.tsx';
import { useChosenValue } from './value.ts';

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
        label="HTTPS for other computers"
        hint="This computer can always use plain HTTP."
        value={shown}
        error={error}
        onChange={(mode) => {
          setWantsFiles(mode === 'files' && !hasFiles);
          if (mode !== 'files' || hasFiles) choose(mode);
        }}
        options={[
          {
            id: 'off',
            title: 'Off',
            hint: 'Plain HTTP. Fine if only this computer uses DocTray.',
          },
          {
            id: 'local-authority',
            title: 'Certificate created by DocTray',
            hint: 'Editors and browsers must trust its local authority once.',
          },
          {
            id: 'files',
            title: 'Your own certificate',
            hint: 'Two PEM files. DocTray picks up renewed files automatically.',
          },
        ]}
      />
      {shown === 'files' && (
        <>
          <PathSetting
            settingKey="tlsCertificate"
            label="Certificate file"
            hint="Followed by the intermediate certificates."
            placeholder="/etc/ssl/doctray/fullchain.pem"
          />
          <PathSetting
            settingKey="tlsKey"
            label="Key file"
            hint="The certificate’s private key. DocTray keeps no copy."
            placeholder="/etc/ssl/doctray/privkey.pem"
          />
          {isWaiting && (
            <SettingRow title={hasFiles ? 'Both files are chosen' : 'Choose both files first'}>
              <Button
                look="primary"
                isDisabled={!hasFiles}
                onPress={() => {
                  setWantsFiles(false);
                  choose('files');
                }}
              >
                Switch on HTTPS
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
              The certificate expires <RelativeTime atMs={validUntilMs} />
            </>
          }
          hint={
            <>
              On {formatExact(validUntilMs)}
              {names.length > 0 && (
                <>
                  , for <span className="selectable">{listed(names)}</span>
                </>
              )}
              .{tls.mode === 'local-authority' && ' DocTray renews it automatically.'}
            </>
          }
        />
      )}
      {fingerprint !== null && (
        <SettingRow
          title="The authority’s certificate"
          hint={
            <>
              Editors and browsers must trust it. SHA-256 fingerprint:{' '}
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
