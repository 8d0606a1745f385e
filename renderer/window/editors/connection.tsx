// The connection of an editor, both ways: how it is connected and tested, and the address under which it reaches DocTray.

import './editors.css';
import { useMemo, useState, type ReactNode } from 'react';
import { isWildcard } from '../../../app/contract/addresses.ts';
import {
  problemWords,
  remedyOf,
  type ConnectionStep,
  type ConnectionTest,
  type EditorItem,
  type FoundAddress,
} from '../../../app/contract/editors.ts';
import { t } from '../../../app/contract/messages.ts';
import { CopyButton, useAction, useCommandResult, useTask } from '../parts/action.tsx';
import { FormDialog, useForm, type Form } from '../parts/form.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, Notice } from '../../kit/dialog.tsx';
import { ChoiceList } from '../../kit/field-rows.tsx';
import { TextField } from '../../kit/fields.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Checks, Failure, Message, Progress, Skeleton } from '../../kit/blocks.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { editorStatus, failedWords, type EditorStatus } from './words.ts';

// Connecting: discovery is read before anything is kept; an editor whose pages are on another host than was typed is connected only when
// the user agrees to that.

/** Code of the refusal to connect an editor whose pages are on another host, until the user agrees. */
export const otherHost = 'editor-other-host';

const addressField = {
  name: 'url',
  label: t('window.address-of-the-document-server'),
  hint: t('window.the-url-you-use-to'),
  missing: t('window.enter-the-address-of-the'),
  placeholder: t('kit.for-example-value', { value: 'http://localhost:9980' }),
  isCode: true,
} as const;

const nameField = {
  name: 'name',
  label: t('window.name'),
  hint: t('window.optional-defaults-to-the-product'),
} as const;

export function useConnectForm(options: { hasName: boolean; onConnected(id: string): void }): Form {
  return useForm<'url' | 'name'>({
    fields: options.hasName ? [addressField, nameField] : [addressField],
    fieldOf: () => 'url',
    asks: otherHost,
    async submit(call, { url, name }, isSure) {
      const editor = { url, name: name || null, publicUrl: null, acceptsOtherHosts: isSure };
      options.onConnected((await call('editors.add', editor)).id);
    },
  });
}

/** What the button of that form says. */
export function connectWords({ isAsking }: Pick<Form, 'isAsking'>): string {
  return isAsking ? t('window.connect-anyway') : t('common.connect');
}

export function ConnectDialog(props: { onConnected(id: string): void; onClose(): void }) {
  const form = useConnectForm({ hasName: true, onConnected: props.onConnected });
  return (
    <FormDialog
      title={t('window.connect-a-document-server')}
      confirm={connectWords(form)}
      form={form}
      onClose={props.onClose}
      before={<p>{t('window.a-document-server-on-this')}</p>}
    />
  );
}

// The test: how it is run, and its steps with what to do where one failed.

export function useConnectionTest(editor: Pick<EditorItem, 'id' | 'lastTest' | 'addedAtMs'>) {
  const { run, isPending, problem } = useAction('editors.test');
  const [own, setOwn] = useState<ConnectionTest>();
  const { lastTest, addedAtMs } = editor;
  const knownAtMs = lastTest?.testedAtMs ?? addedAtMs;
  const newest = own !== undefined && own.testedAtMs >= knownAtMs ? own : lastTest;
  return {
    run: async () => {
      setOwn(undefined);
      setOwn(await run({ id: editor.id }));
    },
    isRunning: isPending,
    /** Why it could not be started. */
    problem: problem?.message ?? null,
    /** The newest one known; undefined while another runs. */
    shown: isPending ? undefined : (newest ?? undefined),
  };
}

