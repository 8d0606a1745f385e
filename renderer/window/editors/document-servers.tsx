// Document servers of this computer: those that were found, and those that Docker or Podman can run. The same list in the first
// run and in the settings; only the settings stop one.

import { useCallback, useState, type ReactNode } from 'react';
import { isLoopbackHost } from '../../../app/contract/addresses.ts';
import {
  documentServerProducts,
  containerEngineTitles,
  documentServerNames,
  keepsData,
  type DetectedServer,
  type Detection,
  type DocumentServerProduct,
  type DocumentServerItem,
  type DocumentServerStart,
  type EngineHelp,
} from '../../../app/contract/document-servers.ts';
import { t } from '../../../app/contract/messages.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice, Dialog } from '../../kit/dialog.tsx';
import { Switch } from '../../kit/fields.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Message, Progress, Skeleton, StatusRow } from '../../kit/blocks.tsx';
import type { CallError } from '../state/call.ts';
import { useWindowState } from '../state/window-context.tsx';
import { otherHost, type AddressSearch } from './connection.tsx';
import { detectedTitle, engineAdvice, notConnected, helpTitles, progressOf, startHint } from './words.ts';
import './editors.css';

export interface ServerSearch {
  /** Undefined until the first one ended. */
  detection: Detection | undefined;
  isDetecting: boolean;
  /** Docker and Podman are asked. */
  isChecking: boolean;
  problem: string | null;
  /** Document servers, and what Docker and Podman can start. */
  search(): void;
  /** Only Docker and Podman. */
  check(): void;
}

export function useServerSearch(): ServerSearch {
  const [detection, setDetection] = useState<Detection>();
  const refresh = useAction('documentServers.refresh');
  const detect = useTask(async (call) => setDetection(await call('editors.detect', {})));
  const check = useCallback(() => void refresh.run({}), [refresh.run]);
  const search = useCallback(() => {
    check();
    void detect.run();
  }, [check, detect.run]);
  const problem = detect.problem ?? refresh.problem;
  return {
    detection,
    isDetecting: detect.isPending,
    isChecking: refresh.isPending,
    problem: problem?.message ?? null,
    search,
    check,
  };
}

/** No document server responds, and none is in a container or starting. */
export function useNothingFound({ detection, isDetecting }: ServerSearch): boolean {
  const hasOwn = useWindowState(
    ({ documentServers: { servers, start } }) => servers.length > 0 || start?.state === 'running',
  );
  return detection?.servers.length === 0 && !isDetecting && !hasOwn;
}

/** In the first run, for Word, Excel and PowerPoint, which nothing opens yet. */
const recommended: DocumentServerProduct = 'onlyoffice';

interface ServerListProps {
  servers: ServerSearch;
  addresses: AddressSearch;
  /** Offers what leads on, and leaves out what is connected already. */
  isFirstRun?: boolean;
  /** An editor is connected and works: nothing here is the next thing to do. */
  hasWorking?: boolean;
  /** Rows above and below those of this computer. */
  before?: ReactNode;
  after?: ReactNode;
}

