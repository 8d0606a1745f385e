// The panes that the catalog describes, and the views of what isn't a plain setting: the folder, the start with the system, the bind
// address, the disk space of versions, and HTTPS with the user's certificate or a local authority that DocTray creates and that editors and
// browsers must trust. The authority's key never gets here.

import { useCallback, useState, type ComponentType, type ReactNode } from 'react';
import { isLoopbackHost, isWildcard } from '../../../app/contract/addresses.ts';
import { isCertificateBroken } from '../../../app/contract/attention.ts';
import { formatSize, formatTime } from '../../../app/contract/format.ts';
import { isFolderProblem } from '../../../app/contract/host-status.ts';
import { t } from '../../../app/contract/messages.ts';
import { documentsBeingEdited } from '../../../app/contract/state.ts';
import { listed } from '../editors/words.ts';
import { RestartConnection } from '../frame.tsx';
import { useAction, useCommandResult, CopyButton, JobRow } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { ChoiceRow, FieldRow } from '../../kit/field-rows.tsx';
import { Select } from '../../kit/fields.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Message, Section } from '../../kit/blocks.tsx';
import { useNavigation, useCall, useWindowState } from '../state/window-context.tsx';
import { entryOf, panes, type PaneId, type SettingEntry, type SettingId } from './catalog.ts';
import {
  fixedHint,
  isStored,
  optionsOf,
  SavedField,
  SettingField,
  useChosenSetting,
  useChosenValue,
} from './fields.tsx';

export function NetworkPane() {
  const baseUrl = useWindowState((state) => state.host.baseUrl);
  const isLocal = useWindowState(({ host, settings: now }) => isLoopbackHost(host.fixedHost ?? now.host));
  const listening =
    baseUrl === null ? (
      t('window.doctray-isnt-listening-at-the')
    ) : (
      <Message
        of="window.on-this-computer-doctray-is"
        values={{ address: <span className="code selectable">{baseUrl}</span> }}
      />
    );
  const reach = isLocal
    ? t('window.they-cant-connect-with-this')
    : t('window.only-editors-can-connect-unless');
  return <Groups pane="network" hints={[listening, reach]} />;
}

/** @param props.hints of the groups, in their order, where they depend on the state */
export function Groups({ pane, hints = [] }: { pane: PaneId; hints?: readonly ReactNode[] }) {
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const now = useWindowState((state) => state.settings);
  const isShown = ({ isForApp, needs }: SettingEntry) =>
    !(isForApp === true && isInBrowser) && (needs === undefined || now[needs] === true);
  return panes[pane].map(({ title, hint, fields }, index) => {
    const shown = fields.map(entryOf).filter(isShown);
    return (
      shown.length > 0 && (
        <Section key={index} level={3} title={title} hint={hints[index] ?? hint}>
          {shown.map(({ id }) => (
            <Setting key={id} id={id} />
          ))}
        </Section>
      )
    );
  });
}

/** What isn't in app/contract/settings.ts, or has more than a value. */
const views: Partial<Record<SettingId, ComponentType>> = {
  folder: Folder,
  startAtLogin: StartAtLogin,
  versionUsage: Usage,
  proofKeys: ProofKeys,
  host: BindAddress,
  port: Port,
  tls: Https,
  tlsCertificate: () => null,
  tlsKey: () => null,
};

function Setting({ id }: { id: SettingId }) {
  const View = views[id];
  if (View !== undefined) return <View />;
  return isStored(id) && <SettingField id={id} />;
}

function Folder() {
  const folder = useWindowState((state) => state.host.folder);
  const problem = useWindowState((state) => state.host.problem);
  const hasProblem = problem !== null && isFolderProblem(problem);
  const warning = useWindowState((state) => state.host.warning);
  const editing = useWindowState((state) => documentsBeingEdited(state).length);
  const choose = useAction('host.chooseFolder', { failure: t('window.couldnt-use-this-folder') });
  return (
    <FieldRow
      id="folder"
      label={entryOf('folder').label}
      hint={
        folder === null ? t('window.no-folder-is-chosen-yet') : <span className="selectable">{folder}</span>
      }
      note={[warning, editing > 0 && t('window.documents-are-being-edited-editors', { count: editing })]
        .filter(Boolean)
        .join(' ')}
      error={hasProblem ? problem.message : null}
    >
      <Button
        look={folder === null ? 'primary' : 'plain'}
        isPending={choose.isPending}
        onPress={() => void choose.run({})}
      >
        {folder === null ? t('window.choose-folder') : t('window.change-folder')}
      </Button>
    </FieldRow>
  );
}

