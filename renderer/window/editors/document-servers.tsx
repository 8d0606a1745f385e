// Document servers of this computer: those that were found, and those that Docker or Podman can run. The same list in the first
// run and in the settings.

import { useCallback, useState, type ComponentProps, type ReactNode } from 'react';
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
import { formatPercent } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice, Dialog } from '../../kit/dialog.tsx';
import { CheckBox } from '../../kit/fields.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Message, Progress, Skeleton, StatusRow, TextLink } from '../../kit/blocks.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { otherHost, type AddressSearch } from './connection.tsx';
import { detectedTitle, engineAdvice, helpTitles, notConnected, officeEditors, startHint } from './words.ts';
import './editors.css';

export type ServerSearch = ReturnType<typeof useServerSearch>;

export function useServerSearch() {
  const [detection, setDetection] = useState<Detection>();
  const refresh = useAction('documentServers.refresh');
  const detect = useTask(async (call) => setDetection(await call('editors.detect', {})));
  const check = useCallback(() => void refresh.run({}), [refresh.run]);
  const search = useCallback(() => {
    check();
    void detect.run();
  }, [check, detect.run]);
  return {
    /** Undefined until the first one ended. */
    detection,
    isDetecting: detect.isPending,
    /** Docker and Podman are asked. */
    isChecking: refresh.isPending,
    problem: (detect.problem ?? refresh.problem)?.message ?? null,
    /** Document servers, and what Docker and Podman can start. */
    search,
    /** Only Docker and Podman. */
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
  /** An editor is connected: nothing here is the next thing to do. */
  hasConnected?: boolean;
  /** Rows above and below those of this computer. */
  before?: ReactNode;
  after?: ReactNode;
}

export function ServerList(props: ServerListProps) {
  const { servers, addresses, isFirstRun = false, hasConnected = false, before, after } = props;
  const editors = useWindowState((state) => state.editors);
  const { engines, servers: containers, start } = useWindowState((state) => state.documentServers);
  const connecting = useConnectDetected(addresses);
  const found = notConnected(servers.detection?.servers ?? [], editors).filter(
    ({ url, container }) => !containers.some((own) => own.url === url || own.container === container),
  );
  /** One at a time: what is just being started, or tested. */
  const awaited =
    start?.state === 'running'
      ? documentServerNames[start.product]
      : addresses.runningFor &&
        (editors.find(({ id }) => id === addresses.runningFor)?.name ?? t('window.the-document-server'));
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
    // The row of a connected one says how its container is doing.
    if (item !== undefined) return item.editorId === null;
    if (start?.product === product && (start.state === 'running' || start.state === 'failed')) return true;
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
          isPrimary={isFirstRun && !hasConnected && server === first}
          awaited={awaited}
          onRetry={servers.search}
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
          isRecommended={isFirstRun && !hasConnected && first === undefined && product === recommended}
          product={product}
          isFirstRun={isFirstRun}
          awaited={start?.state === 'running' && start.product === product ? undefined : awaited}
        />
      ))}
      {advice !== null &&
        (isFirstRun || officeEditors(editors).length === 0) &&
        documentServerProducts.some(isLacking) && (
          <StatusRow as="li" icon="info" name={t('window.start-one-in-a-container')} detail={advice.sentence}>
            <div className="row">
              {advice.help !== null && <HelpButton page={advice.help} />}
              <Button isPending={servers.isChecking} onPress={servers.check}>
                {t('window.check-again')}
              </Button>
            </div>
          </StatusRow>
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

type ConnectingDetected = ReturnType<typeof useConnectDetected>;

function useConnectDetected(addresses: AddressSearch) {
  const add = useAction('editors.add');
  const [wantedUrl, setWantedUrl] = useState<string>();
  const problemAt = (url: string) => (url === wantedUrl ? add.problem : null);
  return {
    pendingUrl: add.isPending ? wantedUrl : undefined,
    problemAt,
    async connect({ url, container }: DetectedServer) {
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
  /** What must be ready first. */
  awaited: string | undefined;
  onRetry(): void;
}) {
  const { server, connecting, awaited } = props;
  const { url, container, problem: unusable } = server;
  const { pendingUrl } = connecting;
  const title = detectedTitle(server);
  const help = useAction('app.openHelp', { failure: t('window.couldnt-open-the-page') });
  const problem = connecting.problemAt(url);
  const isAsking = problem?.code === otherHost;
  return (
    <StatusRow
      as="li"
      {...(unusable === null
        ? { icon: 'external', tone: 'info', state: t('window.found') }
        : { icon: 'warning', tone: 'warn', state: t('window.cant-connect') })}
      name={title}
      detail={
        <>
          <span className="code selectable">{url}</span>
          {container !== null && t('window.container-name', { name: container })}
          {awaited !== undefined && unusable === null && (
            <div>{t('window.wait-until-name-is-ready', { name: awaited })}</div>
          )}
        </>
      }
      actions={
        unusable === null && (
          <Button
            look={props.isPrimary && !isAsking ? 'primary' : 'plain'}
            aria-label={t('window.connect-server-at-url', { server: title, url })}
            isDisabled={awaited !== undefined || (pendingUrl !== undefined && pendingUrl !== url)}
            isPending={pendingUrl === url}
            onPress={() => void connecting.connect(server)}
          >
            {isAsking ? t('window.connect-anyway') : t('common.connect')}
          </Button>
        )
      }
    >
      {unusable !== null && (
        <Notice
          tone="warn"
          actions={
            <div className="row buttons">
              <Button icon="external" onPress={() => void help.run({ page: 'network' })}>
                {t('window.network-guide')}
              </Button>
              <Button onPress={props.onRetry}>{t('common.try-again')}</Button>
            </div>
          }
        >
          {unusable.sentence} {unusable.remedy}
        </Notice>
      )}
      {problem !== null && (
        <Notice tone={isAsking ? 'warn' : 'bad'} role="alert">
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

/** The last start of a product, and the button that begins, repeats or cancels one. */
function useStart(
  product: DocumentServerProduct,
  item: DocumentServerItem | undefined,
  button: Pick<ComponentProps<typeof Button>, 'look' | 'isDisabled'> = {},
) {
  const last = useWindowState(({ documentServers }) => documentServers.start);
  const start = last?.product === product ? last : undefined;
  const server = documentServerNames[product];
  const begin = useAction('documentServers.start', {
    failure: t('window.couldnt-start-server', { server }),
  });
  const cancel = useAction('documentServers.cancel', {
    failure: t('window.couldnt-cancel-the-start-of', { server }),
    success: t('window.canceled-the-start-of-server', { server }),
  });
  const isRunning = item?.state === 'running';
  const verb = t(
    start?.state === 'failed' ? 'common.try-again' : isRunning ? 'common.connect' : 'common.start',
  );
  return {
    start,
    button:
      start?.state === 'running' ? (
        // Not the button that started it: a second Enter would end what the first began.
        <Button
          key="cancel"
          aria-label={t('window.cancel-the-start-of-server', { server })}
          isPending={cancel.isPending}
          onPress={() => void cancel.run({ id: start.id })}
        >
          {t('common.cancel')}
        </Button>
      ) : (
        <Button
          {...button}
          aria-label={`${verb} ${server}`}
          isPending={begin.isPending}
          onPress={() => void begin.run({ product, engine: item?.engine ?? null })}
        >
          {verb}
        </Button>
      ),
  };
}

/** In the row of a connected editor: the start of its container, why it failed, or that it is stopped. */
export function ContainerStart({ item, children }: { item: DocumentServerItem; children: ReactNode }) {
  const { start, button } = useStart(item.product, item);
  if (start?.state === 'failed')
    return (
      <StartFailure start={start}>
        {button}
        {start.step === 'address' && children}
      </StartFailure>
    );
  return start?.state === 'running' ? (
    <>
      <StartProgress start={start} />
      <div className="row">{button}</div>
    </>
  ) : (
    <Notice tone="warn" actions={button}>
      {t('window.its-container-is-stopped')}
    </Notice>
  );
}

function ProductRow(props: {
  product: DocumentServerProduct;
  isFirstRun: boolean;
  /** What must be ready first. */
  awaited: string | undefined;
  /** Its start is the next thing to do, unless it is there already. */
  isRecommended: boolean;
}) {
  const { product, awaited } = props;
  const { engines, servers, downloaded } = useWindowState((state) => state.documentServers);
  const item = servers.find((one) => one.product === product);
  const server = documentServerNames[product];
  const isRecommended = props.isRecommended && item === undefined;
  const isDisabled = awaited !== undefined;
  const { start, button } = useStart(product, item, {
    look: isRecommended && !isDisabled ? 'primary' : 'plain',
    isDisabled,
  });
  const copy = useTask(
    async (call) => {
      const { command } = await call('documentServers.command', { product, engine: null });
      return call('app.copyText', { text: command });
    },
    { failure: t('window.couldnt-copy-the-command'), success: t('window.command-copied-run-it-in') },
  );
  const [isStopping, setIsStopping] = useState(false);
  const isStarting = start?.state === 'running';
  const isRunning = item?.state === 'running';
  const state = item && t(isRunning ? 'window.running' : 'window.stopped');
  const wait = isDisabled && t('window.wait-until-name-is-ready', { name: awaited });
  return (
    <StatusRow
      as="li"
      phase={start?.state ?? item?.state ?? 'none'}
      {...(isStarting
        ? { icon: 'busy', tone: 'info', state: t('window.starting') }
        : start?.state === 'failed'
          ? { icon: 'error', tone: 'bad' }
          : {
              icon: isRunning ? 'play' : 'documents',
              state: isRecommended ? t('window.recommended') : state,
            })}
      name={server}
      detail={
        isStarting ? (
          <Message of="window.started-when" values={{ when: <RelativeTime atMs={start.startedAtMs} /> }} />
        ) : item === undefined ? (
          <>
            <div>{strengths[product]}</div>
            {wait === false ? startHint(engines ?? [], downloaded.includes(product)) : wait}{' '}
            <TextLink label={t('window.copy-command-server', { server })} onPress={() => void copy.run()}>
              {t('window.copy-command')}
            </TextLink>
          </>
        ) : (
          <>
            <ContainerWords item={item} />
            {wait !== false && <div>{wait}</div>}
          </>
        )
      }
      actions={
        <>
          {button}
          {!props.isFirstRun && item?.isOwn === true && !isStarting && (
            <Button
              look={isRunning ? 'plain' : 'quiet'}
              aria-label={t(isRunning ? 'window.stop-server-ask' : 'window.remove-server-ask', { server })}
              isDisabled={isDisabled}
              onPress={() => setIsStopping(true)}
            >
              {t(isRunning ? 'window.stop-ask' : 'window.remove-ask')}
            </Button>
          )}
        </>
      }
    >
      {isStarting && <StartProgress start={start} />}
      {start?.state === 'failed' && <StartFailure start={start} />}
      {isStopping && !isStarting && item !== undefined && (
        <StopDialog item={item} onClose={() => setIsStopping(false)} />
      )}
    </StatusRow>
  );
}

export function ContainerWords({ item }: { item: DocumentServerItem }) {
  return (
    <>
      {containerEngineTitles[item.engine]} · <span className="code selectable">{item.container}</span>
      {!item.isOwn && t('window.created-outside-doctray')}
      {item.url !== null && <div className="code selectable">{item.url}</div>}
    </>
  );
}

function StartProgress({ start }: { start: DocumentServerStart }) {
  const { done, total } = start.progress ?? { done: 0, total: null };
  const value = total === null || total === 0 ? null : Math.min(1, done / total);
  const text = value === null ? t('window.is-running') : formatPercent(value);
  return (
    <div className="stack">
      <div role="status">{start.sentence}</div>
      <Progress
        label={t('window.starting-server', { server: documentServerNames[start.product] })}
        value={value}
        valueText={text}
      />
      {value !== null && <div className="muted job-amount">{text}</div>}
    </div>
  );
}

function StartFailure({ start, children }: { start: DocumentServerStart; children?: ReactNode }) {
  const help = start.error?.help ?? null;
  return (
    <Notice
      tone="bad"
      role="alert"
      actions={
        (children !== undefined || help !== null) && (
          <div className="row buttons">
            {children}
            {help !== null && <HelpButton page={help} />}
          </div>
        )
      }
    >
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

export function StopDialog({ item, onClose }: { item: DocumentServerItem; onClose(): void }) {
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
    failure: t(isRunning ? 'window.couldnt-stop-server' : 'window.couldnt-remove-server', { server: name }),
    success: ({ isDataDeleted }) =>
      isRunning
        ? t(isDataDeleted ? 'window.server-was-stopped-and-its' : 'window.server-was-stopped', {
            server: name,
          })
        : t(isDataDeleted ? 'window.server-was-removed-and-its' : 'window.server-was-removed', {
            server: name,
          }),
  });
  const confirm = async () => {
    if ((await stop.run({ product, deleteData: isDeleting })) !== undefined) onClose();
  };
  return (
    <Dialog
      role="alertdialog"
      title={t(isRunning ? 'window.stop-server' : 'window.remove-server', { server: name })}
      onClose={onClose}
      focusesClose
      confirm={{
        label: isRunning
          ? t(isDeleting ? 'window.stop-and-delete-data' : 'window.stop')
          : t(isDeleting ? 'window.remove-and-delete-data' : 'window.remove'),
        look: isDeleting || openCount > 0 ? 'danger' : 'primary',
        isPending: stop.isPending,
        onPress: () => void confirm(),
      }}
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
        <CheckBox
          label={t('window.delete-its-data')}
          hint={t('window.its-certificates-and-settings-your')}
          isOn={isDeleting}
          onChange={setIsDeleting}
        />
      )}
    </Dialog>
  );
}
