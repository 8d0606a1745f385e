// All that can be set for one editor, and what it opens.

import { useCallback } from 'react';
import { Input, TextArea } from 'react-aria-components';
import type { CommandArgs } from '../../app/contract/commands.ts';
import type { EditorItem, EditorType, ProofMode } from '../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { countOf } from '../parts/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useCall } from '../state/window-context.tsx';
import { typesByAbility, type Ability } from './editor-words.ts';
import { ChoiceRow, entriesOf, linesOf, SwitchRow, TypedField } from './settings-fields.tsx';
import { SettingRow } from './settings-section.tsx';
import { useChosenValue, useTypedValue } from './settings-value.ts';

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
        title="Address it is given"
        hint={
          <>
            <span className="code selectable">{editor.effectiveUrl}</span>
            {editor.publicUrl === null ? ', the one DocTray has anyway.' : ', chosen for this editor.'}
          </>
        }
      >
        <Button aria-label={`Change the address ${editor.name} is given`} onPress={props.onChooseAddress}>
          Change…
        </Button>
      </SettingRow>
      <SettingRow
        title={`Opens ${countOf(editor.types.length, 'type')}`}
        hint={
          <>
            Read <RelativeTime atMs={editor.discoveredAtMs} />; DocTray reads it again by itself.
          </>
        }
      >
        <Button isPending={props.isRefreshing} onPress={props.onRefresh}>
          Read again
        </Button>
      </SettingRow>
      <Types types={editor.types} />
      <Name editor={editor} change={change} />
      <Signatures editor={editor} change={change} />
      <Addresses editor={editor} change={change} />
      <OtherHosts editor={editor} change={change} />
    </div>
  );
}

const abilities: Record<Ability, string> = {
  edit: 'To edit',
  convert: 'To view, and to convert',
  view: 'To view',
};

function Types({ types }: { types: EditorType[] }) {
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
  change(values: Change): Promise<null>;
}

function Name({ editor, change }: FieldProps) {
  const label = `Name of ${editor.url}`;
  const setting = useTypedValue({
    label,
    storedText: editor.name,
    save: async (text) => {
      const name = text.trim();
      // nothing is a name: back to the one there is
      if (name === '') return editor.name;
      await change({ name });
      return name;
    },
  });
  return (
    <TypedField label="Name" hint="As it is called in menus and messages." setting={setting}>
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
      label="Signatures of its calls"
      hint={
        editor.hasProofKeys
          ? 'The editor signs what it asks for, so that nobody else can ask in its place.'
          : 'This editor has given no keys, so its signatures cannot be checked.'
      }
      value={value}
      error={error}
      onChange={choose}
      options={[
        {
          id: 'if-present',
          title: 'Check those that are there',
          hint: 'A wrong one is refused. Calls without one need the token alone.',
        },
        {
          id: 'required',
          title: 'Require one with every call',
          hint: 'Calls without one are refused, too.',
          isDisabled: !editor.hasProofKeys && value !== 'required',
        },
        {
          id: 'off',
          title: 'Do not check',
          hint: 'For a proxy that changes addresses on the way. The token still counts.',
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
      label="Its calls come from"
      hint="Addresses or networks, one a line; calls with its tokens from elsewhere are refused. Empty: from anywhere."
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
      label="Its pages may lie on another host"
      hint="For an editor that is read at one address and shown to browsers at another."
      isOn={value}
      error={error}
      onChange={choose}
    />
  );
}