export function ServerList(props: ServerListProps) {
  const { servers, addresses, isFirstRun = false, hasWorking = false, before, after } = props;
  const editors = useWindowState((state) => state.editors);
  const { engines, servers: containers, start } = useWindowState((state) => state.documentServers);
  const connecting = useConnectDetected(addresses);
  const found = notConnected(servers.detection?.servers ?? [], editors).filter(
    ({ url, container }) => !containers.some((own) => own.url === url || own.container === container),
  );
  const isBusy = start?.state === 'running' || addresses.runningFor !== undefined;
  const [first] = found.filter(({ problem }) => problem === null);
  const advice = engines === null ? null : engineAdvice(engines);
  const isNothingFound = useNothingFound(servers);
  const itemOf = (product: DocumentServerProduct) => containers.find((one) => one.product === product);
  /** No container of it, and none of them on this computer: one is enough. */
  const isLacking = (product: DocumentServerProduct) => {
    const isOther = ({ kind, url }: { kind: string | null; url: string }) =>
      kind === product && isLoopbackHost(URL.parse(url)?.hostname ?? '');
    return itemOf(product) === undefined && !editors.some(isOther) && !found.some(isOther);
  };
  const isShown = (product: DocumentServerProduct) => {
    const item = itemOf(product);
    if (start?.product === product && start.state === 'running') return true;
    if (item !== undefined) return !isFirstRun || item.editorId === null;
    if (start?.product === product && start.state === 'failed') return true;
    return engines !== null && advice === null && isLacking(product);
  };
  return (
    <ul className="status-list" aria-label={t('window.document-servers')}>
      {before}
      {servers.isDetecting && servers.detection === undefined && (
        <SkeletonRow words={t('window.looking-for-document-servers')} />
      )}
      {servers.problem !== null && (
        <StatusRow
          as="li"
          icon="error"
          tone="bad"
          name={t('window.doctray-couldnt-look-for-document')}
          detail={servers.problem}
          actions={<Button onPress={servers.search}>{t('common.try-again')}</Button>}
        />
      )}
      {found.map((server) => (
        <FoundRow
          key={server.url}
          server={server}
          connecting={connecting}
          isPrimary={isFirstRun && !hasWorking && server === first}
          isBusy={isBusy}
        />
      ))}
      {isNothingFound && !isFirstRun && (
        <StatusRow as="li" icon="search" name={t('window.no-document-server-is-running')} />
      )}
      {engines === null && servers.isChecking && (
        <SkeletonRow words={t('window.checking-docker-and-podman')} />
      )}
      {documentServerProducts.filter(isShown).map((product) => (
        <ProductRow
          key={product}
          isRecommended={isFirstRun && !hasWorking && first === undefined && product === recommended}
          product={product}
          isFirstRun={isFirstRun}
          isBusy={isBusy && !(start?.state === 'running' && start.product === product)}
        />
      ))}
      {advice !== null && documentServerProducts.some(isLacking) && (
        <StatusRow
          as="li"
          icon="info"
          name={t('window.start-one-in-a-container')}
          detail={advice.sentence}
          actions={
            <>
              {advice.help !== null && <HelpButton page={advice.help} />}
              <Button isPending={servers.isChecking} onPress={servers.check}>
                {t('window.check-again')}
              </Button>
            </>
          }
        />
      )}
      {after}
    </ul>
  );
}

function SkeletonRow({ words }: { words: string }) {
  return (
    <li>
      <span className="visually-hidden" role="status">
        {words}
      </span>
      <Skeleton rows={2} />
    </li>
  );
}

interface ConnectingDetected {
  pendingUrl: string | undefined;
  problemAt(url: string): CallError | undefined;
  connect(server: DetectedServer): Promise<void>;
}

function useConnectDetected(addresses: AddressSearch): ConnectingDetected {
  const add = useAction('editors.add');
  const [wantedUrl, setWantedUrl] = useState<string>();
  const problemAt = (url: string) => (url === wantedUrl ? (add.problem ?? undefined) : undefined);
  return {
    pendingUrl: add.isPending ? wantedUrl : undefined,
    problemAt,
    async connect({ url, container }) {
      const acceptsOtherHosts = problemAt(url)?.code === otherHost;
      setWantedUrl(url);
      const added = await add.run({ url, name: null, publicUrl: null, acceptsOtherHosts });
      if (added !== undefined) void addresses.run(added.id, container !== null);
    },
  };
}

