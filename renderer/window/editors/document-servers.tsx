// Document servers of this computer: those that were found, and those that Docker or Podman can run. The same list in the first
// run and in the settings; only the settings stop one.

import { Skeleton } from '../parts/view.tsx';
import { t } from '../../../app/contract/messages.ts';
import { useCallback, useState, type ReactNode } from 'react';
import {
  documentServerProducts,
  type DetectedServer,
  type Detection,
  type DocumentServerProduct,
} from '../../../app/contract/document-servers.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import type { CallError } from '../state/call.ts';
import { useWindowState } from '../state/window-context.tsx';
import { detectedTitle, engineAdvice, notConnected } from './words.ts';
import type { AddressSearch } from './address.tsx';
import { otherHost } from './connection.tsx';
import { HelpButton, ProductRow, ServerRow } from './server-row.tsx';
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
      kind === product && isLoopback(url);
    return itemOf(product) === undefined && !editors.some(isOther) && !found.some(isOther);
  };
  const isShown = (product: DocumentServerProduct) => {
    const item = itemOf(product);
    if (start?.product === product && start.state === 'running') return true;
    if (item !== undefined) return !isFirstRun || item.editorId === null;
    if (start?.product === product && start.state === 'failed') return true;
    return engines !== null && advice === null && isLacking(product);
  };
  const shown = documentServerProducts.filter(isShown);
  const products = isFirstRun
    ? shown.toSorted((a, b) => Number(b === recommended) - Number(a === recommended))
    : shown;
  return (
    <ul className="server-list" aria-label={t('Document servers')}>
      {before}
      {servers.isDetecting && servers.detection === undefined && (
        <SkeletonRow words={t('Looking for document servers')} />
      )}
      {servers.problem !== null && (
        <ServerRow
          icon="error"
          tone="bad"
          title={t('DocTray couldn’t look for document servers')}
          detail={servers.problem}
          actions={<Button onPress={servers.search}>{t('Try again')}</Button>}
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
        <ServerRow icon="search" title={t('No document server is running on this computer.')} />
      )}
      {engines === null && servers.isChecking && <SkeletonRow words={t('Checking Docker and Podman')} />}
      {products.map((product) => (
        <ProductRow
          key={product}
          isRecommended={isFirstRun && !hasWorking && first === undefined && product === recommended}
          product={product}
          isFirstRun={isFirstRun}
          isBusy={isBusy && !(start?.state === 'running' && start.product === product)}
        />
      ))}
      {advice !== null && documentServerProducts.some(isLacking) && (
        <ServerRow
          icon="info"
          title={t('Start one in a container')}
          detail={advice.sentence}
          actions={
            <>
              {advice.help !== null && <HelpButton page={advice.help} />}
              <Button isPending={servers.isChecking} onPress={servers.check}>
                {t('Check again')}
              </Button>
            </>
          }
        />
      )}
      {after}
    </ul>
  );
}

function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

function SkeletonRow({ words }: { words: string }) {
  return (
    <li className="server-row">
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
      {server.container !== null && t(' · container {name}', { name: server.container })}
    </>
  );
  if (server.problem !== null) {
    return (
      <ServerRow icon="warning" tone="warn" title={title} state={t('Can’t be connected')} detail={place}>
        <div className="server-note selectable">
          {server.problem.sentence} {server.problem.remedy}
        </div>
      </ServerRow>
    );
  }
  return (
    <ServerRow
      icon="external"
      tone="info"
      title={title}
      state={t('Found')}
      detail={place}
      actions={
        <Button
          look={props.isPrimary ? 'primary' : 'plain'}
          aria-label={t('Connect {server} at {url}', { server: title, url: server.url })}
          isDisabled={
            props.isBusy || (connecting.pendingUrl !== undefined && connecting.pendingUrl !== server.url)
          }
          isPending={connecting.pendingUrl === server.url}
          onPress={() => void connecting.connect(server)}
        >
          {problem?.code === otherHost ? t('Connect anyway') : t('Connect')}
        </Button>
      }
    >
      {problem !== undefined && (
        <Notice tone={problem.code === otherHost ? 'warn' : 'bad'}>
          <div role="alert">{problem.message}</div>
        </Notice>
      )}
    </ServerRow>
  );
}
