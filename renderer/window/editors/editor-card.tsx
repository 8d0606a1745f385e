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
import { Button } from '../parts/button.tsx';
import { Notice, useConfirm } from '../parts/dialog.tsx';
import { Switch } from '../parts/fields.tsx';
import { Icon } from '../parts/icon.tsx';
import { MoreButton } from '../parts/menu.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { Message } from '../parts/view.tsx';
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
    failure: t('Couldn’t refresh {editor}', { editor: editor.name }),
    success: t('{editor} was refreshed', { editor: editor.name }),
  });
  const isInContainer = useWindowState(({ documentServers }) =>
    documentServers.servers.some(({ url }) => url === editor.url),
  );
  const isSearching = addresses.runningFor === editor.id;
  const remove = useAction('editors.remove', {
    failure: t('Couldn’t remove {editor}', { editor: editor.name }),
    success: t('{editor} was removed', { editor: editor.name }),
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
      title: t('Remove {editor}?', { editor: editor.name }),
      body: (
        <>
          <p>{t('Documents no longer open in it. Another editor becomes the default for its types.')}</p>
          <Notice tone="info">{t('Documents that are open in it stay open and can be saved.')}</Notice>
        </>
      ),
      confirm: t('Remove'),
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
              aria-label={t('Test connection of {editor}', { editor: editor.name })}
              onPress={press}
            >
              {t('Test connection')}
            </Button>
          )}
          <MoreButton
            label={t('Actions for {editor}', { editor: editor.name })}
            entries={[
              ...(hasTestButton.current
                ? []
                : [
                    {
                      id: 'test',
                      title: t('Test connection'),
                      icon: 'refresh' as const,
                      isDisabled: test.isRunning || isSearching,
                      run: press,
                    },
                  ]),
              {
                id: 'address',
                title: t('Choose address…'),
                icon: 'external',
                run: props.onChooseAddress,
              },
              {
                id: 'refresh',
                title: t('Refresh'),
                icon: 'refresh',
                run: () => void refresh.run({ id: editor.id }),
              },
              {
                id: 'remove',
                title: t('Remove…'),
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
                  of="{problem} First noticed {when}."
                  values={{
                    problem: problemWords(editor.problem),
                    when: <RelativeTime atMs={editor.problem.sinceMs} />,
                  }}
                />
              </span>
              <Button isPending={refresh.isPending} onPress={() => void refresh.run({ id: editor.id })}>
                {t('Try again')}
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
      aria-label={t('Details of {editor}', { editor: props.name })}
      title={t('Details')}
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

const name = t('Text editor');

export function BuiltInEditor({ editor, isOpen, onOpenChange }: BuiltInProps) {
  const detailsId = useId();
  const { value: isOn, error, choose } = useChosenSetting('textEditor');
  const isAway = useWindowState(({ host }) => host.status === 'error' || host.status === 'stopping');
  const absentWords = isAway ? t('Not running') : t('Starting');
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
              <span className="editor-state">{status?.words ?? (isOn ? absentWords : t('Off'))}</span>
            </div>
            <div className="muted">{t('Built in · {summary}', { summary: builtInSummary })}</div>
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
                title={t('Opens {count, plural, one {# type} other {# types}}', {
                  count: entry.types.length,
                })}
                hint={t('It also opens any other file that contains plain text.')}
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
        title={t('Address of DocTray')}
        hint={
          <>
            <span className="code selectable">{editor.effectiveUrl}</span>
            <span className="setting-note">
              {editor.publicUrl === null ? t('From the network settings.') : t('Chosen for this editor.')}
            </span>
          </>
        }
      >
        <Button
          aria-label={t('Change the address of DocTray for {editor}', { editor: editor.name })}
          onPress={props.onChooseAddress}
        >
          {t('Change…')}
        </Button>
      </SettingRow>
      <SettingRow
        title={t('Opens {count, plural, one {# type} other {# types}}', { count: editor.types.length })}
        hint={
          <Message
            of="Updated {when}. DocTray checks for changes regularly."
            values={{ when: <RelativeTime atMs={editor.discoveredAtMs} /> }}
          />
        }
      >
        <Button isPending={props.isRefreshing} onPress={props.onRefresh}>
          {t('Refresh')}
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
  edit: t('Edit'),
  convert: t('View and convert'),
  view: t('View'),
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
  const label = t('Name of {url}', { url: editor.url });
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
    <TypedField label={t('Name')} hint={t('Shown in menus and messages.')} setting={setting}>
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
      label={t('Proof keys')}
      hint={
        editor.hasProofKeys
          ? t('The editor signs its requests, so nobody else can send them.')
          : t('This editor has no proof keys, so signatures can’t be checked.')
      }
      value={value}
      error={error}
      onChange={choose}
      options={[
        {
          id: 'if-present',
          title: t('Check signatures if present'),
          hint: t('Requests with a wrong signature are refused.'),
        },
        {
          id: 'required',
          title: t('Require signatures'),
          hint: t('Requests without a signature are refused as well.'),
          isDisabled: !editor.hasProofKeys && value !== 'required',
        },
        {
          id: 'off',
          title: t('Don’t check'),
          hint: t('For a proxy that rewrites addresses. Access tokens are still checked.'),
        },
      ]}
    />
  );
}

function Addresses({ editor, change }: FieldProps) {
  const setting = useTypedValue({
    label: t('Allowed addresses of {editor}', { editor: editor.name }),
    storedText: linesOf(editor.allowedAddresses),
    save: async (text) => {
      const allowedAddresses = entriesOf(text);
      await change({ allowedAddresses });
      return linesOf(allowedAddresses);
    },
  });
  return (
    <TypedField
      label={t('Allowed addresses')}
      hint={t('Optional. One address or network per line. Defaults to all.')}
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
      label={t('Allow pages on another host')}
      hint={t('For an editor that browsers reach at another address.')}
      isOn={value}
      error={error}
      onChange={choose}
    />
  );
}
