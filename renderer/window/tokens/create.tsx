// Creates an API token for a user and shows it once.

import { useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { formatExact } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';

const lifetimes = [7, 30, 90, 365];

export function CreateTokenDialog(props: { onClose(): void }) {
  const users = useWindowState((state) => state.users);
  const usualDays = useWindowState((state) => state.settings.apiTokenDays);
  const [login, setLogin] = useState(
    () => (users.find(({ role }) => role === 'owner') ?? users[0])?.login ?? '',
  );
  const [days, setDays] = useState(String(usualDays));
  const [created, setCreated] = useState<{ token: string; expiresAtMs: number }>();
  const create = useAction('tokens.createApiToken', { failure: t('Can’t create the token') });
  const copy = useAction('app.copyText', { failure: t('Can’t copy the token'), success: t('Token copied') });
  const options = [...new Set([...lifetimes, usualDays])].toSorted((a, b) => a - b);

  if (created !== undefined) {
    return (
      <Dialog
        title={t('Copy your new token')}
        isOpen
        role="alertdialog"
        onClose={props.onClose}
        footer={
          <>
            <Button onPress={props.onClose}>{t('Done')}</Button>
            <Button
              look="primary"
              icon="copy"
              autoFocus
              isPending={copy.isPending}
              onPress={() => void copy.run({ text: created.token })}
            >
              {t('Copy')}
            </Button>
          </>
        }
      >
        <Notice tone="warn">{t('This token is shown only once. Copy it now and keep it secret.')}</Notice>
        <TextField
          label={t('API token')}
          value={created.token}
          onChange={() => undefined}
          isCode
          lines={2}
          isReadOnly
          hint={t('Expires {at}.', { at: formatExact(created.expiresAtMs) })}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('Create an API token')}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            isPending={create.isPending}
            isDisabled={login === ''}
            onPress={() =>
              void create.run({ login, days: Number(days) }).then((result) => {
                if (result !== undefined) setCreated(result);
              })
            }
          >
            {t('Create token')}
          </Button>
        </>
      }
    >
      <p>{t('A program with this token can do everything its user can do through the API.')}</p>
      <Select
        label={t('User')}
        value={login}
        options={users.map((user) => ({ id: user.login, title: user.displayName, hint: user.login }))}
        onChange={setLogin}
      />
      <Select
        label={t('Lifetime')}
        value={days}
        options={options.map((count) => ({
          id: String(count),
          title: t('{count, plural, one {# day} other {# days}}', { count }),
        }))}
        onChange={setDays}
      />
    </Dialog>
  );
}
