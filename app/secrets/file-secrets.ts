// Secrets in a 0600 file of the data folder, for computers without a keychain. Anyone who can read this user's files can read
// them. A missing or damaged file is an error and never replaced: a new token key would invalidate every token.

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { readPrivateFile, removeLeftovers, writePrivateFile } from './private-file.ts';
import { syncFolder } from '../files/folder-sync.ts';
import type { SecretPlace } from './secrets.ts';

const fileName = 'secrets.json';

export async function createSecretsFile(
  dataDir: string,
  secrets: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  await writePrivateFile(join(dataDir, fileName), textOf(secrets));
}

export async function removeSecretsFile(dataDir: string): Promise<void> {
  await rm(join(dataDir, fileName), { force: true });
  await syncFolder(dataDir);
}

export function hasSecretsFile(dataDir: string): boolean {
  return existsSync(join(dataDir, fileName));
}

/** @throws AppError data-folder-invalid if the file is missing or damaged, also from every method */
export async function openFileSecrets(deps: {
  dataDir: string;
  warn: (text: string) => void;
}): Promise<SecretPlace> {
  const path = join(deps.dataDir, fileName);

  const read = async (): Promise<Map<string, string>> => {
    const file = await readPrivateFile(path).catch((error: unknown) => {
      throw unusable('host.secrets-file-unreadable', error);
    });
    if (!file) throw unusable('host.secrets-file-missing');
    if (file.wasExposed) {
      deps.warn(`Other users of this computer could read ${fileName}. DocTray corrected its permissions.`);
    }
    return parseSecrets(file.text);
  };

  // One change at a time, or the later of two would undo the earlier.
  let lastChange: Promise<unknown> = Promise.resolve();
  const change = (edit: (secrets: Map<string, string>) => void): Promise<void> => {
    const next = lastChange.then(async () => {
      const secrets = await read();
      edit(secrets);
      await writePrivateFile(path, textOf(secrets));
    });
    lastChange = next.catch(() => undefined);
    return next;
  };

  await read();
  await removeLeftovers(path);

  return {
    get: async (name) => (await read()).get(name),
    set: (name, value) => change((secrets) => secrets.set(name, value)),
    delete: (name) => change((secrets) => secrets.delete(name)),
    all: read,
    destroy: () => removeSecretsFile(deps.dataDir),
  };
}

function textOf(secrets: ReadonlyMap<string, string>): string {
  return `${JSON.stringify(Object.fromEntries(secrets), undefined, 2)}\n`;
}

function parseSecrets(text: string): Map<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the cause: a JSON error quotes the text it failed on, which contains secrets.
    throw unusable('host.file-damaged');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusable('host.file-damaged');
  const secrets = new Map<string, string>();
  for (const [name, secret] of Object.entries(value)) {
    if (typeof secret !== 'string') throw unusable('host.file-damaged');
    secrets.set(name, secret);
  }
  return secrets;
}

function unusable(fault: MessageKey, cause?: unknown): AppError {
  return new AppError('data-folder-invalid', {
    cause,
    detail: () => t(fault, { file: fileName }),
  });
}
