// Runs the steps of a sequence on a real host: sends requests over HTTP, changes files on disk as another program, and reads the
// folder. One host serves all sequences; each has its own folder with two documents, `a.docx` and an empty `b.docx`, and issues
// the tokens it uses.

import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../app/contract/errors.ts';
import { startTestHost } from '../server/test-host.ts';
import type { TestHost } from '../server/test-host.ts';
import { fileKeys } from './choices.ts';
import { bodyOf, contentOf } from './contents.ts';
import { newFile } from './model-state.ts';
import type { Answer, ModelState, Request } from './model-state.ts';
import { recover } from './recovery.ts';
import { addUsers, createTestTokens } from './test-tokens.ts';
import type { TestUsers } from './test-tokens.ts';
import { openTestStorage } from './test-storage.ts';
import type { TestStorage } from './test-storage.ts';
import { callHost } from './wopi-call.ts';

export interface DiskFile {
  content: string;
  mtimeNs: bigint;
}

/** The files in the sequence's folder by name. */
export type Disk = ReadonlyMap<string, DiskFile>;

export interface Driver {
  initial: ModelState;
  /** `name` is what a RenameFile or PutRelativeFile requests. */
  request(request: Request, name: string): Promise<Answer>;
  disk(): Promise<Disk>;
  /** Another program writes: into the same inode, or by a rename as most programs do. */
  writeOutside(name: string, content: string, inPlace: boolean): void;
  deleteOutside(name: string): void;
  renameOutside(from: string, to: string): void;
  forceClear(file: string): Promise<'force-clear' | 'not-cleared'>;
  undoClear(file: string): Promise<'undo-restored' | 'undo-taken' | 'undo-too-late'>;
  revoke(token: string): void;
  /** Cuts the connection in the middle of a PutFile. */
  abortPut(file: string, token: string, lock: string): Promise<void>;
  /** Contents that are in versions and recovered saves; empties the list of recovered saves. */
  recover(how: 'read' | 'restore'): Promise<Set<string>>;
  end(): Promise<void>;
}

/** One host with its users, shared by all sequences. */
export interface SharedHost {
  storage: TestStorage;
  test: TestHost;
  users: TestUsers;
}

/** The host's clock only moves by steps, so that a lock can be one millisecond from its expiry. */
export async function openSharedHost(): Promise<SharedHost & { close(): Promise<void> }> {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const storage = await openTestStorage();
  const test = await startTestHost();
  return {
    storage,
    test,
    users: await addUsers(test),
    async close() {
      await test.stop();
      await storage.close();
      mock.timers.reset();
    },
  };
}

const temporary = /^\.~/;

export async function startSequence(shared: SharedHost, number: number): Promise<Driver> {
  const { test, users } = shared;
  const folderName = `s${number}`;
  const folder = join(test.folder, folderName);
  await mkdir(folder);
  writeFileSync(join(folder, 'a.docx'), bodyOf('first'));
  writeFileSync(join(folder, 'b.docx'), '');
  const ids: Record<string, string> = {};
  for (const key of fileKeys) {
    ids[key] = (await test.host.services.folder()!.openPath(`${folderName}/${key}.docx`)).id;
  }

  const tokens = createTestTokens(test, users, ids);
  const initial: ModelState = {
    nowMs: test.clock.now(),
    files: { a: newFile('a.docx', 'first'), b: newFile('b.docx', '') },
    tokens: tokens.states,
    extras: [],
    kept: [],
  };

  let turn = 0;
  return {
    initial,

    request(request, name) {
      turn += 1;
      const fileId = ids[request.file]!;
      const { token } = tokens.mint(request.token);
      return callHost(request, { test, fileId, token, name, sendsEmptyLock: turn % 2 === 0 });
    },

    async disk() {
      for (let attempt = 0; ; attempt += 1) {
        const names = readdirSync(folder);
        // An interrupted upload may take a moment to clean up, and must leave nothing.
        if (names.some((name) => temporary.test(name)) && attempt < 3000) await sleep(10);
        else {
          return new Map(
            names.map((name) => {
              const path = join(folder, name);
              return [
                name,
                { content: contentOf(readFileSync(path)), mtimeNs: statSync(path, { bigint: true }).mtimeNs },
              ];
            }),
          );
        }
      }
    },

    writeOutside(name, content, inPlace) {
      const path = join(folder, name);
      if (inPlace) return writeFileSync(path, bodyOf(content));
      writeFileSync(`${folder}.tmp`, bodyOf(content));
      renameSync(`${folder}.tmp`, path);
    },

    deleteOutside(name) {
      rmSync(join(folder, name));
    },

    renameOutside(from, to) {
      renameSync(join(folder, from), join(folder, to));
    },

    async forceClear(file) {
      try {
        await test.host.services.locks.forceClear(ids[file]!, users.owner.login);
        return 'force-clear';
      } catch (error) {
        if (error instanceof AppError && error.code === 'file-not-locked') return 'not-cleared';
        throw error;
      }
    },

    async undoClear(file) {
      return `undo-${await test.host.services.locks.undoForceClear(ids[file]!, users.owner.login)}`;
    },

    revoke(token) {
      test.host.services.accessTokens.revoke(tokens.mint(token).id);
    },

    async abortPut(file, token, lock) {
      const { hostname, port } = new URL(test.baseUrl);
      const socket = connect(Number(port), hostname);
      const head = [
        `POST /wopi/files/${ids[file]}/contents?access_token=${tokens.mint(token).token} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        'X-WOPI-Override: PUT',
        `X-WOPI-Lock: ${lock}`,
        'Content-Length: 200000',
      ];
      socket.on('error', () => undefined);
      const isSent = new Promise((resolve) =>
        socket.write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(70_000)}`, resolve),
      );
      await isSent;
      await sleep(5);
      socket.resetAndDestroy();
    },

    recover: (how) => recover(test, Object.values(ids), { how, trashedFiles: shared.storage.trashedFiles }),

    async end() {
      await rm(folder, { recursive: true, force: true });
      for (const id of Object.values(ids)) {
        await rm(join(test.dataDir, 'versions', id), { recursive: true, force: true });
      }
    },
  };
}
