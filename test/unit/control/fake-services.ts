// A stand-in for the host's services, typed by what the commands need of them. The database is real and empty.

import assert from 'node:assert/strict';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { User } from '../../../app/accounts/user.ts';
import { createDocumentServers } from '../../../app/containers/document-servers.ts';
import { AppError } from '../../../app/contract/errors.ts';
import { createEvents } from '../../../app/contract/events.ts';
import type { ControlServices, RunningHost } from '../../../app/control/control-services.ts';
import type { LockSummary } from '../../../app/wopi/locks.ts';
import type { ReachableAddress } from '../../../app/contract/editors.ts';
import { EditorFault, unreachable } from '../../../app/editors/editor-fault.ts';
import { createEditors } from '../../../app/editors/editors.ts';
import type { HostedFile, FoundFile } from '../../../app/files/document-index.ts';
import { loadSettings } from '../../../app/settings/load-settings.ts';
import { createTls, type TlsService } from '../../../app/tls/tls-service.ts';
import { openStore } from '../../../app/store/open-store.ts';

export interface FakeHost {
  dataDir: string;
  folder: string;
  services: ControlServices;
  host: RunningHost;
  tls: TlsService;
  /** Addresses at which no document server answers. */
  unreachable: Set<string>;
  /** What the commands did, in words. */
  done: string[];
  locks: LockSummary[];
  setNow(atMs: number): void;
  remove(): Promise<void>;
}

const startedAtMs = Date.UTC(2026, 10, 21, 5);

