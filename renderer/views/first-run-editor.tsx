// The editor: connected by its address, told where this machine is, and tested both ways.

import { useEffect, useRef } from 'react';
import type { EditorItem } from '../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { countOf } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { useAction } from '../state/use-action.ts';
import { useTry } from '../state/use-try.ts';
import { useWindowState } from '../state/window-context.tsx';
import { AddressFields } from './editor-address.tsx';
import { ConnectButton, ConnectFields, useConnecting } from './editor-connect.tsx';
import { ConnectionSteps, TestProgress, useConnectionTest } from './editor-test.tsx';
import { productOf, typesByAbility } from './editor-words.ts';
import { Back, Step, type StepProps } from './first-run-step.tsx';
import { useAddressChoice } from './use-editor-address.ts';

export function EditorStep(props: StepProps) {
  const editor = useWindowState((state) => state.editors.at(-1));
  const id = editor?.id;
  const shown = useRef(id);
  useEffect(() => {
    // the button that had the focus is gone with its page
    if (shown.current !== id) document.querySelector<HTMLElement>('.first-run-title')?.focus();
    shown.current = id;
  }, [id]);
  return editor === undefined ? <Connect {...props} /> : <Reach key={id} {...props} editor={editor} />;
}

function Connect({ next, back }: StepProps) {
  const isListening = useWindowState((state) => state.host.baseUrl !== null);
  const help = useAction('app.openHelp', { failure: 'Could not open the help page' });
  const connecting = useConnecting(() => undefined);
  return (
    <Step
      title="Connect your editor"
      aside={<Back onPress={back} />}
      footer={
        <>
          <Button look="quiet" onPress={next}>
            Skip this step
          </Button>
          <ConnectButton connecting={connecting} />
        </>
      }
    >
      <p>
        The editor is a document server: on this machine, say in a container, or one of your organisation. Its
        address is enough; DocTray finds out what it is and what it opens.
      </p>
      {!isListening && (
        <Notice tone="info">
          DocTray is not listening yet. Choose a folder first; an editor can be connected then.
        </Notice>
      )}
      <ConnectFields connecting={connecting} />
      <div className="row">
        <span className="muted">How to set one up:</span>
        <Button look="quiet" icon="external" onPress={() => void help.run({ page: 'onlyoffice' })}>
          ONLYOFFICE Docs
        </Button>
        <Button look="quiet" icon="external" onPress={() => void help.run({ page: 'collabora' })}>
          Collabora Online
        </Button>
      </div>
    </Step>
  );
}

function Reach({ next, back, editor }: StepProps & { editor: EditorItem }) {
  const usualUrl = useWindowState((state) => state.host.publicUrl ?? state.host.baseUrl);
  const choice = useAddressChoice(editor);
  const test = useConnectionTest(editor);
  const remove = useTry('editors.remove');
  const isBusy = choice.isSaving || test.isRunning;
  const isProven = test.shown?.isGood === true && !choice.isChanged;
  const result = useRef<HTMLDivElement>(null);
  const isTested = test.shown !== undefined;
  useEffect(() => {
    if (test.isRunning || isTested) result.current?.scrollIntoView({ block: 'nearest' });
  }, [test.isRunning, isTested]);
  const run = async () => {
    if (!choice.isChanged || (await choice.save())) await test.run();
  };
  return (
    <Step
      title="Can it reach this machine?"
      aside={<Back onPress={back} />}
      footer={
        isProven ? (
          <>
            <Button isPending={isBusy} onPress={() => void run()}>
              Test again
            </Button>
            <Button look="primary" onPress={next}>
              Next
            </Button>
          </>
        ) : (
          <>
            <Button look="quiet" onPress={next}>
              Skip the test
            </Button>
            <Button
              look="primary"
              isPending={isBusy}
              isDisabled={choice.addresses === undefined}
              onPress={() => void run()}
            >
              {choice.isChanged ? 'Use and test' : 'Test connection'}
            </Button>
          </>
        )
      }
    >
      <div className="first-run-card tone-good">
        <Icon name="good" size={20} />
        <div className="first-run-card-words">
          <div className="first-run-card-title">{editor.name}</div>
          <div className="muted">
            {productOf(editor)} at <span className="code selectable">{editor.url}</span>. {opens(editor)}
          </div>
        </div>
        <Button look="quiet" isPending={remove.isPending} onPress={() => void remove.run({ id: editor.id })}>
          Another editor…
        </Button>
      </div>
      {remove.problem !== null && <Notice tone="bad">{remove.problem}</Notice>}
      <p>
        It fetches documents from here and saves them back. Choose the address under which it reaches this
        machine; the test tries it for real.
      </p>
      <AddressFields choice={choice} usualUrl={usualUrl} />
      <div className="first-run-test" ref={result}>
        {test.isRunning && <TestProgress name={editor.name} />}
        {test.problem !== null && <Notice tone="bad">{test.problem}</Notice>}
        {test.shown !== undefined && <ConnectionSteps test={test.shown} />}
      </div>
    </Step>
  );
}

function opens({ types }: EditorItem): string {
  const { edit } = typesByAbility(types);
  return `It opens ${countOf(types.length, 'type')}, ${edit.length} of them to edit.`;
}