function FoundRow(props: {
  server: DetectedServer;
  connecting: ConnectingDetected;
  isPrimary: boolean;
  isBusy: boolean;
}) {
  const { server, connecting } = props;
  const title = detectedTitle(server);
  const problem = connecting.problemAt(server.url);
  const place = (
    <>
      <span className="code selectable">{server.url}</span>
      {server.container !== null && t('window.container-name', { name: server.container })}
    </>
  );
  if (server.problem !== null) {
    return (
      <StatusRow
        as="li"
        icon="warning"
        tone="warn"
        name={title}
        state={t('window.cant-be-connected')}
        detail={place}
      >
        <div className="selectable">
          {server.problem.sentence} {server.problem.remedy}
        </div>
      </StatusRow>
    );
  }
  return (
    <StatusRow
      as="li"
      icon="external"
      tone="info"
      name={title}
      state={t('window.found')}
      detail={place}
      actions={
        <Button
          look={props.isPrimary ? 'primary' : 'plain'}
          aria-label={t('window.connect-server-at-url', { server: title, url: server.url })}
          isDisabled={
            props.isBusy || (connecting.pendingUrl !== undefined && connecting.pendingUrl !== server.url)
          }
          isPending={connecting.pendingUrl === server.url}
          onPress={() => void connecting.connect(server)}
        >
          {problem?.code === otherHost ? t('window.connect-anyway') : t('common.connect')}
        </Button>
      }
    >
      {problem !== undefined && (
        <Notice tone={problem.code === otherHost ? 'warn' : 'bad'} role="alert">
          {problem.message}
        </Notice>
      )}
    </StatusRow>
  );
}

// A product that Docker or Podman can run: start, progress, failure, and the question before it is stopped.

const strengths: Record<DocumentServerProduct, string> = {
  collabora: t('window.best-for-opendocument-libreoffices-own'),
  onlyoffice: t('window.best-for-word-excel-and'),
};

