// One connected document server: what it is and its state in two lines, its test, and behind a button all of its settings.

import { useEffect, useId, useRef } from 'react';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Notice, useConfirm } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { AddressSearchResult, type AddressSearch } from '../editors/address-search.tsx';
import { ConnectionSteps, TestProgress, useConnectionTest, type RunningTest } from '../editors/test.tsx';
import { productOf, standingOf } from '../editors/words.ts';
import { EditorDetails } from './editor-details.tsx';

export interface EditorCardProps {
  editor: EditorItem;
  addresses: AddressSearch;
  isOpen: boolean;
  /** Runs the test whenever it grows. */
  testStep: number;
  onOpenChange(isOpen: boolean): void;
  onChooseAddress(): void;
}

export function EditorCard(props: EditorCardProps) {
  const { editor, addresses, isOpen, testStep } = props;
  const detailsId = useId();
  const confirm = useConfirm();
  const test = useConnectionTest(editor);
  const refresh = useAction('editors.refresh', {
    failure: `Could not refresh ${editor.name}`,
    success: `${editor.name} was refreshed`,
  });
  const isInContainer = useWindowState(({ documentServers }) =>
    documentServers.servers.some(({ url }) => url === editor.url),
  );
  const isSearching = addresses.runningFor === editor.id;
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
          <p>Documents no longer open in it. Another editor becomes the default for its types.</p>
          <Notice tone="info">Documents that are open in it stay open and can be saved.</Notice>
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
          <Button
            isPending={test.isRunning}
            isDisabled={isSearching}
            aria-label={`Test connection of ${editor.name}`}
            onPress={press}
          >
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
                title: 'Choose address…',
                icon: 'external',
                run: props.onChooseAddress,
              },
              {
                id: 'refresh',
                title: 'Refresh',
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
          <DetailsButton
            name={editor.name}
            controls={detailsId}
            isOpen={isOpen}
            onPress={() => props.onOpenChange(!isOpen)}
          />
        </div>
      </div>
      {editor.problem !== null && (
        <div className="editor-problem">
          <Notice tone="bad">
            <div className="row">
              <span className="grow">
                {editor.problem.sentence} Since <RelativeTime atMs={editor.problem.sinceMs} />.
              </span>
              <Button isPending={refresh.isPending} onPress={() => void refresh.run({ id: editor.id })}>
                Try again
              </Button>
            </div>
          </Notice>
        </div>
      )}
      <div className="editor-search">
        <AddressSearchResult
          editor={editor}
          search={addresses}
          onChooseAddress={props.onChooseAddress}
          onRetry={() => void addresses.run(editor.id, isInContainer)}
        />
      </div>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && (
          <>
            {!isSearching && <TestResult name={editor.name} test={test} />}
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

export function DetailsButton(props: {
  name: string;
  /** Id of what it shows and hides. */
  controls: string;
  isOpen: boolean;
  onPress(): void;
}) {
  return (
    <button
      type="button"
      className="button button-quiet button-icon"
      aria-expanded={props.isOpen}
      aria-controls={props.controls}
      aria-label={`Details of ${props.name}`}
      title="Details"
      onClick={props.onPress}
    >
      <Icon name={props.isOpen ? 'chevron-up' : 'chevron-down'} />
    </button>
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

export function TestResult({ name, test }: { name: string; test: RunningTest }) {
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
