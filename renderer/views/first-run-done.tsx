// The end of the first steps: where the owner's password lies, and the ways on.

import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { useTry } from '../state/use-try.ts';
import { useWindowState } from '../state/window-context.tsx';
import { Back, Step, type StepProps } from './first-run-step.tsx';

export function DoneStep({ back, finish, isFinishing, sample }: StepProps) {
  const host = useWindowState((state) => state.host);
  const hasTray = useWindowState((state) => state.app.hasTray);
  const copy = useTry('host.copyOwnerPassword');
  const [isCopied, setIsCopied] = useState(false);
  const press = async () => {
    setIsCopied((await copy.run({})) !== undefined);
  };
  return (
    <Step
      title={host.folder === null ? 'Ready, but for a folder' : 'Ready'}
      aside={<Back onPress={back} />}
      footer={
        <>
          {sample !== undefined && (
            <Button isPending={isFinishing} onPress={() => finish()}>
              Go to the overview
            </Button>
          )}
          <Button look="primary" isPending={isFinishing} onPress={() => finish(sample)}>
            {sample === undefined ? 'Go to the overview' : 'Show the sample'}
          </Button>
        </>
      }
    >
      <p>
        {host.folder === null
          ? 'DocTray serves nothing until a folder is chosen: in the overview, or in the settings.'
          : hasTray
            ? 'DocTray goes on serving when this window is closed; its sign stays in the tray.'
            : 'DocTray serves as long as it runs. This desktop has no tray, so closing the window asks first.'}
      </p>
      {host.secrets !== null && (
        <>
          <div className="first-run-card">
            <Icon name="tokens" size={20} />
            <div className="first-run-card-words">
              <div className="first-run-card-title">
                The owner’s account: <span className="code">{host.owner ?? 'owner'}</span>
              </div>
              <div className="muted">
                Its password lies in {host.secrets.description}. This window never asks for it; other programs
                sign in with it.
              </div>
            </div>
            <Button icon="copy" isPending={copy.isPending} onPress={() => void press()}>
              Copy password
            </Button>
          </div>
          {isCopied && (
            <p className="muted" role="status">
              The password is on the clipboard. Copy something else when you no longer need it there.
            </p>
          )}
        </>
      )}
      {copy.problem !== null && <Notice tone="bad">{copy.problem}</Notice>}
    </Step>
  );
}