function StartAtLogin() {
  const isOn = useWindowState((state) => state.app.startsAtLogin);
  const call = useCall();
  const save = useCallback(
    async (next: unknown) => call('app.setStartsAtLogin', { isOn: next === true }),
    [call],
  );
  const entry = entryOf('startAtLogin');
  return isOn === null ? (
    <FieldRow {...entry} hint={t('window.this-system-doesnt-support-it')} />
  ) : (
    <SavedField {...entry} kind="switch" stored={isOn} save={save} />
  );
}

/** What all versions use, and the button and the job that remove those beyond the limits. */
function Usage() {
  const [jobId, setJobId] = useState<string>();
  const cleanUp = useAction('versions.cleanUp', { failure: t('window.couldnt-clean-up') });
  // A host that couldn't be asked may be back.
  const status = useWindowState(({ host }) => host.status);
  const job = useWindowState(({ jobs }) => jobs.find(({ id }) => id === jobId));
  const reloadKey = `${status} ${job?.state}`;
  const { answer: usage, problem, reload } = useCommandResult('versions.usage', {}, { reloadKey });
  const start = async () => {
    const started = await cleanUp.run({});
    if (started !== undefined) setJobId(started.jobId);
  };
  const size = usage && t('window.versions-size', { count: usage.count, size: formatSize(usage.bytes) });
  return (
    <>
      <FieldRow
        {...entryOf('versionUsage')}
        hint={size ?? (problem === null && t('window.measuring'))}
        error={problem?.message ?? null}
      >
        {problem !== null && <Button onPress={reload}>{t('common.try-again')}</Button>}
        {job?.state !== 'running' && (
          <Button
            isPending={cleanUp.isPending}
            isDisabled={usage === undefined || usage.count === 0}
            onPress={() => void start()}
          >
            {t('window.clean-up-now')}
          </Button>
        )}
      </FieldRow>
      {job !== undefined && <JobRow job={job} />}
    </>
  );
}

function ProofKeys() {
  const { go } = useNavigation();
  return (
    <FieldRow {...entryOf('proofKeys')}>
      <Button onPress={() => go('settings', 'editors')}>{t('window.show-editors')}</Button>
    </FieldRow>
  );
}

function Port() {
  return <SettingField id="port" fixed={useWindowState((state) => state.host.fixedPort)} />;
}

const reaches = ['computer', 'networks', 'address'] as const;

function reachOf(host: string): (typeof reaches)[number] {
  if (isLoopbackHost(host)) return 'computer';
  return isWildcard(host) ? 'networks' : 'address';
}

function BindAddress() {
  const { value: chosen, error, choose } = useChosenSetting('host');
  const needsRestart = useWindowState((state) => state.host.needsListenerRestart);
  const fixed = useWindowState((state) => state.host.fixedHost);
  const port = useWindowState((state) => `${state.host.fixedPort ?? state.settings.port}`);
  const isFixed = fixed !== null;
  const value = fixed ?? chosen;
  const { answer } = useCommandResult('settings.bindAddresses', {});
  /** _A specific address_ is selected, but no address is chosen yet. */
  const [wantsAddress, setWantsAddress] = useState(false);
  const entry = entryOf('host');
  const current = reachOf(value);
  const known = (answer ?? []).map(({ address, interfaceName }) => ({
    id: address,
    title: `${address} (${interfaceName})`,
  }));
  const isAway = answer !== undefined && /^[\d.]+$|:/u.test(value);
  const own = { id: value, title: isAway ? t('window.address-not-available', { address: value }) : value };
  const first =
    current !== 'address'
      ? [{ id: '', title: t('window.choose-an-address') }]
      : known.some(({ id }) => id === value)
        ? []
        : [own];
  const save = (host: string) => {
    setWantsAddress(false);
    if (host !== value) choose(host);
  };
  return (
    <>
      {needsRestart && (
        <div className="field-notice">
          <Notice tone="warn" actions={<RestartConnection />}>
            {t('window.restart-the-connection-to-use', { host: value, port })}
          </Notice>
        </div>
      )}
      <ChoiceRow
        {...entry}
        hint={isFixed ? fixedHint : entry.hint}
        value={wantsAddress ? 'address' : current}
        error={error}
        onChange={(wanted) => {
          if (wanted === current) save(value);
          else if (wanted === 'address') setWantsAddress(true);
          else save(wanted === 'networks' ? '0.0.0.0' : '127.0.0.1');
        }}
        options={optionsOf('host', reaches).map((option) => ({
          ...option,
          isDisabled: isFixed || (option.id === 'address' && current !== 'address' && known.length === 0),
        }))}
      />
      {(wantsAddress || current === 'address') && (
        <FieldRow
          label={t('common.address')}
          hint={t(
            current === 'address'
              ? 'window.one-of-this-computers-addresses'
              : 'window.not-in-effect-until-you',
          )}
        >
          <Select
            label={t('common.address')}
            isLabelHidden
            isDisabled={isFixed}
            value={current === 'address' ? value : ''}
            options={[...first, ...known]}
            onChange={(host) => {
              if (host !== '') save(host);
            }}
          />
        </FieldRow>
      )}
    </>
  );
}

