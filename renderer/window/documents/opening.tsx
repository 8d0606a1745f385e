// Opens a document in an editor, and shows the result; or its WOPI address and token, for an editor that isn't connected. The token is
// shown once, behind dots until the user wants to see it: the screen may be shared. And copies a document's link for a colleague.

import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { isLoopbackHost } from '../../../app/contract/addresses.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { formatTime, formatTimeLeft } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { typeOf } from '../../../app/contract/names.ts';
import type { ColleagueLink, OpenedDocument } from '../../../app/contract/results.ts';
import { abilityFor, isBuiltIn, type Ability } from '../editors/words.ts';
import { CopyButton, useAction, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, Notice } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { useTimedText } from '../../kit/time.tsx';
import { useToasts, type ToastMessage } from '../../kit/toast.tsx';
import { Message, TextLink } from '../../kit/blocks.tsx';
import { AddUserDialog } from '../settings/users.tsx';
import { errorOf } from '../state/call.ts';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import type { RowChoice } from '../table/model.ts';

export type Opening = ReturnType<typeof useOpening>;

export function useOpening() {
  const editors = useWindowState((state) => state.editors);
  const toasts = useToasts();
  const [missing, setMissing] = useState<string>();
  const [opened, setOpened] = useState<OpenedDocument>();
  /** One message at a time, also after opening five documents. */
  const lastToast = useRef('');
  const status = useWindowState(({ host }) => host.status);
  // Once DocTray serves again, the message no longer applies.
  useEffect(() => {
    if (status === 'serving') toasts.close(lastToast.current);
  }, [toasts, status]);
  const show = (message: ToastMessage) => {
    toasts.close(lastToast.current);
    lastToast.current = toasts.show(message);
  };
  const resume = useAction('host.resume', { failure: t('window.couldnt-resume') });
  const opening = useTask(
    async (call, asked: { path: string; mode: 'edit' | 'view'; editorId: string | null }) => {
      const { name } = splitPath(asked.path);
      try {
        const result = await call('documents.openInEditor', asked);
        const editor = editors.find(({ id }) => id === result.editorId);
        show(openedMessage(name, asked.mode, result.editorName, editor && abilityFor(editor, typeOf(name))));
      } catch (error) {
        const { code, message: detail } = errorOf(error);
        const action = { label: t('common.resume'), run: () => void resume.run({}) };
        const title = t('window.cant-open-name', { name });
        show({ tone: 'bad', title, detail, ...(code === 'paused' && { action }) });
      }
    },
  );
  const address = useAction('documents.open', { failure: t('window.cant-open-the-document') });

  /** By the default editor of its type, unless one is named. */
  const open = async (path: string, mode: 'edit' | 'view', editorId?: string): Promise<void> => {
    const { name } = splitPath(path);
    if (editors.length === 0) {
      setMissing(path);
      return;
    }
    // The built-in one opens any text, whatever its type: the host knows the content.
    const isOpened = (editor: EditorItem) =>
      isBuiltIn(editor) || abilityFor(editor, typeOf(name)) !== undefined;
    if (!editors.some(isOpened)) {
      show({
        tone: 'warn',
        title: t('window.no-connected-editor-opens-name', { name }),
        detail: t('window.connect-a-document-server-that'),
      });
      return;
    }
    await opening.run({ path, mode, editorId: editorId ?? null });
  };

  /** The address and a token, for an editor that is not connected here. */
  const showAddress = async (path: string) => {
    setMissing(undefined);
    setOpened(await address.run({ path, mode: 'edit' }));
  };

  return {
    open,
    showAddress,
    editorsFor: (path: string): RowChoice[] =>
      editors.flatMap((editor) => {
        const type = typeOf(splitPath(path).name);
        const ability = abilityFor(editor, type);
        if (ability === undefined) return [];
        const { id, name: editorName, opens } = editor;
        const title = ability === 'edit' ? editorName : t('window.editor-view-only', { editor: editorName });
        return [{ id, title, ...(opens.includes(type) && { icon: 'check' as const }) }];
      }),
    /** To be rendered by the view. */
    dialogs: (
      <>
        {missing !== undefined && (
          <NoEditorDialog
            path={missing}
            onShowAddress={() => void showAddress(missing)}
            onClose={() => setMissing(undefined)}
          />
        )}
        {/* The token is gone from the page at once, also while the dialog fades. */}
        {opened !== undefined && <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} />}
      </>
    ),
  };
}

