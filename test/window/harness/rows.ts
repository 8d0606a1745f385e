// Rows for scenarios: the same on every run.

import type {
  JobItem,
  LockItem,
  SessionItem,
  TokenItem,
  UserItem,
  WindowState,
} from '../../../app/contract/state.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { defaultSettings } from '../../../app/settings/settings.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Repeatable numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 4_294_967_296;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    state = (state ^ (state >>> 15)) >>> 0;
    return state / 4_294_967_296;
  };
}

const people = [
  { login: 'owner', userName: 'Robin Vale' },
  { login: 'ana', userName: 'Ana Ruiz' },
  { login: 'ben', userName: 'Ben Okafor' },
  { login: 'chiyo', userName: 'Chiyo Tanaka' },
  { login: 'dmitri', userName: 'Dmitri Sokolov' },
  { login: 'elif', userName: 'Elif Kaya' },
] as const;
const folders = ['', 'Finance', 'Finance/2026', 'Letters', 'Projects/Harbour bridge', 'Minutes'] as const;
const stems = 'Budget,Minutes,Offer,Contract,Timetable,Report,Letter to the council,Roof plan'.split(',');
const endings = ['docx', 'xlsx', 'odt', 'ods', 'pptx'] as const;
/** As `makeEditor` and `makeCollabora` name them; null: a program that isn't connected. */
const editors = ['ONLYOFFICE Docs', 'Collabora in the cellar', null] as const;

function pick<Item>(items: readonly Item[], at: number): Item {
  const item = items[Math.abs(Math.floor(at)) % items.length];
  if (item === undefined) throw new Error('Nothing to pick from.');
  return item;
}

export function pathOf(index: number): string {
  const folder = pick(folders, index * 7);
  const name = `${pick(stems, index)} ${index + 1}.${pick(endings, index * 3)}`;
  return folder === '' ? name : `${folder}/${name}`;
}

export function person(index: number) {
  return pick(people, index);
}

export function makeLock(index: number, nowMs: number, over: Partial<LockItem> = {}): LockItem {
  const random = createRandom(index + 7);
  const takenAtMs = nowMs - Math.floor(random() * 6 * hour) - minute;
  const refreshedAtMs = Math.min(nowMs, Math.max(takenAtMs, nowMs - Math.floor(random() * 12 * minute)));
  const { login, userName } = person(index);
  return {
    id: `file${index}`,
    path: pathOf(index),
    user: login,
    userName,
    editor: pick(editors, index),
    takenAtMs,
    refreshedAtMs,
    expiresAtMs: refreshedAtMs + 30 * minute,
    lastCallAtMs: refreshedAtMs,
    state: 'held',
    stale: null,
    isSaved: true,
    ...over,
  };
}

export function makeSilentLock(index: number, nowMs: number, quietMs = 22 * minute): LockItem {
  const quietSinceMs = nowMs - quietMs;
  return makeLock(index, nowMs, {
    takenAtMs: quietSinceMs - hour,
    refreshedAtMs: quietSinceMs,
    expiresAtMs: quietSinceMs + 30 * minute,
    lastCallAtMs: quietSinceMs,
    state: 'stale',
    stale: { kind: 'silent', quietSinceMs },
  });
}

export function makeOrphanLock(index: number, nowMs: number): LockItem {
  return makeLock(index, nowMs, { state: 'stale', stale: { kind: 'revoked' } });
}

export function makeSession(index: number, nowMs: number, over: Partial<SessionItem> = {}): SessionItem {
  const random = createRandom(index + 31);
  const sinceMs = nowMs - Math.floor(random() * 8 * hour) - minute;
  const { login, userName } = person(index);
  return {
    id: `session${index}`,
    fileId: `file${index}`,
    path: pathOf(index),
    user: login,
    userName,
    tab: 1,
    mode: index % 4 === 3 ? 'view' : 'edit',
    editor: pick(editors, index),
    address: `192.168.1.${20 + (index % 200)}`,
    sinceMs,
    lastCallAtMs: nowMs - Math.floor(random() * 10 * minute),
    expiresAtMs: sinceMs + 10 * hour,
    calls: Math.floor(random() * 400),
    saves: index % 4 === 3 ? 0 : Math.floor(random() * 40),
    bytesRead: Math.floor(random() * 8_000_000),
    bytesWritten: index % 4 === 3 ? 0 : Math.floor(random() * 4_000_000),
    lockState: index % 4 === 3 ? null : 'held',
    ...over,
  };
}

