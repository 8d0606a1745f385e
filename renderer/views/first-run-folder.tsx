// The folder, and what being served means for the files in it.

import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useTry } from '../state/use-try.ts';
import { useWindowState } from '../state/window-context.tsx';
import { Back, Step, type StepProps } from './first-run-step.tsx';

export function FolderStep({ next, back }: StepProps) {
  const host = useWindowState((state) => state.host);
  const choose = useTry('host.chooseFolder');
  const restart = useTry('host.restart');
  const problem = choose.problem ?? restart.problem ?? host.problem?.message ?? null;
  const hasFolder = host.folder !== null;
  const chooseButton = (look: 'plain' | 'primary') => (
    <Button look={look} icon="folder" isPending={choose.isPending} onPress={() => void choose.run({})}>
      {hasFolder ? 'Choose another…' : 'Choose folder…'}
    </Button>
  );
  return (
    <Step
      title="Which folder holds your documents?"
      aside={<Back onPress={back} />}
      footer={
        hasFolder ? (
          <Button look="primary" onPress={next}>
            Next
          </Button>
        ) : (
          <>
            <Button look="quiet" onPress={next}>
              Skip this step
            </Button>
            {chooseButton('primary')}
          </>
        )
      }
    >
      <p>One folder, with all that is in it. It can be another one tomorrow.</p>
      {hasFolder && (
        <div className={`first-run-card tone-${host.status === 'error' ? 'bad' : 'good'}`}>
          <Icon name={host.status === 'error' ? 'error' : 'good'} size={20} />
          <div className="first-run-card-words">
            <div className="first-run-card-title">{host.folderName}</div>
            <div className="muted selectable">{host.folder}</div>
          </div>
          {chooseButton('plain')}
        </div>
      )}
      {problem !== null && (
        <Notice tone="bad">
          <div className="row">
            <span className="grow">{problem}</span>
            {host.status === 'error' && (
              <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
                Try again
              </Button>
            )}
          </div>
        </Notice>
      )}
      <div className="first-run-two">
        <Points
          title="What will happen"
          icon="check"
          points={[
            'Its documents can be opened from here, and by whom you give an account.',
            'Saves go into the files themselves.',
            'Earlier contents are kept outside the folder.',
          ]}
        />
        <Points
          title="What will not"
          icon="close"
          points={[
            'No file is moved, renamed or changed by being here.',
            'Nothing leaves this machine until a document is opened.',
            'Hidden files are never shown or served.',
          ]}
        />
      </div>
    </Step>
  );
}

function Points(props: { title: string; icon: IconName; points: string[] }) {
  return (
    <section>
      <h2 className="first-run-head">{props.title}</h2>
      <ul className={`first-run-points first-run-points-${props.icon}`}>
        {props.points.map((point) => (
          <li key={point}>
            <Icon name={props.icon} size={14} />
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