export async function makeFakeHost(files: string[] = ['letter.docx', 'sub/sheet.xlsx']): Promise<FakeHost> {
  const root = await mkdtemp(join(tmpdir(), 'doctray-control-'));
  const dataDir = join(root, 'data');
  const folder = join(root, 'hosted');
  await mkdir(dataDir, { mode: 0o700 });
  for (const path of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
  let nowMs = startedAtMs;
  const store = openStore({ dataDir, clock: () => nowMs, onNotice: () => undefined });
  const done: string[] = [];
  const locks: LockSummary[] = [];
  const owner: User = {
    id: 'u1',
    login: 'owner',
    displayName: 'owner',
    role: 'owner',
    createdAtMs: startedAtMs,
  };
  const ids = new Map(files.map((path, index) => [path, `${index}`.padStart(22, 'f')]));
  const hosted = (path: string): HostedFile => ({
    id: ids.get(path) ?? '',
    path,
    name: path.split('/').at(-1) ?? '',
    size: path.length,
    itemVersion: '1.aa',
    lastModifiedMs: startedAtMs,
  });

  const away = new Set<string>();
  let editorIds = 0;
  const editors = createEditors({
    db: store.db,
    clock: () => nowMs,
    emit: () => undefined,
    log: { info: () => undefined, warn: () => undefined },
    newId: () => `0000000${(editorIds += 1)}`,
    fetchDiscovery(url) {
      if (away.has(url))
        return Promise.reject(unreachable(new EditorFault('refused', 'Refused.', 'Start it.')));
      const action = { app: 'Word', extension: 'docx', urlsrc: `${url}/page`, isDefault: true };
      return Promise.resolve({
        kind: 'onlyoffice',
        product: 'ONLYOFFICE Docs',
        version: null,
        discovery: {
          actions: [
            { ...action, name: 'view' },
            { ...action, name: 'edit' },
          ],
          proofKeys: null,
        },
      });
    },
  });
  const address: ReachableAddress = {
    url: 'http://192.168.1.5:1',
    kind: 'interface',
    interfaceName: 'eth0',
    network: '192.168.1.0/24',
    sentence: 'Machines there.',
    isListening: false,
    neededHost: '192.168.1.5',
  };
  const baseUrlOf = (editorId: string | null): string =>
    (editorId === null ? undefined : editors.byId(editorId)?.publicUrl) ?? 'http://127.0.0.1:1';

  const settings = await loadSettings({ dataDir });
  const tlsSecrets = new Map<string, string>();
  const events = createEvents((error) => assert.fail(String(error)));
  const tls = createTls({
    dataDir,
    settings,
    events,
    secrets: {
      get: (name) => Promise.resolve(tlsSecrets.get(name)),
      set: (name, value) => Promise.resolve(void tlsSecrets.set(name, value)),
    },
    clock: () => nowMs,
    names: () => ['localhost'],
    log: { info: () => undefined, warn: () => undefined },
  });

  const services: ControlServices = {
    editors,
    events,
    detectEditors: () => Promise.resolve({ servers: [], checkedCount: 0 }),
    documentServers: createDocumentServers({
      editors,
      secrets: {
        get: () => Promise.resolve(undefined),
        set: () => Promise.resolve(),
        delete: () => Promise.resolve(),
      },
      fetchDiscovery: () => Promise.reject(new AppError('editor-unreachable')),
      clock: () => nowMs,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      newId: () => 'start-1',
      engines: { find: () => Promise.resolve({ states: [], ready: [] }) },
    }),
    clock: () => nowMs,
    settings,
    tls,
    secrets: { kind: 'file', description: 'a file' },
    store,
    users: {
      list: () => [owner],
      byLogin: (login) => (login === 'owner' ? owner : undefined),
      add(input) {
        done.push(`add ${input.login} ${input.role} ${input.displayName ?? '-'} ${input.password}`);
        return Promise.resolve({ ...owner, login: input.login, role: input.role });
      },
      remove: (login) => void done.push(`remove ${login}`),
      setPassword(login, password) {
        done.push(`password ${login} ${password}`);
        return Promise.resolve();
      },
    },
    apiTokens: {
      list: () => [
        {
          id: 'a1',
          userId: 'u1',
          userLogin: 'owner',
          userName: 'Owner',
          createdAtMs: 1,
          expiresAtMs: startedAtMs,
          lastUsedAtMs: null,
        },
      ],
      revoke: (id) => id === 'a1',
    },
    accessTokens: {
      list: () => [
        {
          id: 't1',
          fileId: hosted('letter.docx').id,
          userId: 'u1',
          userLogin: 'owner',
          userName: 'Owner',
          mode: 'edit',
          createdAtMs: 1,
          expiresAtMs: startedAtMs,
        },
      ],
      revoke: (id) => id === 't1',
    },
    sessions: { list: () => [] },
    folder: () => ({
      root: folder,
      jail: {
        requireRoot: () => Promise.resolve(),
        openFolder: () => Promise.resolve(undefined),
        isRemote: false,
      },
      openPath(path) {
        return ids.has(path) ? Promise.resolve(hosted(path)) : Promise.reject(new AppError('file-missing'));
      },
      find(id) {
        const path = [...ids].find((entry) => entry[1] === id)?.[0];
        const found = { row: { id, path, version: 1, createdAtMs: 0 }, stats: { size: 1n, mtimeNs: 0n } };
        return Promise.resolve(path === undefined ? undefined : (found as FoundFile));
      },
    }),
    versions: {
      list: () => [],
      restore(fileId, version) {
        if (version !== '1') return Promise.reject(new AppError('version-unknown'));
        done.push(`restore ${fileId} ${version}`);
        return Promise.resolve(hosted('letter.docx'));
      },
    },
    recoveredSaves: {
      list: () => [],
      restore: (id) => Promise.resolve(`restored ${id}`),
      discard: (id) => Promise.resolve(void done.push(`discard ${id}`)),
    },
    locks: {
      list: () => locks,
      forceClear(fileId, by) {
        const at = locks.findIndex((lock) => lock.fileId === fileId);
        const [cleared] = at < 0 ? [] : locks.splice(at, 1);
        if (cleared === undefined) return Promise.reject(new AppError('file-not-locked'));
        done.push(`clear ${cleared.path} by ${by}`);
        return Promise.resolve(cleared);
      },
    },
  };

  return {
    dataDir,
    folder,
    tls,
    services,
    host: {
      baseUrl: 'http://127.0.0.1:1',
      publicUrl: () => 'http://127.0.0.1:1',
      baseUrlOf,
      async openInEditor({ user, path, mode, editorId }) {
        const { editor } = editors.choose({
          extension: path.split('.').at(-1) ?? '',
          size: 1,
          mode,
          editorId,
        });
        done.push(`open ${path} to ${mode} in ${editor.name} for ${user.login}`);
        return {
          fileId: hosted(path).id,
          path,
          editorId: editor.id,
          editorName: editor.name,
          url: `http://127.0.0.1:1/edit/${hosted(path).id}?ticket=t`,
        };
      },
      testEditor: (editorId) => Promise.resolve({ editorId, testedAtMs: nowMs, isGood: false, steps: [] }),
      lastTest: () => undefined,
      addresses: () => [address],
      useAddress(editorId, url) {
        if (url !== null && url !== address.url) return Promise.reject(new AppError('address-unknown'));
        editors.change(editorId, { publicUrl: url });
        return Promise.resolve();
      },
      listensOn: () => '127.0.0.1',
      tryAddress: () => Promise.resolve({ keep: () => Promise.resolve(), undo: () => Promise.resolve() }),
      closeContainerAddress: () => Promise.resolve(),
      textEditorProblem: () => Promise.resolve(undefined),
      openDocument: ({ user, path, mode }) =>
        Promise.resolve({
          fileId: hosted(path).id,
          wopiSrc: `http://127.0.0.1:1/wopi/files/${hosted(path).id}`,
          accessToken: `token of ${user.login} for ${mode}`,
          accessTokenTtl: startedAtMs,
          hostEditUrl: 'http://127.0.0.1:1/edit',
          hostViewUrl: 'http://127.0.0.1:1/view',
        }),
    },
    unreachable: away,
    done,
    locks,
    setNow: (atMs) => (nowMs = atMs),
    async remove() {
      editors.close();
      store.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export function lockOn(path: string, fileId: string): LockSummary {
  return {
    fileId,
    path,
    user: 'owner',
    userName: 'Owner',
    editorName: null,
    takenAtMs: startedAtMs,
    refreshedAtMs: startedAtMs,
    expiresAtMs: startedAtMs + 1_800_000,
    state: 'held',
    staleKind: null,
    reason: null,
    lastCallAtMs: startedAtMs,
    quietSinceMs: startedAtMs,
  };
}