/** The session that took a lock. */
export function makeSessionOf(lock: LockItem, index: number, nowMs: number): SessionItem {
  const { id: fileId, path, user, userName, editor, takenAtMs, lastCallAtMs } = lock;
  const sinceMs = takenAtMs - 2000;
  return makeSession(index, nowMs, {
    fileId,
    path,
    user: user ?? 'owner',
    userName: userName ?? 'Robin Vale',
    editor,
    mode: 'edit',
    sinceMs,
    lastCallAtMs,
    expiresAtMs: sinceMs + 10 * hour,
    saves: 1 + (index % 9),
    bytesWritten: 40_000 * (1 + (index % 9)),
  });
}

/** The access token of a session, which has its id. */
export function makeTokenOf(session: SessionItem, index: number, nowMs: number): TokenItem {
  const { id, fileId, path, user, userName, mode, sinceMs, lastCallAtMs, expiresAtMs } = session;
  return makeToken(index, nowMs, {
    id,
    kind: 'access',
    fileId,
    path,
    user,
    userName,
    mode,
    createdAtMs: sinceMs - 1000,
    expiresAtMs,
    lastUsedAtMs: lastCallAtMs,
  });
}

const tokenNames = ['Backup script', 'Phone', 'Invoice generator', 'Website', 'Home server'];

export function makeToken(index: number, nowMs: number, over: Partial<TokenItem> = {}): TokenItem {
  const random = createRandom(index + 57);
  const isApi = index % 3 === 0;
  const createdAtMs = nowMs - Math.floor(random() * (isApi ? 20 * day : 9 * hour)) - minute;
  const { login, userName } = person(index);
  return {
    id: `token${index}`,
    kind: isApi ? 'api' : 'access',
    name: isApi ? (tokenNames[(index / 3) % tokenNames.length] ?? null) : null,
    user: login,
    userName,
    fileId: isApi ? null : `file${index}`,
    path: isApi ? null : pathOf(index),
    mode: !isApi && index % 4 === 3 ? 'view' : 'edit',
    createdAtMs,
    expiresAtMs: createdAtMs + (isApi ? 30 * day : 10 * hour),
    lastUsedAtMs: index % 7 === 5 ? null : Math.min(nowMs, createdAtMs + Math.floor(random() * hour)),
    ...over,
  };
}

const operations = 'CheckFileInfo GetFile Lock RefreshLock PutFile Unlock RenameFile'.split(' ');

/** @param files how many documents the requests are about: `file0` and so on */
export function makeActivity(sequence: number, atMs: number, files = 400): ActivityItem {
  const random = createRandom(sequence + 91);
  const status = sequence % 41 === 0 ? 409 : sequence % 97 === 0 ? 401 : 200;
  // By another user than the one who is editing.
  const isRefused = status === 409;
  const operation = isRefused ? 'RenameFile' : pick(operations, random() * operations.length);
  const isContent = operation === 'GetFile' || operation === 'PutFile';
  // A document that somebody has locked.
  const file = Math.floor(random() * (isRefused ? Math.min(files, 8) : files));
  return {
    sequence,
    atMs,
    operation,
    method: operation === 'CheckFileInfo' || operation === 'GetFile' ? 'GET' : 'POST',
    path: `/wopi/files/file${file}${isContent ? '/contents' : ''}`,
    status,
    code: status === 401 ? 'session-over' : isRefused ? 'file-locked' : null,
    durationMs: Math.round(random() * (isContent ? 240 : 12) * 10) / 10,
    fileId: `file${file}`,
    isVersion: false,
    documentPath: pathOf(file),
    user: person(isRefused ? file + 1 : file).login,
    sessionId: isRefused ? null : `session${file}`,
    lock: operation.includes('ock') ? `${file.toString(16)}…` : null,
    correlationId: `c${sequence.toString(36).padStart(8, '0')}`,
    address: `192.168.1.${20 + (file % 50)}`,
    bytesIn: operation === 'PutFile' ? Math.floor(random() * 900_000) : 0,
    bytesOut: operation === 'GetFile' ? Math.floor(random() * 900_000) : 640,
  };
}

