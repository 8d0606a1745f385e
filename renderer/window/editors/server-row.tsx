// A row in the list of document servers: its frame; and the row of a product that Docker or Podman can run: start, progress, failure, and
// the question before it is stopped.

import { Message, Progress } from '../parts/view.tsx';
import { t } from '../../../app/contract/messages.ts';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  containerEngineTitles,
  documentServerNames,
  keepsData,
  type DocumentServerItem,
  type DocumentServerProduct,
  type DocumentServerStart,
  type EngineHelp,
} from '../../../app/contract/document-servers.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import type { IconName } from '../parts/icon-shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { Switch } from '../parts/fields.tsx';
import { useAction } from '../parts/action.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { helpTitles, progressOf, startHint } from './words.ts';
import './editors.css';

interface ServerRowProps {
  icon: IconName;
  tone?: 'good' | 'info' | 'warn' | 'bad' | 'muted';
  title: ReactNode;
  /** Beside the title, in the color of the tone. */
  state?: string;
  detail?: ReactNode;
  actions?: ReactNode;
  /** Below, as wide as the row. */
  children?: ReactNode;
  /** The row takes the focus when this changes and the button that had it is gone. */
  phase?: string;
  /** The row is new, and what had the focus led to it. */
  takesFocus?: boolean;
}

export function ServerRow(props: ServerRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const { phase, takesFocus = false } = props;
  const shownPhase = useRef(takesFocus ? undefined : phase);
  useEffect(() => {
    if (shownPhase.current === phase) return;
    shownPhase.current = phase;
    if (document.activeElement === null || document.activeElement === document.body) row.current?.focus();
  }, [phase]);
  return (
    <li ref={row} className={`server-row tone-${props.tone ?? 'muted'}`} tabIndex={-1}>
      <div className="server-head">
        <Icon name={props.icon} size={20} />
        <div className="server-words">
          <div>
            <span className="editor-name">{props.title}</span>
            {props.state !== undefined && (
              <>
                {' '}
                <span className="editor-state">{props.state}</span>
              </>
            )}
          </div>
          {props.detail !== undefined && <div className="muted">{props.detail}</div>}
        </div>
        {props.actions !== undefined && <div className="server-actions">{props.actions}</div>}
      </div>
      {props.children}
    </li>
  );
}

const strengths: Record<DocumentServerProduct, string> = {
  collabora: t('For OpenDocument, LibreOffice’s formats. Opens Microsoft’s too.'),
  onlyoffice: t('For Microsoft’s formats: Word, Excel and PowerPoint.'),
};

export function ProductRow(props: {
  product: DocumentServerProduct;
  isFirstRun: boolean;
  isBusy: boolean;
  /** Its start is the next thing to do, unless it is there already. */
  isRecommended: boolean;
}) {
  const { product, isFirstRun, isBusy } = props;
  const { engines, servers, start: lastStart } = useWindowState((state) => state.documentServers);
  const name = documentServerNames[product];
  const item = servers.find((one) => one.product === product);
  const start = lastStart?.product === product ? lastStart : undefined;
  const begin = useAction('documentServers.start', {
    failure: t('Couldn’t start {server}', { server: name }),
  });
  const cancel = useAction('documentServers.cancel', {
    failure: t('Couldn’t cancel the start of {server}', { server: name }),
    success: t('Canceled the start of {server}', { server: name }),
  });
  const copy = useAction('documentServers.copyCommand', {
    failure: t('Couldn’t copy the command'),
    success: t('Command copied. Run it in a terminal, then search again.'),
  });
  const [isStopping, setIsStopping] = useState(false);
  const phase = start?.state ?? item?.state ?? 'none';

  if (start?.state === 'running') {
    return (
      <ServerRow
        phase={phase}
        icon="documents"
        tone="info"
        title={name}
        state={t('Starting')}
        detail={<Message of="Started {when}" values={{ when: <RelativeTime atMs={start.startedAtMs} /> }} />}
        actions={
          // Not the button that started it: a second Enter would end what the first began.
          <Button
            key="cancel"
            aria-label={t('Cancel the start of {server}', { server: name })}
            isPending={cancel.isPending}
            onPress={() => void cancel.run({ id: start.id })}
          >
            {t('Cancel')}
          </Button>
        }
      >
        <StartProgress start={start} />
      </ServerRow>
    );
  }

  const isRunning = item?.state === 'running';
  const isConnected = item !== undefined && item.editorId !== null;
  const run = () => void begin.run({ product, engine: item?.engine ?? null });
  const hasFailed = start?.state === 'failed';
  const isRecommended = props.isRecommended && item === undefined;
  const verb = isRunning
    ? hasFailed
      ? t('Try again')
      : t('Connect')
    : hasFailed
      ? t('Start again')
      : t('Start');
  return (
    <ServerRow
      phase={phase}
      icon={hasFailed ? 'error' : isRunning ? 'good' : 'documents'}
      tone={hasFailed ? 'bad' : isRunning ? 'good' : 'muted'}
      title={name}
      {...(item !== undefined
        ? { state: isRunning ? t('Running') : t('Stopped') }
        : hasFailed
          ? { state: t('Not started') }
          : isRecommended && { state: t('Recommended') })}
      {...(item !== undefined
        ? { detail: <ContainerWords item={item} /> }
        : !hasFailed && {
            detail: (
              <>
                <div>{strengths[product]}</div>
                <div>{startHint(engines ?? [])}</div>
              </>
            ),
          })}
      actions={
        <>
          {(!isRunning || !isConnected || hasFailed) && (
            <Button
              look={isRecommended ? 'primary' : 'plain'}
              aria-label={`${verb} ${name}`}
              isDisabled={isBusy}
              isPending={begin.isPending}
              onPress={run}
            >
              {verb}
            </Button>
          )}
          {item === undefined && (
            <Button
              look="quiet"
              icon="copy"
              aria-label={t('Copy command: {server}', { server: name })}
              isPending={copy.isPending}
              onPress={() => void copy.run({ product })}
            >
              {t('Copy command')}
            </Button>
          )}
          {!isFirstRun && item?.isOwn === true && (
            <Button
              look={isRunning ? 'plain' : 'quiet'}
              aria-label={
                isRunning ? t('Stop {server}…', { server: name }) : t('Remove {server}…', { server: name })
              }
              isDisabled={isBusy}
              onPress={() => setIsStopping(true)}
            >
              {isRunning ? t('Stop…') : t('Remove…')}
            </Button>
          )}
        </>
      }
    >
      {hasFailed && <StartFailure start={start} />}
      {isStopping && item !== undefined && <StopDialog item={item} onClose={() => setIsStopping(false)} />}
    </ServerRow>
  );
}

