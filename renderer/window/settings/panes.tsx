// The short panes. General: the folder, where documents open, how DocTray starts and looks, and what it reports. Versions: how many versions
// and recovered saves are kept, and what they use. Advanced: lifetimes, limits, and who may connect from the network. Network & HTTPS: where
// DocTray listens, and for whom.

import { useCallback, useState } from 'react';
import { isLoopbackHost, isWildcard } from '../../../app/contract/addresses.ts';
import { formatSize, formatTime } from '../../../app/contract/format.ts';
import { isFolderProblem } from '../../../app/contract/host-status.ts';
import { t } from '../../../app/contract/messages.ts';
import { quickOpenShortcuts, type SettingsState } from '../../../app/contract/settings.ts';
import { documentsBeingEdited } from '../../../app/contract/state.ts';
import { listed } from '../editors/words.ts';
import { ReopenPort } from '../frame.tsx';
import { useAction, useCommandResult, CopyButton } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { Select } from '../../kit/fields.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Message } from '../../kit/blocks.tsx';
import { keyWords } from '../../kit/keys.ts';
import { useNavigation, useCall, useWindowState } from '../state/window-context.tsx';
import { useVersionsUsage } from '../versions/versions.tsx';
import { entryOf } from './catalog.ts';
import {
  ChoiceSetting,
  fixedHint,
  ListSetting,
  NumberSetting,
  OptionalPortSetting,
  SettingRow,
  SettingsGroup,
  SwitchRow,
  SwitchSetting,
  useChosenSetting,
  useChosenValue,
  ChoiceRow,
  PathSetting,
  TextSetting,
} from './fields.tsx';

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
              { id: 'browser', title: t('window.browser') },
              { id: 'window', title: t('window.window') },
            ]}
          />
        )}
        <ChoiceSetting
          settingKey="appearance"
          isRow
          options={[
            { id: 'system', title: t('window.system') },
            { id: 'light', title: t('window.light') },
            { id: 'dark', title: t('window.dark') },
          ]}
        />
        {!isInBrowser && <StartAtLogin />}
        {!isInBrowser && <QuickOpenShortcut />}
      </SettingsGroup>
      {!isInBrowser && (
        <SettingsGroup title={t('window.notifications')} hint={t('window.shown-by-the-system-when')}>
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
  const problem = useWindowState((state) => state.host.problem);
  const hasProblem = problem !== null && isFolderProblem(problem);
  const warning = useWindowState((state) => state.host.warning);
  const editing = useWindowState((state) => documentsBeingEdited(state).length);
  const choose = useAction('host.chooseFolder', { failure: t('window.couldnt-use-this-folder') });
  const open = useAction('host.openFolder', { failure: t('window.couldnt-open-the-folder') });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  return (
    <SettingRow
      id="folder"
      title={entryOf('folder').label}
      hint={
        <>
          {folder === null ? (
            t('window.no-folder-is-chosen-yet')
          ) : (
            <span className="selectable setting-path">{folder}</span>
          )}
          {warning !== null && <span className="setting-note">{warning}</span>}
          {editing > 0 && (
            <span className="setting-note">
              {t('window.documents-are-being-edited-editors', { count: editing })}
            </span>
          )}
        </>
      }
      error={hasProblem ? problem.message : null}
    >
      {folder !== null && !isInBrowser && !hasProblem && (
        <Button isPending={open.isPending} onPress={() => void open.run({})}>
          {t('common.open-folder')}
        </Button>
      )}
      <Button
        icon="folder"
        look={folder === null ? 'primary' : 'plain'}
        isPending={choose.isPending}
        onPress={() => void choose.run({})}
      >
        {folder === null ? t('window.choose-folder') : t('window.change-folder')}
      </Button>
    </SettingRow>
  );
}

function StartAtLogin() {
  const isOn = useWindowState((state) => state.app.startsAtLogin);
  const call = useCall();
  const { value, error, choose } = useChosenValue(
    isOn,
    useCallback(
      async (next: boolean | null) => call('app.setStartsAtLogin', { isOn: next === true }),
      [call],
    ),
  );
  const { label, hint } = entryOf('startAtLogin');
  if (isOn === null) {
    return <SettingRow id="startAtLogin" title={label} hint={t('window.this-system-doesnt-support-it')} />;
  }
  return (
    <SwitchRow
      id="startAtLogin"
      label={label}
      hint={hint}
      isOn={value === true}
      error={error}
      onChange={choose}
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
      error={error ?? (isRefused && value !== null ? t('window.the-system-refused-this-shortcut') : null)}
    >
      <Select
        label={label}
        isLabelHidden
        value={value ?? off}
        options={[
          { id: off, title: t('window.off') },
          ...quickOpenShortcuts.map((shortcut) => ({ id: shortcut, title: keyNames(shortcut, isMac) })),
        ]}
        onChange={(id) => choose(quickOpenShortcuts.find((shortcut) => shortcut === id) ?? null)}
      />
    </SettingRow>
  );
}

function keyNames(shortcut: string, isMac: boolean): string {
  const names = shortcut.replace('CommandOrControl', isMac ? '⌘' : keyWords('Ctrl', false));
  return isMac ? names.replace('Alt', '⌥').replace('Shift', '⇧').replaceAll('+', ' ') : names;
}

export function VersionsPane() {
  return (
    <>
      <SettingsGroup hint={t('window.doctray-keeps-the-previous-content')}>
        <NumberSetting settingKey="versionDays" unit={t('window.days')} />
        <NumberSetting settingKey="versionCount" unit={t('window.versions')} />
        <Usage />
      </SettingsGroup>
      <SettingsGroup title={t('window.recovered-saves')} hint={t('window.saves-that-arrived-but-couldnt')}>
        <NumberSetting settingKey="recoveredDays" unit={t('window.days')} />
        <NumberSetting settingKey="recoveredMB" unit="MB" />
        <NumberSetting settingKey="recoveredTokenMB" unit="MB" />
      </SettingsGroup>
    </>
  );
}

function Usage() {
  const { usage, problem, reload, button, job } = useVersionsUsage();
  return (
    <>
      <SettingRow
        id="versionUsage"
        title={entryOf('versionUsage').label}
        hint={
          usage === undefined
            ? problem === null && t('window.measuring')
            : t('window.versions-size', {
                count: usage.count,
                size: formatSize(usage.bytes),
              })
        }
        error={problem}
      >
        {problem !== null && <Button onPress={reload}>{t('common.try-again')}</Button>}
        {button}
      </SettingRow>
      {job}
    </>
  );
}

export function AdvancedPane() {
  const { go } = useNavigation();
  const proofKeys = entryOf('proofKeys');
  return (
    <>
      <SettingsGroup title={t('common.documents')}>
        <NumberSetting settingKey="maxUploadMB" unit="MB" />
        <NumberSetting settingKey="minFreeMB" unit="MB" />
        <ChoiceSetting
          settingKey="desktopLocks"
          options={[
            {
              id: 'block',
              title: t('window.refuse-the-editor'),
              hint: t('window.the-editor-reports-that-the'),
            },
            {
              id: 'warn',
              title: t('window.allow-with-a-warning-in'),
              hint: t('window.if-both-save-the-other'),
            },
            {
              id: 'ignore',
              title: t('window.ignore-lock-files'),
              hint: t('window.for-synchronized-folders-where-old'),
            },
          ]}
        />
        <SwitchSetting settingKey="checkSaves" />
      </SettingsGroup>
      <SettingsGroup title={t('common.tokens')}>
        <NumberSetting settingKey="accessTokenHours" unit={t('window.hours')} />
        <NumberSetting settingKey="apiTokenDays" unit={t('window.days')} />
      </SettingsGroup>
      <SettingsGroup title={t('window.requests')}>
        <ListSetting settingKey="allowedHosts" placeholder="docs.example.org" />
        <ListSetting settingKey="allowedAddresses" placeholder="192.168.1.0/24" />
        <ListSetting settingKey="trustedProxies" placeholder="192.168.1.2" />
        <SettingRow id="proofKeys" title={proofKeys.label} hint={proofKeys.hint}>
          <Button onPress={() => go('settings', 'editors')}>{t('window.show-editors')}</Button>
        </SettingRow>
      </SettingsGroup>
    </>
  );
}

// The network: where DocTray listens, who may open documents from other computers, and HTTPS for them: off, with the user's own
// certificate, or with a local authority that DocTray creates and that editors and browsers must trust. The authority's key never gets
// here.

export function NetworkPane() {
  const needsRestart = useWindowState((state) => state.host.needsListenerRestart);
  const baseUrl = useWindowState((state) => state.host.baseUrl);
  const fixedPort = useWindowState((state) => state.host.fixedPort);
  const isLocal = useWindowState(({ host, settings }) => isLoopbackHost(host.fixedHost ?? settings.host));
  const hasDashboard = useWindowState(({ settings }) => settings.networkDashboard);
  return (
    <>
      <SettingsGroup
        hint={
          baseUrl === null ? (
            t('window.doctray-isnt-listening-at-the')
          ) : (
            <Message
              of="window.on-this-computer-doctray-is"
              values={{ address: <span className="code selectable">{baseUrl}</span> }}
            />
          )
        }
      >
        {needsRestart && <RestartNotice />}
        <BindAddress />
        <NumberSetting settingKey="port" fixed={fixedPort} />
        <TextSetting settingKey="publicUrl" placeholder={baseUrl ?? 'http://'} />
      </SettingsGroup>
      <SettingsGroup
        title={t('window.other-computers')}
        hint={isLocal ? t('window.they-cant-connect-with-this') : t('window.only-editors-can-connect-unless')}
      >
        <SwitchSetting settingKey="networkPages" />
        <SwitchSetting settingKey="networkApi" />
        <SwitchSetting settingKey="networkDashboard" />
        {hasDashboard && <OptionalPortSetting settingKey="dashboardPort" />}
      </SettingsGroup>
      <SettingsGroup title="HTTPS">
        <TlsSettings />
      </SettingsGroup>
    </>
  );
}

type Reach = 'computer' | 'networks' | 'address';

function reachOf(host: string): Reach {
  if (isLoopbackHost(host)) return 'computer';
  return isWildcard(host) ? 'networks' : 'address';
}

function BindAddress() {
  const { value: chosen, error, choose } = useChosenSetting('host');
  const fixed = useWindowState((state) => state.host.fixedHost);
  const isFixed = fixed !== null;
  const value = fixed ?? chosen;
  const { answer } = useCommandResult('settings.bindAddresses', {});
  /** _A specific address_ is selected, but no address is chosen yet. */
  const [wantsAddress, setWantsAddress] = useState(false);
  const { label, hint } = entryOf('host');
  const current = reachOf(value);
  const reach = wantsAddress ? 'address' : current;
  const known = (answer ?? []).map(({ address, interfaceName }) => ({
    id: address,
    title: `${address} (${interfaceName})`,
  }));
  const isListed = known.some(({ id }) => id === value);
  const isAway = answer !== undefined && /^[\d.]+$|:/u.test(value);
  const save = (host: string) => {
    setWantsAddress(false);
    if (host !== value) choose(host);
  };
  return (
    <>
      <ChoiceRow
        id="host"
        label={label}
        hint={isFixed ? fixedHint : hint}
        value={reach}
        error={error}
        onChange={(wanted) => {
          if (wanted === current) save(value);
          else if (wanted === 'address') setWantsAddress(true);
          else save(wanted === 'networks' ? '0.0.0.0' : '127.0.0.1');
        }}
        options={[
          {
            id: 'computer',
            title: t('window.this-computer-only'),
            hint: t('window.other-computers-and-most-containers'),
            isDisabled: isFixed,
          },
          {
            id: 'networks',
            title: t('window.all-networks'),
            hint: t('window.editors-on-other-computers-and'),
            isDisabled: isFixed,
          },
          {
            id: 'address',
            title: t('window.a-specific-address'),
            hint: t('window.editors-on-other-computers-can'),
            isDisabled: isFixed || (current !== 'address' && known.length === 0),
          },
        ]}
      />
      {reach === 'address' && (
        <SettingRow title={t('window.address')} hint={t('window.one-of-this-computers-addresses')}>
          <Select
            label={t('window.address')}
            isLabelHidden
            isDisabled={isFixed}
            value={current === 'address' ? value : ''}
            options={[
              ...(current === 'address' ? [] : [{ id: '', title: t('window.choose-an-address') }]),
              ...(current === 'address' && !isListed
                ? [
                    {
                      id: value,
                      title: isAway ? t('window.address-not-available', { address: value }) : value,
                    },
                  ]
                : []),
              ...known,
            ]}
            onChange={(host) => {
              if (host !== '') save(host);
            }}
          />
        </SettingRow>
      )}
    </>
  );
}

function RestartNotice() {
  return (
    <div className="setting-notice">
      <Notice tone="warn">
        <div className="row">
          <span className="grow">{t('window.the-new-address-takes-effect')}</span>
          <ReopenPort />
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
            title: t('window.off'),
            hint: t('window.plain-http-fine-if-only'),
          },
          {
            id: 'local-authority',
            title: t('window.certificate-created-by-doctray'),
            hint: t('window.editors-and-browsers-must-trust-its'),
          },
          {
            id: 'files',
            title: t('window.your-own-certificate'),
            hint: t('window.two-pem-files-doctray-picks'),
          },
        ]}
      />
      {shown === 'files' && (
        <>
          <PathSetting settingKey="tlsCertificate" placeholder="/etc/ssl/doctray/fullchain.pem" />
          <PathSetting settingKey="tlsKey" placeholder="/etc/ssl/doctray/privkey.pem" />
          {isWaiting && (
            <SettingRow
              title={hasFiles ? t('window.both-files-are-chosen') : t('window.choose-both-files-first')}
            >
              <Button
                look="primary"
                isDisabled={!hasFiles}
                onPress={() => {
                  setWantsFiles(false);
                  choose('files');
                }}
              >
                {t('window.turn-on-https')}
              </Button>
            </SettingRow>
          )}
        </>
      )}
      {!isWaiting && stored !== 'off' && <TlsStatus />}
    </>
  );
}

