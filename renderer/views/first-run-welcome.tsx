// What DocTray is, before anything is asked.

import { Button } from '../parts/button.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Step, type StepProps } from './first-run-step.tsx';

export function WelcomeStep({ next, finish, isFinishing }: StepProps) {
  return (
    <Step
      title="Your own files, in a full document editor"
      footer={
        <>
          <Button look="quiet" isPending={isFinishing} onPress={() => finish()}>
            Skip all of this
          </Button>
          <Button look="primary" onPress={next} autoFocus>
            Begin
          </Button>
        </>
      }
    >
      <p>
        DocTray hands the documents of one folder to an editor such as ONLYOFFICE or Collabora, and saves what
        is written there back into the very same files. A minute is enough to set it up.
      </p>
      <Facts
        facts={[
          [
            'folder',
            'The files stay where they are',
            'Nothing is moved, renamed or turned into another format.',
          ],
          [
            'locks',
            'Only what is opened is handed out',
            'An editor gets a token for one document, for some hours.',
          ],
          ['history', 'Nothing is lost', 'What a document was before each save is kept for a while.'],
        ]}
      />
    </Step>
  );
}

function Facts(props: { facts: [icon: IconName, title: string, words: string][] }) {
  return (
    <ul className="first-run-facts">
      {props.facts.map(([icon, title, words]) => (
        <li key={title}>
          <span className="first-run-fact-sign">
            <Icon name={icon} size={18} />
          </span>
          <div>
            <div className="first-run-card-title">{title}</div>
            <div className="muted">{words}</div>
          </div>
        </li>
      ))}
    </ul>
  );
}
