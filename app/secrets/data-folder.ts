// data-folder.json: the random id of the data folder, under which its keychain entries are stored, and which secret store was
// chosen for it. Written once; a damaged one is an error, because a new one would orphan the secrets.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { createFolders } from '../files/create-folders.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

export type SecretStoreKind = 'keychain' | 'file';

export interface DataFolderRecord {
  id: string;
  secretStore: SecretStoreKind;
  /** `secretStore` is the file, and a move that was interrupted may have left secrets in the keychain. */
  hasKeychainCopies?: true;
}

const fileName = 'data-folder.json';

export function newDataFolderId(): string {
  return randomBytes(16).toString('hex');
}

/** Creates the folder if it is missing (0700). Undefined on the first run. @throws AppError data-folder-invalid */
export async function readDataFolderRecord(dataDir: string): Promise<DataFolderRecord | undefined> {
  try {
    await createFolders(dataDir, 0o700);
    const file = await readPrivateFile(join(dataDir, fileName));
    return file && parseRecord(file.text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('data-folder-invalid', {
      cause: error,
      detail: () => t('host.file-unreadable', { file: fileName }),
    });
  }
}

export async function writeDataFolderRecord(dataDir: string, record: DataFolderRecord): Promise<void> {
  await writePrivateFile(join(dataDir, fileName), `${JSON.stringify(record, undefined, 2)}\n`);
}

function parseRecord(text: string): DataFolderRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(error);
  }
  if (typeof value !== 'object' || value === null || !('id' in value) || !('secretStore' in value))
    throw damaged();
  const { id, secretStore } = value;
  if (typeof id !== 'string' || !/^[A-Za-z0-9]{16,64}$/.test(id)) throw damaged();
  if (secretStore !== 'keychain' && secretStore !== 'file') throw damaged();
  const hasCopies = 'hasKeychainCopies' in value && value.hasKeychainCopies === true;
  return { id, secretStore, ...(hasCopies && { hasKeychainCopies: true }) };
}

function damaged(cause?: unknown): AppError {
  return new AppError('data-folder-invalid', {
    cause,
    detail: () => t('host.file-damaged', { file: fileName }),
  });
}
