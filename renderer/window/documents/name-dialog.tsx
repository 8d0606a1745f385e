// Asks for the name of something new. The extension is next to the field and can’t be changed, so that the document opens in the editor
// for its type.

import { useId, useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { t } from '../../../app/contract/messages.ts';
import { useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { fullName, nameProblem } from './names.ts';

interface NameDialogProps {
  title: string;
  stem: string;
  extension: string;
  /** Below the field. */
  hint: string;
  /** Names in the folder, as far as they are known. */
  taken: readonly string[];
  /** What it throws is shown below the field, and the dialog stays. */
  onConfirm(name: string): Promise<void>;
  onClose(): void;
}

export function NameDialog(props: NameDialogProps) {
  const { extension, taken } = props;
  const formId = useId();
  const [stem, setStem] = useState(props.stem);
  const [isTouched, setIsTouched] = useState(false);
  const confirming = useTask(async () => props.onConfirm(fullName(stem, extension)));
  const problem = nameProblem(stem, extension, taken);
  const error = confirming.problem?.message ?? (isTouched ? problem : null);

  const confirm = () => {
    setIsTouched(true);
    if (problem === null) void confirming.run();
  };

  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            onPress={confirm}
            isPending={confirming.isPending}
            isDisabled={isTouched && error !== null}
          >
            {t('window.create')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <TextField
          className="field"
          value={stem}
          onChange={(value) => {
            setStem(value);
            setIsTouched(true);
            confirming.forget();
          }}
          isInvalid={error !== null}
          autoComplete="off"
          spellCheck="false"
          validationBehavior="aria"
          // The dialog was asked for to type a name.
          autoFocus
          onFocus={(event) => {
            if (event.target instanceof HTMLInputElement) event.target.select();
          }}
        >
          <Label className="field-label">{t('window.name')}</Label>
          <div className="documents-name-row">
            <Input className="input grow" />
            {extension !== '' && <span className="code documents-extension">{extension}</span>}
          </div>
          {error === null ? (
            <Text slot="description" className="field-hint">
              {props.hint}
            </Text>
          ) : (
            <FieldError className="field-error">{error}</FieldError>
          )}
        </TextField>
      </form>
    </Dialog>
  );
}
