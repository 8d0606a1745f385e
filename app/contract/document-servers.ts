// Document servers on this computer: those that answer at the usual ports, and those that DocTray runs in a container. Names,
// versions and images are other programs' words, so they are shown as text only. No secret is part of it.

import type { EditorKind } from './editors.ts';

/** The products that DocTray can start. */
export const documentServerProducts = ['collabora', 'onlyoffice'] as const;
export type DocumentServerProduct = (typeof documentServerProducts)[number];

export const documentServerNames: Record<DocumentServerProduct, string> = {
  collabora: 'Collabora Online',
  onlyoffice: 'ONLYOFFICE Docs',
};

/** Whether there is data that outlasts the container, such as certificates; `documentServers.stop` can delete it. */
export const keepsData: Record<DocumentServerProduct, boolean> = { collabora: false, onlyoffice: true };

/** A document server that `editors.detect` found. */
export interface DetectedServer {
  /** Where it answers, without a slash at its end: what `editors.add` takes. */
  url: string;
  /** Null where `problem` kept its discovery from being read. */
  kind: EditorKind | null;
  product: string | null;
  version: string | null;
  /** The connected editor at this address; null where none is. */
  editorId: string | null;
  /** The container that publishes its port, as Docker or Podman names it; null where it isn't known to be one. */
  container: string | null;
  /** Why it can't be connected as it is, such as a certificate that isn't trusted; null where it can. */
  problem: { code: string; sentence: string; remedy: string } | null;
}

export interface Detection {
  /** Those that can be connected first. */
  servers: DetectedServer[];
  /** How many ports were asked. */
  checkedCount: number;
}

export const containerEngineNames = ['docker', 'podman'] as const;
export type ContainerEngineName = (typeof containerEngineNames)[number];

export const containerEngineTitles: Record<ContainerEngineName, string> = {
  docker: 'Docker',
  podman: 'Podman',
};

/** Pages of Docker's and Podman's makers: what to do about an engine that isn't ready. */
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
   * `missing`: not installed. `stopped`: installed, but its service, Docker Desktop or the Podman machine isn't running.
   * `forbidden`: it runs, and this user may not use it. `failed`: it answered something else, or nothing at all.
   */
  status: 'ready' | 'missing' | 'stopped' | 'forbidden' | 'failed';
  version: string | null;
  /** `virtual-machine`: Docker Desktop or a Podman machine. Null unless it is ready. */
  mode: 'rootful' | 'rootless' | 'virtual-machine' | null;
  /** What was found. */
  sentence: string;
  /** What to do; null where nothing is to be done. */
  remedy: string | null;
  /** For `documentServers.openHelp`; null where nothing is to be done. */
  help: EngineHelp | null;
}

/** A container that DocTray has for a product. */
export interface DocumentServerItem {
  product: DocumentServerProduct;
  state: 'running' | 'stopped';
  engine: ContainerEngineName;
  /** `doctray-collabora`, `doctray-onlyoffice`. */
  container: string;
  image: string;
  /** Where this computer reaches it; null where its port isn't published. */
  url: string | null;
  /** The connected editor at that address. */
  editorId: string | null;
  /** DocTray created the container; any other one of that name is used, but never removed. */
  isOwn: boolean;
}

/**
 * `engine`: looks for Docker or Podman. `image`: downloads the image. `container`: creates and starts the container.
 * `discovery`: waits until it answers. `connect`: connects it as an editor. `address`: tries the addresses under which the
 * container may reach DocTray.
 */
export const startSteps = ['engine', 'image', 'container', 'discovery', 'connect', 'address'] as const;
export type StartStep = (typeof startSteps)[number];

/** One start of a document server, from the command to its end. */
export interface DocumentServerStart {
  id: string;
  product: DocumentServerProduct;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  step: StartStep;
  /** What it is doing or waiting for; when it has ended, what came of it and what to do. */
  sentence: string;
  /** Of the download; null in the other steps. A total of null isn't known (yet). */
  progress: { done: number; total: number | null; unit: 'bytes' | 'layers' } | null;
  startedAtMs: number;
  /** Changes with every change of this start. */
  revision: number;
  /** For `failed`. */
  error: { code: string; help: EngineHelp | null } | null;
  /** For `done`. */
  result: StartedServer | null;
}

export interface StartedServer {
  editorId: string;
  /** As the editor is called in DocTray. */
  editorName: string;
  /** Where this computer reaches it. */
  url: string;
  /** Under which the container reaches DocTray. */
  address: string;
  /** The container was running already. */
  wasRunning: boolean;
  /** The address that DocTray listens on because of this start; null where nothing was opened. */
  openedHost: string | null;
  /** What the test found besides, or could not try without a browser; null where both directions work. */
  warning: string | null;
}

/** What a user runs in a terminal to start a document server themselves. */
export interface ContainerCommand {
  command: string;
  /** Where the document server answers then. */
  url: string;
  /** Docker or Podman can be used by DocTray as well. */
  isReady: boolean;
  /** What connects it then: commands of DocTray, one after the other, each without the program's name. */
  steps: string[];
  /** These steps make DocTray listen on all addresses of this computer. */
  opensAll: boolean;
}

export interface StoppedServer {
  product: DocumentServerProduct;
  container: string;
  /** There was a container, and it is gone. */
  isRemoved: boolean;
  /** Its volume was deleted as well. */
  isDataDeleted: boolean;
  /** Names of the editors that were disconnected. */
  disconnected: string[];
}

export interface DocumentServersState {
  /** Null until `documentServers.refresh` or a start has looked. */
  engines: ContainerEngineState[] | null;
  servers: DocumentServerItem[];
  /** The running one, or the last one since DocTray was started. */
  start: DocumentServerStart | null;
}
