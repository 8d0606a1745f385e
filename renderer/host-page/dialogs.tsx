// The page's own dialogs: a name, a confirmation, the link to share, and a comparison.

import { useEffect, useRef, useState } from 'react';
import { isLoopbackHost } from '../../app/contract/addresses.ts';
import { t } from '../../app/contract/messages.ts';
import { ConfirmDialog, Dialog } from '../kit/dialog.tsx';
import { TextField } from '../kit/fields.tsx';
import { NameDialog } from '../kit/name-dialog.tsx';
import { ComparisonDialog } from '../kit/versions.tsx';
import type { PageDialog, PageStore } from './page-store.ts';

export function Dialogs({ dialog, store }: { dialog: PageDialog; store: PageStore }) {
  const { answer } = store;
  // Only now may the editor have the focus.
  useEffect(() => store.dialogClosed, [store]);
  switch (dialog.kind) {
    case 'confirm':
      return (
        <ConfirmDialog
          title={dialog.title}
          body={<p className="muted">{dialog.more}</p>}
          confirm={dialog.label}
          onAnswer={(isYes) => answer(isYes ? 'yes' : undefined)}
        />
      );
    case 'name':
      return <NameDialog {...dialog} onAnswer={answer} />;
    case 'link':
      return <ShareLink {...dialog} onClose={() => answer()} />;
    case 'comparison':
      return (
        <ComparisonDialog
          {...dialog}
          onRestore={dialog.canRestore ? () => answer('restore') : undefined}
          onClose={() => answer()}
        />
      );
  }
}

function ShareLink(props: { address: string; isOwner: boolean; onClose(): void }) {
  const { address, isOwner, onClose } = props;
  const [done, setDone] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const select = () => {
    field.current?.focus();
    field.current?.select();
  };
  useEffect(select, []);
  // Pages without HTTPS can't use the clipboard. Then the link is selected, and the user copies it.
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setDone(t('page.copied'));
    } catch {
      select();
      setDone(t('page.the-link-is-selected-press'));
    }
  };
  const reach = isLoopbackHost(new URL(address).hostname) ? 'local' : 'network';
  return (
    <Dialog
      title={t('page.share-this-document')}
      onClose={onClose}
      close={t('common.close')}
      confirm={{ label: t('common.copy-link'), onPress: () => void copy() }}
    >
      <p>{t(reach === 'local' ? 'page.this-link-works-only-on' : 'page.this-link-works-on-any')}</p>
      <TextField
        label={t('page.link-to-this-document')}
        hint={t(isOwner ? 'page.to-let-a-colleague-open-it' : 'page.to-let-a-colleague-open-it-ask', {
          reach,
        })}
        value={address}
        onChange={() => undefined}
        isReadOnly
        inputRef={field}
      />
      <p className="muted" role="status">
        {done}
      </p>
    </Dialog>
  );
}
