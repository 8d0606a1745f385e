// What a host is started with, and the interface of a running one.

import type { AppError } from '../contract/errors.ts';
import type { ColleagueLink } from '../contract/results.ts';
import type { ConnectionTestDeps } from '../editors/connection-test.ts';
import type { EditorCommands } from '../editors/editor-addresses.ts';
import type { Probes } from '../editors/probes.ts';
import type { PagesBuild } from '../server/pages/built-pages.ts';
import type { OpenDocument, OpenInEditor, OpenVersion } from '../server/document-access.ts';
import type { Settings } from '../settings/settings.ts';
import type { TextEditorHosting } from '../text-editor/text-editor-listener.ts';
import type { TlsService } from '../tls/tls-service.ts';
import type { ServiceOptions, Services } from './services.ts';

export interface RunningState {
  status: 'idle' | 'serving' | 'paused' | 'error' | 'stopping';
  problem: AppError | undefined;
  /** What users can't do with the folder's documents and why, in sentences. */
  folderWarning: string | undefined;
  /** Less space is free than the settings require, on the folder's disk or the data folder's. */
  isDiskLow: boolean;
  /** Null while not paused, and while paused without a time limit. */
  pausedUntilMs: number | null;
  /** The settings contain another address than the listening one. */
  needsListenerRestart: boolean;
  startedAtMs: number;
}

export type ListenAddress = Pick<Settings, 'host' | 'port'>;

export interface RunningHost extends EditorCommands {
  services: Services;
  readonly ownerLogin: string;
  /** A link to the dashboard, valid once. @throws AppError port-taken, address-unavailable, port-forbidden */
  createDashboardLink(): Promise<string>;
  /** The listening address. */
  readonly baseUrl: string;
  /** The base address for editors. */
  publicUrl(): string;
  /** Where other computers open host pages, or the settings that prevent it. */
  colleagueUrl(): Pick<ColleagueLink, 'url' | 'settings'>;
  openDocument: OpenDocument;
  openInEditor: OpenInEditor;
  openVersion: OpenVersion;
  textEditorProblem: TextEditorHosting['problem'];
  /** Shows whether a request reached this host. */
  probes: Pick<Probes, 'begin'>;
  tls: TlsService;
  state(): RunningState;
  /**
   * Serves another folder; open documents of the previous one can still be saved. Saved in the settings.
   * @throws AppError folder-invalid, settings-invalid with nothing changed
   */
  useFolder(path: string): Promise<void>;
  /** Starts to end the process, as a signal does. */
  quit(): void;
  /** Refuses new opens, not saves; null: until resumed. */
  pause(untilMs: number | null): void;
  resume(): void;
  /** Listens again with the current settings. @throws AppError port-taken, address-unavailable, port-forbidden */
  reopen(): Promise<void>;
  /**
   * Saves an address in the settings, and listens there from now on. An address that doesn't exist is saved for later.
   * @returns whether it listens there now, having listened elsewhere
   * @throws AppError setting-invalid, port-taken, port-forbidden with nothing saved
   */
  listenAt(address: Partial<ListenAddress>): Promise<boolean>;
  /** The bind address that it was started with, which overrides the setting; null if it wasn't. */
  fixedHost: string | null;
  /** The same for the port; 0: any free one. */
  fixedPort: number | null;
  /** The address that `listenAt` saved for later, until it listens there. */
  awaitedHost(): string | undefined;
  /** The computer was asleep: staleness counts from now, and listener, folder and lapsed locks are checked. */
  noteWake(): Promise<void>;
  /** Saves that are being received or written. */
  runningSaves(): number;
  /** Waits at most `limitMs` for running requests, writes the database and closes. A later call can shorten the wait. */
  stop(options?: { limitMs: number }): Promise<void>;
  /** For a stop that hangs: the process must exit right after. */
  closeDatabase(): void;
}

export interface HostOptions extends ServiceOptions {
  /** Listening address or name, instead of the setting. */
  host?: string | undefined;
  /** Port instead of the setting; 0: any free one. */
  port?: number | undefined;

  /** Login of the owner that a first run creates. */
  ownerLogin?: string;
  ownerPassword?: string;
  /** The built pages, if they aren't in `out/` or have to be built first. */
  pagesBuild?: PagesBuild;
  /** How users invoke DocTray in a terminal, for the dashboard's pages; `doctray` if not given. */
  command?: string;
  /** `--data` and the folder, if it was given. */
  dataOption?: string | undefined;
  /** Ends the process that the host runs in, without questions; without it only the host stops. */
  onQuit?: () => void;
  /** Shows an editor's page in a hidden window, for the connection test; without it a plain request is sent. */
  showPage?: NonNullable<ConnectionTestDeps['showPage']>;
}

/** What `startHost` returns. */
export interface Host extends RunningHost {
  /** Only on the first run, and only if it wasn't given. */
  generatedOwnerPassword?: string;
}
