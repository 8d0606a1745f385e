// A test of the connection: how it is run, and its steps with what to do where one failed.

import { Message } from '../parts/message.tsx';
import { t } from '../../../app/contract/messages.ts';
import { useState } from 'react';
import type { ConnectionStep, ConnectionTest, EditorItem } from '../../../app/contract/editors.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { Progress } from '../parts/view.tsx';
import { useTry } from '../state/use-try.ts';
import { remedyOf } from './words.ts';
import './editors.css';

export interface RunningTest {
  run(): Promise<ConnectionTest | undefined>;
  isRunning: boolean;
  /** Why it could not be started. */
  problem: string | null;
  /** The newest one known; undefined while another runs. */
  shown: ConnectionTest | undefined;
}

export function useConnectionTest(editor: Pick<EditorItem, 'id' | 'lastTest' | 'addedAtMs'>): RunningTest {
  const { run, isPending, problem } = useTry('editors.test');
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
    problem,
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
