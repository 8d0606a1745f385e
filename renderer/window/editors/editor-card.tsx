// One editor in the settings: what it is and its state, its test, and behind a button all of its settings. DocTray runs the built-in text
// editor itself, so there is no address to give it, no connection to test and nothing to remove.

import { useCallback, useState, type ReactNode } from 'react';
import { problemWords, type EditorItem, type EditorType } from '../../../app/contract/editors.ts';
import { t } from '../../../app/contract/messages.ts';
import { useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { FieldRow } from '../../kit/field-rows.tsx';
import { Switch } from '../../kit/fields.tsx';
import { MoreButton, type MenuEntry } from '../../kit/menu.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Message, StatusRow } from '../../kit/blocks.tsx';
import { SavedField, SettingField, useChosenSetting, type FieldDescription } from '../settings/fields.tsx';
import { useCall, useWindowState } from '../state/window-context.tsx';
import {
  AddressDialog,
  AddressSearchResult,
  ConnectionSteps,
  TestProgress,
  useConnectionTest,
  useEditorStatus,
  type AddressSearch,
} from './connection.tsx';
import { ContainerStart, ContainerWords, StopDialog } from './document-servers.tsx';
import {
  builtInSummary,
  failedWords,
  productOf,
  editorStatus,
  typesByAbility,
  type Ability,
} from './words.ts';

interface OpenState {
  /** Its details are shown. */
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

/** What an editor's row in the settings and the one in the first run share. */
export function useConnection(input: {
  editor: EditorItem;
  search: AddressSearch;
  isInContainer?: boolean;
  /** Called before a test runs. */
  onTest?(): void;
}) {
  const { editor, search } = input;
  const { servers, start } = useWindowState(({ documentServers }) => documentServers);
  const container = servers.find(({ editorId }) => editorId === editor.id);
  const ownStart = start !== null && start.product === container?.product ? start.state : undefined;
  const status = useEditorStatus(editor);
  const test = useConnectionTest(editor);
  const [dialog, setDialog] = useState<'address' | 'stop'>();
  const close = () => setDialog(undefined);
  const isSearching = search.runningFor === editor.id;
  const isStarting = ownStart === 'running';
  /** It explains why the editor can't be reached, or doesn't work. */
  const showsContainer =
    container !== undefined &&
    (isStarting || container.state === 'stopped' || (ownStart === 'failed' && status.kind !== 'good'));
  const isBusy = isSearching || isStarting || test.isRunning;
  const addressButton = (
    <Button
      aria-label={t('window.choose-address-for-editor', { editor: editor.name })}
      onPress={() => setDialog('address')}
    >
      {t('window.choose-address')}
    </Button>
  );
  const findAddress = () =>
    void search.run(editor.id, container !== undefined || input.isInContainer === true);
  const runTest = () => {
    input.onTest?.();
    search.forget(editor.id);
    void test.run();
  };
  return {
    container,
    status,
    test,
    isSearching,
    isBusy,
    showsContainer,
    addressButton,
    findAddress,
    runTest,
    look:
      isStarting || isSearching
        ? ({
            icon: 'busy',
            tone: 'info',
            state: t(isStarting ? 'window.starting' : 'window.testing'),
          } as const)
        : status,
    entries: [
      { id: 'test', title: t('window.test-connection'), icon: 'refresh', isDisabled: isBusy, run: runTest },
      { id: 'address', title: t('window.choose-address'), icon: 'external', run: () => setDialog('address') },
      ...(container?.isOwn === true
        ? [
            {
              id: 'stop',
              title: t(container.state === 'running' ? 'window.stop-ask' : 'window.remove-container-ask'),
              icon: 'stop' as const,
              isDisabled: isStarting,
              run: () => setDialog('stop'),
            },
          ]
        : []),
    ] satisfies MenuEntry[],
    /** How the start of its container, the search for an address and the test are going, or why they failed. */
    progress: (
      <>
        {showsContainer && <ContainerStart item={container}>{addressButton}</ContainerStart>}
        <AddressSearchResult
          editor={editor}
          search={search}
          buttons={
            editor.problem === null ? (
              <>
                <Button onPress={findAddress}>{t('window.find-address')}</Button>
                {addressButton}
              </>
            ) : (
              <Button onPress={runTest}>{t('window.test-again')}</Button>
            )
          }
        />
        {test.isRunning && <TestProgress name={editor.name} />}
        {test.problem !== null && (
          <Notice tone="bad" role="alert">
            {test.problem}
          </Notice>
        )}
        {dialog === 'address' && (
          <AddressDialog
            editor={editor}
            onUsed={() => {
              close();
              runTest();
            }}
            onClose={close}
          />
        )}
        {dialog === 'stop' && container !== undefined && <StopDialog item={container} onClose={close} />}
      </>
    ),
  };
}

export function EditorCard(props: { editor: EditorItem; addresses: AddressSearch } & OpenState) {
  const { editor, isOpen, onOpenChange } = props;
  const connection = useConnection({ editor, search: props.addresses, onTest: () => onOpenChange(true) });
  const { container, status, test, isSearching, runTest } = connection;
  const words = { editor: editor.name };
  const remove = useAction('editors.remove', {
    question: () => ({
      title: t('window.remove-editor', words),
      body: (
        <>
          <p>{t('window.documents-no-longer-open-in')}</p>
          <Notice tone="info">{t('window.documents-that-are-open-in')}</Notice>
        </>
      ),
      confirm: t('window.remove'),
      isDanger: true,
    }),
    failure: t('window.couldnt-remove-editor', words),
    success: t('window.editor-was-removed', words),
  });
  const { sentence, remedy, isAboutAddress } = failedWords(editor);
  /** Already shown below. */
  const isExplained =
    isSearching || connection.showsContainer || typeof props.addresses.outcomeOf(editor) === 'string';
  const testButton = { isPending: test.isRunning, isDisabled: isSearching, onPress: runTest };

  return (
    <StatusRow
      as="article"
      label={editor.name}
      phase={`${connection.look.icon} ${status.kind}`}
      {...connection.look}
      name={editor.name}
      detail={
        container === undefined ? (
          <span className="code selectable">{editor.url}</span>
        ) : (
          <ContainerWords item={container} />
        )
      }
      actions={
        <>
          {(status.kind === 'untested' || status.kind === 'warned') && (
            <Button {...testButton} aria-label={t('window.test-connection-of-editor', words)}>
              {t('window.test-connection')}
            </Button>
          )}
          <MoreButton
            label={t('window.actions-for-editor', words)}
            entries={[
              ...connection.entries,
              {
                id: 'remove',
                title: t('window.remove-ask'),
                icon: 'trash',
                isDanger: true,
                startsGroup: true,
                run: () => void remove.run({ id: editor.id }),
              },
            ]}
          />
        </>
      }
      details={{
        isOpen,
        onOpenChange,
        content: (
          <>
            {!isSearching && test.shown !== undefined && (
              <div className="status-more">
                <ConnectionSteps test={test.shown} />
              </div>
            )}
            <EditorDetails editor={editor} addressButton={connection.addressButton} />
          </>
        ),
      }}
    >
      {status.tone === 'bad' && !isExplained && (
        <Notice
          tone="bad"
          actions={
            <div className="row buttons">
              {isAboutAddress && editor.problem === null && (
                <>
                  <Button
                    look="primary"
                    aria-label={t('window.find-address-for-editor', words)}
                    isDisabled={connection.isBusy || props.addresses.runningFor !== undefined}
                    onPress={connection.findAddress}
                  >
                    {t('window.find-address')}
                  </Button>
                  {!isOpen && connection.addressButton}
                </>
              )}
              <Button {...testButton} aria-label={t('window.test-again-editor', words)}>
                {t('window.test-again')}
              </Button>
            </div>
          }
        >
          {/* When it is open, the steps say why. */}
          {editor.problem !== null ? (
            <Message
              of="window.problem-first-noticed-when"
              values={{
                problem: problemWords(editor.problem),
                when: <RelativeTime atMs={editor.problem.sinceMs} />,
              }}
            />
          ) : isOpen && test.shown !== undefined ? (
            t('window.its-last-connection-test-failed')
          ) : (
            <>
              <div>{sentence}</div>
              <div>{remedy}</div>
            </>
          )}
        </Notice>
      )}
      {connection.progress}
    </StatusRow>
  );
}

const name = t('host.text-editor');

/** @param props.editor undefined while it is switched off */
export function BuiltInEditor({ editor, ...open }: { editor: EditorItem | undefined } & OpenState) {
  const { value: isOn, error, choose } = useChosenSetting('textEditor');
  const isAway = useWindowState(({ host }) => host.status === 'error' || host.status === 'stopping');
  const absentWords = isAway ? t('window.not-running') : t('window.starting');
  /** Shown: the entry comes and goes a moment after the switch. */
  const entry = isOn ? editor : undefined;
  const status = entry && editorStatus(entry);
  const problem = error ?? (entry?.problem && problemWords(entry.problem));
  return (
    <StatusRow
      as="article"
      label={name}
      id="textEditor"
      icon={status?.icon ?? (isOn && !isAway ? 'busy' : 'dash')}
      tone={status?.tone ?? 'muted'}
      name={entry?.name ?? name}
      state={status?.state ?? (isOn ? absentWords : t('window.off'))}
      detail={t('window.built-in-summary', { summary: builtInSummary })}
      actions={<Switch label={name} isLabelHidden isOn={isOn} onChange={choose} />}
      details={
        entry && {
          ...open,
          content: (
            <>
              <FieldRow
                label={t('window.opens-types', { count: entry.types.length })}
                hint={t('window.it-also-opens-any-other')}
              />
              <EditorTypes types={entry.types} />
              <SettingField id="textEditorPort" />
              <SettingField id="textEditorUrl" />
            </>
          ),
        }
      }
    >
      {problem != null && (
        <Notice tone="bad" role="alert">
          {problem}
        </Notice>
      )}
    </StatusRow>
  );
}

type EditorValue = 'name' | 'proofMode' | 'allowedAddresses' | 'acceptsOtherHosts';

/** What can be changed of an editor. */
function fieldsOf(editor: EditorItem): (FieldDescription & { of: EditorValue })[] {
  const { hasProofKeys, proofMode } = editor;
  return [
    {
      of: 'name',
      kind: 'text',
      label: t('window.name'),
      longLabel: t('window.name-of-url', { url: editor.url }),
      hint: t('window.shown-in-menus-and-messages'),
    },
    {
      of: 'proofMode',
      kind: 'choice',
      label: t('window.proof-keys'),
      hint: hasProofKeys ? t('window.the-editor-signs-its-requests') : t('window.this-editor-has-no-proof'),
      options: [
        {
          id: 'if-present',
          title: t('window.check-signatures-if-present'),
          hint: t('window.requests-with-a-wrong-signature'),
        },
        {
          id: 'required',
          title: t('window.require-signatures'),
          hint: t('window.requests-without-a-signature-are'),
          isDisabled: !hasProofKeys && proofMode !== 'required',
        },
        { id: 'off', title: t('window.dont-check'), hint: t('window.for-a-proxy-that-rewrites') },
      ],
    },
    {
      of: 'allowedAddresses',
      kind: 'list',
      label: t('window.allowed-addresses'),
      longLabel: t('window.allowed-addresses-of-editor', { editor: editor.name }),
      hint: t('window.optional-one-address-or-network'),
      example: '192.168.1.40',
      isCode: true,
    },
    {
      of: 'acceptsOtherHosts',
      kind: 'switch',
      label: t('window.allow-pages-on-another-host'),
      hint: t('window.for-an-editor-that-browsers'),
    },
  ];
}

function EditorDetails({ editor, addressButton }: { editor: EditorItem; addressButton: ReactNode }) {
  return (
    <>
      <FieldRow
        label={t('window.address-for-editors')}
        hint={<span className="code selectable">{editor.effectiveUrl}</span>}
        note={t(
          editor.publicUrl === null
            ? 'window.from-the-network-settings-sentence'
            : 'window.chosen-for-this-editor',
        )}
      >
        {addressButton}
      </FieldRow>
      <FieldRow
        label={t('window.opens-types', { count: editor.types.length })}
        hint={
          <Message
            of="window.updated-when-doctray-checks-for"
            values={{ when: <RelativeTime atMs={editor.discoveredAtMs} /> }}
          />
        }
        note={productOf(editor)}
      />
      <EditorTypes types={editor.types} />
      {fieldsOf(editor).map((field) => (
        <EditorField key={field.of} editor={editor} field={field} />
      ))}
    </>
  );
}

function EditorField({
  editor,
  field: { of, ...field },
}: {
  editor: EditorItem;
  field: ReturnType<typeof fieldsOf>[number];
}) {
  const call = useCall();
  const { id } = editor;
  const save = useCallback(
    async (value: unknown) => {
      // An empty field keeps the name there is.
      if (value === null) return editor[of];
      await call('editors.change', { id, [of]: value });
      return value;
    },
    [call, id, of, editor],
  );
  return <SavedField {...field} stored={editor[of]} save={save} />;
}

const abilities: Record<Ability, string> = {
  edit: t('common.edit'),
  convert: t('window.view-and-convert'),
  view: t('window.view'),
};

function EditorTypes({ types }: { types: EditorType[] }) {
  const groups = typesByAbility(types);
  return (
    <dl className="facts editor-types">
      {(['edit', 'convert', 'view'] as const)
        .filter((ability) => groups[ability].length > 0)
        .flatMap((ability) => [
          <dt key={ability}>{abilities[ability]}</dt>,
          <dd key={`${ability} types`}>{groups[ability].join(', ')}</dd>,
        ])}
    </dl>
  );
}
