// The address under which an editor reaches DocTray: which there are, which is in use, and the dialog that chooses one; and the search for
// one, run as one part of the window, shown wherever that editor is.

import './editors.css';
import { useState, type ReactNode } from 'react';
import { FieldError, Label, Radio, RadioGroup } from 'react-aria-components';
import type { EditorItem, FoundAddress, ReachableAddress } from '../../../app/contract/editors.ts';
import { t } from '../../../app/contract/messages.ts';
import { useAction, useCommandResult, useTask } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Failure, Message, Progress, Skeleton } from '../parts/view.tsx';
import { useWindowState } from '../state/window-context.tsx';

/** Stands for the address that is typed. */
const other = 'other';
/** Stands for the one of the network settings. */
const usual = 'usual';

interface AddressChoice {
  /** Undefined while they load. */
  addresses: ReachableAddress[] | undefined;
  /** Why they could not be loaded. */
  failure: string | null;
  reload(): void;
  /** An address, `usual` for the one of the network settings, `other` for `typed`. */
  chosen: string;
  choose(chosen: string): void;
  typed: string;
  type(text: string): void;
  /** Another one than the one in use is chosen. */
  isChanged: boolean;
  isSaving: boolean;
  /** Why it was not saved. */
  problem: string | null;
  /** False when it was not saved. */
  save(): Promise<boolean>;
}

function useAddressChoice(editor: Pick<EditorItem, 'id' | 'publicUrl'>): AddressChoice {
  const host = useWindowState((state) => state.settings.host);
  const baseUrl = useWindowState((state) => state.host.baseUrl);
  // another listener has other addresses
  const {
    answer: addresses,
    problem: failure,
    reload,
  } = useCommandResult('editors.addresses', {}, { reloadKey: `${host} ${baseUrl}` });
  const [choice, setChoice] = useState<string>();
  const [typed, setTyped] = useState(editor.publicUrl ?? '');
  const [isMissing, setIsMissing] = useState(false);
  const saving = useTask(async (call, address: string) => {
    if (chosen === other) await call('editors.change', { id: editor.id, publicUrl: address });
    else await call('editors.useAddress', { id: editor.id, url: chosen === usual ? null : chosen });
    return true;
  });
  const forget = () => {
    setIsMissing(false);
    saving.forget();
  };

  const isKnown = addresses?.some(({ url }) => url === editor.publicUrl) ?? true;
  const current = editor.publicUrl === null ? usual : isKnown ? editor.publicUrl : other;
  const chosen = choice ?? current;
  const isChanged = chosen === other ? typed.trim() !== (editor.publicUrl ?? '') : chosen !== current;
  return {
    addresses,
    failure: failure?.message ?? null,
    reload,
    chosen,
    choose: (next) => {
      forget();
      setChoice(next);
    },
    typed,
    type: (text) => {
      forget();
      setTyped(text);
    },
    isChanged,
    isSaving: saving.isPending,
    problem: isMissing ? t('Enter the address.') : (saving.problem?.message ?? null),
    async save() {
      const address = typed.trim().replace(/\/+$/u, '');
      const isEmpty = chosen === other && address === '';
      setIsMissing(isEmpty);
      const isSaved = !isEmpty && (await saving.run(address)) === true;
      if (isSaved) setChoice(undefined);
      return isSaved;
    },
  };
}

const kinds: Record<ReachableAddress['kind'], string> = {
  loopback: t('this computer'),
  interface: t('network'),
  docker: t('container'),
  name: t('by name'),
  public: t('from the settings'),
};

function asideOf({ kind, interfaceName, network }: ReachableAddress): string {
  return [kinds[kind], interfaceName, network].filter((word) => word !== null).join(' · ');
}

function AddressFields(props: {
  choice: AddressChoice;
  /** What the editor gets when none is chosen for it. */
  usualUrl: string | null;
  /** The title above shows it already. */
  isLabelHidden?: boolean;
}) {
  const { choice, usualUrl } = props;
  if (choice.failure !== null)
    return (
      <Failure sentence={choice.failure} action={<Button onPress={choice.reload}>{t('Try again')}</Button>} />
    );
  if (choice.addresses === undefined) return <Skeleton rows={4} />;
  const wanted = choice.addresses.find(({ url }) => url === choice.chosen);
  const label = t('Address of DocTray');
  // the same address twice would be confusing
  const same = choice.addresses.find(({ url }) => url === usualUrl);
  return (
    <div className="editor-addresses">
      <RadioGroup
        className="editor-address-list"
        value={choice.chosen}
        onChange={choice.choose}
        isInvalid={choice.problem !== null && choice.chosen !== other}
        validationBehavior="aria"
        {...(props.isLabelHidden === true && { 'aria-label': label })}
      >
        {props.isLabelHidden !== true && <Label className="field-label">{label}</Label>}
        <Option
          value={usual}
          sentence={
            same === undefined
              ? t('Follows the network settings.')
              : t('{sentence} Follows the network settings.', { sentence: same.sentence })
          }
          {...(same !== undefined && { aside: asideOf(same) })}
        >
          {usualUrl === null ? t('From the network settings') : <span className="code">{usualUrl}</span>}
        </Option>
        {choice.addresses
          .filter((address) => address !== same || address.url === choice.chosen)
          .map((address) => (
            <Option
              key={address.url}
              value={address.url}
              sentence={address.sentence}
              aside={asideOf(address)}
            >
              <span className="code">{address.url}</span>
            </Option>
          ))}
        <Option value={other} sentence={t('A reverse proxy or tunnel that leads to DocTray.')}>
          {t('Another address')}
        </Option>
        <FieldError className="field-error">{choice.problem}</FieldError>
      </RadioGroup>
      {choice.chosen === other && (
        <TextField
          label={t('Other address')}
          placeholder="https://docs.example.org"
          value={choice.typed}
          onChange={choice.type}
          error={choice.problem}
          isCode
        />
      )}
      {wanted?.neededHost != null && (
        <Notice tone="warn">
          <Message
            of="DocTray will listen on {host} as well. Other computers in that network can then reach the port, but open nothing without a token."
            values={{ host: <span className="code">{wanted.neededHost}</span> }}
          />
        </Notice>
      )}
    </div>
  );
}

