// Settings of what is handed out and kept: tokens, locks, versions, uploads.

import { useCallback, useEffect, useMemo, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { countOf, formatSize } from '../../../app/contract/format.ts';
import { sentenceOf } from '../state/call.ts';
import { useAction } from '../state/use-action.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { DocumentJobs } from '../documents/jobs.tsx';
import { ChoiceSetting, NumberSetting } from './fields.tsx';
import { SettingRow, SettingsSection } from './section.tsx';

export function TokensSection() {
  return (
    <SettingsSection id="tokens" title="Locks and tokens">
      <NumberSetting
        settingKey="accessTokenHours"
        label="A document stays open for"
        hint="Then its access token expires. What is open can still be saved for a day."
        unit="hours"
      />
      <NumberSetting
        settingKey="apiTokenDays"
        label="A program stays signed in for"
        hint="Then its API token expires, and it signs in again."
        unit="days"
      />
      <ChoiceSetting
        settingKey="desktopLocks"
        label="A program on this machine has the document open"
        hint="LibreOffice and Microsoft Office keep a lock file next to an open document."
        options={[
          {
            id: 'block',
            title: 'Refuse the editor',
            hint: 'It is told that the document is locked. Nobody’s work is overwritten.',
          },
          {
            id: 'warn',
            title: 'Let the editor in and note it in the log',
            hint: 'Should both save, the other content is kept as a conflict copy.',
          },
          {
            id: 'ignore',
            title: 'Do not look',
            hint: 'For folders where lock files are left behind, such as synchronized ones.',
          },
        ]}
      />
    </SettingsSection>
  );
}

export function VersionsSection() {
  return (
    <SettingsSection
      id="versions"
      title="Versions"
      hint="What a document was before each save is kept outside the folder, for as long as neither limit is reached."
    >
      <NumberSetting settingKey="versionDays" label="Keep for" hint="Older versions go." unit="days" />
      <NumberSetting
        settingKey="versionCount"
        label="Keep at most"
        hint="Of each document; the oldest go first."
        unit="versions"
      />
      <VersionsUsage />
    </SettingsSection>
  );
}

function VersionsUsage() {
  const call = useCall();
  const [usage, setUsage] = useState<{ count: number; bytes: number }>();
  const [problem, setProblem] = useState<string | null>(null);
  const [jobId, setJobId] = useState<string>();
  const jobIds = useMemo(() => (jobId === undefined ? [] : [jobId]), [jobId]);
  const cleanUp = useAction('versions.cleanUp', { failure: 'Could not clean up' });
  const load = useCallback(async () => {
    try {
      setUsage(await call('versions.usage', {}));
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [call]);
  // A host that could not be asked may be back.
  const status = useWindowState(({ host }) => host.status);
  useEffect(() => void load(), [load, status]);
  const reload = useCallback(() => void load(), [load]);
  const start = async () => {
    const started = await cleanUp.run({});
    if (started !== undefined) setJobId(started.jobId);
  };
  return (
    <>
      <SettingRow
        title="Disk used"
        hint={
          usage === undefined
            ? problem === null && 'Measuring…'
            : usage.count === 0
              ? 'No version is kept yet.'
              : `${countOf(usage.count, 'version')} of all documents, ${formatSize(usage.bytes)}.`
        }
        error={problem}
      >
        {problem !== null && <Button onPress={reload}>Try again</Button>}
        <Button
          isPending={cleanUp.isPending}
          isDisabled={usage === undefined || usage.count === 0}
          onPress={() => void start()}
        >
          Clean up now
        </Button>
      </SettingRow>
      {jobIds.length > 0 && <DocumentJobs ids={jobIds} onEnd={reload} />}
    </>
  );
}

export function RecoveredSection() {
  return (
    <SettingsSection
      id="recovered"
      title="Recovered saves"
      hint="Kept for a limited time. Restore or discard them."
    >
      <NumberSetting
        settingKey="recoveredDays"
        label="Keep for"
        hint="Older recovered saves are removed."
        unit="days"
      />
      <NumberSetting
        settingKey="recoveredMiB"
        label="Keep at most"
        hint="All recovered saves together."
        unit="MiB"
      />
      <NumberSetting
        settingKey="recoveredTokenMiB"
        label="Keep at most from one open document"
        hint="One save is kept even if it’s larger."
        unit="MiB"
      />
    </SettingsSection>
  );
}

export function UploadsSection() {
  const mebibytes = useWindowState((state) => state.settings.maxUploadMiB);
  return (
    <SettingsSection id="uploads" title="Uploads">
      <NumberSetting
        settingKey="maxUploadMiB"
        label="Largest document"
        hint={`A save that is larger is refused; now ${formatSize(mebibytes * 1024 * 1024)}.`}
        unit="MiB"
      />
      <NumberSetting
        settingKey="minFreeMiB"
        label="Keep free on the disk"
        hint="With less, nothing new is created. Open documents still save."
        unit="MiB"
      />
    </SettingsSection>
  );
}
