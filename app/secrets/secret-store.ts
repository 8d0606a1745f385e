// Where the host keeps what must not be in the database: the token key and the owner's password. The first run uses the operating
// system's keychain if it works, else a 0600 file, and records the choice. A recorded choice is never replaced: if it can't be
// reached, the host stops with an error, and creates no new key. Call it while holding the data folder (after openStore), so that
// two first runs can't both choose.

import { AppError } from '../contract/errors.ts';
import {
  newDataFolderId,
  readDataFolderRecord,
  writeDataFolderRecord,
  type DataFolderRecord,
  type SecretStoreKind,
} from './data-folder.ts';
import { createSecretsFile, hasSecretsFile, openFileSecrets } from './file-secrets.ts';
import { defaultKeychainTimeoutMs, openKeychainSecrets, prepareKeychain } from './keychain-secrets.ts';
import type { Secrets } from './secrets.ts';

export interface SecretStore extends Secrets {
  kind: SecretStoreKind;
  /** For `doctor` and the log. */
  description: string;
}

export interface SecretStoreDeps {
  dataDir: string;
  /** Called once if the secrets are in a file, and if other users could read that file. */
  warn: (text: string) => void;
  keychainTimeoutMs?: number;
}

const keychainDescription = 'the keychain of this computer';
const fileDescription = 'secrets.json in the data folder, readable only by you';

/** @throws AppError secret-store-unreachable | data-folder-invalid */
export async function openSecretStore(deps: SecretStoreDeps): Promise<SecretStore> {
  const { dataDir, warn, keychainTimeoutMs: timeoutMs = defaultKeychainTimeoutMs } = deps;
  const record = (await readDataFolderRecord(dataDir)) ?? (await choose(dataDir, timeoutMs));
  if (record.secretStore === 'keychain') {
    const secrets = await openKeychainSecrets({ dataFolderId: record.id, timeoutMs });
    return { kind: 'keychain', description: keychainDescription, ...secrets };
  }
  const secrets = await openFileSecrets({ dataDir, warn });
  warn(`No keychain was available on the first run, so secrets are kept in ${fileDescription}.`);
  return { kind: 'file', description: fileDescription, ...secrets };
}

async function choose(dataDir: string, timeoutMs: number): Promise<DataFolderRecord> {
  const id = newDataFolderId();
  try {
    // A first run that was killed, or a lost record: keep using the existing secrets.
    const hasFile = hasSecretsFile(dataDir);
    const secretStore = !hasFile && (await isKeychainUsable(id, timeoutMs)) ? 'keychain' : 'file';
    if (secretStore === 'file' && !hasFile) await createSecretsFile(dataDir);
    // Last, so that the recorded store exists.
    const record: DataFolderRecord = { id, secretStore };
    await writeDataFolderRecord(dataDir, record);
    return record;
  } catch (error) {
    throw new AppError('data-folder-invalid', {
      cause: error,
      detail: 'DocTray can’t write its secrets there.',
    });
  }
}

async function isKeychainUsable(dataFolderId: string, timeoutMs: number): Promise<boolean> {
  // Without a session bus there is no Secret Service, and searching for one would only take time.
  const { DBUS_SESSION_BUS_ADDRESS: busAddress = '' } = process.env;
  if (process.platform === 'linux' && busAddress === '') return false;
  try {
    await prepareKeychain({ dataFolderId, timeoutMs });
    return true;
  } catch {
    return false;
  }
}
