// Users: who may open what. Passwords are set here and never shown; the owner's is copied from where secrets are stored.

import { useEffect, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { compareNames } from '../../../app/contract/name-order.ts';
import type { UserItem } from '../../../app/contract/state.ts';
import { useAction } from '../parts/action.tsx';
import { FormDialog, useForm } from '../parts/form.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice, type Question } from '../../kit/dialog.tsx';
import { FieldRow } from '../../kit/field-rows.tsx';
import { Select } from '../../kit/fields.tsx';
import { MoreButton } from '../../kit/menu.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { Badge, Section } from '../../kit/blocks.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';

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
    <Section
      hint={t('window.users-sign-in-on-the')}
      actions={
        <Button icon="plus" onPress={() => setDialog({ kind: 'add' })}>
          {t('window.add-user')}
        </Button>
      }
    >
      {sorted.length === 0 ? (
        <p className="field-notice muted">{t('window.users-appear-once-doctray-is')}</p>
      ) : (
        sorted.map((user) => (
          <UserRow key={user.id} user={user} onSetPassword={() => setDialog({ kind: 'password', user })} />
        ))
      )}
      {dialog?.kind === 'add' && <AddUserDialog onClose={close} />}
      {dialog?.kind === 'password' && <PasswordDialog user={dialog.user} onClose={close} />}
    </Section>
  );
}

/** What the user loses. */
function lossOf(what: { title: string; sentence: string; warning: string; confirm: string }): Question {
  const body = (
    <>
      <p>{what.sentence}</p>
      <Notice tone="warn">{what.warning}</Notice>
    </>
  );
  return { ...what, body, isDanger: true };
}

function UserRow(props: { user: UserItem; onSetPassword(): void }) {
  const { user } = props;
  const name = { user: user.displayName };
  const setRole = useAction('users.setRole', {
    question: ({ role }) =>
      role === 'editor'
        ? undefined
        : lossOf({
            title: t('window.limit-user-to-viewing', name),
            sentence: t('window.user-can-still-open-documents', name),
            warning: t('window.documents-that-user-is-editing', name),
            confirm: t('window.limit-to-viewing'),
          }),
    failure: t('window.couldnt-change-the-role-of', name),
  });
  const remove = useAction('users.remove', {
    question: () =>
      lossOf({
        title: t('window.remove-user', name),
        sentence: t('window.all-tokens-of-user-are', name),
        warning: t('window.unsaved-changes-of-user-can', name),
        confirm: t('window.remove'),
      }),
    failure: t('window.couldnt-remove-user', name),
    success: t('window.user-was-removed', name),
  });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const copyPassword = useAction('host.copyOwnerPassword', {
    failure: t('window.couldnt-copy-the-password'),
    success: t('window.the-owners-password-was-copied'),
  });

  const { login } = user;
  const isOwner = user.role === 'owner';
  const copying = {
    id: 'copy',
    title: t('window.copy-password'),
    icon: 'copy' as const,
    run: () => void copyPassword.run({}),
  };
  const removing = {
    id: 'remove',
    title: t('window.remove-ask'),
    icon: 'trash' as const,
    isDanger: true,
    startsGroup: true,
    run: () => void remove.run({ login }),
  };

  return (
    <FieldRow
      label={user.displayName}
      hint={
        <>
          <span className="code">{login}</span> · {t('window.added')} <RelativeTime atMs={user.createdAtMs} />
        </>
      }
    >
      {user.role === 'owner' ? (
        <Badge tone="info" icon="shield">
          {t('window.owner')}
        </Badge>
      ) : (
        <Select
          label={t('window.role-of-user', name)}
          isLabelHidden
          value={user.role}
          options={roleOptions}
          isDisabled={setRole.isPending}
          onChange={(role) => {
            if (role !== user.role) void setRole.run({ login, role });
          }}
        />
      )}
      <MoreButton
        label={t('window.actions-for-user', name)}
        entries={[
          ...(isOwner && !isInBrowser ? [copying] : []),
          { id: 'password', title: t('window.set-password'), icon: 'tokens', run: props.onSetPassword },
          ...(isOwner ? [] : [removing]),
        ]}
      />
    </FieldRow>
  );
}

const roleOptions = [
  { id: 'editor', title: t('window.can-edit'), hint: t('window.opens-and-changes-documents') },
  { id: 'viewer', title: t('window.can-view'), hint: t('window.opens-documents-read-only') },
] as const;

const fieldOf: Record<string, 'login' | 'password'> = {
  'login-invalid': 'login',
  'user-exists': 'login',
  'password-weak': 'password',
};

const password = { name: 'password', type: 'password', missing: t('window.enter-a-password-of-at') } as const;

export function AddUserDialog({ onClose }: { onClose(): void }) {
  const toasts = useToasts();
  const form = useForm({
    fields: [
      {
        name: 'login',
        label: t('common.user-name'),
        hint: t('window.letters-digits-dots-dashes-underscores'),
        missing: t('window.enter-a-user-name'),
        isCode: true,
      },
      { name: 'displayName', label: t('window.name'), hint: t('window.optional-what-others-see-defaults') },
      { name: 'role', label: t('window.role'), options: roleOptions },
      { ...password, label: t('common.password'), hint: t('window.at-least-8-characters-write') },
    ],
    fieldOf: (code) => fieldOf[code],
    async submit(call, { role, ...user }) {
      await call('users.add', { ...user, role: role === 'viewer' ? role : 'editor' });
      const title = t('window.user-was-added', { user: user.displayName || user.login });
      toasts.show({ tone: 'good', title });
      onClose();
    },
  });
  return <FormDialog title={t('common.add-user')} confirm={t('window.add')} form={form} onClose={onClose} />;
}

function PasswordDialog({ user, onClose }: { user: UserItem; onClose(): void }) {
  const { login, displayName } = user;
  const toasts = useToasts();
  const form = useForm({
    fields: [{ ...password, label: t('window.new-password'), hint: t('window.at-least-8-characters') }],
    fieldOf: (code) => (fieldOf[code] === 'password' ? 'password' : undefined),
    async submit(call, values) {
      await call('users.setPassword', { login, password: values.password });
      toasts.show({ tone: 'good', title: t('window.user-has-a-new-password', { user: displayName }) });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('window.set-the-password-of-user', { user: displayName })}
      confirm={t('common.set-password')}
      form={form}
      onClose={onClose}
      after={<p className="muted">{t('window.programs-signed-in-as-user', { user: displayName })}</p>}
    />
  );
}
