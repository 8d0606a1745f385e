// The connection of an editor. Connecting it by its address: discovery is read before anything is kept; an editor whose pages are on another
// host than was typed is connected only when the user agrees to that. Its test: how it is run, and its steps with what to do where one failed.
// And its state, with the time of its last request, which is kept up to date.

import './editors.css';
import { useCallback, useId, useMemo, useState } from 'react';
import type { ConnectionStep, ConnectionTest, EditorItem } from '../../../app/contract/editors.ts';
import { formatRelative, relativeChangesInMs } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { CopyButton, useAction } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime, useTimedText } from '../parts/time.tsx';
import { Message, Progress } from '../parts/view.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { lastRequestOf, remedyOf, editorStatus, type EditorStatus } from './words.ts';

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
  const error = isMissing
    ? { code: '', message: t('Enter the address of the document server.') }
    : add.problem;
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
        label={t('Address of the editor')}
        hint={t('The URL you use to reach it from this computer.')}
        placeholder="http://localhost:9980"
        value={connecting.url}
        onChange={connecting.setUrl}
        error={asksOtherHost ? null : (error?.message ?? null)}
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
        {t('Testing whether {editor} and DocTray reach each other. This takes up to half a minute.', {
          editor: name,
        })}
      </div>
      <Progress label={t('Testing {editor}', { editor: name })} value={null} valueText={t('running')} />
    </div>
  );
}

const titles: Record<ConnectionStep['name'], { title: string; failed: string }> = {
  discovery: { title: t('DocTray reaches the editor'), failed: t('DocTray can’t reach the editor') },
  page: { title: t('The editor shows its page'), failed: t('The editor doesn’t show its page') },
  callback: { title: t('The editor reaches DocTray'), failed: t('The editor can’t reach DocTray') },
  proof: { title: t('Its requests are signed'), failed: t('Its requests aren’t signed correctly') },
  clock: { title: t('Both clocks agree'), failed: t('The clocks are too far apart') },
};

const marks = {
  passed: { icon: 'good', tone: 'good', words: t('passed') },
  warned: { icon: 'warning', tone: 'warn', words: t('passed, with a warning') },
  failed: { icon: 'error', tone: 'bad', words: t('failed') },
  skipped: { icon: 'dash', tone: 'muted', words: t('not tested') },
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
          <Message of="Tested {when}" values={{ when: <RelativeTime atMs={test.testedAtMs} /> }} />
        </div>
      )}
      <ol aria-label={t('Steps of the test')}>
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
            <strong>{t('What to do:')}</strong> {remedy}
          </div>
        )}
        {step.lines.map((line) => (
          <div key={line} className="editor-line">
            {/* reached by keyboard, since a long line is scrolled */}
            <code className="code selectable" tabIndex={0}>
              {line}
            </code>
            <CopyButton text={line} what={t('line')} />
          </div>
        ))}
      </div>
    </li>
  );
}

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
