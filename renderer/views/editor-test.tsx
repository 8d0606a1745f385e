// A test of the connection: how it is run, and its steps with what to do where one failed.

import { useState } from 'react';
import type { ConnectionStep, ConnectionTest, EditorItem } from '../../app/contract/editors.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { Progress } from '../parts/view.tsx';
import { useTry } from '../state/use-try.ts';
import '../styles/editors.css';

export interface RunningTest {
  run(): Promise<ConnectionTest | undefined>;
  isRunning: boolean;
  /** Why it could not even be begun. */
  problem: string | null;
  /** The newest one known; undefined while another runs. */
  shown: ConnectionTest | undefined;
}

export function useConnectionTest(editor: Pick<EditorItem, 'id' | 'lastTest'>): RunningTest {
  const { run, isPending, problem } = useTry('editors.test');
  const [own, setOwn] = useState<ConnectionTest>();
  const { lastTest } = editor;
  const newest =
    own !== undefined && (lastTest === null || own.testedAtMs >= lastTest.testedAtMs) ? own : lastTest;
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
      <div>Testing both ways: {name} is asked to fetch a small document from here. Up to half a minute.</div>
      <Progress label={`Testing ${name}`} value={null} valueText="running" />
    </div>
  );
}

const titles: Record<ConnectionStep['name'], string> = {
  discovery: 'DocTray reaches the editor',
  page: 'The editor shows its page',
  callback: 'The editor reaches DocTray',
  proof: 'Its calls are signed as its own',
  clock: 'Both clocks agree',
};

const marks = {
  passed: { icon: 'good', tone: 'good', words: 'passed' },
  warned: { icon: 'warning', tone: 'warn', words: 'passed, with a warning' },
  failed: { icon: 'error', tone: 'bad', words: 'failed' },
  skipped: { icon: 'dash', tone: 'muted', words: 'not tried' },
} as const;

export function ConnectionSteps({ test }: { test: ConnectionTest }) {
  return (
    <div className="editor-steps">
      <div className="muted">
        Tested <RelativeTime atMs={test.testedAtMs} />
      </div>
      <ol aria-label="Steps of the test">
        {test.steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
    </div>
  );
}

function Step({ step }: { step: ConnectionStep }) {
  const mark = marks[step.state];
  return (
    <li className={`editor-step tone-${mark.tone}`}>
      <Icon name={mark.icon} />
      <div className="editor-step-words">
        <div className="editor-step-title">
          {titles[step.name]}
          <span className="visually-hidden">, {mark.words}</span>
        </div>
        <div className={step.state === 'failed' ? 'selectable' : 'muted selectable'}>{step.sentence}</div>
        {step.remedy !== null && (
          <div className="editor-remedy selectable">
            <strong>What to do:</strong> {step.remedy}
          </div>
        )}
        {step.lines.map((line) => (
          <div key={line} className="editor-line">
            {/* reached by keyboard, since a long line is scrolled */}
            <code className="code selectable" tabIndex={0}>
              {line}
            </code>
            <CopyButton text={line} what="line" />
          </div>
        ))}
      </div>
    </li>
  );
}
