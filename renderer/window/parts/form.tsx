// Forms, described by their fields: in a dialog, or wherever `FormFields` and `FormButton` are. A form is sent once at a time, and what is
// wrong is shown at the field that it's about, until that changes.

import { useEffect, useId, useState, type ReactNode } from 'react';
import { Dialog, Notice } from '../../kit/dialog.tsx';
import { Select, TextField } from '../../kit/fields.tsx';
import { isDeclined, type Call } from '../state/call.ts';
import { useTask } from './action.tsx';

interface FormField<Name extends string> {
  name: Name;
  label: string;
  hint?: string;
  /** What it has at first: the default, selected in the first field. */
  initial?: string | undefined;
  /** A sentence that asks for it, where it can't be empty. */
  missing?: string;
  /** What is wrong with it, as a sentence, from the first letter on; null: nothing. */
  check?(value: string, values: Readonly<Record<string, string>>): string | null;
  type?: 'text' | 'password';
  isCode?: boolean;
  placeholder?: string;
  /** After what is typed. */
  action?: ReactNode;
  /** To choose from, the default first. */
  options?: readonly { id: string; title: string; hint?: string }[];
}

interface FormOptions<Name extends string> {
  fields: readonly FormField<Name>[];
  /** Values are trimmed, except passwords. What it throws is shown in the form. @param isSure what it `asks` was agreed to */
  submit(call: Call, values: Record<Name, string>, isSure: boolean): Promise<void>;
  /** The field that an error with this code is about; those of none are shown below the fields. */
  fieldOf?(code: string): Name | undefined;
  /** The code of an error that is a question: to submit again agrees. */
  asks?: string;
}

export interface Form {
  id: string;
  isPending: boolean;
  /** It was sent, and asks whether that is meant. */
  isAsking: boolean;
  submit(): void;
  clear(): void;
  /** The fields, and below them what is wrong with none of them. */
  body: ReactNode;
}

const selectFirst = (form: HTMLFormElement | null) => form?.querySelector('input')?.select();

export function useForm<Name extends string>(options: FormOptions<Name>): Form {
  const { fields } = options;
  const id = useId();
  const initial = () =>
    Object.fromEntries(fields.map((one) => [one.name, one.initial ?? one.options?.[0]?.id ?? '']));
  const [values, setValues] = useState<Record<string, string>>(initial);
  /** Names of fields that were left empty, and can't be. */
  const [missing, setMissing] = useState<readonly Name[]>([]);
  /** Names of fields that were typed in. */
  const [typed, setTyped] = useState<readonly string[]>([]);
  const task = useTask(async (call, isSure: boolean) => {
    const sent = fields.map(({ name, type }) => [
      name,
      type === 'password' ? valueOf(name) : valueOf(name).trim(),
    ]);
    await options.submit(call, Object.fromEntries(sent) as Record<Name, string>, isSure);
    return true;
  });
  const { run, isPending, forget } = task;
  const problem = isDeclined(task.problem) ? null : task.problem;
  const valueOf = (name: Name) => values[name] ?? '';
  const isAsking = problem !== null && problem.code === options.asks;
  const place = problem === null ? undefined : options.fieldOf?.(problem.code);
  const sentence = problem?.message ?? null;
  useEffect(() => {
    if (place !== undefined && !isAsking)
      document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [place]);
  const change = (name: Name, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setTyped((before) => [...before, name]);
    setMissing((before) => before.filter((one) => one !== name));
    if (place === undefined || place === name) forget();
  };
  const submit = () => {
    const empty = fields.filter((one) => one.missing !== undefined && valueOf(one.name).trim() === '');
    const isValid = fields.every(({ name, check }) => (check?.(valueOf(name), values) ?? null) === null);
    setTyped(fields.map(({ name }) => name));
    setMissing(empty.map(({ name }) => name));
    if (empty.length > 0) forget();
    else if (isValid) void run(isAsking);
  };
  const isBelow = sentence !== null && (place === undefined || isAsking);
  return {
    id,
    isPending,
    isAsking,
    submit,
    clear: () => {
      setValues(initial());
      setTyped([]);
      setMissing([]);
      forget();
    },
    body: (
      <form
        id={id}
        className="stack"
        ref={selectFirst}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {fields.map(
          ({ name, check, initial: _initial, missing: words, options: choices, ...field }, index) => {
            const shared = {
              ...field,
              value: valueOf(name),
              onChange: (value: string) => change(name, value),
            };
            const wrong = missing.includes(name)
              ? words
              : typed.includes(name)
                ? check?.(valueOf(name), values)
                : undefined;
            return choices === undefined ? (
              <TextField
                key={name}
                {...shared}
                error={place === name && !isAsking ? sentence : wrong}
                autoFocus={index === 0}
              />
            ) : (
              <Select key={name} {...shared} options={choices} />
            );
          },
        )}
        {isBelow && (
          <Notice tone={isAsking ? 'warn' : 'bad'} role="alert">
            {sentence}
          </Notice>
        )}
        {/* Enter submits a form of several fields only when it holds such a button */}
        <button type="submit" hidden />
      </form>
    ),
  };
}

interface FormDialogProps {
  title: string;
  form: Form;
  /** What the button does, in its own words. */
  confirm: string;
  onClose(): void;
  /** Above and below the fields. */
  before?: ReactNode;
  after?: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { form } = props;
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      confirm={{
        label: props.confirm,
        // While it asks, the button confirms what may be unsafe.
        look: form.isAsking ? 'plain' : 'primary',
        isPending: form.isPending,
        onPress: form.submit,
      }}
    >
      {props.before}
      {form.body}
      {props.after}
    </Dialog>
  );
}
