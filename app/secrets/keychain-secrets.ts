// Secrets in the operating system's keychain, by keytar: Secret Service on Linux, Keychain on macOS, Credential Manager on
// Windows. A locked keychain prompts the user to unlock it and may wait forever, so every call has a time limit; and it may report
// "no such entry" for one it won't open, so an entry counts as absent only while the marker can be read.

import type * as keytarModule from 'keytar';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { SecretPlace } from './secrets.ts';

const service = 'DocTray';
const markerName = 'marker';
const probeName = 'probe';
/** If no user may be present to answer the prompt. */
export const unattendedTimeoutMs = 5000;
/** Enough time to read the prompt and type a password. */
export const attendedTimeoutMs = 30_000;
/** When to try again if nobody is asked: at login, the keychain may start or be unlocked a moment later. */
export const keychainRetriesMs = [5000, 20_000, 60_000] as const;
/** After these, as long as the app runs. */
export const laterKeychainRetriesMs = 300_000;
/** A keychain that isn't locked answers sooner. */
const promptedAfterMs = 2000;

export interface KeychainDeps {
  dataFolderId: string;
  /** The time limit for one call, and for the whole first probe. */
  timeoutMs: number;
  /** A user may be present, who would be prompted. */
  isAttended: boolean;
  /** True once the keychain probably waits for an answer to its prompt, false when it has responded. */
  onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

/** The cause of `secret-store-unreachable` if the keychain is open and has no entries of the data folder: trying again is useless. */
export class EntriesMissing extends Error {
  override readonly name = 'EntriesMissing';
}

type Keytar = Pick<typeof keytarModule, 'getPassword' | 'setPassword' | 'deletePassword' | 'findCredentials'>;

/** First run: writes, reads and deletes a probe, then leaves the marker. Rejects if the keychain doesn't store it. */
export async function prepareKeychain(deps: KeychainDeps): Promise<void> {
  const prepare = async (): Promise<void> => {
    const keytar = await loadKeytar();
    await probe(keytar, deps);
    await keytar.setPassword(service, accountOf(deps.dataFolderId, markerName), deps.dataFolderId);
  };
  await bounded(prepare, deps);
}

/** Rejects if the keychain is locked or doesn't store the entry. */
async function probe(keytar: Keytar, { dataFolderId }: KeychainDeps): Promise<void> {
  const account = accountOf(dataFolderId, probeName);
  await keytar.setPassword(service, account, dataFolderId);
  const kept = await keytar.getPassword(service, account);
  const isDeleted = await keytar.deletePassword(service, account);
  if (kept !== dataFolderId || !isDeleted) throw new Error('The keychain didn’t store the probe.');
}

/** @throws AppError secret-store-unreachable, also from every method */
export async function openKeychainSecrets(deps: KeychainDeps): Promise<SecretPlace> {
  const call = async <Result>(action: (keytar: Keytar) => Promise<Result>): Promise<Result> => {
    try {
      return await bounded(async () => action(await loadKeytar()), deps);
    } catch (error) {
      throw new AppError('secret-store-unreachable', { cause: error });
    }
  };

  const read = (name: string): Promise<string | null> =>
    call((keytar) => keytar.getPassword(service, accountOf(deps.dataFolderId, name)));

  const isWritable = (): Promise<boolean> =>
    call((keytar) => probe(keytar, deps)).then(
      () => true,
      () => false,
    );

  const assertOpen = async (): Promise<void> => {
    if ((await read(markerName)) === deps.dataFolderId) return;
    // A locked keychain says the same, but can't be written to. A user isn't prompted a second time for the difference.
    if (!deps.isAttended && (await isWritable())) {
      throw new AppError('secret-store-unreachable', {
        cause: new EntriesMissing(),
        detail: () => t('host.keychain-has-no-entries'),
      });
    }
    throw new AppError('secret-store-unreachable', {
      detail: () => t('host.keychain-doesnt-show-entries'),
    });
  };

  const entries = async (): Promise<[name: string, value: string][]> => {
    const prefix = accountOf(deps.dataFolderId, '');
    return (await call((keytar) => keytar.findCredentials(service)))
      .filter(({ account }) => account.startsWith(prefix))
      .map(({ account, password }) => [account.slice(prefix.length), password]);
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
    async all() {
      await assertOpen();
      return new Map((await entries()).filter(([name]) => name !== markerName && name !== probeName));
    },
    async destroy() {
      // The marker last: without it, the remaining entries couldn't be opened.
      const names = (await entries()).map(([name]) => name).filter((name) => name !== markerName);
      for (const name of [...names, markerName])
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

/** Calls that still wait after their time limit. Each blocks one of the four threads that file system calls need as well. */
let abandoned = 0;
const maxAbandoned = 2;

/** Rejects after the time limit, and makes sure that a pending call can't keep the process alive. */
async function bounded<Result>(call: () => Promise<Result>, deps: KeychainDeps): Promise<Result> {
  const { timeoutMs, onWaiting } = deps;
  if (abandoned >= maxAbandoned) throw new Error('The keychain hasn’t answered earlier calls.');
  const work = call();
  // The process may end while the call waits for its answer.
  leaveWithoutWaiting(work);
  let isWaiting = false;
  const prompted = setTimeout(() => {
    isWaiting = true;
    onWaiting?.(true);
  }, promptedAfterMs);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      abandon(work);
      reject(new Error(`The keychain didn’t respond within ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    clearTimeout(prompted);
    if (isWaiting) onWaiting?.(false);
  }
}

const answerListeners = new Set<() => void>();

/** Calls the listener when a call is answered after its time limit: the user has probably just unlocked the keychain. */
export function onLateKeychainAnswer(listener: () => void): void {
  answerListeners.add(listener);
}

function abandon(work: Promise<unknown>): void {
  abandoned += 1;
  const end = (): void => {
    abandoned -= 1;
    for (const listener of answerListeners) listener();
  };
  work.then(end, end);
}

/**
 * The call blocks a worker thread, and a process that exits joins its worker threads: it would hang until the user answers the
 * keychain's prompt. Replacing the process with a shell that exits with the same code ends the threads immediately. Windows shows
 * no prompt, and has no execve.
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
