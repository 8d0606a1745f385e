// Secrets in the operating system's keychain, by keytar: Secret Service on Linux, Keychain on macOS, Credential Manager on
// Windows. A locked keychain may wait for a user who isn't there, so every call has a time limit; and it may report "no such
// entry" for one it won't open, so an entry counts as absent only while the marker can be read.

import type * as keytarModule from 'keytar';
import { AppError } from '../contract/errors.ts';
import type { Secrets } from './secrets.ts';

const service = 'DocTray';
const markerName = 'marker';
const probeName = 'probe';
export const defaultKeychainTimeoutMs = 5000;

interface KeychainDeps {
  dataFolderId: string;
  /** The time limit for one call, and for the whole first probe. */
  timeoutMs: number;
}

type Keytar = Pick<typeof keytarModule, 'getPassword' | 'setPassword' | 'deletePassword'>;

/** First run: writes, reads and deletes a probe, then leaves the marker. Rejects if the keychain doesn't store it. */
export async function prepareKeychain(deps: KeychainDeps): Promise<void> {
  const probe = async (): Promise<void> => {
    const keytar = await loadKeytar();
    const account = accountOf(deps.dataFolderId, probeName);
    await keytar.setPassword(service, account, deps.dataFolderId);
    const kept = await keytar.getPassword(service, account);
    const isDeleted = await keytar.deletePassword(service, account);
    if (kept !== deps.dataFolderId || !isDeleted) throw new Error('The keychain didn’t store the probe.');
    await keytar.setPassword(service, accountOf(deps.dataFolderId, markerName), deps.dataFolderId);
  };
  await bounded(probe(), deps.timeoutMs);
}

/** @throws AppError secret-store-unreachable, also from every method */
export async function openKeychainSecrets(deps: KeychainDeps): Promise<Secrets> {
  const call = async <Result>(action: (keytar: Keytar) => Promise<Result>): Promise<Result> => {
    try {
      return await bounded(loadKeytar().then(action), deps.timeoutMs);
    } catch (error) {
      throw new AppError('secret-store-unreachable', { cause: error });
    }
  };

  const read = (name: string): Promise<string | null> =>
    call((keytar) => keytar.getPassword(service, accountOf(deps.dataFolderId, name)));

  const assertOpen = async (): Promise<void> => {
    if ((await read(markerName)) === deps.dataFolderId) return;
    throw new AppError('secret-store-unreachable', {
      detail: 'It doesn’t show the entries of this data folder: it is locked, or they were deleted.',
    });
  };

  await assertOpen();

  return {
    async get(name) {
      const value = await read(name);
      if (value !== null) return value;
      await assertOpen();
      return undefined;
    },
    set: (name, value) =>
      call((keytar) => keytar.setPassword(service, accountOf(deps.dataFolderId, name), value)),
    async delete(name) {
      await call((keytar) => keytar.deletePassword(service, accountOf(deps.dataFolderId, name)));
    },
  };
}

function accountOf(dataFolderId: string, name: string): string {
  return `${dataFolderId}:${name}`;
}

async function loadKeytar(): Promise<Keytar> {
  // Only when needed: importing it starts GLib's threads.
  const { default: keytar } = await import('keytar');
  return keytar;
}

/** Rejects after the time limit, and then makes sure that the pending call can't keep the process alive. */
async function bounded<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      leaveWithoutWaiting(work);
      reject(new Error(`The keychain didn’t respond within ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The call blocks a worker thread, and a process that exits joins its worker threads: it would hang until the user answers the
 * keychain's prompt. Becoming a shell that exits with the same code ends the threads at once. Windows shows no prompt, and has no
 * execve.
 */
function leaveWithoutWaiting(work: Promise<unknown>): void {
  if (process.platform === 'win32') return;
  const leave = (code: number): void => {
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  };
  process.once('exit', leave);
  const forget = (): void => void process.removeListener('exit', leave);
  work.then(forget, forget);
}
