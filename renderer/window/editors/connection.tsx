// The connection of an editor, both ways: how it is connected and tested, and the address under which it reaches DocTray.

import './editors.css';
import { useCallback, useId, useMemo, useState, type ReactNode } from 'react';
import { FieldError, Label, Radio, RadioGroup } from 'react-aria-components';
import { isWildcard } from '../../../app/contract/addresses.ts';
import {
  remedyOf,
  type ConnectionStep,
  type ConnectionTest,
  type EditorItem,
  type FoundAddress,
  type ReachableAddress,
} from '../../../app/contract/editors.ts';
import { formatRelative, relativeChangesInMs } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { CopyButton, useAction, useCommandResult, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, Notice } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime, useTimedText } from '../../kit/time.tsx';
import { Message, Progress, Failure, Skeleton } from '../../kit/blocks.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { lastRequestOf, editorStatus, type EditorStatus } from './words.ts';

// Connecting: discovery is read before anything is kept; an editor whose pages are on another host than was typed is connected only when
// the user agrees to that.

/** Code of the refusal to connect an editor whose pages are on another host, until the user agrees. */
export const otherHost = 'editor-other-host';

interface Connecting {
  formId: string;
  url: string;
  setUrl(url: string): void;
  name: string;
  setName(name: string): void;
  error: { code: string; message: string } | null;
  isPending: boolean;
  /** Its pages are elsewhere; connecting again agrees to that. */
  asksOtherHost: boolean;
  connect(): Promise<void>;
}