function ContainerWords({ item }: { item: DocumentServerItem }) {
  return (
    <>
      {containerEngineTitles[item.engine]} · <span className="code selectable">{item.container}</span>
      {item.url !== null && (
        <>
          {' '}
          · <span className="code selectable">{item.url}</span>
        </>
      )}
      {!item.isOwn && t('. Created outside DocTray.')}
    </>
  );
}

function StartProgress({ start }: { start: DocumentServerStart }) {
  const { value, text } = progressOf(start);
  return (
    <div className="server-progress">
      <div role="status">{start.sentence}</div>
      <Progress
        label={t('Starting {server}', { server: documentServerNames[start.product] })}
        value={value}
        valueText={text === '' ? t('running') : text}
      />
      {text !== '' && <div className="muted server-amount">{text}</div>}
    </div>
  );
}

export function StartFailure({ start }: { start: DocumentServerStart }) {
  const help = start.error?.help ?? null;
  return (
    <div className="server-note">
      <Notice tone="bad">
        <div className="row">
          <span className="grow selectable" role="alert">
            {start.sentence}
          </span>
          {help !== null && <HelpButton page={help} />}
        </div>
      </Notice>
    </div>
  );
}

export function HelpButton({ page }: { page: EngineHelp }) {
  const help = useAction('documentServers.openHelp', { failure: t('Couldn’t open the page') });
  return (
    <Button icon="external" isPending={help.isPending} onPress={() => void help.run({ page })}>
      {helpTitles[page]}
    </Button>
  );
}

function StopDialog({ item, onClose }: { item: DocumentServerItem; onClose(): void }) {
  const { product, state, container, editorId } = item;
  const name = documentServerNames[product];
  const editorName = useWindowState(({ editors }) => editors.find(({ id }) => id === editorId)?.name);
  const openCount = useWindowState(
    ({ sessions }) =>
      new Set(sessions.filter(({ editor }) => editor === editorName).map(({ fileId }) => fileId)).size,
  );
  const [isDeleting, setIsDeleting] = useState(false);
  const isRunning = state === 'running';
  const stop = useAction('documentServers.stop', {
    failure: isRunning
      ? t('Couldn’t stop {server}', { server: name })
      : t('Couldn’t remove {server}', { server: name }),
    success: ({ isDataDeleted }) => {
      if (isRunning)
        return isDataDeleted
          ? t('{server} was stopped, and its data was deleted', { server: name })
          : t('{server} was stopped', { server: name });
      return isDataDeleted
        ? t('{server} was removed, and its data was deleted', { server: name })
        : t('{server} was removed', { server: name });
    },
  });
  const confirm = async () => {
    if ((await stop.run({ product, deleteData: isDeleting })) !== undefined) onClose();
  };
  return (
    <Dialog
      role="alertdialog"
      title={isRunning ? t('Stop {server}?', { server: name }) : t('Remove {server}?', { server: name })}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} autoFocus>
            {t('Cancel')}
          </Button>
          <Button
            look={isDeleting || openCount > 0 ? 'danger' : 'primary'}
            isPending={stop.isPending}
            onPress={() => void confirm()}
          >
            {isRunning
              ? isDeleting
                ? t('Stop and delete data')
                : t('Stop')
              : isDeleting
                ? t('Remove and delete data')
                : t('Remove')}
          </Button>
        </>
      }
    >
      <p>
        {editorName === undefined
          ? t('DocTray removes the container {container}. You can start it again at any time.', { container })
          : t(
              'DocTray removes the container {container} and disconnects {editor}. You can start it again at any time.',
              { container, editor: editorName },
            )}
      </p>
      {editorName !== undefined && openCount > 0 && (
        <Notice tone="warn">
          {t(
            '{count, plural, one {# document is} other {# documents are}} open in {editor}. Save and close them first, or unsaved changes are lost.',
            { count: openCount, editor: editorName },
          )}
        </Notice>
      )}
      {keepsData[product] && (
        <Switch
          label={t('Delete its data')}
          hint={t('Its certificates and settings. Your documents stay.')}
          isOn={isDeleting}
          onChange={setIsDeleting}
        />
      )}
    </Dialog>
  );
}
