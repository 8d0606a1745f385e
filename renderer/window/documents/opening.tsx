// Opens a document in an editor, and shows the result; or its WOPI address and token, for an editor that isn't connected. The token is
// shown once, behind dots until the user wants to see it: the screen may be shared. And copies a document's link for a colleague.

import { useCallback, useRef, useState, type ReactNode } from 'react';
import { isLoopbackHost } from '../../../app/contract/addresses.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { formatTime, formatTimeLeft } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { typeOf } from '../../../app/contract/names.ts';
import type { ColleagueLink, OpenedDocument } from '../../../app/contract/results.ts';
import { abilityFor, isBuiltIn, type Ability } from '../editors/words.ts';
import { CopyButton, useAction, useTask } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { useTimedText } from '../parts/time.tsx';
import { useToasts, type ToastMessage } from '../parts/toast.tsx';
import { Message, TextLink } from '../parts/view.tsx';
import { AddUserDialog } from '../settings/users.tsx';
import { sentenceOf } from '../state/call.ts';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import type { RowChoice } from '../table/model.ts';

export interface Opening {
  /** By the default editor of its type, unless one is named. */
  open(path: string, mode: 'edit' | 'view', editorId?: string): Promise<void>;
  /** The address and a token, for an editor that is not connected here. */
  showAddress(path: string): Promise<void>;
  /** The most any connected editor does with it; undefined: none opens it. */
  ability(path: string): Ability | undefined;
  editorsFor(path: string): RowChoice[];
  /** To be rendered by the view. */
  dialogs: ReactNode;
}

export function useOpening(): Opening {
  const editors = useWindowState((state) => state.editors);
  const toasts = useToasts();
  const [missing, setMissing] = useState<string>();
  const [opened, setOpened] = useState<OpenedDocument>();
  /** One message at a time, also after opening five documents. */
  const lastToast = useRef<string>(undefined);
  const show = (message: ToastMessage) => {
    if (lastToast.current !== undefined) toasts.close(lastToast.current);
    lastToast.current = toasts.show(message);
  };
  const opening = useTask(
    async (call, asked: { path: string; mode: 'edit' | 'view'; editorId: string | null }) => {
      const { name } = splitPath(asked.path);
      try {
        const result = await call('documents.openInEditor', asked);
        const editor = editors.find(({ id }) => id === result.editorId);
        show(openedMessage(name, asked.mode, result.editorName, editor && abilityFor(editor, typeOf(name))));
      } catch (error) {
        show({ tone: 'bad', title: t('Can’t open “{name}”', { name }), detail: sentenceOf(error) });
      }
    },
  );
  const address = useAction('documents.open', { failure: t('Can’t open the document') });

  const open = async (path: string, mode: 'edit' | 'view', editorId?: string): Promise<void> => {
    const { name } = splitPath(path);
    if (editors.length === 0) {
      setMissing(path);
      return;
    }
    // The built-in one opens any text, whatever its type: the host knows the content.
    if (mostOf(editors, path) === undefined && !editors.some(isBuiltIn)) {
      show({
        tone: 'warn',
        title: t('No connected editor opens “{name}”', { name }),
        detail: t('Connect an editor that supports this type of document.'),
      });
      return;
    }
    await opening.run({ path, mode, editorId: editorId ?? null });
  };

  const showAddress = async (path: string) => {
    setMissing(undefined);
    setOpened(await address.run({ path, mode: 'edit' }));
  };

  return {
    open,
    showAddress,
    ability: (path) => mostOf(editors, path),
    editorsFor: (path) =>
      editors.flatMap((editor) => {
        const type = typeOf(splitPath(path).name);
        const ability = abilityFor(editor, type);
        if (ability === undefined) return [];
        const { id, name: editorName, opens } = editor;
        const title = ability === 'edit' ? editorName : t('{editor} (view only)', { editor: editorName });
        return [{ id, title, ...(opens.includes(type) && { icon: 'check' as const }) }];
      }),
    dialogs: (
      <>
        {missing !== undefined && (
          <NoEditorDialog
            path={missing}
            onShowAddress={() => void showAddress(missing)}
            onClose={() => setMissing(undefined)}
          />
        )}
        <OpenDialog opened={opened} onClose={() => setOpened(undefined)} />
      </>
    ),
  };
}

