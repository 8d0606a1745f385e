// Where the host keeps what must not lie in the database: the token key and the owner's password. The first run takes
// the keychain of the operating system if it works, else a 0600 file, and records the choice. A recorded choice is
// never replaced: when it cannot be reached the host stops with a sentence, and makes no new key.
// Call it while holding the data folder (after openStore), so that two first runs cannot both choose.

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
  /** For `doctor` and the log, in words. */
  description: string;
}

export interface SecretStoreDeps {
  dataDir: string;
  /** Told once when the secrets lie in a file, and when that file was readable by others. */
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
    // A first run that was killed, or a lost record: the secrets there are stay in use.
    const hasFile = hasSecretsFile(dataDir);
    const secretStore = !hasFile && (await isKeychainUsable(id, timeoutMs)) ? 'keychain' : 'file';
    if (secretStore === 'file' && !hasFile) await createSecretsFile(dataDir);
    // Last, so that what is recorded is there.
    const record: DataFolderRecord = { id, secretStore };
    await writeDataFolderRecord(dataDir, record);
    return record;
  } catch (error) {
    throw new AppError('data-folder-invalid', {
      cause: error,
      detail: 'DocTray cannot write its secrets there.',
    });
  }
}

async function isKeychainUsable(dataFolderId: string, timeoutMs: number): Promise<boolean> {
  // Without a session bus there is no Secret Service, and looking for one would only cost time.
  const { DBUS_SESSION_BUS_ADDRESS: busAddress = '' } = process.env;
  if (process.platform === 'linux' && busAddress === '') return false;
  try {
    await prepareKeychain({ dataFolderId, timeoutMs });
    return true;
  } catch {
    return false;
  }
}