function TlsStatus() {
  const tls = useWindowState((state) => state.host.tls);
  const save = useAction('tls.saveAuthority', {
    failure: t('window.couldnt-save-the-certificate'),
    success: ({ savedTo }) =>
      savedTo === null ? t('window.nothing-was-saved') : t('window.saved-path', { path: savedTo }),
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
              of="window.the-certificate-expires-when"
              values={{ when: <RelativeTime atMs={validUntilMs} /> }}
            />
          }
          hint={
            <>
              <Message
                of="window.on-date-for-names"
                values={{
                  date: formatTime('toSecond', validUntilMs),
                  names: <span className="selectable">{listed(names)}</span>,
                }}
              />
              {tls.mode === 'local-authority' && (
                <span className="setting-note">{t('window.doctray-renews-it-automatically')}</span>
              )}
            </>
          }
        />
      )}
      {fingerprint !== null && (
        <SettingRow
          title={t('window.certificate-of-the-authority')}
          hint={
            <Message
              of="window.editors-and-browsers-must-trust"
              values={{
                fingerprint: <span className="code selectable tls-fingerprint">{fingerprint}</span>,
              }}
            />
          }
        >
          <CopyButton text={fingerprint} what={t('window.fingerprint')} />
          <Button icon="download" isPending={save.isPending} onPress={() => void save.run({})}>
            {t('window.save-certificate')}
          </Button>
        </SettingRow>
      )}
    </>
  );
}