function openedMessage(
  name: string,
  mode: 'edit' | 'view',
  editor: string,
  ability: Ability | undefined,
): ToastMessage {
  const tone = 'good';
  const toView = t('window.opened-name-in-editor-view', { name, editor });
  if (mode === 'view') return { tone, title: toView };
  if (ability === 'convert') return { tone, title: toView, detail: t('window.to-edit-it-convert-it') };
  if (ability === 'view')
    return { tone, title: toView, detail: t('window.this-editor-cant-change-documents') };
  return { tone, title: t('window.opened-name-in-editor', { name, editor }) };
}

function NoEditorDialog(props: { path: string; onShowAddress(): void; onClose(): void }) {
  const { go } = useNavigation();
  const { name } = splitPath(props.path);
  return (
    <Dialog
      title={t('window.no-editor-is-connected-yet')}
      onClose={props.onClose}
      buttons={
        <Button look="quiet" onPress={props.onShowAddress}>
          {t('window.show-wopi-address')}
        </Button>
      }
      confirm={{
        label: t('window.connect-a-document-server'),
        autoFocus: true,
        onPress: () => {
          props.onClose();
          go('settings', 'editors');
        },
      }}
    >
      <p>{t('window.name-opens-in-a-document', { name })}</p>
      <p className="muted">{t('window.an-editor-that-cant-be')}</p>
    </Dialog>
  );
}

/** Always as long, whatever the token’s length. */
const dots = '•'.repeat(32);