export function useConnecting(onConnected: (id: string) => void): Connecting {
  const formId = useId();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const add = useAction('editors.add');
  const error = isMissing ? { code: '', message: t('window.enter-the-address-of-the') } : add.problem;
  const asksOtherHost = error?.code === otherHost;
  return {
    formId,
    url,
    setUrl: (next) => {
      setUrl(next);
      setIsMissing(false);
      add.forget();
    },
    name,
    setName,
    error,
    isPending: add.isPending,
    asksOtherHost,
    async connect() {
      const address = url.trim();
      setIsMissing(address === '');
      if (address === '') return;
      const added = await add.run({
        url: address,
        name: name.trim() === '' ? null : name.trim(),
        publicUrl: null,
        acceptsOtherHosts: asksOtherHost,
      });
      if (added !== undefined) onConnected(added.id);
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
        label={t('window.address-of-the-editor')}
        hint={t('window.the-url-you-use-to')}
        placeholder="http://localhost:9980"
        value={connecting.url}
        onChange={connecting.setUrl}
        error={asksOtherHost ? null : (error?.message ?? null)}
        isCode
        autoFocus
      />
      {props.isNameHidden !== true && (
        <TextField
          label={t('window.name')}
          hint={t('window.optional-defaults-to-the-product')}
          value={connecting.name}
          onChange={connecting.setName}
        />
      )}
      {asksOtherHost && (
        <Notice tone="warn">
          <div role="alert">{error?.message}</div>
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
      {connecting.asksOtherHost ? t('window.connect-anyway') : t('common.connect')}
    </Button>
  );
}

export function ConnectDialog(props: { onConnected(id: string): void; onClose(): void }) {
  const connecting = useConnecting(props.onConnected);
  return (
    <Dialog
      title={t('window.connect-an-editor')}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <ConnectButton connecting={connecting} />
        </>
      }
    >
      <p>{t('window.a-document-server-on-this')}</p>
      <ConnectFields connecting={connecting} />
    </Dialog>
  );
}

// The test: how it is run, and its steps with what to do where one failed.

export interface RunningTest {
  run(): Promise<ConnectionTest | undefined>;
  isRunning: boolean;
  /** Why it could not be started. */
  problem: string | null;
  /** The newest one known; undefined while another runs. */
  shown: ConnectionTest | undefined;
}

export function useConnectionTest(editor: Pick<EditorItem, 'id' | 'lastTest' | 'addedAtMs'>): RunningTest {
  const { run, isPending, problem } = useAction('editors.test');
  const [own, setOwn] = useState<ConnectionTest>();
  const { lastTest, addedAtMs } = editor;
  const knownAtMs = lastTest?.testedAtMs ?? addedAtMs;
  const newest = own !== undefined && own.testedAtMs >= knownAtMs ? own : lastTest;
  return {
    run: async () => {
      setOwn(undefined);
      const test = await run({ id: editor.id });
      setOwn(test);
      return test;
    },
    isRunning: isPending,
    problem: problem?.message ?? null,
    shown: isPending ? undefined : (newest ?? undefined),
  };
}

/** What is seen while a test runs. */
export function TestProgress({ name }: { name: string }) {
  return (
    <div className="editor-testing" role="status">
      <div>
        {t('window.testing-whether-editor-and-doctray', {
          editor: name,
        })}
      </div>
      <Progress
        label={t('window.testing-editor', { editor: name })}
        value={null}
        valueText={t('window.running-2')}
      />
    </div>
  );
}

const titles: Record<ConnectionStep['name'], { title: string; failed: string }> = {
  discovery: {
    title: t('window.doctray-reaches-the-editor'),
    failed: t('window.doctray-cant-reach-the-editor'),
  },
  page: { title: t('window.the-editor-shows-its-page'), failed: t('window.the-editor-doesnt-show-its') },
  callback: {
    title: t('window.the-editor-reaches-doctray'),
    failed: t('window.the-editor-cant-reach-doctray'),
  },
  proof: {
    title: t('window.its-requests-are-signed'),
    failed: t('window.its-requests-arent-signed-correctly'),
  },
  clock: { title: t('window.both-clocks-agree'), failed: t('window.the-clocks-are-too-far') },
};

const marks = {
  passed: { icon: 'good', tone: 'good', words: t('window.passed') },
  warned: { icon: 'warning', tone: 'warn', words: t('window.passed-with-a-warning') },
  failed: { icon: 'error', tone: 'bad', words: t('window.failed-2') },
  skipped: { icon: 'dash', tone: 'muted', words: t('window.not-tested') },
} as const;

export function ConnectionSteps(props: {
  test: ConnectionTest;
  /** Only the steps that need attention. */
  areProblemsOnly?: boolean;
}) {
  const { test, areProblemsOnly = false } = props;
  const steps = areProblemsOnly
    ? test.steps.filter(({ state }) => state === 'failed' || state === 'warned')
    : test.steps;
  return (
    <div className="editor-steps">
      {!areProblemsOnly && (
        <div className="muted">
          <Message of="window.tested-when" values={{ when: <RelativeTime atMs={test.testedAtMs} /> }} />
        </div>
      )}
      <ol aria-label={t('window.steps-of-the-test')}>
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
    </div>
  );
}

function Step({ step }: { step: ConnectionStep }) {
  const mark = marks[step.state];
  const remedy = remedyOf(step);
  return (
    <li className={`editor-step tone-${mark.tone}`}>
      <Icon name={mark.icon} />
      <div className="editor-step-words">
        <div className="editor-step-title">
          {step.state === 'failed' ? titles[step.name].failed : titles[step.name].title}
          <span className="visually-hidden">, {mark.words}</span>
        </div>
        <div className={step.state === 'failed' ? 'selectable' : 'muted selectable'}>{step.sentence}</div>
        {remedy !== null && (
          <div className="editor-remedy selectable">
            <strong>{t('window.what-to-do')}</strong> {remedy}
          </div>
        )}
        {step.lines.map((line) => (
          <div key={line} className="editor-line">
            {/* reached by keyboard, since a long line is scrolled */}
            <code className="code selectable" tabIndex={0}>
              {line}
            </code>
            <CopyButton text={line} what={t('window.line')} />
          </div>
        ))}
      </div>
    </li>
  );
}

// The state, with the time of the last request, which is kept up to date.

export function useEditorStatus(editor: EditorItem): EditorStatus {
  const lastAtMs = useWindowState(({ sessions }) => lastRequestOf(editor, sessions));
  const when = useTimedText(
    useCallback((nowMs: number) => (lastAtMs === null ? '' : formatRelative(lastAtMs, nowMs)), [lastAtMs]),
    useCallback(
      (nowMs: number) => (lastAtMs === null ? 3_600_000 : relativeChangesInMs(lastAtMs, nowMs)),
      [lastAtMs],
    ),
  );
  return useMemo(() => editorStatus(editor, lastAtMs === null ? null : when), [editor, lastAtMs, when]);
}

// The address of DocTray: which there are, which is in use, and the dialog that chooses one; and the search for one, run as one part of the
// window, shown wherever that editor is.

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
    problem: isMissing ? t('window.enter-the-address') : (saving.problem?.message ?? null),
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
  loopback: t('window.this-computer'),
  interface: t('window.network-2'),
  docker: t('window.container'),
  name: t('window.by-name'),
  public: t('window.from-the-settings'),
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
      <Failure
        sentence={choice.failure}
        action={<Button onPress={choice.reload}>{t('common.try-again')}</Button>}
      />
    );
  if (choice.addresses === undefined) return <Skeleton rows={4} />;
  const wanted = choice.addresses.find(({ url }) => url === choice.chosen);
  const label = t('window.address-of-doctray');
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
              ? t('window.follows-the-network-settings')
              : t('window.sentence-follows-the-network-settings', { sentence: same.sentence })
          }
          {...(same !== undefined && { aside: asideOf(same) })}
        >
          {usualUrl === null ? (
            t('window.from-the-network-settings')
          ) : (
            <span className="code">{usualUrl}</span>
          )}
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
        <Option value={other} sentence={t('window.a-reverse-proxy-or-tunnel')}>
          {t('window.another-address')}
        </Option>
        <FieldError className="field-error">{choice.problem}</FieldError>
      </RadioGroup>
      {choice.chosen === other && (
        <TextField
          label={t('window.other-address')}
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
            of="window.doctray-will-listen-on-host"
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
      title={t('window.address-of-doctray-for-editor', { editor: editor.name })}
      isOpen
      onClose={props.onClose}
      width="wide"
      footer={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            isDisabled={choice.addresses === undefined}
            isPending={choice.isSaving}
            onPress={() => void use()}
          >
            {choice.isChanged ? t('window.use-and-test') : t('window.test-connection')}
          </Button>
        </>
      }
    >
      <p>{t('window.editor-opens-and-saves-documents', { editor: editor.name })}</p>
      <AddressFields choice={choice} usualUrl={usualUrl} isLabelHidden />
    </Dialog>
  );
}

type SearchOutcome =
  | { kind: 'found'; found: FoundAddress }
  /** No address worked. */
  | { kind: 'none'; found: FoundAddress }
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
      return { kind: found.url === null ? 'none' : 'found', found };
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
            t('window.waiting-for-your-confirmation')
          ) : (
            <Message
              of="window.testing-whether-editor-can-reach"
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
              label={t('window.testing-addresses-for-editor', { editor: editor.name })}
              value={null}
              valueText={t('window.running-2')}
            />
          </div>
          <Button isPending={search.isCanceling} onPress={() => void search.cancel()}>
            {t('common.cancel')}
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
          : outcome.found.isDeclined
            ? [outcome.found.failed?.sentence, t('window.doctray-didnt-try-the-addresses')]
                .filter(Boolean)
                .join(' ')
            : t('window.editor-is-connected-but-it', {
                editor: editor.name,
              })}
      </div>
      <div className="row editor-searched">
        <Button onPress={props.onRetry}>{t('common.try-again')}</Button>
        <Button onPress={props.onChooseAddress}>{t('window.choose-address')}</Button>
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
  return isWildcard(host)
    ? t('window.doctray-now-listens-on-all')
    : t('window.doctray-now-also-listens-on', { host });
}
