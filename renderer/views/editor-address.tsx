// Under which address an editor reaches this machine: those DocTray has found, or another that only the user can know of, such
// as that of a reverse proxy or a tunnel.

import type { ReactNode } from 'react';
import { FieldError, Label, Radio, RadioGroup } from 'react-aria-components';
import type { EditorItem, ReachableAddress } from '../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Failure, Skeleton } from '../parts/view.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { other, useAddressChoice, usual, type AddressChoice } from './use-editor-address.ts';

const kinds: Record<ReachableAddress['kind'], string> = {
  loopback: 'this machine',
  interface: 'network',
  docker: 'container',
  name: 'by name',
  public: 'from the settings',
};

function asideOf({ kind, interfaceName, network }: ReachableAddress): string {
  return [kinds[kind], interfaceName, network].filter((word) => word !== null).join(' · ');
}

export function AddressFields(props: {
  choice: AddressChoice;
  /** What the editor is given when none is chosen for it. */
  usualUrl: string | null;
  /** The title above says it already. */
  isLabelHidden?: boolean;
}) {
  const { choice, usualUrl } = props;
  if (choice.failure !== null)
    return (
      <Failure
        sentence={choice.failure}
        action={<Button onPress={() => void choice.load()}>Try again</Button>}
      />
    );
  if (choice.addresses === undefined) return <Skeleton rows={4} />;
  const wanted = choice.addresses.find(({ url }) => url === choice.chosen);
  const label = 'Address for this editor';
  // the same address twice would be a riddle
  const same = choice.addresses.find(({ url }) => url === usualUrl);
  return (
    <div className="editor-addresses">
      <RadioGroup
        className="editor-address-list"
        value={choice.chosen}
        onChange={choice.choose}
        isInvalid={choice.problem !== null && choice.chosen !== other}
        validationBehavior="aria"
        {...(props.isLabelHidden === true && { 'aria-label': label })}
      >
        {props.isLabelHidden !== true && <Label className="field-label">{label}</Label>}
        <Option
          value={usual}
          sentence={`${same === undefined ? '' : `${same.sentence} `}It follows the settings of the network.`}
          {...(same !== undefined && { aside: asideOf(same) })}
        >
          {usualUrl === null ? 'The one DocTray has anyway' : <span className="code">{usualUrl}</span>}
        </Option>
        {choice.addresses
          .filter((address) => address !== same || address.url === choice.chosen)
          .map((address) => (
            <Option
              key={address.url}
              value={address.url}
              sentence={address.sentence}
              aside={asideOf(address)}
            >
              <span className="code">{address.url}</span>
            </Option>
          ))}
        <Option value={other} sentence="Of a reverse proxy or a tunnel that leads here.">
          Another address
        </Option>
        <FieldError className="field-error">{choice.problem}</FieldError>
      </RadioGroup>
      {choice.chosen === other && (
        <TextField
          label="The other address"
          placeholder="https://docs.example.org"
          value={choice.typed}
          onChange={choice.type}
          error={choice.problem}
          isCode
        />
      )}
      {wanted?.neededHost != null && (
        <Notice tone="warn">
          DocTray does not listen there yet. When this address is used it will, on{' '}
          <span className="code">{wanted.neededHost}</span>: machines in that network can reach the port then,
          and get nowhere without a token.
        </Notice>
      )}
    </div>
  );
}

function Option(props: { value: string; sentence: string; aside?: string; children: ReactNode }) {
  return (
    <Radio value={props.value} className="setting-choice editor-address">
      <span className="setting-dot" />
      <span className="editor-address-words">
        <span className="editor-address-title">
          {props.children}
          {props.aside !== undefined && <span className="editor-address-aside">{props.aside}</span>}
        </span>
        <span className="field-hint">{props.sentence}</span>
      </span>
    </Radio>
  );
}

export function AddressDialog(props: {
  editor: Pick<EditorItem, 'id' | 'name' | 'publicUrl'>;
  /** It is the one that counts now: test it. */
  onUsed(): void;
  onClose(): void;
}) {
  const { editor } = props;
  const choice = useAddressChoice(editor);
  const usualUrl = useWindowState((state) => state.host.publicUrl ?? state.host.baseUrl);
  const use = async () => {
    if (!choice.isChanged || (await choice.save())) props.onUsed();
  };
  return (
    <Dialog
      title={`How ${editor.name} reaches this machine`}
      isOpen
      onClose={props.onClose}
      width="wide"
      footer={
        <>
          <Button onPress={props.onClose}>Not now</Button>
          <Button
            look="primary"
            isDisabled={choice.addresses === undefined}
            isPending={choice.isSaving}
            onPress={() => void use()}
          >
            {choice.isChanged ? 'Use and test' : 'Test connection'}
          </Button>
        </>
      }
    >
      <p>
        The editor fetches and saves documents at this address. Which one it can reach depends on where it
        runs; the test after this says whether it was the right one.
      </p>
      <AddressFields choice={choice} usualUrl={usualUrl} isLabelHidden />
    </Dialog>
  );
}
