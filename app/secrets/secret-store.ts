// Where the host keeps what must not be in the database: the token key and the owner's password. The first run uses the operating
// system's keychain if it works, else (or with DOCTRAY_SECRETS=file) a 0600 file, and records the choice. Only `move` changes it: if the recorded place can't be
// reached, the host stops with an error, and creates no new key. Call it while holding the data folder (after openStore), so that
// two first runs can't both choose.

import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import {
  newDataFolderId,
  readDataFolderRecord,
  writeDataFolderRecord,
  type DataFolderRecord,
  type SecretStoreKind,
} from './data-folder.ts';
import { createSecretsFile, hasSecretsFile, openFileSecrets, removeSecretsFile } from './file-secrets.ts';
import {
  attendedTimeoutMs,
  openKeychainSecrets,
  prepareKeychain,
  unattendedTimeoutMs,
  type KeychainDeps,
} from './keychain-secrets.ts';
import type { SecretPlace, Secrets } from './secrets.ts';

export interface SecretStore extends Secrets {
  readonly kind: SecretStoreKind;
  /** For `doctor` and the log. */
  readonly description: string;
  /**
   * Moves every secret to that place; does nothing if they are there. A crash loses none.
   * @throws AppError keychain-unavailable with nothing moved; secret-store-unreachable, data-folder-invalid
   */
  move(kind: SecretStoreKind): Promise<void>;
  /**
   * Removes what a move left in the keychain; waits for a locked keychain. Never rejects: the next start tries again.
   * @returns whether none is left
   */
  removeCopies(): Promise<boolean>;
  /** Removes every secret. The data folder can't be used afterwards. @throws AppError secret-store-unreachable */
  destroy(): Promise<void>;
}

export interface SecretStoreDeps {
  dataDir: string;
  /** Called once if the secrets are in a file, and if other users could read that file. */
  warn: (text: string) => void;
  /** True if a user may be present to unlock the keychain. */
  isAttended?: boolean | undefined;
  onKeychainWaiting?: KeychainDeps['onWaiting'];
  /** Instead of the limit that fits `isAttended`. */
  keychainTimeoutMs?: number;
}

/** For the log. */
const fileDescription = 'secrets.json in the data folder, readable only by you';

/** A mistyped value would silently choose the keychain, permanently. @throws AppError invalid-argument */
export function checkSecretsVariable(): void {
  if (!['', 'file'].includes(process.env['DOCTRAY_SECRETS'] ?? ''))
    throw new AppError('invalid-argument', { detail: () => t('host.secrets-variable-invalid') });
}

