// How an editor gets here: the address, and where it is written what to do in the editor.

import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { Back, Step, type StepProps } from './first-run-step.tsx';

/** Only this machine itself can reach these. */
const ownAddress = /^https?:\/\/(?:127\.|localhost(?:[:/]|$)|\[::1\])/u;

export function EditorStep({ next, back }: StepProps) {
  const address = useWindowState((state) => state.host.publicUrl ?? state.host.baseUrl);
  const help = useAction('app.openHelp', { failure: 'Could not open the help page' });
  return (
    <Step
      title="How your editor reaches this machine"
      aside={<Back onPress={back} />}
      footer={
        <Button look="primary" onPress={next}>
          Next
        </Button>
      }
    >
      <p>
        The editor runs on a server: yours, or one of your organisation. It fetches documents from DocTray at
        this address, and must be told that it may.
      </p>
      {address === null ? (
        <Notice tone="info">
          DocTray is not listening yet. Choose a folder first; the address is shown here and in the overview
          then.
        </Notice>
      ) : (
        <>
          <div className="first-run-card">
            <Icon name="external" size={20} />
            <div className="first-run-card-words">
              <div className="code first-run-address selectable">{address}</div>
              <div className="muted">The address of this DocTray</div>
            </div>
            <CopyButton text={address} what="address" />
          </div>
          {ownAddress.test(address) && (
            <Notice tone="info">
              This address works for an editor on this same machine. For one elsewhere, choose in the settings
              under Network that DocTray listens on your network.
            </Notice>
          )}
        </>
      )}
      <p>
        An editor cannot be connected from here in this version. When you open a document, DocTray shows the
        address and the token to hand to it. How to allow DocTray in the editor’s own configuration is
        described step by step:
      </p>
      <div className="row">
        <Button icon="external" onPress={() => void help.run({ page: 'onlyoffice' })}>
          ONLYOFFICE Docs
        </Button>
        <Button icon="external" onPress={() => void help.run({ page: 'collabora' })}>
          Collabora Online
        </Button>
      </div>
    </Step>
  );
}
