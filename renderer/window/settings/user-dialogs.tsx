// The forms for a user: a new one, and another password. What the host refuses stands at the field that it is about.

import { useId, useState } from 'react';
import type { CommandArgs, CommandName } from '../../../app/commands/commands.ts';
import type { UserItem } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToasts } from '../parts/toast.tsx';
import { CallError, sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

export const roleOptions = [
  { id: 'editor', title: 'Editor', hint: 'Opens and changes documents.' },
  { id: 'viewer', title: 'Viewer', hint: 'Opens documents to read them.' },
] as const;

type Field = 'login' | 'password' | 'form';

const fieldOf: Record<string, Field> = {
  'login-invalid': 'login',
  'user-exists': 'login',
  'password-weak': 'password',
};

export function AddUserDialog(props: { onClose(): void }) {
  const toasts = useToasts();
  const formId = useId();
  const [login, setLogin] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [role, setRole] = useState<'editor' | 'viewer'>('editor');
  const [password, setPassword] = useState('');
  const form = useForm('users.add');
  const submit = async () => {
    const name = login.trim();
    if (name === '') return form.refuse('login', 'Give the name to sign in with.');
    if (password === '') return form.refuse('password', 'Give a password of at least 8 characters.');
    if (!(await form.send({ login: name, displayName: displayName.trim(), role, password }))) return;
    toasts.show({
      tone: 'good',
      title: `${displayName.trim() === '' ? name : displayName.trim()} was added`,
    });
    props.onClose();
  };
  return (
    <Dialog
      title="Add a user"
      isOpen
      onClose={props.onClose}
      footer={<Buttons formId={formId} confirm="Add" isPending={form.isPending} onCancel={props.onClose} />}
    >
      <form
        id={formId}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label="User name"
          hint="To sign in with: letters, digits, dots, dashes, underscores or an @."
          value={login}
          onChange={form.changes(setLogin)}
          error={form.errors.login ?? null}
          isCode
          autoFocus
        />
        <TextField
          label="Name"
          hint="What others see. Empty: the user name."
          value={displayName}
          onChange={setDisplayName}
        />
        <Select label="Role" value={role} options={roleOptions} onChange={(next) => setRole(next)} />
        <TextField
          label="Password"
          type="password"
          hint="At least 8 characters. DocTray keeps no copy that could be read; tell it to the user yourself."
          value={password}
          onChange={form.changes(setPassword)}
          error={form.errors.password ?? null}
        />
        {form.errors.form !== undefined && <Notice tone="bad">{form.errors.form}</Notice>}
        {/* Enter submits a form of several fields only when it holds such a button */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

export function PasswordDialog(props: { user: UserItem; onClose(): void }) {
  const { login, displayName, role } = props.user;
  const toasts = useToasts();
  const formId = useId();
  const [password, setPassword] = useState('');
  const form = useForm('users.setPassword');
  const submit = async () => {
    if (password === '') return form.refuse('password', 'Give a password of at least 8 characters.');
    if (!(await form.send({ login, password }))) return;
    toasts.show({ tone: 'good', title: `${displayName} has a new password` });
    props.onClose();
  };
  return (
    <Dialog
      title={`Set the password of ${displayName}`}
      isOpen
      onClose={props.onClose}
      footer={
        <Buttons formId={formId} confirm="Set password" isPending={form.isPending} onCancel={props.onClose} />
      }
    >
      <form
        id={formId}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label="New password"
          type="password"
          hint="At least 8 characters."
          value={password}
          onChange={form.changes(setPassword)}
          error={form.errors.password ?? null}
          autoFocus
        />
        <p className="muted">
          Programs that are signed in as {displayName} must sign in again. Documents that are open stay open.
          {role === 'owner' && ' Where DocTray holds this password itself, it holds the new one from now on.'}
        </p>
        {form.errors.form !== undefined && <Notice tone="bad">{form.errors.form}</Notice>}
        {/* Enter submits a form of several fields only when it holds such a button */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function Buttons(props: { formId: string; confirm: string; isPending: boolean; onCancel(): void }) {
  return (
    <>
      <Button onPress={props.onCancel}>Cancel</Button>
      <Button
        look="primary"
        isPending={props.isPending}
        onPress={() => {
          const form = document.getElementById(props.formId);
          if (form instanceof HTMLFormElement) form.requestSubmit();
        }}
      >
        {props.confirm}
      </Button>
    </>
  );
}

/** Sends once at a time; a refusal goes to the field it is about, until that is typed at. */
function useForm<Name extends CommandName>(name: Name) {
  const call = useCall();
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [isPending, setIsPending] = useState(false);
  return {
    errors,
    isPending,
    refuse: (field: Field, sentence: string) => setErrors({ [field]: sentence }),
    changes: (set: (value: string) => void) => (value: string) => {
      set(value);
      setErrors({});
    },
    async send(args: CommandArgs<Name>): Promise<boolean> {
      if (isPending) return false;
      setIsPending(true);
      try {
        await call(name, args);
        return true;
      } catch (error) {
        const field = error instanceof CallError ? (fieldOf[error.code] ?? 'form') : 'form';
        setErrors({ [field]: sentenceOf(error) });
        return false;
      } finally {
        setIsPending(false);
      }
    },
  };
}