function Option(props: { value: string; sentence: string; aside?: string; children: ReactNode }) {
  return (
    <Radio value={props.value} className="setting-choice editor-address">
      <span className="setting-dot" />
      <span className="editor-address-words">
        <span className="editor-address-title">
          {props.children}
          {props.aside !== undefined && <span className="editor-address-aside">{props.aside}</span>}
        </span>
        <span className="field-hint">{props.sentence}</span>
      </span>
    </Radio>
  );
}

export function AddressDialog(props: {
  editor: Pick<EditorItem, 'id' | 'name' | 'publicUrl'>;
  /** It is in use now: test it. */
  onUsed(): void;
  onClose(): void;
}) {
  const { editor } = props;
  const choice = useAddressChoice(editor);
  const usualUrl = useWindowState((state) => state.host.publicUrl ?? state.host.baseUrl);
  const use = async () => {
    if (!choice.isChanged || (await choice.save())) props.onUsed();
  };
  return (
    <Dialog
      title={t('Address of DocTray for {editor}', { editor: editor.name })}
      isOpen
      onClose={props.onClose}
      width="wide"
      footer={
        <>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            isDisabled={choice.addresses === undefined}
            isPending={choice.isSaving}
            onPress={() => void use()}
          >
            {choice.isChanged ? t('Use and test') : t('Test connection')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          '{editor} opens and saves documents at this address. Which one works depends on where it runs. The test shows it.',
          { editor: editor.name },
        )}
      </p>
      <AddressFields choice={choice} usualUrl={usualUrl} isLabelHidden />
    </Dialog>
  );
}

type SearchOutcome =
  | { kind: 'found'; found: FoundAddress }
  /** No address worked. */
  | { kind: 'none'; isDeclined: boolean }
  | { kind: 'problem'; sentence: string };

export interface AddressSearch {
  /** The editor a search runs for. */
  runningFor: string | undefined;
  isCanceling: boolean;
  /** What the last search came to, where it was for that editor. */
  outcomeOf(editorId: string): SearchOutcome | undefined;
  /** One at a time. @param isInContainer on this computer, where its own loopback address isn't this computer's */
  run(editorId: string, isInContainer: boolean): Promise<void>;
  cancel(): Promise<void>;
  /** Another address was chosen or tested since. */
  forget(): void;
}

export function useAddressSearch(): AddressSearch {
  const [searched, setSearched] = useState<{ editorId: string; found: FoundAddress | null }>();
  const search = useTask(async (call, asked: { id: string; isInContainer: boolean }) => {
    setSearched({ editorId: asked.id, found: null });
    try {
      const found = await call('editors.findAddress', asked);
      setSearched({ editorId: asked.id, found });
    } finally {
      setIsCanceling(false);
    }
  });
  const [isCanceling, setIsCanceling] = useState(false);
  const cancel = useAction('editors.cancelFindAddress');
  const runningFor = search.isPending ? searched?.editorId : undefined;
  return {
    runningFor,
    isCanceling,
    outcomeOf(editorId) {
      if (searched?.editorId !== editorId) return undefined;
      if (search.problem !== null) return { kind: 'problem', sentence: search.problem.message };
      if (searched.found === null) return undefined;
      const { found } = searched;
      return found.url === null ? { kind: 'none', isDeclined: found.isDeclined } : { kind: 'found', found };
    },
    run: async (id, isInContainer) => search.run({ id, isInContainer }),
    async cancel() {
      if (runningFor === undefined) return;
      setIsCanceling(true);
      // If it can't be canceled, the search goes on, and its own answer says what became of it.
      if ((await cancel.run({ id: runningFor })) === undefined) setIsCanceling(false);
    },
    forget: () => setSearched(undefined),
  };
}

/** Progress while it runs, then what the user should know about it, if anything. */
export function AddressSearchResult(props: {
  editor: Pick<EditorItem, 'id' | 'name' | 'effectiveUrl' | 'isAwaitingConfirmation'>;
  search: AddressSearch;
  onChooseAddress(): void;
  onRetry(): void;
}) {
  const { editor, search } = props;
  if (search.runningFor === editor.id) {
    return (
      <div className="editor-searching">
        <div role="status">
          {editor.isAwaitingConfirmation ? (
            t('Waiting for your confirmation.')
          ) : (
            <Message
              of="Testing whether {editor} can reach DocTray at {address}. Each address takes up to half a minute."
              values={{
                editor: editor.name,
                address: <span className="code">{editor.effectiveUrl}</span>,
              }}
            />
          )}
        </div>
        <div className="row">
          <div className="grow">
            <Progress
              label={t('Testing addresses for {editor}', { editor: editor.name })}
              value={null}
              valueText={t('running')}
            />
          </div>
          <Button isPending={search.isCanceling} onPress={() => void search.cancel()}>
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
          : outcome.isDeclined
            ? t(
                'DocTray didn’t try the addresses that other computers can reach, because you didn’t allow it.',
              )
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