/** What is seen while a test runs. */
export function TestProgress({ name }: { name: string }) {
  return (
    <div className="stack" role="status">
      <div>{t('window.testing-whether-editor-and-doctray', { editor: name })}</div>
      <Progress
        label={t('window.testing-editor', { editor: name })}
        value={null}
        valueText={t('window.is-running')}
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
  passed: { icon: 'good', tone: 'good', state: t('window.passed') },
  warned: { icon: 'warning', tone: 'warn', state: t('window.passed-with-a-warning') },
  failed: { icon: 'error', tone: 'bad', state: t('window.step-failed') },
  skipped: { icon: 'dash', tone: 'muted', state: t('shared.not-tested') },
} as const;

/** @param props.areProblemsOnly only the steps that need attention */
export function ConnectionSteps(props: { test: ConnectionTest; areProblemsOnly?: boolean }) {
  const { test, areProblemsOnly = false } = props;
  const steps = test.steps.filter(
    ({ state }) => !areProblemsOnly || state === 'failed' || state === 'warned',
  );
  return (
    <>
      {!areProblemsOnly && (
        <div className="muted">
          <Message of="window.tested-when" values={{ when: <RelativeTime atMs={test.testedAtMs} /> }} />
        </div>
      )}
      <Checks
        label={t('window.steps-of-the-test')}
        items={steps.map((step) => ({
          id: step.name,
          ...marks[step.state],
          ...(step.state === 'passed'
            ? { title: step.sentence }
            : {
                title: titles[step.name][step.state === 'failed' ? 'failed' : 'title'],
                text: step.sentence,
              }),
          more: <Remedy step={step} />,
        }))}
      />
    </>
  );
}

function Remedy({ step }: { step: ConnectionStep }) {
  const remedy = remedyOf(step);
  return (
    <>
      {remedy !== null && (
        <div className="finding-remedy">
          <strong>{t('window.what-to-do')}</strong> {remedy}
        </div>
      )}
      {step.lines.map((line) => (
        <div key={line} className="finding-line">
          {/* reached by keyboard, since a long line is scrolled */}
          <code className="code" tabIndex={0}>
            {line}
          </code>
          <CopyButton text={line} what={t('window.line')} />
        </div>
      ))}
    </>
  );
}

export function useEditorStatus(editor: EditorItem): EditorStatus {
  const isUsed = useWindowState(({ sessions }) => sessions.some((session) => session.editor === editor.name));
  return useMemo(() => editorStatus(editor, isUsed), [editor, isUsed]);
}

// The address of DocTray: the dialog that chooses one; and the search for one, run as one part of the window, shown wherever that editor is.

/** Stands for the address that is typed. */
const other = 'other';
/** Stands for the one of the network settings. */
const usual = 'usual';

export function AddressDialog(props: {
  editor: Pick<EditorItem, 'id' | 'name' | 'publicUrl' | 'lastTest'>;
  /** It is in use now: test it. */
  onUsed(): void;
  onClose(): void;
}) {
  const { editor } = props;
  const host = useWindowState((state) => state.settings.host);
  const baseUrl = useWindowState((state) => state.host.baseUrl);
  const usualUrl = useWindowState((state) => state.host.publicUrl) ?? baseUrl;
  // another listener has other addresses
  const {
    answer: addresses,
    problem: failure,
    reload,
  } = useCommandResult('editors.addresses', {}, { reloadKey: `${host} ${baseUrl}` });
  const [choice, setChoice] = useState<string>();
  const [typed, setTyped] = useState(editor.publicUrl ?? '');
  const [isMissing, setIsMissing] = useState(false);
  const isKnown = addresses?.some(({ url }) => url === editor.publicUrl) ?? true;
  const current = editor.publicUrl === null ? usual : isKnown ? editor.publicUrl : other;
  const chosen = choice ?? current;
  const isChanged = chosen === other ? typed.trim() !== (editor.publicUrl ?? '') : chosen !== current;
  const saving = useTask(async (call, address: string) => {
    if (chosen === other) await call('editors.change', { id: editor.id, publicUrl: address });
    else await call('editors.useAddress', { id: editor.id, url: chosen === usual ? null : chosen });
    return true;
  });
  const edit =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setIsMissing(false);
      saving.forget();
      set(value);
    };
  const use = async () => {
    const address = typed.trim().replace(/\/+$/u, '');
    const isEmpty = chosen === other && address === '';
    setIsMissing(isEmpty);
    if (!isChanged || (!isEmpty && (await saving.run(address)) === true)) props.onUsed();
  };
  const problem = isMissing ? t('window.enter-the-address') : (saving.problem?.message ?? null);
  const optionOf = (id: string, hint: string, url: string) => ({
    id,
    title: <span className={url.startsWith('http') ? 'code' : ''}>{url}</span>,
    hint:
      id === current && failedWords(editor).isAboutAddress
        ? `${hint} ${t('window.its-last-connection-test-failed')}`
        : hint,
  });
  const neededHost = addresses?.find(({ url }) => url === chosen)?.neededHost ?? null;
  // the same address twice would be confusing
  const same = addresses?.find(({ url }) => url === usualUrl);
  return (
    <Dialog
      title={t('window.address-for-editor', { editor: editor.name })}
      onClose={props.onClose}
      width="wide"
      confirm={{
        label: isChanged ? t('window.use-and-test') : t('window.test-connection'),
        isDisabled: addresses === undefined,
        isPending: saving.isPending,
        onPress: () => void use(),
      }}
    >
      <p>{t('window.editor-opens-and-saves-documents', { editor: editor.name })}</p>
      {failure !== null && (
        <Failure
          sentence={failure.message}
          action={<Button onPress={reload}>{t('common.try-again')}</Button>}
        />
      )}
      {failure === null && addresses === undefined && <Skeleton rows={4} />}
      {failure === null && addresses !== undefined && (
        <ChoiceList
          label={t('window.address-for-editors')}
          value={chosen}
          onChange={edit(setChoice)}
          error={chosen === other ? null : problem}
          options={[
            optionOf(
              usual,
              same === undefined
                ? t('window.follows-the-network-settings')
                : t('window.sentence-follows-the-network-settings', { sentence: same.sentence }),
              usualUrl ?? t('window.from-the-network-settings'),
            ),
            ...addresses
              .filter((address) => address !== same || address.url === chosen)
              .map(({ url, sentence }) => optionOf(url, sentence, url)),
            { id: other, title: t('window.another-address'), hint: t('window.a-reverse-proxy-or-tunnel') },
          ]}
        />
      )}
      {chosen === other && (
        <TextField
          label={t('window.other-address')}
          placeholder={t('kit.for-example-value', { value: 'https://docs.example.com' })}
          value={typed}
          onChange={edit(setTyped)}
          error={problem}
          isCode
        />
      )}
      {neededHost !== null && (
        <Notice tone="warn">
          <Message
            of="window.doctray-will-listen-on-host"
            values={{ host: <span className="code">{neededHost}</span> }}
          />
        </Notice>
      )}
    </Dialog>
  );
}

