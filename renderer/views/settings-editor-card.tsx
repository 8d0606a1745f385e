// One connected editor: what it is and how it stands in two lines, its test, and behind a button all that can be set.

import { useEffect, useId, useRef } from 'react';
import type { EditorItem } from '../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Notice, useConfirm } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useAction } from '../state/use-action.ts';
import { ConnectionSteps, TestProgress, useConnectionTest, type RunningTest } from './editor-test.tsx';
import { productOf, standingOf } from './editor-words.ts';
import { EditorDetails } from './settings-editor-details.tsx';

export interface EditorCardProps {
  editor: EditorItem;
  isOpen: boolean;
  /** Runs the test whenever it grows. */
  testStep: number;
  onOpenChange(isOpen: boolean): void;
  onChooseAddress(): void;
}

export function EditorCard(props: EditorCardProps) {
  const { editor, isOpen, testStep } = props;
  const detailsId = useId();
  const confirm = useConfirm();
  const test = useConnectionTest(editor);
  const refresh = useAction('editors.refresh', {
    failure: `${editor.name} was not read again`,
    success: `${editor.name} was read again`,
  });
  const remove = useAction('editors.remove', {
    failure: `Could not remove ${editor.name}`,
    success: `${editor.name} was removed`,
  });
  const runTest = useRef(test.run);
  runTest.current = test.run;
  useEffect(() => {
    if (testStep > 0) void runTest.current();
  }, [testStep]);

  const press = () => {
    props.onOpenChange(true);
    void test.run();
  };
  const askRemove = async () => {
    const isSure = await confirm({
      title: `Remove ${editor.name}?`,
      body: (
        <>
          <p>
            Documents are no longer opened in it. Types it was the default for go to the next editor that
            opens them.
          </p>
          <Notice tone="info">What is open in it stays open and can be saved.</Notice>
        </>
      ),
      confirm: 'Remove',
      isDanger: true,
    });
    if (isSure) await remove.run({ id: editor.id });
  };

  return (
    <article className="editor-card" aria-label={editor.name}>
      <div className="editor-head">
        <Standing editor={editor} />
        <div className="editor-buttons">
          <Button isPending={test.isRunning} aria-label={`Test connection of ${editor.name}`} onPress={press}>
            Test connection
          </Button>
          <MenuButton
            label={`Actions for ${editor.name}`}
            icon="more"
            isIconOnly
            look="quiet"
            entries={[
              {
                id: 'address',
                title: 'Address for this editor…',
                icon: 'external',
                run: props.onChooseAddress,
              },
              {
                id: 'refresh',
                title: 'Read again what it opens',
                icon: 'refresh',
                run: () => void refresh.run({ id: editor.id }),
              },
              {
                id: 'remove',
                title: 'Remove…',
                icon: 'trash',
                isDanger: true,
                startsGroup: true,
                run: () => void askRemove(),
              },
            ]}
          />
          <button
            type="button"
            className="button button-quiet button-icon"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            aria-label={`Details of ${editor.name}`}
            title="Details"
            onClick={() => props.onOpenChange(!isOpen)}
          >
            <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
          </button>
        </div>
      </div>
      {editor.problem !== null && (
        <div className="editor-problem">
          <Notice tone="bad">
            <div className="row">
              <span className="grow">
                {editor.problem.sentence} Since <RelativeTime atMs={editor.problem.sinceMs} />. What was known
                of it before is kept.
              </span>
              <Button isPending={refresh.isPending} onPress={() => void refresh.run({ id: editor.id })}>
                Try again
              </Button>
            </div>
          </Notice>
        </div>
      )}
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && (
          <>
            <TestResult name={editor.name} test={test} />
            <EditorDetails
              editor={editor}
              isRefreshing={refresh.isPending}
              onRefresh={() => void refresh.run({ id: editor.id })}
              onChooseAddress={props.onChooseAddress}
            />
          </>
        )}
      </div>
    </article>
  );
}

function Standing({ editor }: { editor: EditorItem }) {
  const standing = standingOf(editor);
  return (
    <div className={`editor-standing tone-${standing.tone}`}>
      <Icon name={standing.icon} size={20} />
      <div className="editor-standing-words">
        <div>
          <span className="editor-name">{editor.name}</span>{' '}
          <span className="editor-state">{standing.words}</span>
        </div>
        <div className="muted">
          {productOf(editor)} · <span className="code selectable">{editor.url}</span>
        </div>
      </div>
    </div>
  );
}

function TestResult({ name, test }: { name: string; test: RunningTest }) {
  if (test.isRunning) return <TestProgress name={name} />;
  return (
    <>
      {test.problem !== null && (
        <div className="editor-problem">
          <Notice tone="bad">
            <div role="alert">{test.problem}</div>
          </Notice>
        </div>
      )}
      {test.shown !== undefined && <ConnectionSteps test={test.shown} />}
    </>
  );
}
