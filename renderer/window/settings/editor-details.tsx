// The settings of one document server, and what it opens.

import { useCallback } from 'react';
import { Input, TextArea } from 'react-aria-components';
import type { CommandArgs } from '../../../app/commands/commands.ts';
import type { EditorItem, EditorType, ProofMode } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useCall } from '../state/window-context.tsx';
import { typesByAbility, type Ability } from '../editors/words.ts';
import { ChoiceRow, entriesOf, linesOf, SwitchRow, TypedField } from './fields.tsx';
import { SettingRow } from './section.tsx';
import { useChosenValue, useTypedValue } from './value.ts';

type Change = Omit<CommandArgs<'editors.change'>, 'id'>;

export function EditorDetails(props: {
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
        title="Address of DocTray"
        hint={
          <>
            <span className="code selectable">{editor.effectiveUrl}</span>
            {editor.publicUrl === null ? ', from the network settings.' : ', chosen for this editor.'}
          </>
        }
      >
        <Button
          aria-label={`Change the address of DocTray for ${editor.name}`}
          onPress={props.onChooseAddress}
        >
          Change…
        </Button>
      </SettingRow>
      <SettingRow
        title={`Opens ${countOf(editor.types.length, 'type')}`}
        hint={
          <>
            Updated <RelativeTime atMs={editor.discoveredAtMs} />. DocTray checks for changes regularly.
          </>
        }
      >
        <Button isPending={props.isRefreshing} onPress={props.onRefresh}>
          Refresh
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
  edit: 'Edit',
  convert: 'View and convert',
  view: 'View',
};

export function EditorTypes({ types }: { types: EditorType[] }) {
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
  const label = `Name of ${editor.url}`;
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
    <TypedField label="Name" hint="Shown in menus and messages." setting={setting}>
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
      label="Proof keys"
      hint={
        editor.hasProofKeys
          ? 'The editor signs its requests, so nobody else can send them.'
          : 'This editor has no proof keys, so signatures can’t be checked.'
      }
      value={value}
      error={error}
      onChange={choose}
      options={[
        {
          id: 'if-present',
          title: 'Check signatures if present',
          hint: 'Requests with a wrong signature are refused.',
        },
        {
          id: 'required',
          title: 'Require signatures',
          hint: 'Requests without a signature are refused as well.',
          isDisabled: !editor.hasProofKeys && value !== 'required',
        },
        {
          id: 'off',
          title: 'Don’t check',
          hint: 'For a proxy that rewrites addresses. Access tokens are still checked.',
        },
      ]}
    />
  );
}

function Addresses({ editor, change }: FieldProps) {
  const setting = useTypedValue({
    label: `Allowed addresses of ${editor.name}`,
    storedText: linesOf(editor.allowedAddresses),
    save: async (text) => {
      const allowedAddresses = entriesOf(text);
      await change({ allowedAddresses });
      return linesOf(allowedAddresses);
    },
  });
  return (
    <TypedField
      label="Allowed addresses"
      hint="Optional. One address or network per line. Defaults to all."
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
      label="Allow pages on another host"
      hint="For an editor that browsers reach at another address."
      isOn={value}
      error={error}
      onChange={choose}
    />
  );
}