function OpenedDialog({ opened, onClose }: { opened: OpenedDocument; onClose(): void }) {
  const [isShown, setIsShown] = useState(false);
  const help = useAction('app.openHelp', { failure: t('window.cant-open-the-help-page') });
  const { name } = splitPath(opened.path);
  const { expiresAtMs } = opened;
  const left = useTimedText(
    useCallback(
      (nowMs: number) =>
        expiresAtMs > nowMs
          ? opened.mode === 'edit'
            ? t('window.duration-to-edit-this-document', { duration: formatTimeLeft(expiresAtMs - nowMs) })
            : t('window.duration-to-view-this-document', { duration: formatTimeLeft(expiresAtMs - nowMs) })
          : t('window.expired'),
      [expiresAtMs, opened.mode],
    ),
  );
  return (
    <Dialog
      // A click outside it would discard the token.
      role="alertdialog"
      width="wide"
      title={t('window.wopi-address-of-name', { name })}
      onClose={onClose}
    >
      <div className="stack">
        <p>
          <Message
            of="window.for-an-editor-that-isnt"
            values={{
              token: <span className="code">access_token</span>,
              expiry: <span className="code">access_token_ttl</span>,
            }}
          />
        </p>
        <dl className="section-body documents-secret">
          <SecretRow label={t('window.wopi-address')} value={opened.wopiSrc} />
          <SecretRow
            label={t('window.access-token')}
            copied={t('window.copied-access-token')}
            value={opened.accessToken}
            {...(!isShown && { shown: dots, shownLabel: t('window.access-token-hidden') })}
          >
            <Button
              look="quiet"
              icon="eye"
              aria-label={isShown ? t('window.hide-the-access-token') : t('window.show-the-access-token')}
              onPress={() => setIsShown(!isShown)}
            >
              {isShown ? t('window.hide') : t('window.show')}
            </Button>
          </SecretRow>
          <SecretRow label={t('window.token-expiry')} value={String(expiresAtMs)} />
          <div className="line list-row">
            <dt className="muted">{t('window.valid-for')}</dt>
            <dd title={formatTime('toSecond', expiresAtMs)}>{left}</dd>
          </div>
        </dl>
        <Notice tone="info">{t('window.copy-the-token-now')}</Notice>
        <div className="row">
          <span className="muted">{t('window.instructions')}</span>
          <Button look="quiet" icon="external" onPress={() => void help.run({ page: 'onlyoffice' })}>
            ONLYOFFICE
          </Button>
          <Button look="quiet" icon="external" onPress={() => void help.run({ page: 'collabora' })}>
            Collabora
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function SecretRow(props: {
  label: string;
  /** In the middle of a sentence. */
  copied?: string;
  value: string;
  /** In place of the value. */
  shown?: string;
  shownLabel?: string;
  children?: ReactNode;
}) {
  const labelId = useId();
  const { label, value, shown, shownLabel } = props;
  return (
    <div className="line list-row">
      <dt className="muted" id={labelId}>
        {label}
      </dt>
      <dd className="row grow">
        <output
          className={shown === undefined ? 'code grow selectable' : 'code grow'}
          aria-labelledby={labelId}
          aria-label={shownLabel}
        >
          {shown ?? value}
        </output>
        {props.children}
        <CopyButton text={value} what={props.copied ?? label} />
      </dd>
    </div>
  );
}

/** Copies a document's address for a colleague. If something is missing before the colleague can open it, a dialog offers that first. */
export function useColleagueLink() {
  const toasts = useToasts();
  const [shown, setShown] = useState<{ path: string; link: ColleagueLink }>();
  const opensDialog = useWindowState(
    ({ host, settings, users }) =>
      users.length === 1 ||
      !settings.networkPages ||
      (host.publicUrl === null && isLoopbackHost(host.fixedHost ?? settings.host)),
  );
  const copy = useTask(
    async (call, { path, isCheck }: { path: string; isCheck?: boolean }) => {
      const link = await call('documents.colleagueLink', { path });
      if (isCheck === true || link.url === null || link.needsUser) {
        setShown({ path, link });
        return;
      }
      await call('app.copyText', { text: link.url });
      setShown(undefined);
      toasts.show({
        tone: 'good',
        title: t('window.link-copied'),
        detail: t('window.your-colleague-signs-in-to'),
      });
    },
    { failure: t('window.cant-copy-the-link') },
  ).run;
  return {
    copy: (path: string) => copy({ path }),
    /** As far as the window knows. */
    opensDialog,
    dialog: shown && (
      <ColleagueDialog
        {...shown}
        onChange={() => copy({ path: shown.path, isCheck: true })}
        onCopy={() => copy({ path: shown.path })}
        onClose={() => setShown(undefined)}
      />
    ),
  };
}

function ColleagueDialog(props: {
  path: string;
  link: ColleagueLink;
  /** Checks again what is missing. */
  onChange(): Promise<void>;
  onCopy(): Promise<void>;
  onClose(): void;
}) {
  const { link, onChange, onClose } = props;
  const { go } = useNavigation();
  const [isAdding, setIsAdding] = useState(false);
  // Or a reverse proxy encrypts it.
  const isEncrypted = useWindowState(
    ({ host }) => host.tls?.mode !== 'off' || host.publicUrl?.startsWith('https:') === true,
  );
  const open = useAction('settings.openToColleagues', {
    failure: t('window.cant-let-colleagues-open-documents'),
  });
  const isOpen = link.url !== null;
  const isReady = isOpen && !link.needsUser;
  const openNetwork = async () => {
    if ((await open.run({ settings: link.settings })) !== undefined) await onChange();
  };
  if (isAdding) {
    // Once it is known what to focus.
    const checkAgain = async () => {
      await onChange();
      setIsAdding(false);
    };
    return <AddUserDialog onClose={() => void checkAgain()} />;
  }
  return (
    <Dialog
      title={t('window.copy-link-for-a-colleague')}
      onClose={onClose}
      confirm={{
        label: t('common.copy-link'),
        icon: 'copy',
        isDisabled: !isReady,
        // The focus comes from the button of the step just done, which is gone.
        autoFocus: isReady,
        onPress: () => void props.onCopy(),
      }}
    >
      <p>{t('window.before-a-colleague-can-open', { name: splitPath(props.path).name })}</p>
      <ol className="section-body">
        <ColleagueStep
          number={1}
          isDone={!link.needsUser}
          title={t('window.your-colleague-needs-an-account')}
        >
          <Button key={String(isOpen)} onPress={() => setIsAdding(true)} autoFocus>
            {t('window.add-user')}
          </Button>
        </ColleagueStep>
        <ColleagueStep number={2} isDone={isOpen} title={t('window.doctray-must-be-open-to')}>
          <Button isPending={open.isPending} onPress={() => void openNetwork()} autoFocus={!link.needsUser}>
            {t('common.open-to-the-network')}
          </Button>
        </ColleagueStep>
      </ol>
      {!isEncrypted && (
        <p className="muted">
          {t('window.the-connection-isnt-encrypted')}{' '}
          <TextLink onPress={() => go('settings', 'tls')}>{t('window.turn-on-https-in-the')}</TextLink>
        </p>
      )}
    </Dialog>
  );
}

/** With a button until it's done. */
function ColleagueStep(props: { number: number; isDone: boolean; title: string; children: ReactNode }) {
  return (
    <li className={`line list-row tone-${props.isDone ? 'good' : 'muted'}`}>
      <span className="step-dot" aria-hidden="true">
        {props.isDone ? <Icon name="check" /> : props.number}
      </span>
      <span className="grow">
        {props.title}
        {props.isDone && <span className="visually-hidden"> ({t('window.done-inline')})</span>}
      </span>
      {!props.isDone && props.children}
    </li>
  );
}
