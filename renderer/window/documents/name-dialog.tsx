// Asks for the name of a new document, or a new name for an existing one. The extension is next to the field and can’t be changed,
// so that the document keeps opening in the same editor.

import { useId, useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { sentenceOf } from '../state/call.ts';
import { fullName, nameProblem } from './names.ts';

export interface NameDialogProps {
  title: string;
  /** `Make`, `Rename`. */
  confirm: string;
  stem: string;
  extension: string;
  /** Where it will be, in words; below the field. */
  hint: string;
  /** Names that are known to be in the folder. */
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
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const problem = nameProblem(stem, extension, taken);
  const error = refusal ?? (isTouched ? problem : null);

  const confirm = async () => {
    setIsTouched(true);
    if (problem !== null || isPending) return;
    setIsPending(true);
    try {
      await props.onConfirm(fullName(stem, extension));
    } catch (thrown) {
      setRefusal(sentenceOf(thrown));
      setIsPending(false);
    }
  };

  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>Cancel</Button>
          <Button
            look="primary"
            onPress={() => void confirm()}
            isPending={isPending}
            isDisabled={isTouched && error !== null}
          >
            {props.confirm}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <TextField
          className="field"
          value={stem}
          onChange={(value) => {
            setStem(value);
            setIsTouched(true);
            setRefusal(null);
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
          <Label className="field-label">Name</Label>
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
