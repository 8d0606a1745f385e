// The address under which an editor reaches DocTray: those DocTray has found, or another one that only the user can know, such as
// that of a reverse proxy or a tunnel.

import { Message } from '../parts/message.tsx';
import { t } from '../../../app/contract/messages.ts';
import type { ReactNode } from 'react';
import { FieldError, Label, Radio, RadioGroup } from 'react-aria-components';
import type { EditorItem, ReachableAddress } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Failure, Skeleton } from '../parts/view.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { other, useAddressChoice, usual, type AddressChoice } from './use-editor-address.ts';

const kinds: Record<ReachableAddress['kind'], string> = {
  loopback: t('this computer'),
  interface: t('network'),
  docker: t('container'),
  name: t('by name'),
  public: t('from the settings'),
};

function asideOf({ kind, interfaceName, network }: ReachableAddress): string {
  return [kinds[kind], interfaceName, network].filter((word) => word !== null).join(' · ');
}

function AddressFields(props: {
  choice: AddressChoice;
  /** What the editor gets when none is chosen for it. */
  usualUrl: string | null;
  /** The title above shows it already. */
  isLabelHidden?: boolean;
}) {
  const { choice, usualUrl } = props;
  if (choice.failure !== null)
    return (
      <Failure
        sentence={choice.failure}
        action={<Button onPress={() => void choice.load()}>{t('Try again')}</Button>}
      />
    );
  if (choice.addresses === undefined) return <Skeleton rows={4} />;
  const wanted = choice.addresses.find(({ url }) => url === choice.chosen);
  const label = t('Address of DocTray');
  // the same address twice would be confusing
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
          sentence={
            same === undefined
              ? t('Follows the network settings.')
              : t('{sentence} Follows the network settings.', { sentence: same.sentence })
          }
          {...(same !== undefined && { aside: asideOf(same) })}
        >
          {usualUrl === null ? t('From the network settings') : <span className="code">{usualUrl}</span>}
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
        <Option value={other} sentence={t('A reverse proxy or tunnel that leads to DocTray.')}>
          {t('Another address')}
        </Option>
        <FieldError className="field-error">{choice.problem}</FieldError>
      </RadioGroup>
      {choice.chosen === other && (
        <TextField
          label={t('Other address')}
          placeholder="https://docs.example.org"
          value={choice.typed}
          onChange={choice.type}
          error={choice.problem}
          isCode
        />
      )}
      {wanted?.neededHost != null && (
        <Notice tone="warn">
          <Message
            of="DocTray will listen on {host} as well. Other computers in that network can then reach the port, but open nothing without a token."
            values={{ host: <span className="code">{wanted.neededHost}</span> }}
          />
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
  /** It is in use now: test it. */
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
      title={t('Address of DocTray for {editor}', { editor: editor.name })}
      isOpen
      onClose={props.onClose}
      width="wide"
      footer={
        <>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            isDisabled={choice.addresses === undefined}
            isPending={choice.isSaving}
            onPress={() => void use()}
          >
            {choice.isChanged ? t('Use and test') : t('Test connection')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          '{editor} opens and saves documents at this address. Which one works depends on where it runs. The test shows it.',
          { editor: editor.name },
        )}
      </p>
      <AddressFields choice={choice} usualUrl={usualUrl} isLabelHidden />
    </Dialog>
  );
}
