// How many versions and recovered saves are kept, and what they use.

import { useCallback, useEffect, useMemo, useState } from 'react';
import { formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { DocumentJobs } from '../documents/jobs.tsx';
import { Button } from '../parts/button.tsx';
import { sentenceOf } from '../state/call.ts';
import { useAction } from '../state/use-action.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { entryOf } from './catalog.ts';
import { NumberSetting, SettingRow, SettingsGroup } from './fields.tsx';

export function VersionsPane() {
  return (
    <>
      <SettingsGroup hint={t('DocTray keeps what a document was before each save.')}>
        <NumberSetting settingKey="versionDays" unit={t('days')} />
        <NumberSetting settingKey="versionCount" unit={t('versions')} />
        <Usage />
      </SettingsGroup>
      <SettingsGroup
        title={t('Recovered saves')}
        hint={t('Saves that arrived but couldn’t be written to their document.')}
      >
        <NumberSetting settingKey="recoveredDays" unit={t('days')} />
        <NumberSetting settingKey="recoveredMiB" unit="MiB" />
        <NumberSetting settingKey="recoveredTokenMiB" unit="MiB" />
      </SettingsGroup>
    </>
  );
}

function Usage() {
  const call = useCall();
  const [usage, setUsage] = useState<{ count: number; bytes: number }>();
  const [problem, setProblem] = useState<string | null>(null);
  const [jobId, setJobId] = useState<string>();
  const jobIds = useMemo(() => (jobId === undefined ? [] : [jobId]), [jobId]);
  const cleanUp = useAction('versions.cleanUp', { failure: t('Couldn’t clean up') });
  const load = useCallback(async () => {
    try {
      setUsage(await call('versions.usage', {}));
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [call]);
  // A host that couldn't be asked may be back.
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
        id="versionUsage"
        title={entryOf('versionUsage').label}
        hint={
          usage === undefined
            ? problem === null && t('Measuring…')
            : t(
                '{count, plural, =0 {No versions yet.} one {# version, {size}.} other {# versions, {size}.}}',
                {
                  count: usage.count,
                  size: formatSize(usage.bytes),
                },
              )
        }
        error={problem}
      >
        {problem !== null && <Button onPress={reload}>{t('Try again')}</Button>}
        <Button
          isPending={cleanUp.isPending}
          isDisabled={usage === undefined || usage.count === 0}
          onPress={() => void start()}
        >
          {t('Clean up now')}
        </Button>
      </SettingRow>
      {jobIds.length > 0 && <DocumentJobs ids={jobIds} onEnd={reload} />}
    </>
  );
}
