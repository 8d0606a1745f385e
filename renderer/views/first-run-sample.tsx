// A document to try with, so that nothing of the user's is at stake.

import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { useTry } from '../state/use-try.ts';
import { useWindowState } from '../state/window-context.tsx';
import { Back, Step, type StepProps } from './first-run-step.tsx';

export function SampleStep({ next, back, finish, isFinishing, sample, onSample }: StepProps) {
  const hasFolder = useWindowState((state) => state.host.folder !== null);
  const canOpen = useWindowState((state) => state.editors.length > 0);
  const make = useTry('host.makeSample');
  const opening = useTry('documents.openInEditor');
  const [openedIn, setOpenedIn] = useState<string>();
  const isOpened = openedIn !== undefined;
  const press = async () => {
    const made = await make.run({});
    if (made !== undefined) onSample(made.path);
  };
  const open = async (path: string) => {
    const opened = await opening.run({ path, mode: 'edit', editorId: null });
    if (opened !== undefined) setOpenedIn(opened.editorName);
  };
  return (
    <Step
      title="Try it with a sample"
      aside={<Back onPress={back} />}
      footer={
        sample !== undefined ? (
          <>
            <Button isPending={isFinishing} onPress={() => finish(sample)}>
              Show it in Documents
            </Button>
            {canOpen && (
              <Button
                look={isOpened ? 'plain' : 'primary'}
                icon="edit"
                isPending={opening.isPending}
                onPress={() => void open(sample)}
              >
                Open it
              </Button>
            )}
            <Button look={canOpen && !isOpened ? 'plain' : 'primary'} onPress={next}>
              Next
            </Button>
          </>
        ) : (
          <>
            <Button look="quiet" onPress={next}>
              Skip this step
            </Button>
            <Button
              look="primary"
              icon="plus"
              isDisabled={!hasFolder}
              isPending={make.isPending}
              onPress={() => void press()}
            >
              Make a sample
            </Button>
          </>
        )
      }
    >
      <p>
        A short document to open, write into and save, so that nothing of yours is at stake. It is put into
        your folder; delete it whenever you like.
      </p>
      {!hasFolder && (
        <Notice tone="info">
          <div className="row">
            <span className="grow">There is no folder to put it into yet.</span>
          </div>
        </Notice>
      )}
      {make.problem !== null && <Notice tone="bad">{make.problem}</Notice>}
      {opening.problem !== null && <Notice tone="bad">{opening.problem}</Notice>}
      {sample !== undefined && (
        <div className="first-run-card tone-good" role="status">
          <Icon name="good" size={20} />
          <div className="first-run-card-words">
            <div className="first-run-card-title">{splitPath(sample).name}</div>
            <div className="muted">
              {isOpened
                ? `It is open in ${openedIn}. What you write there is saved into this file.`
                : 'It is in your folder now.'}
            </div>
          </div>
        </div>
      )}
    </Step>
  );
}
