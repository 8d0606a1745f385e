// Connecting an editor by its address. Discovery is read before anything is kept; an editor whose pages are on another host than
// was typed is connected only when the user agrees to that.

import { t } from '../../../app/contract/messages.ts';
import { useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { CallError, sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

/** Code of the refusal to connect an editor whose pages are on another host, until the user agrees. */
export const otherHost = 'editor-other-host';

export interface Connecting {
  formId: string;
  url: string;
  setUrl(url: string): void;
  name: string;
  setName(name: string): void;
  error: { code: string; sentence: string } | null;
  isPending: boolean;
  /** Its pages are elsewhere; connecting again agrees to that. */
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
        setError({ code: '', sentence: t('Enter the address of the document server.') });
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

export function ConnectFields(props: { connecting: Connecting; isNameHidden?: boolean }) {
  const { connecting } = props;
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
        label={t('Address of the editor')}
        hint={t('The URL you use to reach it from this computer.')}
        placeholder="http://localhost:9980"
        value={connecting.url}
        onChange={connecting.setUrl}
        error={asksOtherHost ? null : (error?.sentence ?? null)}
        isCode
        autoFocus
      />
      {props.isNameHidden !== true && (
        <TextField
          label={t('Name')}
          hint={t('Optional. Defaults to the product name.')}
          value={connecting.name}
          onChange={connecting.setName}
        />
      )}
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
      {connecting.asksOtherHost ? t('Connect anyway') : t('Connect')}
    </Button>
  );
}

export function ConnectDialog(props: { onConnected(id: string): void; onClose(): void }) {
  const connecting = useConnecting(props.onConnected);
  return (
    <Dialog
      title={t('Connect an editor')}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
          <ConnectButton connecting={connecting} />
        </>
      }
    >
      <p>
        {t(
          'A document server on this computer or in your network: ONLYOFFICE, Collabora or another with WOPI.',
        )}
      </p>
      <ConnectFields connecting={connecting} />
    </Dialog>
  );
}
