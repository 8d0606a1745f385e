// A document to try with, so that nothing of the user's is at stake.

import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { useTry } from '../state/use-try.ts';
import { useWindowState } from '../state/window-context.tsx';
import { Back, Step, type StepProps } from './first-run-step.tsx';

export function SampleStep({ next, back, finish, isFinishing, sample, onSample }: StepProps) {
  const hasFolder = useWindowState((state) => state.host.folder !== null);
  const make = useTry('host.makeSample');
  const press = async () => {
    const made = await make.run({});
    if (made !== undefined) onSample(made.path);
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
            <Button look="primary" onPress={next}>
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
      {sample !== undefined && (
        <div className="first-run-card tone-good" role="status">
          <Icon name="good" size={20} />
          <div className="first-run-card-words">
            <div className="first-run-card-title">{splitPath(sample).name}</div>
            <div className="muted">It is in your folder now.</div>
          </div>
        </div>
      )}
    </Step>
  );
}