/** @throws AppError secret-store-unreachable, data-folder-invalid, invalid-argument */
export async function openSecretStore(deps: SecretStoreDeps): Promise<SecretStore> {
  const { dataDir, warn, isAttended = false, onKeychainWaiting: onWaiting } = deps;
  checkSecretsVariable();
  const { keychainTimeoutMs: timeoutMs = isAttended ? attendedTimeoutMs : unattendedTimeoutMs } = deps;
  const keychain = (dataFolderId: string): KeychainDeps => ({
    dataFolderId,
    timeoutMs,
    isAttended,
    onWaiting,
  });
  const record = (await readDataFolderRecord(dataDir)) ?? (await choose(dataDir, keychain));
  const { id, secretStore } = record;
  const openPlace: Record<SecretStoreKind, () => Promise<SecretPlace>> = {
    keychain: () => openKeychainSecrets(keychain(id)),
    file: () => openFileSecrets({ dataDir, warn }),
  };
  let kind = secretStore;
  let place = await openPlace[kind]();
  let hasCopies = record.hasKeychainCopies === true;
  const reachCopies = async (): Promise<SecretPlace> => {
    assertKeychain();
    // Its marker may be gone already, and without one the keychain looks locked.
    await prepareKeychain(keychain(id));
    return openKeychainSecrets(keychain(id));
  };
  const removeCopies = async (): Promise<boolean> => {
    if (kind !== 'file' || !hasCopies) return true;
    try {
      await (await reachCopies()).destroy();
    } catch {
      warn('Copies of the secrets are still in the keychain. DocTray removes them when it can reach it.');
      return false;
    }
    try {
      await writeDataFolderRecord(dataDir, { id, secretStore: 'file' });
      hasCopies = false;
    } catch (error) {
      warn(
        `The copies of the secrets were removed from the keychain, but that couldn’t be recorded (${errorCode(error)}). The next start searches for them again.`,
      );
    }
    return true;
  };

  // Finishes a move that was interrupted after the record was written.
  if (kind === 'keychain') {
    if (hasSecretsFile(dataDir)) await removeSecretsFile(dataDir);
  } else {
    warn(
      `Secrets are kept in ${fileDescription}. If this computer has a keychain, move them there with \`secrets move keychain\`.`,
    );
  }

  const moveTo = async (to: SecretStoreKind): Promise<void> => {
    if (to === kind) return;
    const secrets = await place.all();
    const asFile: DataFolderRecord = { id, secretStore: 'file', hasKeychainCopies: true };
    if (to === 'file') await createSecretsFile(dataDir, secrets);
    else {
      await fillKeychain(keychain(id), secrets, async () => {
        await writeDataFolderRecord(dataDir, asFile);
        hasCopies = true;
      });
    }
    const next = await openPlace[to]();
    const moved = await next.all();
    if (moved.size !== secrets.size || [...secrets].some(([name, value]) => moved.get(name) !== value)) {
      throw new AppError('secret-store-unreachable', {
        detail: () => t('host.keychain-returns-something-else'),
      });
    }
    // From here on the new place is used, even after a crash.
    await writeDataFolderRecord(dataDir, to === 'file' ? asFile : { id, secretStore: to });
    const former = place;
    kind = to;
    place = next;
    hasCopies = to === 'file';
    if (to === 'file') await removeCopies();
    else await former.destroy().catch(() => warn(`Copies of the secrets are still in ${fileDescription}.`));
  };

  // A secret that is set during a move must not stay behind.
  let lastChange: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const next = lastChange.then(change);
    lastChange = next.catch(() => undefined);
    return next;
  };

  return {
    get kind() {
      return kind;
    },
    get description() {
      return kind === 'keychain'
        ? t('host.keychain-of-this-computer')
        : t('host.secrets-file-readable-only-by-you');
    },
    get: (name) => place.get(name),
    set: (name, value) => inTurn(() => place.set(name, value)),
    delete: (name) => inTurn(() => place.delete(name)),
    move: (to) => inTurn(() => moveTo(to)),
    removeCopies: () => inTurn(removeCopies),
    destroy: () => inTurn(() => place.destroy()),
  };
}

/** @param before called when the keychain works, before it gets a secret @throws AppError keychain-unavailable */
async function fillKeychain(
  deps: KeychainDeps,
  secrets: ReadonlyMap<string, string>,
  before: () => Promise<void>,
): Promise<void> {
  try {
    assertKeychain();
    await prepareKeychain(deps);
    await before();
    const keychain = await openKeychainSecrets(deps);
    // Copies that an earlier move couldn't remove may be obsolete.
    for (const name of (await keychain.all()).keys()) if (!secrets.has(name)) await keychain.delete(name);
    for (const [name, value] of secrets) await keychain.set(name, value);
  } catch (error) {
    throw new AppError('keychain-unavailable', { cause: error });
  }
}

async function choose(dataDir: string, keychain: (id: string) => KeychainDeps): Promise<DataFolderRecord> {
  const id = newDataFolderId();
  try {
    // A first run that was killed, or a lost record: keep using the existing secrets.
    const hasFile = hasSecretsFile(dataDir);
    const secretStore = !hasFile && (await isKeychainUsable(keychain(id))) ? 'keychain' : 'file';
    if (secretStore === 'file' && !hasFile) await createSecretsFile(dataDir);
    // Last, so that the recorded store exists.
    const record: DataFolderRecord = { id, secretStore };
    await writeDataFolderRecord(dataDir, record);
    return record;
  } catch (error) {
    throw new AppError('data-folder-invalid', {
      cause: error,
      detail: () => t('host.secrets-cant-be-written'),
    });
  }
}

async function isKeychainUsable(deps: KeychainDeps): Promise<boolean> {
  try {
    assertKeychain();
    await prepareKeychain(deps);
    return true;
  } catch {
    return false;
  }
}

/** Throws if a keychain isn't wanted, or can't be there: without a session bus, searching for a Secret Service would only take time. */
function assertKeychain(): void {
  const { DBUS_SESSION_BUS_ADDRESS: address = '', DOCTRAY_SECRETS: wanted } = process.env;
  if (wanted === 'file') throw new Error('DOCTRAY_SECRETS is file.');
  if (process.platform === 'linux' && address === '') throw new Error('There is no session bus.');
}
