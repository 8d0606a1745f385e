// The app's own updates: whether there is a newer version, what is new in it, and when it is installed.

import type { ReactNode } from 'react';
import type { UpdateState } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useAction } from '../state/use-action.ts';
import { SwitchSetting } from './fields.tsx';
import { SettingRow } from './section.tsx';

export function UpdateRows({ name, update }: { name: string; update: UpdateState }) {
  const check = useAction('app.checkForUpdates', { failure: 'Could not check for updates' });
  const restart = useAction('app.restartToUpdate', { failure: 'Could not restart' });
  const { status, version, notes, problem, checkedAtMs, canRestart } = update;
  const newer = `${name} ${version}`;
  const rows: Record<UpdateState['status'], { title: string; hint?: ReactNode }> = {
    unknown: { title: 'Updates' },
    checking: { title: 'Checking for updates…' },
    current: {
      title: `${name} is up to date`,
      hint: (
        <>
          Checked <RelativeTime atMs={checkedAtMs} />.
        </>
      ),
    },
    downloading: { title: `Downloading ${newer}…`, hint: 'You can keep working.' },
    ready: {
      title: `${newer} is ready`,
      hint: 'It will be installed when you quit DocTray. Logging out doesn’t install it.',
    },
    failed: { title: 'Updates' },
  };
  const isBusy = status === 'checking' || status === 'downloading';
  return (
    <>
      <SettingRow {...rows[status]} error={problem?.message ?? null}>
        {status === 'ready' ? (
          canRestart && <Button onPress={() => void restart.run({})}>Restart to update</Button>
        ) : (
          <Button isDisabled={isBusy} onPress={() => void check.run({})}>
            Check for updates
          </Button>
        )}
      </SettingRow>
      {notes !== null && (
        <details className="setting update-notes">
          <summary>What’s new in {newer}</summary>
          <div className="update-notes-text">{notes}</div>
        </details>
      )}
      <SwitchSetting
        settingKey="checkForUpdates"
        label="Check for updates once a day"
        hint="Downloads new versions in the background and installs them when you quit."
      />
    </>
  );
}
