// Users: who may open what. Passwords are set here and never shown; the owner's is copied from where secrets are stored.

import { useEffect, useState, type ReactNode } from 'react';
import type { CommandArgs, CommandName } from '../../../app/commands/commands.ts';
import { t } from '../../../app/contract/messages.ts';
import { compareNames } from '../../../app/contract/name-order.ts';
import type { UserItem } from '../../../app/contract/state.ts';
import { useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, Notice, useConfirm } from '../../kit/dialog.tsx';
import { Select, TextField } from '../../kit/fields.tsx';
import { MoreButton } from '../../kit/menu.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { Badge } from '../../kit/blocks.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { SettingsGroup } from './fields.tsx';

export function UsersPane({ path }: { path?: string | undefined }) {
  const users = useWindowState((state) => state.users);
  const { place } = useNavigation();
  const [dialog, setDialog] = useState<{ kind: 'add' } | { kind: 'password'; user: UserItem }>();
  const close = () => setDialog(undefined);
  useEffect(() => {
    if (path === 'users/add') setDialog({ kind: 'add' });
  }, [path, place.step]);
  const sorted = users.toSorted(
    (a, b) =>
      Number(b.role === 'owner') - Number(a.role === 'owner') || compareNames(a.displayName, b.displayName),
  );
  return (
    <SettingsGroup
      hint={t('window.users-sign-in-on-the')}
      actions={
        <Button icon="plus" onPress={() => setDialog({ kind: 'add' })}>
          {t('window.add-user')}
        </Button>
      }
    >
      {sorted.length === 0 ? (
        <p className="settings-nobody muted">{t('window.users-appear-once-doctray-is')}</p>
      ) : (
        <table className="settings-users" aria-label={t('window.users')}>
          <thead>
            <tr>
              <th scope="col">{t('window.user')}</th>
              <th scope="col">{t('window.role')}</th>
              <th scope="col">{t('window.added')}</th>
              <th scope="col">
                <span className="visually-hidden">{t('window.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                onSetPassword={() => setDialog({ kind: 'password', user })}
              />
            ))}
          </tbody>
        </table>
      )}
      {dialog?.kind === 'add' && <AddUserDialog onClose={close} />}
      {dialog?.kind === 'password' && <PasswordDialog user={dialog.user} onClose={close} />}
    </SettingsGroup>
  );
}

function UserRow(props: { user: UserItem; onSetPassword(): void }) {
  const { user } = props;
  const confirm = useConfirm();
  const setRole = useAction('users.setRole', {
    failure: t('window.couldnt-change-the-role-of', { user: user.displayName }),
  });
  const remove = useAction('users.remove', {
    failure: t('window.couldnt-remove-user', { user: user.displayName }),
    success: t('window.user-was-removed', { user: user.displayName }),
  });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const copyPassword = useAction('host.copyOwnerPassword', {
    failure: t('window.couldnt-copy-the-password'),
    success: t('window.the-owners-password-was-copied'),
  });

  const changeRole = async (role: 'editor' | 'viewer') => {
    const { login, displayName } = user;
    if (role === user.role) return;
    const isSure =
      role === 'editor' ||
      (await confirm({
        title: t('window.make-user-a-viewer', { user: displayName }),
        body: (
          <>
            <p>{t('window.user-can-still-open-documents', { user: displayName })}</p>
            <Notice tone="warn">{t('window.documents-that-user-is-editing', { user: displayName })}</Notice>
          </>
        ),
        confirm: t('window.make-viewer'),
        isDanger: true,
      }));
    if (isSure) await setRole.run({ login, role });
  };
  const askRemove = async () => {
    const isSure = await confirm({
      title: t('window.remove-user', { user: user.displayName }),
      body: (
        <>
          <p>{t('window.all-tokens-of-user-are', { user: user.displayName })}</p>
          <Notice tone="warn">{t('window.unsaved-changes-of-user-can', { user: user.displayName })}</Notice>
        </>
      ),
      confirm: t('window.remove'),
      isDanger: true,
    });
    if (isSure) await remove.run({ login: user.login });
  };

  return (
    <tr>
      <th scope="row">
        <div className="settings-user-name">{user.displayName}</div>
        <div className="muted code">{user.login}</div>
        <div className="settings-user-added muted">
          {t('window.added')} <RelativeTime atMs={user.createdAtMs} isBrief />
        </div>
      </th>
      <td>
        {user.role === 'owner' ? (
          <Badge tone="info" icon="shield">
            {t('window.owner')}
          </Badge>
        ) : (
          <Select
            label={t('window.role-of-user', { user: user.displayName })}
            isLabelHidden
            value={user.role}
            options={roleOptions}
            isDisabled={setRole.isPending}
            onChange={(role) => void changeRole(role)}
          />
        )}
      </td>
      <td className="muted">
        <RelativeTime atMs={user.createdAtMs} isStart />
      </td>
      <td>
        <div className="settings-user-actions">
          <MoreButton
            label={t('window.actions-for-user', { user: user.displayName })}
            entries={[
              ...(user.role === 'owner' && !isInBrowser
                ? [
                    {
                      id: 'copy',
                      title: t('window.copy-password'),
                      icon: 'copy' as const,
                      run: () => void copyPassword.run({}),
                    },
                  ]
                : []),
              { id: 'password', title: t('window.set-password'), icon: 'tokens', run: props.onSetPassword },
              ...(user.role === 'owner'
                ? []
                : [
                    {
                      id: 'remove',
                      title: t('window.remove-ask'),
                      icon: 'trash' as const,
                      isDanger: true,
                      startsGroup: true,
                      run: () => void askRemove(),
                    },
                  ]),
            ]}
          />
        </div>
      </td>
    </tr>
  );
}

