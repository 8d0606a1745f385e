// The interface of a running host.

import type { AppError } from '../contract/errors.ts';
import type { EditorCommands } from '../editors/editor-addresses.ts';
import type { OpenDocument, OpenInEditor } from '../server/document-access.ts';
import type { TextEditorHosting } from '../text-editor/text-editor-listener.ts';
import type { TlsService } from '../tls/tls-service.ts';
import type { Services } from './services.ts';

export interface RunningState {
  status: 'idle' | 'serving' | 'paused' | 'error' | 'stopping';
  problem: AppError | undefined;
  /** Null while not paused, and while paused until somebody resumes it. */
  pausedUntilMs: number | null;
  /** The settings name another address than the one that is listened on. */
  needsListenerRestart: boolean;
  startedAtMs: number;
}

export interface RunningHost extends EditorCommands {
  services: Services;
  /** Where it listens. */
  readonly baseUrl: string;
  /** The address editors are given. */
  publicUrl(): string;
  openDocument: OpenDocument;
  openInEditor: OpenInEditor;
  textEditorProblem: TextEditorHosting['problem'];
  tls: TlsService;
  state(): RunningState;
  /**
   * Serves another folder; documents open in the one before still save. Remembered in the settings.
   * @throws AppError folder-invalid, settings-invalid with nothing changed
   */
  useFolder(path: string): Promise<void>;
  /** Starts to end the process, as a signal does. */
  quit(): void;
  /** Refuses new opens, not saves; null: until resumed. */
  pause(untilMs: number | null): void;
  resume(): void;
  /** Opens the port by the settings of now. @throws AppError port-taken, address-unavailable, port-forbidden */
  reopen(): Promise<void>;
  /** The machine was asleep: staleness counts from now, and listener, folder and lapsed locks are looked at. */
  noteWake(): Promise<void>;
  /** Saves that are being received or written. */
  runningSaves(): number;
  /** Finishes running requests for at most that long, writes the database and closes. A later call can shorten the wait. */
  stop(options?: { limitMs: number }): Promise<void>;
  /** For a stop that hangs: the process must end right after. */
  closeDatabase(): void;
}

/** What `startHost` returns: the running host and its owner's login. */
export interface Host extends RunningHost {
  ownerLogin: string;
  /** Only on the first run, and only if it wasn't given. */
  generatedOwnerPassword?: string;
}
