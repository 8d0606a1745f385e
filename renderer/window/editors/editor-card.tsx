// One editor in the settings: what it is and its state in two lines, its test, and behind a button all of its settings. DocTray runs the
// built-in text editor itself, so there is no address to give it, no connection to test and nothing to remove.

import { useCallback, useEffect, useId, useRef } from 'react';
import { Input, TextArea } from 'react-aria-components';
import type { CommandArgs } from '../../../app/commands/commands.ts';
import {
  problemWords,
  type EditorItem,
  type EditorType,
  type ProofMode,
} from '../../../app/contract/editors.ts';
import { t } from '../../../app/contract/messages.ts';
import { useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice, useConfirm } from '../../kit/dialog.tsx';
import { Switch } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { MoreButton } from '../../kit/menu.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Message } from '../../kit/blocks.tsx';
import {
  ChoiceRow,
  entriesOf,
  linesOf,
  OptionalPortSetting,
  SettingRow,
  SwitchRow,
  TextSetting,
  TypedField,
  useChosenSetting,
  useChosenValue,
  useTypedValue,
} from '../settings/fields.tsx';
import { useCall, useWindowState } from '../state/window-context.tsx';
import {
  AddressSearchResult,
  ConnectionSteps,
  TestProgress,
  useConnectionTest,
  useEditorStatus,
  type AddressSearch,
  type RunningTest,
} from './connection.tsx';
import {
  builtInSummary,
  productOf,
  editorStatus,
  typesByAbility,
  type Ability,
  type EditorStatus,
} from './words.ts';

