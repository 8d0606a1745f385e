// What an editor that is not connected here needs to open one document: shown once, while this dialog is open, and kept nowhere after. The token is
// behind dots until it is asked for: somebody may be looking over a shoulder, or at a shared screen.

import { useCallback, useState } from 'react';
import type { OpenedDocument } from '../../../app/contract/results.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { formatDuration } from '../../../app/contract/format.ts';
import { formatExact, splitPath } from '../parts/format.ts';
import { useTimedText } from '../parts/ticker.tsx';
import { useAction } from '../state/use-action.ts';

/** Always as long: the dots tell nothing of the token. */
const dots = '•'.repeat(32);

export function OpenDialog(props: { opened: OpenedDocument | undefined; onClose(): void }) {
  // While the dialog fades its words are gone at once, and with them the token.
  return props.opened === undefined ? null : <Opened opened={props.opened} onClose={props.onClose} />;
}

function Opened({ opened, onClose }: { opened: OpenedDocument; onClose(): void }) {
  const [isShown, setIsShown] = useState(false);
  const help = useAction('app.openHelp', { failure: 'Could not open the help page' });
  const { name } = splitPath(opened.path);
  const { expiresAtMs } = opened;
  const left = useTimedText(
    useCallback(
      (nowMs: number) =>
        expiresAtMs > nowMs ? `for another ${formatDuration(expiresAtMs - nowMs)}` : 'no longer',
      [expiresAtMs],
    ),
  );
  return (
    <Dialog
      // A click outside it would discard the token.
      role="alertdialog"
      width="wide"
      title={`WOPI address of “${name}”`}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onPress={onClose} autoFocus>
          Done
        </Button>
      }
    >
      <div className="stack">
        <p>
          For an editor that is not connected here. Give it these two values: it asks for the document at the
          address, with the token as its <span className="code">access_token</span>.
        </p>
        <div className="documents-secret">
          <div className="documents-secret-label" id="documents-wopi">
            WOPI address
          </div>
          <div className="documents-secret-value">
            <output className="code selectable" aria-labelledby="documents-wopi">
              {opened.wopiSrc}
            </output>
            <CopyButton text={opened.wopiSrc} what="WOPI address" />
          </div>
          <div className="documents-secret-label" id="documents-token">
            Access token
          </div>
          <div className="documents-secret-value">
            <output
              className={isShown ? 'code selectable' : 'code'}
              aria-labelledby="documents-token"
              {...(isShown ? {} : { 'aria-label': 'Access token, hidden' })}
            >
              {isShown ? opened.accessToken : dots}
            </output>
            <Button
              look="quiet"
              icon="eye"
              aria-label={isShown ? 'Hide the access token' : 'Show the access token'}
              onPress={() => setIsShown(!isShown)}
            >
              {isShown ? 'Hide' : 'Show'}
            </Button>
            <CopyButton text={opened.accessToken} what="access token" />
          </div>
          <div className="documents-secret-label">access_token_ttl</div>
          <div className="documents-secret-value">
            <span className="code selectable">{expiresAtMs}</span>
            <CopyButton text={String(expiresAtMs)} what="access_token_ttl" />
          </div>
          <div className="documents-secret-label">Valid</div>
          <div className="documents-secret-plain">
            {left}, until {formatExact(expiresAtMs)}, to {opened.mode === 'edit' ? 'edit' : 'view'} this one
            document
          </div>
        </div>
        <Notice tone="info">
          The token is shown only now: DocTray keeps no copy of it. Open the document again for another one.
        </Notice>
        <div className="row">
          <span className="muted">How it is done in</span>
          <Button look="quiet" icon="external" onPress={() => void help.run({ page: 'onlyoffice' })}>
            ONLYOFFICE
          </Button>
          <Button look="quiet" icon="external" onPress={() => void help.run({ page: 'collabora' })}>
            Collabora
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