function mostOf(editors: readonly EditorItem[], path: string): Ability | undefined {
  const extension = typeOf(splitPath(path).name);
  const found = new Set(editors.map((editor) => abilityFor(editor, extension)));
  return (['edit', 'convert', 'view'] as const).find((ability) => found.has(ability));
}

function openedMessage(
  name: string,
  mode: 'edit' | 'view',
  editor: string,
  ability: Ability | undefined,
): ToastMessage {
  const tone = 'good';
  const toView = t('Opened {name} in {editor}, view only', { name, editor });
  if (mode === 'view') return { tone, title: toView };
  if (ability === 'convert')
    return { tone, title: toView, detail: t('To edit it, convert it there. The original is kept.') };
  if (ability === 'view')
    return { tone, title: toView, detail: t('This editor can’t change documents of this type.') };
  return { tone, title: t('Opened {name} in {editor}', { name, editor }) };
}

function NoEditorDialog(props: { path: string; onShowAddress(): void; onClose(): void }) {
  const { go } = useNavigation();
  const { name } = splitPath(props.path);
  return (
    <Dialog
      title={t('No editor is connected yet')}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button look="quiet" onPress={props.onShowAddress}>
            {t('Show WOPI address…')}
          </Button>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            autoFocus
            onPress={() => {
              props.onClose();
              go('settings', 'editors');
            }}
          >
            {t('Connect an editor')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          '“{name}” opens in a document server, such as ONLYOFFICE Docs or Collabora Online. Connect one in the settings.',
          { name },
        )}
      </p>
      <p className="muted">
        {t('An editor that can’t be connected here can use the document’s WOPI address and a token.')}
      </p>
    </Dialog>
  );
}

/** Always as long, whatever the token’s length. */
const dots = '•'.repeat(32);

function OpenDialog(props: { opened: OpenedDocument | undefined; onClose(): void }) {
  // The token is gone from the page at once, also while the dialog fades.
  return props.opened === undefined ? null : <Opened opened={props.opened} onClose={props.onClose} />;
}

