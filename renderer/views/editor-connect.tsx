// Connecting an editor: its address, perhaps a name. Discovery is read before anything is kept; an editor whose pages lie on
// another host than was typed is connected only when the user agrees to that.

import { useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { CallError, sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

const otherHost = 'editor-other-host';

export interface Connecting {
  formId: string;
  url: string;
  setUrl(url: string): void;
  name: string;
  setName(name: string): void;
  error: { code: string; sentence: string } | null;
  isPending: boolean;
  /** Its pages lie elsewhere; connecting once more agrees to that. */
  asksOtherHost: boolean;
  connect(): Promise<void>;
}

export function useConnecting(onConnected: (id: string) => void): Connecting {
  const call = useCall();
  const formId = useId();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState<Connecting['error']>(null);
  const [isPending, setIsPending] = useState(false);
  const asksOtherHost = error?.code === otherHost;
  return {
    formId,
    url,
    setUrl: (next) => {
      setUrl(next);
      setError(null);
    },
    name,
    setName,
    error,
    isPending,
    asksOtherHost,
    async connect() {
      if (isPending) return;
      const address = url.trim();
      if (address === '') {
        setError({ code: '', sentence: 'Give the address of the document server.' });
        return;
      }
      setIsPending(true);
      setError(null);
      try {
        const added = await call('editors.add', {
          url: address,
          name: name.trim() === '' ? null : name.trim(),
          publicUrl: null,
          acceptsOtherHosts: asksOtherHost,
        });
        onConnected(added.id);
      } catch (problem) {
        const code = problem instanceof CallError ? problem.code : 'internal';
        setError({ code, sentence: sentenceOf(problem) });
      } finally {
        setIsPending(false);
      }
    },
  };
}

export function ConnectFields({ connecting }: { connecting: Connecting }) {
  const { error, asksOtherHost } = connecting;
  return (
    <form
      id={connecting.formId}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void connecting.connect();
      }}
    >
      <TextField
        label="Address of the editor"
        hint="Of the document server, as this machine reaches it. An address of its discovery works as well."
        placeholder="http://localhost:9980"
        value={connecting.url}
        onChange={connecting.setUrl}
        error={asksOtherHost ? null : (error?.sentence ?? null)}
        isCode
        autoFocus
      />
      <TextField
        label="Name"
        hint="As it is called here. Empty: the name of the product."
        value={connecting.name}
        onChange={connecting.setName}
      />
      {asksOtherHost && (
        <Notice tone="warn">
          <div role="alert">{error?.sentence}</div>
        </Notice>
      )}
      {/* Enter submits a form of several fields only when it holds such a button */}
      <button type="submit" hidden />
    </form>
  );
}

export function ConnectButton({ connecting }: { connecting: Connecting }) {
  return (
    <Button look="primary" isPending={connecting.isPending} onPress={() => void connecting.connect()}>
      {connecting.asksOtherHost ? 'Connect all the same' : 'Connect'}
    </Button>
  );
}

export function ConnectDialog(props: { onConnected(id: string): void; onClose(): void }) {
  const connecting = useConnecting(props.onConnected);
  return (
    <Dialog
      title="Connect an editor"
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>Cancel</Button>
          <ConnectButton connecting={connecting} />
        </>
      }
    >
      <p>
        A document server of yours or of your organisation: ONLYOFFICE Docs, Collabora Online, or another that
        speaks WOPI.
      </p>
      <ConnectFields connecting={connecting} />
    </Dialog>
  );
}
