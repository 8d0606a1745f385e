// Document servers on this computer: those that respond at the usual ports, and those that DocTray runs in a container. Names,
// versions and images come from other programs, so they are shown as text only. Contains no secret.

import type { EditorKind } from './editors.ts';

/** The products DocTray can start. */
export const documentServerProducts = ['onlyoffice', 'collabora'] as const;
export type DocumentServerProduct = (typeof documentServerProducts)[number];

export const documentServerNames: Record<DocumentServerProduct, string> = {
  collabora: 'Collabora Online',
  onlyoffice: 'ONLYOFFICE Docs',
};

/** Whether data outlasts the container, such as certificates; `documentServers.stop` can delete it. */
export const keepsData: Record<DocumentServerProduct, boolean> = { collabora: false, onlyoffice: true };

/** A document server that `editors.detect` found. */
export interface DetectedServer {
  /** Its URL, without a trailing slash: what `editors.add` takes. */
  url: string;
  /** Null when `problem` kept its discovery from being read. */
  kind: EditorKind | null;
  product: string | null;
  version: string | null;
  /** The connected editor at this URL; null if there is none. */
  editorId: string | null;
  /** The container that publishes its port, as Docker or Podman names it; null if it isn't known to run in one. */
  container: string | null;
  /** Why it can't be connected as it is, such as an untrusted certificate; null if it can. */
  problem: { code: string; sentence: string; remedy: string } | null;
}

export interface Detection {
  /** Those that can be connected come first. */
  servers: DetectedServer[];
}

export const containerEngineNames = ['docker', 'podman'] as const;
export type ContainerEngineName = (typeof containerEngineNames)[number];

export const containerEngineTitles: Record<ContainerEngineName, string> = {
  docker: 'Docker',
  podman: 'Podman',
};

/** Docker's and Podman's own help pages for an engine that isn't ready. */
export const engineHelpUrls = {
  'docker-install': 'https://docs.docker.com/get-started/get-docker/',
  'docker-start': 'https://docs.docker.com/engine/daemon/start/',
  'docker-permission': 'https://docs.docker.com/engine/install/linux-postinstall/',
  'docker-trouble': 'https://docs.docker.com/engine/daemon/troubleshoot/',
  'podman-install': 'https://podman.io/docs/installation',
  'podman-start': 'https://docs.podman.io/en/latest/markdown/podman-machine-start.1.html',
  'podman-trouble': 'https://github.com/containers/podman/blob/main/troubleshooting.md',
} as const;
export type EngineHelp = keyof typeof engineHelpUrls;

/** Docker or Podman, as this user can use it. */
export interface ContainerEngineState {
  name: ContainerEngineName;
  /**
   * `ready`: it works, or it is a Podman that this user has never used, which only a start checks. `missing`: not installed. `stopped`:
   * installed, but its service, Docker Desktop or the Podman machine isn't running. `forbidden`: it runs, but this user may not use it.
   * `failed`: an unexpected response, or none.
   */
  status: 'ready' | 'missing' | 'stopped' | 'forbidden' | 'failed';
  version: string | null;
  /** `virtual-machine`: Docker Desktop or a Podman machine. Null unless it is ready. */
  mode: 'rootful' | 'rootless' | 'virtual-machine' | null;
  /** What was found. */
  sentence: string;
  /** What to do; null if there is nothing to do. */
  remedy: string | null;
  /** For `documentServers.openHelp`; null if there is nothing to do. */
  help: EngineHelp | null;
}

/** DocTray's container for a product. */
export interface DocumentServerItem {
  product: DocumentServerProduct;
  state: 'running' | 'stopped';
  engine: ContainerEngineName;
  /** `doctray-collabora`, `doctray-onlyoffice`. */
  container: string;
  image: string;
  /** The URL for this computer; null if its port isn't published. */
  url: string | null;
  /** The connected editor at that URL. */
  editorId: string | null;
  /** DocTray created the container. Another container of that name is used but never removed. */
  isOwn: boolean;
}

/**
 * `engine`: finds Docker or Podman. `image`: downloads the image. `container`: creates and starts the container. `discovery`:
 * waits until it responds. `connect`: connects it as an editor. `address`: tries the addresses where the container may reach
 * DocTray.
 */
const startSteps = ['engine', 'image', 'container', 'discovery', 'connect', 'address'] as const;
export type StartStep = (typeof startSteps)[number];

/** One start of a document server, from the command to its result. */
export interface DocumentServerStart {
  id: string;
  product: DocumentServerProduct;
  state: 'running' | 'done' | 'failed' | 'canceled';
  step: StartStep;
  /** What it is doing or waiting for; once finished, the result and what to do. */
  sentence: string;
  /** Layers of the download; null in the other steps. A null total isn't known (yet): `done` counts those that have begun. */
  progress: { done: number; total: number | null } | null;
  startedAtMs: number;
  /** Increases with every change to this start. */
  revision: number;
  /** Only for `failed`. */
  error: { code: string; help: EngineHelp | null } | null;
  /** Only for `done`. */
  result: StartedServer | null;
}

export interface StartedServer {
  editorId: string;
  /** The editor's name in DocTray. */
  editorName: string;
  /** The URL for this computer. */
  url: string;
  /** The address where the container reaches DocTray. */
  address: string;
  /** The container was already running. */
  wasRunning: boolean;
  /** The address DocTray listens on because of this start; null if no address was opened. */
  openedHost: string | null;
  /** What else the test found, or couldn't try without a browser; null if both directions work. */
  warning: string | null;
}

/** What a user runs in a terminal to start a document server themselves. */
export interface ContainerCommand {
  command: string;
  /** Where the document server will respond. */
  url: string;
  /** DocTray itself can use Docker or Podman too. */
  isReady: boolean;
  /** The DocTray commands that then connect it, in order, each without the program name. */
  steps: string[];
  /** These steps make DocTray listen on all addresses of this computer. */
  opensAll: boolean;
}

export interface StoppedServer {
  product: DocumentServerProduct;
  container: string;
  /** There was a container, and it was removed. */
  isRemoved: boolean;
  /** Its volume was deleted too. */
  isDataDeleted: boolean;
  /** Names of the editors that were disconnected. */
  disconnected: string[];
}

export interface DocumentServersState {
  /** Null until `documentServers.refresh` or a start has checked. */
  engines: ContainerEngineState[] | null;
  servers: DocumentServerItem[];
  /** Whose images are already in the engine that a start uses. */
  downloaded: DocumentServerProduct[];
  /** The running one, or the last one since DocTray was started. */
  start: DocumentServerStart | null;
}