function Opened({ opened, onClose }: { opened: OpenedDocument; onClose(): void }) {
  const [isShown, setIsShown] = useState(false);
  const help = useAction('app.openHelp', { failure: t('Can’t open the help page') });
  const { name } = splitPath(opened.path);
  const { expiresAtMs } = opened;
  const left = useTimedText(
    useCallback(
      (nowMs: number) =>
        expiresAtMs > nowMs
          ? opened.mode === 'edit'
            ? t('{duration}, to edit this document only', { duration: formatTimeLeft(expiresAtMs - nowMs) })
            : t('{duration}, to view this document only', { duration: formatTimeLeft(expiresAtMs - nowMs) })
          : t('Expired'),
      [expiresAtMs, opened.mode],
    ),
  );
  return (
    <Dialog
      // A click outside it would discard the token.
      role="alertdialog"
      width="wide"
      title={t('WOPI address of “{name}”', { name })}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onPress={onClose} autoFocus>
          {t('Done')}
        </Button>
      }
    >
      <div className="stack">
        <p>
          <Message
            of="For an editor that isn’t connected to DocTray. It requests the document at this address, with the token as its {parameter}."
            values={{ parameter: <span className="code">access_token</span> }}
          />
        </p>
        <div className="documents-secret">
          <div className="documents-secret-label" id="documents-wopi">
            {t('WOPI address')}
          </div>
          <div className="documents-secret-value">
            <output className="code selectable" aria-labelledby="documents-wopi">
              {opened.wopiSrc}
            </output>
            <CopyButton text={opened.wopiSrc} what={t('WOPI address')} />
          </div>
          <div className="documents-secret-label" id="documents-token">
            {t('Access token')}
          </div>
          <div className="documents-secret-value">
            <output
              className={isShown ? 'code selectable' : 'code'}
              aria-labelledby="documents-token"
              {...(isShown ? {} : { 'aria-label': t('Access token, hidden') })}
            >
              {isShown ? opened.accessToken : dots}
            </output>
            <Button
              look="quiet"
              icon="eye"
              aria-label={isShown ? t('Hide the access token') : t('Show the access token')}
              onPress={() => setIsShown(!isShown)}
            >
              {isShown ? t('Hide') : t('Show')}
            </Button>
            <CopyButton text={opened.accessToken} what={t('access token')} />
          </div>
          <div className="documents-secret-label">access_token_ttl</div>
          <div className="documents-secret-value">
            <span className="code selectable">{expiresAtMs}</span>
            <CopyButton text={String(expiresAtMs)} what="access_token_ttl" />
          </div>
          <div className="documents-secret-label">{t('Valid for')}</div>
          <div className="documents-secret-plain">
            <span title={formatTime('toSecond', expiresAtMs)}>{left}</span>
          </div>
        </div>
        <Notice tone="info">
          {t('The token is shown only once. Open this dialog again to get another one.')}
        </Notice>
        <div className="row">
          <span className="muted">{t('Instructions:')}</span>
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

/** Copies a document's address for a colleague. If something is missing before the colleague can open it, a dialog offers that first. */
export function useColleagueLink(): {
  copy(path: string): Promise<void>;
  /** As far as the window knows. */
  opensDialog: boolean;
  dialog: ReactNode;
} {
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
        title: t('Link copied'),
        detail: t('Your colleague signs in to open it.'),
      });
    },
    { failure: t('Can’t copy the link') },
  ).run;
  return {
    copy: (path) => copy({ path }),
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
  const open = useAction('settings.openToColleagues', { failure: t('Can’t let colleagues open documents') });
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
      title={t('Copy link for a colleague')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('Cancel')}</Button>
          {/* A new button takes the focus from that of the step just done, which is gone. */}
          <Button
            key={String(isReady)}
            look="primary"
            icon="copy"
            isDisabled={!isReady}
            autoFocus={isReady}
            onPress={() => void props.onCopy()}
          >
            {t('Copy link')}
          </Button>
        </>
      }
    >
      <p>{t('Before a colleague can open “{name}”:', { name: splitPath(props.path).name })}</p>
      <ol className="documents-steps">
        <ColleagueStep number={1} isDone={!link.needsUser} title={t('Your colleague needs an account')}>
          <Button key={String(isOpen)} onPress={() => setIsAdding(true)} autoFocus>
            {t('Add user…')}
          </Button>
        </ColleagueStep>
        <ColleagueStep number={2} isDone={isOpen} title={t('DocTray must be open to the network')}>
          <Button isPending={open.isPending} onPress={() => void openNetwork()} autoFocus={!link.needsUser}>
            {t('Open to the network')}
          </Button>
        </ColleagueStep>
      </ol>
      {!isEncrypted && (
        <p className="muted">
          {t('The connection isn’t encrypted.')}{' '}
          <TextLink onPress={() => go('settings', 'tls')}>{t('Turn on HTTPS in the settings')}</TextLink>
        </p>
      )}
    </Dialog>
  );
}

/** With a button until it's done. */
function ColleagueStep(props: { number: number; isDone: boolean; title: string; children: ReactNode }) {
  return (
    <li className={props.isDone ? 'tone-good' : undefined}>
      <span className="documents-step-sign" aria-hidden="true">
        {props.isDone ? <Icon name="check" /> : props.number}
      </span>
      <span className="grow">
        {props.title}
        {props.isDone && <span className="visually-hidden"> ({t('done')})</span>}
      </span>
      {!props.isDone && props.children}
    </li>
  );
}