function Https() {
  const call = useCall();
  const stored = useWindowState((state) => state.settings.tls);
  const hasFiles = useWindowState(({ settings: now }) => now.tlsCertificate !== null && now.tlsKey !== null);
  /** The files are asked for first: without them, HTTPS can't be turned on. */
  const [wantsFiles, setWantsFiles] = useState(false);
  const { value, error, choose } = useChosenValue(
    stored,
    useCallback(
      async (mode: typeof stored) =>
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
        {...entryOf('tls')}
        value={shown}
        error={error}
        onChange={(mode) => {
          setWantsFiles(mode === 'files' && !hasFiles);
          if (mode !== 'files' || hasFiles) choose(mode);
        }}
        options={optionsOf('tls', ['off', 'local-authority', 'files'] as const)}
      />
      {shown === 'files' && (
        <>
          <SettingField id="tlsCertificate" />
          <SettingField id="tlsKey" />
          {isWaiting && (
            <FieldRow
              label={hasFiles ? t('window.both-files-are-chosen') : t('window.choose-both-files-first')}
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
            </FieldRow>
          )}
        </>
      )}
      {!isWaiting && stored !== 'off' && <Certificate />}
    </>
  );
}

function Certificate() {
  const tls = useWindowState((state) => state.host.tls);
  const save = useAction('tls.saveAuthority', {
    failure: t('window.couldnt-save-the-certificate'),
    success: ({ savedTo }) =>
      savedTo === null ? t('window.nothing-was-saved') : t('window.saved-path', { path: savedTo }),
  });
  if (tls === null) return null;
  const { problem, names, validUntilMs, authorityFingerprint: fingerprint } = tls;
  const isBroken = isCertificateBroken(tls);
  return (
    <>
      {problem !== null && (
        <div className="field-notice">
          <Notice tone={isBroken ? 'bad' : 'warn'}>{problem.message}</Notice>
        </div>
      )}
      {validUntilMs !== null && (
        <FieldRow
          label={
            <Message
              of={isBroken ? 'window.the-certificate-expired-when' : 'window.the-certificate-expires-when'}
              values={{ when: <RelativeTime atMs={validUntilMs} /> }}
            />
          }
          hint={
            <Message
              of="window.on-date-for-names"
              values={{
                date: formatTime('toSecond', validUntilMs),
                names: <span className="selectable">{listed(names)}</span>,
              }}
            />
          }
          note={tls.mode === 'local-authority' && t('window.doctray-renews-it-automatically')}
        />
      )}
      {fingerprint !== null && (
        <FieldRow
          label={t('window.certificate-of-the-authority')}
          hint={
            <Message
              of="window.editors-and-browsers-must-trust"
              values={{
                fingerprint: <span className="code selectable">{fingerprint}</span>,
              }}
            />
          }
        >
          <CopyButton text={fingerprint} what={t('window.fingerprint')} />
          <Button icon="download" isPending={save.isPending} onPress={() => void save.run({})}>
            {t('window.save-certificate')}
          </Button>
        </FieldRow>
      )}
    </>
  );
}