interface EditorCardProps {
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
  const status = useEditorStatus(editor);
  const test = useConnectionTest(editor);
  /**
   * Not if the editor works, or if its problem has its own button. It stays while the pane is open, because a button that disappears
   * loses the focus.
   */
  const hasTestButton = useRef(false);
  hasTestButton.current ||= status.kind !== 'good' && status.kind !== 'unreachable';
  const refresh = useAction('editors.refresh', {
    failure: t('window.couldnt-refresh-editor', { editor: editor.name }),
    success: t('window.editor-was-refreshed', { editor: editor.name }),
  });
  const isInContainer = useWindowState(({ documentServers }) =>
    documentServers.servers.some(({ url }) => url === editor.url),
  );
  const isSearching = addresses.runningFor === editor.id;
  const remove = useAction('editors.remove', {
    failure: t('window.couldnt-remove-editor', { editor: editor.name }),
    success: t('window.editor-was-removed', { editor: editor.name }),
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
      title: t('window.remove-editor', { editor: editor.name }),
      body: (
        <>
          <p>{t('window.documents-no-longer-open-in')}</p>
          <Notice tone="info">{t('window.documents-that-are-open-in')}</Notice>
        </>
      ),
      confirm: t('window.remove'),
      isDanger: true,
    });
    if (isSure) await remove.run({ id: editor.id });
  };

  return (
    <article className="editor-card" aria-label={editor.name}>
      <div className="editor-head">
        <Standing editor={editor} status={status} />
        <div className="editor-buttons">
          {hasTestButton.current && (
            <Button
              isPending={test.isRunning}
              isDisabled={isSearching}
              aria-label={t('window.test-connection-of-editor', { editor: editor.name })}
              onPress={press}
            >
              {t('window.test-connection')}
            </Button>
          )}
          <MoreButton
            label={t('window.actions-for-editor', { editor: editor.name })}
            entries={[
              ...(hasTestButton.current
                ? []
                : [
                    {
                      id: 'test',
                      title: t('window.test-connection'),
                      icon: 'refresh' as const,
                      isDisabled: test.isRunning || isSearching,
                      run: press,
                    },
                  ]),
              {
                id: 'address',
                title: t('window.choose-address'),
                icon: 'external',
                run: props.onChooseAddress,
              },
              {
                id: 'refresh',
                title: t('window.refresh'),
                icon: 'refresh',
                run: () => void refresh.run({ id: editor.id }),
              },
              {
                id: 'remove',
                title: t('window.remove-ask'),
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
                <Message
                  of="window.problem-first-noticed-when"
                  values={{
                    problem: problemWords(editor.problem),
                    when: <RelativeTime atMs={editor.problem.sinceMs} />,
                  }}
                />
              </span>
              <Button isPending={refresh.isPending} onPress={() => void refresh.run({ id: editor.id })}>
                {t('common.try-again')}
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

function DetailsButton(props: {
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
      aria-label={t('window.details-of-editor', { editor: props.name })}
      title={t('window.details')}
      onClick={props.onPress}
    >
      <Icon name={props.isOpen ? 'chevron-up' : 'chevron-down'} />
    </button>
  );
}

function Standing({ editor, status }: { editor: EditorItem; status: EditorStatus }) {
  return (
    <div className={`editor-status tone-${status.tone}`}>
      <Icon name={status.icon} size={20} />
      <div className="editor-status-words">
        <div>
          <span className="editor-name">{editor.name}</span>{' '}
          <span className="editor-state">{status.words}</span>
        </div>
        <div className="muted">{productOf(editor)}</div>
        <div className="muted code selectable">{editor.url}</div>
        {status.proof !== undefined && <div className="muted">{status.proof}</div>}
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

interface BuiltInProps {
  /** Undefined while it is switched off. */
  editor: EditorItem | undefined;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

const name = t('window.text-editor');

export function BuiltInEditor({ editor, isOpen, onOpenChange }: BuiltInProps) {
  const detailsId = useId();
  const { value: isOn, error, choose } = useChosenSetting('textEditor');
  const isAway = useWindowState(({ host }) => host.status === 'error' || host.status === 'stopping');
  const absentWords = isAway ? t('window.not-running') : t('window.starting');
  /** Shown: the entry comes and goes a moment after the switch. */
  const entry = isOn ? editor : undefined;
  const status = entry && editorStatus(entry);
  return (
    <article className="editor-card" aria-label={name} data-setting="textEditor">
      <div className="editor-head">
        <div className={`editor-status tone-${status?.tone ?? 'muted'}`}>
          <Icon name={status?.icon ?? 'dash'} size={20} />
          <div className="editor-status-words">
            <div>
              <span className="editor-name">{entry?.name ?? name}</span>{' '}
              <span className="editor-state">{status?.words ?? (isOn ? absentWords : t('window.off'))}</span>
            </div>
            <div className="muted">{t('window.built-in-summary', { summary: builtInSummary })}</div>
          </div>
        </div>
        <div className="editor-buttons">
          <Switch label={name} isLabelHidden isOn={isOn} onChange={choose} />
          {entry !== undefined && (
            <DetailsButton
              name={entry.name}
              controls={detailsId}
              isOpen={isOpen}
              onPress={() => onOpenChange(!isOpen)}
            />
          )}
        </div>
      </div>
      {(error !== null || (entry !== undefined && entry.problem !== null)) && (
        <div className="editor-problem">
          <Notice tone="bad">
            <div role="alert">{error ?? (entry?.problem && problemWords(entry.problem))}</div>
          </Notice>
        </div>
      )}
      <div id={detailsId} hidden={!isOpen || entry === undefined}>
        {isOpen && entry !== undefined && (
          <>
            <div className="editor-details">
              <SettingRow
                title={t('window.opens-types', {
                  count: entry.types.length,
                })}
                hint={t('window.it-also-opens-any-other')}
              />
              <EditorTypes types={entry.types} />
              <OptionalPortSetting settingKey="textEditorPort" />
              <TextSetting settingKey="textEditorUrl" placeholder="https://edit.example.com" />
            </div>
          </>
        )}
      </div>
    </article>
  );
}

type Change = Omit<CommandArgs<'editors.change'>, 'id'>;

function EditorDetails(props: {
  editor: EditorItem;
  isRefreshing: boolean;
  onRefresh(): void;
  onChooseAddress(): void;
}) {
  const { editor } = props;
  const { id } = editor;
  const call = useCall();
  const change = useCallback(async (values: Change) => call('editors.change', { id, ...values }), [call, id]);
  return (
    <div className="editor-details">
      <SettingRow
        title={t('window.address-of-doctray')}
        hint={
          <>
            <span className="code selectable">{editor.effectiveUrl}</span>
            <span className="setting-note">
              {editor.publicUrl === null
                ? t('window.from-the-network-settings-2')
                : t('window.chosen-for-this-editor')}
            </span>
          </>
        }
      >
        <Button
          aria-label={t('window.change-the-address-of-doctray', { editor: editor.name })}
          onPress={props.onChooseAddress}
        >
          {t('window.change')}
        </Button>
      </SettingRow>
      <SettingRow
        title={t('window.opens-types', { count: editor.types.length })}
        hint={
          <Message
            of="window.updated-when-doctray-checks-for"
            values={{ when: <RelativeTime atMs={editor.discoveredAtMs} /> }}
          />
        }
      >
        <Button isPending={props.isRefreshing} onPress={props.onRefresh}>
          {t('window.refresh')}
        </Button>
      </SettingRow>
      <EditorTypes types={editor.types} />
      <Name editor={editor} change={change} />
      <Signatures editor={editor} change={change} />
      <Addresses editor={editor} change={change} />
      <OtherHosts editor={editor} change={change} />
    </div>
  );
}

const abilities: Record<Ability, string> = {
  edit: t('common.edit'),
  convert: t('window.view-and-convert'),
  view: t('window.view'),
};

function EditorTypes({ types }: { types: EditorType[] }) {
  const groups = typesByAbility(types);
  return (
    <dl className="editor-types">
      {(['edit', 'convert', 'view'] as const)
        .filter((ability) => groups[ability].length > 0)
        .map((ability) => (
          <div key={ability}>
            <dt>{abilities[ability]}</dt>
            <dd>
              {groups[ability].map((extension) => (
                <span key={extension} className="editor-type">
                  {extension}{' '}
                </span>
              ))}
            </dd>
          </div>
        ))}
    </dl>
  );
}

interface FieldProps {
  editor: EditorItem;
  change(values: Change): Promise<unknown>;
}

function Name({ editor, change }: FieldProps) {
  const label = t('window.name-of-url', { url: editor.url });
  const setting = useTypedValue({
    label,
    storedText: editor.name,
    save: async (text) => {
      const name = text.trim();
      // An empty field keeps the name there is.
      if (name === '') return editor.name;
      await change({ name });
      return name;
    },
  });
  return (
    <TypedField label={t('window.name')} hint={t('window.shown-in-menus-and-messages')} setting={setting}>
      <Input className="input" />
    </TypedField>
  );
}

function Signatures({ editor, change }: FieldProps) {
  const { value, error, choose } = useChosenValue<ProofMode>(
    editor.proofMode,
    useCallback(async (proofMode) => change({ proofMode }), [change]),
  );
  return (
    <ChoiceRow
      label={t('window.proof-keys')}
      hint={
        editor.hasProofKeys ? t('window.the-editor-signs-its-requests') : t('window.this-editor-has-no-proof')
      }
      value={value}
      error={error}
      onChange={choose}
      options={[
        {
          id: 'if-present',
          title: t('window.check-signatures-if-present'),
          hint: t('window.requests-with-a-wrong-signature'),
        },
        {
          id: 'required',
          title: t('window.require-signatures'),
          hint: t('window.requests-without-a-signature-are'),
          isDisabled: !editor.hasProofKeys && value !== 'required',
        },
        {
          id: 'off',
          title: t('window.dont-check'),
          hint: t('window.for-a-proxy-that-rewrites'),
        },
      ]}
    />
  );
}

function Addresses({ editor, change }: FieldProps) {
  const setting = useTypedValue({
    label: t('window.allowed-addresses-of-editor', { editor: editor.name }),
    storedText: linesOf(editor.allowedAddresses),
    save: async (text) => {
      const allowedAddresses = entriesOf(text);
      await change({ allowedAddresses });
      return linesOf(allowedAddresses);
    },
  });
  return (
    <TypedField
      label={t('window.allowed-addresses')}
      hint={t('window.optional-one-address-or-network')}
      setting={setting}
      isLong
    >
      <TextArea className="input code" rows={2} placeholder="192.168.1.40" />
    </TypedField>
  );
}

function OtherHosts({ editor, change }: FieldProps) {
  const { value, error, choose } = useChosenValue(
    editor.acceptsOtherHosts,
    useCallback(async (acceptsOtherHosts: boolean) => change({ acceptsOtherHosts }), [change]),
  );
  return (
    <SwitchRow
      label={t('window.allow-pages-on-another-host')}
      hint={t('window.for-an-editor-that-browsers')}
      isOn={value}
      error={error}
      onChange={choose}
    />
  );
}
