// The search for an address under which an editor reaches DocTray: run as one part of the window, shown wherever that editor is.

import { Message } from '../parts/message.tsx';
import { t } from '../../../app/contract/messages.ts';
import { useRef, useState } from 'react';
import type { EditorItem, FoundAddress } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { Progress } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import './editors.css';

export type SearchOutcome =
  | { kind: 'found'; found: FoundAddress }
  /** No address worked. */
  | { kind: 'none' }
  | { kind: 'problem'; sentence: string };

export interface AddressSearch {
  /** The editor a search runs for. */
  runningFor: string | undefined;
  isCancelling: boolean;
  /** What the last search came to, where it was for that editor. */
  outcomeOf(editorId: string): SearchOutcome | undefined;
  /** One at a time. @param isInContainer on this computer, where its own loopback address isn't this computer's */
  run(editorId: string, isInContainer: boolean): Promise<void>;
  cancel(): Promise<void>;
  /** Another address was chosen or tested since. */
  forget(): void;
}

export function useAddressSearch(): AddressSearch {
  const call = useCall();
  const [runningFor, setRunningFor] = useState<string>();
  const [isCancelling, setIsCancelling] = useState(false);
  const [last, setLast] = useState<{ editorId: string; outcome: SearchOutcome }>();
  const isRunning = useRef(false);
  return {
    runningFor,
    isCancelling,
    outcomeOf: (editorId) => (last?.editorId === editorId ? last.outcome : undefined),
    async run(editorId, isInContainer) {
      if (isRunning.current) return;
      isRunning.current = true;
      setRunningFor(editorId);
      setLast(undefined);
      try {
        const found = await call('editors.findAddress', { id: editorId, isInContainer });
        if (found !== null) {
          setLast({ editorId, outcome: found.url === null ? { kind: 'none' } : { kind: 'found', found } });
        }
      } catch (error) {
        setLast({ editorId, outcome: { kind: 'problem', sentence: sentenceOf(error) } });
      } finally {
        isRunning.current = false;
        setRunningFor(undefined);
        setIsCancelling(false);
      }
    },
    async cancel() {
      if (runningFor === undefined) return;
      setIsCancelling(true);
      try {
        await call('editors.cancelFindAddress', { id: runningFor });
      } catch {
        // The search goes on, and its own answer says what became of it.
        setIsCancelling(false);
      }
    },
    forget: () => setLast(undefined),
  };
}

/** Progress while it runs, then what the user should know about it, if anything. */
export function AddressSearchResult(props: {
  editor: Pick<EditorItem, 'id' | 'name' | 'effectiveUrl'>;
  search: AddressSearch;
  onChooseAddress(): void;
  onRetry(): void;
}) {
  const { editor, search } = props;
  if (search.runningFor === editor.id) {
    return (
      <div className="editor-searching">
        <div role="status">
          <Message
            of="Testing whether {editor} can reach DocTray at {address}. Each address takes up to half a minute."
            values={{
              editor: editor.name,
              address: <span className="code">{editor.effectiveUrl}</span>,
            }}
          />
        </div>
        <div className="row">
          <div className="grow">
            <Progress
              label={t('Testing addresses for {editor}', { editor: editor.name })}
              value={null}
              valueText={t('running')}
            />
          </div>
          <Button isPending={search.isCancelling} onPress={() => void search.cancel()}>
            {t('Cancel')}
          </Button>
        </div>
      </div>
    );
  }
  const outcome = search.outcomeOf(editor.id);
  if (outcome === undefined) return null;
  if (outcome.kind === 'found') {
    return <AddressNotes {...outcome.found} />;
  }
  return (
    <Notice tone="bad">
      <div role="alert">
        {outcome.kind === 'problem'
          ? outcome.sentence
          : t('{editor} is connected, but it didn’t reach DocTray at any address of this computer.', {
              editor: editor.name,
            })}
      </div>
      <div className="row editor-searched">
        <Button onPress={props.onRetry}>{t('Try again')}</Button>
        <Button onPress={props.onChooseAddress}>{t('Choose address…')}</Button>
      </div>
    </Notice>
  );
}

/** What the user should know of an address that works; nothing where there is nothing. */
export function AddressNotes({ openedHost, warning }: Pick<FoundAddress, 'openedHost' | 'warning'>) {
  return (
    <>
      {warning !== null && <Notice tone="warn">{warning}</Notice>}
      {openedHost !== null && <Notice tone="info">{openedSentence(openedHost)}</Notice>}
    </>
  );
}

function openedSentence(host: string): string {
  return host === '0.0.0.0' || host === '::'
    ? t('DocTray now listens on all addresses of this computer, so that this editor can reach it.')
    : t('DocTray now also listens on {host}, so that this editor can reach it.', { host });
}
