// Docker, Podman and local document servers for scenarios, with the host's responses to their commands.

import {
  documentServerNames,
  type ContainerEngineState,
  type DetectedServer,
  type DocumentServerItem,
  type DocumentServerProduct,
  type DocumentServerStart,
} from '../../../app/contract/document-servers.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { makeEditor, makeGoodTest } from './editors.ts';
import type { Answers } from './fake-host.ts';
import { hour, minute } from './rows.ts';

export const readyDocker: ContainerEngineState = {
  name: 'docker',
  status: 'ready',
  version: '28.5.1',
  mode: 'rootful',
  sentence: 'Docker 28.5.1 is ready (as root).',
  remedy: null,
  help: null,
};

const stoppedDocker: ContainerEngineState = {
  name: 'docker',
  status: 'stopped',
  version: null,
  mode: null,
  sentence: 'Docker is installed, but it isn’t running.',
  remedy: 'Start the Docker service or Docker Desktop.',
  help: 'docker-start',
};

export function missingEngine(name: ContainerEngineState['name']): ContainerEngineState {
  const title = name === 'docker' ? 'Docker' : 'Podman';
  return {
    name,
    status: 'missing',
    version: null,
    mode: null,
    sentence: `${title} isn’t installed.`,
    remedy: `Install ${title} if you want DocTray to run a document server here.`,
    help: name === 'docker' ? 'docker-install' : 'podman-install',
  };
}

export const noEngines = [missingEngine('docker'), missingEngine('podman')];
export const dockerOnly = [readyDocker, missingEngine('podman')];
export const dockerStopped = [stoppedDocker, missingEngine('podman')];

export function makeDetected(over: Partial<DetectedServer> = {}): DetectedServer {
  return {
    url: 'http://localhost:9980',
    kind: 'collabora',
    product: 'Collabora Online Development Edition',
    version: '25.04.6',
    editorId: null,
    container: 'office',
    problem: null,
    ...over,
  };
}

export const untrustedServer: DetectedServer = {
  url: 'https://localhost:8443',
  kind: null,
  product: null,
  version: null,
  editorId: null,
  container: null,
  problem: {
    code: 'certificate-untrusted',
    sentence: 'Its certificate isn’t trusted by this computer.',
    remedy: 'Install the certificate’s authority on this computer, or let the server use HTTP.',
  },
};

export function makeStart(nowMs: number, over: Partial<DocumentServerStart> = {}): DocumentServerStart {
  return {
    id: 'start1',
    product: 'collabora',
    state: 'running',
    step: 'engine',
    sentence: 'Looking for Docker or Podman.',
    progress: null,
    startedAtMs: nowMs - 2 * minute,
    revision: 1,
    error: null,
    result: null,
    ...over,
  };
}

export const downloading = {
  step: 'image',
  sentence: 'Downloading Collabora Online (docker.io/collabora/code:latest).',
  progress: { done: 3, total: 9 },
} as const satisfies Partial<DocumentServerStart>;

export const waiting = {
  step: 'discovery',
  sentence:
    'Waiting for Collabora Online to respond at http://localhost:9980. The first start can take a few minutes.',
} as const satisfies Partial<DocumentServerStart>;

export const failedPull = {
  state: 'failed',
  step: 'image',
  sentence:
    'The image couldn’t be downloaded. Connection reset by peer. Check the internet connection, then try again. The download continues where possible.',
  error: { code: 'image-unavailable', help: null },
} as const satisfies Partial<DocumentServerStart>;

export function makeContainer(over: Partial<DocumentServerItem> = {}): DocumentServerItem {
  return {
    product: 'collabora',
    state: 'running',
    engine: 'docker',
    container: 'doctray-collabora',
    image: 'docker.io/collabora/code:latest',
    url: 'http://localhost:9980',
    editorId: null,
    isOwn: true,
    ...over,
  };
}

/** The editor that a start connects. */
export function makeStartedEditor(nowMs: number, product: DocumentServerProduct): EditorItem {
  const port = product === 'collabora' ? 9980 : 8080;
  return makeEditor(nowMs, {
    id: `started-${product}`,
    name: documentServerNames[product],
    kind: product,
    product: documentServerNames[product],
    version: product === 'collabora' ? '25.04.6' : '9.0.4',
    url: `http://localhost:${port}`,
    publicUrl: 'http://host.docker.internal:8790',
    effectiveUrl: 'http://host.docker.internal:8790',
    addedAtMs: nowMs,
    discoveredAtMs: nowMs,
    lastTest: makeGoodTest(`started-${product}`, nowMs),
  });
}

export function makeTextEditor(nowMs: number, over: Partial<EditorItem> = {}): EditorItem {
  return makeEditor(nowMs, {
    id: 'textedit',
    name: 'Text editor',
    kind: 'text-editor',
    product: 'DocTray text editor',
    version: null,
    url: 'http://localhost:8791',
    publicUrl: null,
    effectiveUrl: 'http://127.0.0.1:8790',
    types: [
      ...'css csv html ini js json log md ts txt xml yaml'
        .split(' ')
        .map((extension) => ({ extension, actions: ['view' as const, 'edit' as const, 'editnew' as const] })),
      ...'docx pdf png'.split(' ').map((extension) => ({ extension, actions: ['view' as const] })),
    ].toSorted((a, b) => (a.extension < b.extension ? -1 : 1)),
    opens: ['md'],
    addedAtMs: nowMs - 12 * hour,
    lastTest: null,
    ...over,
  });
}

/** Starts finish at once and detection finds nothing, unless a scenario overrides them. */
export function createDocumentServerAnswers(): Answers {
  return {
    'editors.detect': () => ({ servers: [] }),
    'documentServers.refresh': (_args, host) => {
      host.set({ documentServers: { engines: host.state.documentServers.engines ?? noEngines } });
      return host.state.documentServers;
    },
    'documentServers.start': ({ product }, host) => {
      const nowMs = Date.now();
      const start = makeStart(nowMs, { product, startedAtMs: nowMs });
      host.set({ documentServers: { start } });
      return start;
    },
    'documentServers.command': ({ product }) => ({
      command: `docker run ${product}`,
      url: 'http://localhost:9980',
      isReady: true,
      steps: [],
      opensAll: false,
    }),
    'documentServers.cancel': (_args, host) => {
      const start = makeStart(Date.now(), {
        ...host.state.documentServers.start,
        state: 'canceled',
        sentence: 'The start was canceled.',
        progress: null,
      });
      host.set({ documentServers: { start } });
      return start;
    },
    'documentServers.stop': ({ product, deleteData }, host) => {
      const { servers } = host.state.documentServers;
      const item = servers.find((one) => one.product === product);
      const isOfIt = ({ id }: EditorItem) => id === item?.editorId;
      const { editors } = host.state;
      host.set({
        editors: editors.filter((one) => !isOfIt(one)),
        documentServers: { servers: servers.filter((one) => one !== item), start: null },
      });
      return {
        product,
        container: item?.container ?? '',
        isRemoved: true,
        isDataDeleted: deleteData,
        disconnected: editors.filter(isOfIt).map(({ name }) => name),
      };
    },
    'editors.findAddress': ({ id }, host) => {
      const url = 'http://host.docker.internal:8790';
      const found = { publicUrl: url, effectiveUrl: url, lastTest: makeGoodTest(id, Date.now()) };
      const editors = host.state.editors.map((one) => (one.id === id ? { ...one, ...found } : one));
      host.set({ editors });
      return { url, openedHost: null, warning: null, failed: null, isDeclined: false };
    },
  };
}