const roleOptions = [
  { id: 'editor', title: t('window.editor'), hint: t('window.opens-and-changes-documents') },
  { id: 'viewer', title: t('window.viewer'), hint: t('window.opens-documents-read-only') },
] as const;

type Field = 'login' | 'password' | 'form';

const fieldOf: Record<string, Field> = {
  'login-invalid': 'login',
  'user-exists': 'login',
  'password-weak': 'password',
};

export function AddUserDialog(props: { onClose(): void }) {
  const toasts = useToasts();
  const [login, setLogin] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [role, setRole] = useState<'editor' | 'viewer'>('editor');
  const [password, setPassword] = useState('');
  const form = useForm('users.add');
  const submit = async () => {
    const name = login.trim();
    if (name === '') return form.refuse('login', t('window.enter-a-user-name'));
    if (password === '') return form.refuse('password', t('window.enter-a-password-of-at'));
    if (!(await form.send({ login: name, displayName: displayName.trim(), role, password }))) return;
    toasts.show({
      tone: 'good',
      title: t('window.user-was-added', { user: displayName.trim() === '' ? name : displayName.trim() }),
    });
    props.onClose();
  };
  return (
    <FormDialog
      title={t('common.add-user')}
      confirm={t('window.add')}
      form={form}
      onSubmit={() => void submit()}
      onClose={props.onClose}
    >
      <TextField
        label={t('common.user-name')}
        hint={t('window.letters-digits-dots-dashes-underscores')}
        value={login}
        onChange={form.changes(setLogin)}
        error={form.errors.login ?? null}
        isCode
        autoFocus
      />
      <TextField
        label={t('window.name')}
        hint={t('window.optional-what-others-see-defaults')}
        value={displayName}
        onChange={setDisplayName}
      />
      <Select
        label={t('window.role')}
        value={role}
        options={roleOptions}
        onChange={(next) => setRole(next)}
      />
      <TextField
        label={t('common.password')}
        type="password"
        hint={t('window.at-least-8-characters-write')}
        value={password}
        onChange={form.changes(setPassword)}
        error={form.errors.password ?? null}
      />
    </FormDialog>
  );
}

function PasswordDialog(props: { user: UserItem; onClose(): void }) {
  const { login, displayName } = props.user;
  const toasts = useToasts();
  const [password, setPassword] = useState('');
  const form = useForm('users.setPassword');
  const submit = async () => {
    if (password === '') return form.refuse('password', t('window.enter-a-password-of-at'));
    if (!(await form.send({ login, password }))) return;
    toasts.show({ tone: 'good', title: t('window.user-has-a-new-password', { user: displayName }) });
    props.onClose();
  };
  return (
    <FormDialog
      title={t('window.set-the-password-of-user', { user: displayName })}
      confirm={t('common.set-password')}
      form={form}
      onSubmit={() => void submit()}
      onClose={props.onClose}
    >
      <TextField
        label={t('window.new-password')}
        type="password"
        hint={t('window.at-least-8-characters')}
        value={password}
        onChange={form.changes(setPassword)}
        error={form.errors.password ?? null}
        autoFocus
      />
      <p className="muted">
        {t('window.programs-signed-in-as-user', {
          user: displayName,
        })}
      </p>
    </FormDialog>
  );
}

/** Cancel, the button that submits, and below the fields what is wrong with none of them. */
function FormDialog(props: {
  title: string;
  confirm: string;
  form: { errors: { form?: string }; isPending: boolean };
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}) {
  const { form } = props;
  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <Button look="primary" isPending={form.isPending} onPress={props.onSubmit}>
            {props.confirm}
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        {props.children}
        {form.errors.form !== undefined && <Notice tone="bad">{form.errors.form}</Notice>}
        {/* Enter submits a form of several fields only when it holds such a button */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** Sends once at a time. An error is shown at the field that it's about, until that changes. */
function useForm<Name extends CommandName>(name: Name) {
  const { run, isPending, problem, forget } = useAction(name);
  const [refused, setRefused] = useState<Partial<Record<Field, string>>>({});
  const errors: typeof refused =
    problem === null ? refused : { [fieldOf[problem.code] ?? 'form']: problem.message };
  return {
    errors,
    isPending,
    refuse: (field: Field, sentence: string) => {
      forget();
      setRefused({ [field]: sentence });
    },
    changes: (set: (value: string) => void) => (value: string) => {
      set(value);
      forget();
      setRefused({});
    },
    async send(args: CommandArgs<Name>): Promise<boolean> {
      setRefused({});
      return (await run(args)) !== undefined;
    },
  };
}