/** Leads to where a document server is connected. `quiet`: the words beside it name what is connected. */
export function ConnectEditor({ look = 'quiet' }: { look?: 'quiet' | 'plain' | 'primary' }) {
  const { go } = useNavigation();
  const label = t('window.connect-document-server');
  return (
    <Button look={look} aria-label={label} onPress={() => go('settings', 'editors/connect')}>
      {look === 'quiet' ? t('window.connect-ask') : label}
    </Button>
  );
}

export type AddressSearch = ReturnType<typeof useAddressSearch>;

export function useAddressSearch() {
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
    /** The editor a search runs for. */
    runningFor,
    isCanceling,
    /** What the last search found, or why nothing, where it was for that editor. */
    outcomeOf({ id, name }: Pick<EditorItem, 'id' | 'name'>): FoundAddress | string | undefined {
      if (searched?.editorId !== id || search.isPending) return undefined;
      const { found } = searched;
      if (search.problem !== null) return search.problem.message;
      if (found === null || found.url !== null) return found ?? undefined;
      if (!found.isDeclined) return t('window.editor-is-connected-but-it', { editor: name });
      return [found.failed?.sentence, t('window.doctray-didnt-try-the-addresses')].filter(Boolean).join(' ');
    },
    /** One at a time. @param isInContainer on this computer, where its own loopback address isn't this computer's */
    run: async (id: string, isInContainer: boolean) => search.run({ id, isInContainer }),
    async cancel() {
      if (runningFor === undefined) return;
      setIsCanceling(true);
      // If it can't be canceled, the search goes on, and its own answer says what became of it.
      if ((await cancel.run({ id: runningFor })) === undefined) setIsCanceling(false);
    },
    /** It was tested since. */
    forget: (id: string) => setSearched((last) => (last?.editorId === id ? undefined : last)),
  };
}

/** Progress while it runs, then what the user should know about it, if anything. */
export function AddressSearchResult(props: {
  editor: EditorItem;
  search: AddressSearch;
  /** Where it failed. */
  buttons: ReactNode;
}) {
  const { editor, search } = props;
  if (search.runningFor === editor.id) {
    return (
      <div className="stack searching">
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
              valueText={t('window.is-running')}
            />
          </div>
          <Button isPending={search.isCanceling} onPress={() => void search.cancel()}>
            {t('common.cancel')}
          </Button>
        </div>
      </div>
    );
  }
  const outcome = search.outcomeOf(editor);
  if (outcome === undefined) return null;
  if (typeof outcome !== 'string') return <AddressNotes {...outcome} />;
  return (
    <Notice tone="bad" role="alert" actions={<div className="row buttons">{props.buttons}</div>}>
      {editor.problem === null ? outcome : problemWords(editor.problem)}
    </Notice>
  );
}

/** What the user should know of an address that works; nothing where there is nothing. */
export function AddressNotes({ openedHost, warning }: Pick<FoundAddress, 'openedHost' | 'warning'>) {
  return (
    <>
      {warning !== null && <Notice tone="warn">{warning}</Notice>}
      {openedHost !== null && (
        <Notice tone="info">
          {isWildcard(openedHost)
            ? t('window.doctray-now-listens-on-all')
            : t('window.doctray-now-also-listens-on', { host: openedHost })}
        </Notice>
      )}
    </>
  );
}
