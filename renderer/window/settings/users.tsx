// Users and roles: who may open what. Passwords are set here and never shown; the owner's is copied from where secrets lie.

import { useState } from 'react';
import type { UserItem } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { Notice, useConfirm } from '../parts/dialog.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { Select } from '../parts/select.tsx';
import { Badge } from '../parts/view.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { SettingsSection } from './section.tsx';
import { AddUserDialog, PasswordDialog, roleOptions } from './user-dialogs.tsx';

export function UsersSection() {
  const users = useWindowState((state) => state.users);
  const [dialog, setDialog] = useState<{ kind: 'add' } | { kind: 'password'; user: UserItem }>();
  const close = () => setDialog(undefined);
  const sorted = users.toSorted(
    (a, b) =>
      Number(b.role === 'owner') - Number(a.role === 'owner') ||
      a.displayName.localeCompare(b.displayName, 'en'),
  );
  return (
    <SettingsSection
      id="users"
      title="Users and roles"
      hint="Programs sign in as one of them. This window needs no sign-in."
      actions={
        <Button icon="plus" onPress={() => setDialog({ kind: 'add' })}>
          Add user…
        </Button>
      }
    >
      {sorted.length === 0 ? (
        <p className="settings-nobody muted">Users are shown once DocTray serves.</p>
      ) : (
        <table className="settings-users" aria-label="Users">
          <thead>
            <tr>
              <th scope="col">User</th>
              <th scope="col">Role</th>
              <th scope="col">Added</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
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
    </SettingsSection>
  );
}

function UserRow(props: { user: UserItem; onSetPassword(): void }) {
  const { user } = props;
  const confirm = useConfirm();
  const setRole = useAction('users.setRole', { failure: `Could not change the role of ${user.displayName}` });
  const remove = useAction('users.remove', {
    failure: `Could not remove ${user.displayName}`,
    success: `${user.displayName} was removed`,
  });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const copyPassword = useAction('host.copyOwnerPassword', {
    failure: 'Could not copy the password',
    success: 'The owner’s password is on the clipboard',
  });

  const changeRole = async (role: 'editor' | 'viewer') => {
    const { login, displayName } = user;
    if (role === user.role) return;
    const isSure =
      role === 'editor' ||
      (await confirm({
        title: `Make ${displayName} a viewer?`,
        body: (
          <>
            <p>{displayName} can then open documents, but not change them.</p>
            <Notice tone="warn">
              Documents that {displayName} is editing can no longer be saved. What is not saved yet stays in
              the editor.
            </Notice>
          </>
        ),
        confirm: 'Make a viewer',
        isDanger: true,
      }));
    if (isSure) await setRole.run({ login, role });
  };
  const askRemove = async () => {
    const isSure = await confirm({
      title: `Remove ${user.displayName}?`,
      body: (
        <>
          <p>
            All tokens of {user.displayName} end at once: programs are signed out, and editors are refused at
            their next call. Documents and versions stay as they are.
          </p>
          <Notice tone="warn">What {user.displayName} has not saved yet can no longer be saved here.</Notice>
        </>
      ),
      confirm: 'Remove',
      isDanger: true,
    });
    if (isSure) await remove.run({ login: user.login });
  };

  return (
    <tr>
      <th scope="row">
        <div className="settings-user-name">{user.displayName}</div>
        <div className="muted code">{user.login}</div>
      </th>
      <td>
        {user.role === 'owner' ? (
          <Badge tone="info" icon="shield">
            Owner
          </Badge>
        ) : (
          <Select
            label={`Role of ${user.displayName}`}
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
          {user.role === 'owner' && !isInBrowser && (
            <Button icon="copy" isPending={copyPassword.isPending} onPress={() => void copyPassword.run({})}>
              Copy password
            </Button>
          )}
          <MenuButton
            label={`Actions for ${user.displayName}`}
            icon="more"
            isIconOnly
            look="quiet"
            entries={[
              { id: 'password', title: 'Set password…', icon: 'tokens', run: props.onSetPassword },
              ...(user.role === 'owner'
                ? []
                : [
                    {
                      id: 'remove',
                      title: 'Remove…',
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