/** The same requests at other times, so that the last one about a document is the last call of its lock and its sessions. */
export function atLastCalls(
  items: readonly ActivityItem[],
  { locks, sessions }: Pick<WindowState, 'locks' | 'sessions'>,
): ActivityItem[] {
  const calls = [
    ...locks.map(({ id, lastCallAtMs }) => ({ fileId: id, lastCallAtMs })),
    ...sessions.map(({ fileId, lastCallAtMs }) => ({ fileId, lastCallAtMs })),
  ];
  const latest = (times: number[]) => Math.max(...times);
  return [...Map.groupBy(items, ({ fileId }) => fileId)]
    .flatMap(([fileId, requests]) => {
      const known = calls.filter((call) => call.fileId === fileId).map(({ lastCallAtMs }) => lastCallAtMs);
      if (known.length === 0) return requests;
      const laterMs = latest(known) - latest(requests.map(({ atMs }) => atMs));
      return requests.map((item) => ({ ...item, atMs: item.atMs + laterMs }));
    })
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((item, index) => ({ ...item, sequence: index + 1 }));
}

/** A running job, which can be canceled. */
export function makeJob(over: Pick<JobItem, 'id' | 'title' | 'done' | 'total'>): JobItem {
  return { unit: 'files', canCancel: true, state: 'running', sentence: null, ...over };
}

function makeUsers(nowMs: number): UserItem[] {
  const viewer = { login: 'farid', userName: 'Farid Nasser' };
  return [...people, viewer].map(({ login, userName }, index) => ({
    id: `user${index}`,
    login,
    displayName: userName,
    role: index === 0 ? 'owner' : login === viewer.login ? 'viewer' : 'editor',
    createdAtMs: nowMs - (40 - index) * day,
  }));
}

/** A host that is serving, with nothing going on. */
export function makeQuietState(nowMs: number): WindowState {
  return {
    app: {
      name: 'DocTray',
      version: '0.1.0',
      platform: 'linux',
      versions: { Electron: '45.4.1', Chromium: '148.0', Node: '24.21.0', SQLite: '3.51.0' },
      dataDir: '/home/robin/.local/share/doctray',
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
      folder: '/home/robin/Documents',
      folderName: 'Documents',
      warning: null,
      isDiskLow: false,
      baseUrl: 'http://127.0.0.1:8790',
      fixedHost: null,
      fixedPort: null,
      publicUrl: 'http://192.168.1.14:8790',
      pausedUntilMs: null,
      needsListenerRestart: false,
      startedAtMs: nowMs - 5 * hour,
      owner: 'owner',
      secrets: { kind: 'keychain', description: 'The keychain of this account (Secret Service)' },
      tls: { mode: 'off', names: [], validUntilMs: null, problem: null, authorityFingerprint: null },
    },
    settings: {
      ...defaultSettings,
      folder: '/home/robin/Documents',
      host: '0.0.0.0',
      publicUrl: 'http://192.168.1.14:8790',
    },
    recent: [],
    users: makeUsers(nowMs),
    editors: [],
    documentServers: { engines: null, servers: [], downloaded: [], start: null },
    locks: [],
    sessions: [],
    tokens: [],
    recovered: [],
    conflicts: [],
    jobs: [],
  };
}