function ProductRow(props: {
  product: DocumentServerProduct;
  isFirstRun: boolean;
  isBusy: boolean;
  /** Its start is the next thing to do, unless it is there already. */
  isRecommended: boolean;
}) {
  const { product, isFirstRun, isBusy } = props;
  const { engines, servers, downloaded, start: lastStart } = useWindowState((state) => state.documentServers);
  const name = documentServerNames[product];
  const item = servers.find((one) => one.product === product);
  const start = lastStart?.product === product ? lastStart : undefined;
  const begin = useAction('documentServers.start', {
    failure: t('window.couldnt-start-server', { server: name }),
  });
  const cancel = useAction('documentServers.cancel', {
    failure: t('window.couldnt-cancel-the-start-of', { server: name }),
    success: t('window.canceled-the-start-of-server', { server: name }),
  });
  const copy = useTask(
    async (call) => {
      const { command } = await call('documentServers.command', { product, engine: null });
      return call('app.copyText', { text: command });
    },
    {
      failure: t('window.couldnt-copy-the-command'),
      success: t('window.command-copied-run-it-in'),
    },
  );
  const [isStopping, setIsStopping] = useState(false);
  const phase = start?.state ?? item?.state ?? 'none';

  if (start?.state === 'running') {
    return (
      <StatusRow
        as="li"
        phase={phase}
        icon="documents"
        tone="info"
        name={name}
        state={t('window.starting')}
        detail={
          <Message of="window.started-when" values={{ when: <RelativeTime atMs={start.startedAtMs} /> }} />
        }
        actions={
          // Not the button that started it: a second Enter would end what the first began.
          <Button
            key="cancel"
            aria-label={t('window.cancel-the-start-of-server', { server: name })}
            isPending={cancel.isPending}
            onPress={() => void cancel.run({ id: start.id })}
          >
            {t('common.cancel')}
          </Button>
        }
      >
        <StartProgress start={start} />
      </StatusRow>
    );
  }

  const isRunning = item?.state === 'running';
  const isConnected = item !== undefined && item.editorId !== null;
  const run = () => void begin.run({ product, engine: item?.engine ?? null });
  const hasFailed = start?.state === 'failed';
  const isRecommended = props.isRecommended && item === undefined;
  const verb = isRunning
    ? hasFailed
      ? t('common.try-again')
      : t('common.connect')
    : hasFailed
      ? t('window.start-again')
      : t('common.start');
  return (
    <StatusRow
      as="li"
      phase={phase}
      icon={hasFailed ? 'error' : isRunning ? 'good' : 'documents'}
      tone={hasFailed ? 'bad' : isRunning ? 'good' : 'muted'}
      name={name}
      {...(item !== undefined
        ? { state: isRunning ? t('window.running') : t('window.stopped') }
        : hasFailed
          ? { state: t('window.not-started') }
          : isRecommended && { state: t('window.recommended') })}
      {...(item !== undefined
        ? { detail: <ContainerWords item={item} /> }
        : !hasFailed && {
            detail: (
              <>
                <div>{strengths[product]}</div>
                <div>{startHint(engines ?? [], downloaded.includes(product))}</div>
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
              aria-label={t('window.copy-command-server', { server: name })}
              isPending={copy.isPending}
              onPress={() => void copy.run()}
            >
              {t('window.copy-command')}
            </Button>
          )}
          {!isFirstRun && item?.isOwn === true && (
            <Button
              look={isRunning ? 'plain' : 'quiet'}
              aria-label={
                isRunning
                  ? t('window.stop-server-ask', { server: name })
                  : t('window.remove-server-ask', { server: name })
              }
              isDisabled={isBusy}
              onPress={() => setIsStopping(true)}
            >
              {isRunning ? t('window.stop-ask') : t('window.remove-ask')}
            </Button>
          )}
        </>
      }
    >
      {hasFailed && <StartFailure start={start} />}
      {isStopping && item !== undefined && <StopDialog item={item} onClose={() => setIsStopping(false)} />}
    </StatusRow>
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
      {!item.isOwn && t('window.created-outside-doctray')}
    </>
  );
}

function StartProgress({ start }: { start: DocumentServerStart }) {
  const { value, text } = progressOf(start);
  return (
    <div className="stack">
      <div role="status">{start.sentence}</div>
      <Progress
        label={t('window.starting-server', { server: documentServerNames[start.product] })}
        value={value}
        valueText={text === '' ? t('window.is-running') : text}
      />
      {text !== '' && <div className="muted job-amount">{text}</div>}
    </div>
  );
}

export function StartFailure({ start }: { start: DocumentServerStart }) {
  const help = start.error?.help ?? null;
  return (
    <Notice tone="bad" role="alert" actions={help !== null && <HelpButton page={help} />}>
      {start.sentence}
    </Notice>
  );
}

function HelpButton({ page }: { page: EngineHelp }) {
  const help = useAction('documentServers.openHelp', { failure: t('window.couldnt-open-the-page') });
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
      ? t('window.couldnt-stop-server', { server: name })
      : t('window.couldnt-remove-server', { server: name }),
    success: ({ isDataDeleted }) => {
      if (isRunning)
        return isDataDeleted
          ? t('window.server-was-stopped-and-its', { server: name })
          : t('window.server-was-stopped', { server: name });
      return isDataDeleted
        ? t('window.server-was-removed-and-its', { server: name })
        : t('window.server-was-removed', { server: name });
    },
  });
  const confirm = async () => {
    if ((await stop.run({ product, deleteData: isDeleting })) !== undefined) onClose();
  };
  return (
    <Dialog
      role="alertdialog"
      title={
        isRunning ? t('window.stop-server', { server: name }) : t('window.remove-server', { server: name })
      }
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} autoFocus>
            {t('common.cancel')}
          </Button>
          <Button
            look={isDeleting || openCount > 0 ? 'danger' : 'primary'}
            isPending={stop.isPending}
            onPress={() => void confirm()}
          >
            {isRunning
              ? isDeleting
                ? t('window.stop-and-delete-data')
                : t('window.stop')
              : isDeleting
                ? t('window.remove-and-delete-data')
                : t('window.remove')}
          </Button>
        </>
      }
    >
      <p>
        {editorName === undefined
          ? t('window.doctray-removes-the-container-container-you', { container })
          : t('window.doctray-removes-the-container-container', { container, editor: editorName })}
      </p>
      {editorName !== undefined && openCount > 0 && (
        <Notice tone="warn">
          {t('window.documents-are-open-in-editor', { count: openCount, editor: editorName })}
        </Notice>
      )}
      {keepsData[product] && (
        <Switch
          label={t('window.delete-its-data')}
          hint={t('window.its-certificates-and-settings-your')}
          isOn={isDeleting}
          onChange={setIsDeleting}
        />
      )}
    </Dialog>
  );
}
