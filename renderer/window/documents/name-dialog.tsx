// Asks for the name of something new. The extension is next to the field and can’t be changed, so that the document opens in the editor
// for its type.

import { useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/fields.tsx';
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
  const field = useRef<HTMLInputElement>(null);
  // The dialog was asked for to type a name.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
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
          label={t('window.name')}
          hint={props.hint}
          value={stem}
          onChange={(value) => {
            setStem(value);
            setIsTouched(true);
            confirming.forget();
          }}
          error={error}
          action={extension !== '' && <span className="code documents-extension">{extension}</span>}
          inputRef={field}
        />
      </form>
    </Dialog>
  );
}
