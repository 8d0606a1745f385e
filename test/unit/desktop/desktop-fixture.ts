// A window state for the tray and the system modules, and small fakes of Electron’s objects.

import type {
  ConflictItem,
  HostState,
  LockItem,
  RecoveredItem,
  WindowState,
} from '../../../app/contract/state.ts';
import type { SettingsState } from '../../../app/contract/settings.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { defaultSettings } from '../../../app/settings/settings.ts';
import type { Question } from '../../../app/desktop/desktop.ts';

export const noonMs = new Date(2026, 2, 4, 12, 0, 0).getTime();

export interface StateChoice {
  host?: Partial<HostState>;
  settings?: Partial<SettingsState>;
  locks?: LockItem[];
  recovered?: RecoveredItem[];
  conflicts?: ConflictItem[];
  recent?: string[];
  editors?: EditorItem[];
}

export function stateOf(choice: StateChoice = {}): WindowState {
  return {
    app: {
      name: 'DocTray',
      version: '1.0.0',
      platform: 'linux',
      versions: {},
      dataDir: '/data',
      isInBrowser: false,
      startsAtLogin: false,
      hasTray: true,
      isFirstRun: false,
      update: null,
      hasCrashed: false,
    },
    host: {
      status: 'serving',
      problem: null,
      folder: '/home/ana/Documents',
      folderName: 'Documents',
      warning: null,
      baseUrl: 'http://127.0.0.1:8790',
      publicUrl: 'http://192.168.1.7:8790',
      pausedUntilMs: null,
      needsListenerRestart: false,
      startedAtMs: noonMs - 60_000,
      owner: 'owner',
      secrets: null,
      fixedHost: null,
      fixedPort: null,
      tls: null,
      ...choice.host,
    },
    settings: { ...defaultSettings, folder: '/home/ana/Documents', ...choice.settings },
    recent: (choice.recent ?? []).map((path) => ({ path, openedAtMs: noonMs })),
    users: [],
    documentServers: { engines: null, servers: [], downloaded: [], start: null },
    editors: choice.editors ?? [],
    locks: choice.locks ?? [],
    sessions: [],
    tokens: [],
    recovered: choice.recovered ?? [],
    conflicts: choice.conflicts ?? [],
    jobs: [],
  };
}

export function lock(path: string, change: Partial<LockItem> = {}): LockItem {
  return {
    id: `id-${path}`,
    path,
    user: 'ana',
    userName: 'Ana',
    editor: null,
    takenAtMs: noonMs - 30 * 60_000,
    refreshedAtMs: noonMs - 20 * 60_000,
    expiresAtMs: noonMs + 10 * 60_000,
    lastCallAtMs: noonMs - 20 * 60_000,
    state: 'held',
    stale: null,
    isSaved: true,
    ...change,
  };
}

export function staleLock(path: string, change: Partial<LockItem> = {}): LockItem {
  const stale = { kind: 'silent' as const, quietSinceMs: noonMs - 20 * 60_000 };
  return lock(path, { state: 'stale', stale, ...change });
}

export function recovered(path: string, change: Partial<RecoveredItem> = {}): RecoveredItem {
  return {
    id: `recovered-${path}`,
    path,
    size: 7,
    reason: 'The disk was full.',
    receivedAtMs: noonMs,
    isUnreadable: false,
    ...change,
  };
}

export function editor(name: string, change: Partial<EditorItem> = {}): EditorItem {
  return {
    id: `id-${name}`,
    name,
    url: 'http://localhost:9980',
    kind: 'collabora',
    product: 'Collabora Online',
    version: '25.4',
    publicUrl: null,
    effectiveUrl: 'http://127.0.0.1:8790',
    isAwaitingConfirmation: false,
    proofMode: 'if-present',
    hasProofKeys: true,
    allowedAddresses: [],
    acceptsOtherHosts: false,
    types: [{ extension: 'odt', actions: ['view', 'edit'] }],
    defaultFor: [],
    opens: ['odt'],
    addedAtMs: noonMs,
    discoveredAtMs: noonMs,
    problem: null,
    lastTest: null,
    ...change,
  };
}

export function conflict(path: string): ConflictItem {
  return { id: `${path} copy`, path, copy: `${path} copy`, madeAtMs: noonMs };
}

/** What no page of the app may do. @see Electron's security checklist, 2 to 11 */
export const sandboxed = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  plugins: false,
  navigateOnDragDrop: false,
  spellcheck: false,
  devTools: false,
};

/** Collects the text of warnings and errors. */
export function quietLog(): {
  info: () => void;
  warn: (fields: object, text: string) => void;
  error: (fields: object, text: string) => void;
  lines: string[];
} {
  const lines: string[] = [];
  const add = (_fields: object, text: string): void => void lines.push(text);
  return { info: () => undefined, warn: add, error: add, lines };
}

/** Collects questions. Each stays open until the test answers it. */
export function questions(): {
  ask: (question: Question) => Promise<number>;
  open: Question[];
  answer(index: number): Promise<void>;
} {
  const open: Question[] = [];
  const answers: ((index: number) => void)[] = [];
  return {
    open,
    ask(question) {
      open.push(question);
      return new Promise((resolve) => void answers.push(resolve));
    },
    async answer(index) {
      open.shift();
      answers.shift()?.(index);
      await settled();
    },
  };
}

/** Waits until pending promises and callbacks have run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}
