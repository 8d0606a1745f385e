// Asks for a name.

import { useEffect, useId, useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { TextField } from './fields.tsx';
import { checkName, type NameQuestion } from './name-check.ts';

interface NameDialogProps extends NameQuestion {
  /** Without a name, the user closed the dialog. */
  onAnswer(name?: string): void;
}

export function NameDialog(props: NameDialogProps) {
  const { title, label, hint, selected, submit, check = checkName, onAnswer } = props;
  const [name, setName] = useState(props.value);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const formId = useId();
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, selected);
  }, [selected]);
  return (
    <Dialog title={title} onClose={onAnswer} confirm={{ label: submit, type: 'submit', form: formId }}>
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          const checked = check(name);
          if ('name' in checked) onAnswer(checked.name);
          else {
            setProblem(checked.problem);
            field.current?.focus();
          }
        }}
      >
        <TextField
          label={label}
          hint={hint}
          value={name}
          onChange={setName}
          error={problem && <span role="alert">{problem}</span>}
          inputRef={field}
        />
      </form>
    </Dialog>
  );
}
