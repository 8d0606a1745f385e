// Recovered saves and versions as the terminal prints them with `--json`.

import assert from 'node:assert/strict';
import { cli, cliJson } from '../crash/serve-process.ts';

export interface ShownRecoveredSave {
  id: string;
  fileId: string;
  path: string;
  size: number;
  reason: string;
}

export interface ShownVersion {
  id: string;
  size: number;
  kind: string;
  savedBy: string | null;
}

export async function recoveredSaves(dataDir: string): Promise<ShownRecoveredSave[]> {
  return listIn(await cliJson(dataDir, ['recovered'])) as ShownRecoveredSave[];
}

/** Restores under a new name, and returns its path inside the folder. */
export async function restoreRecovered(dataDir: string, id: string): Promise<string> {
  const output = (await cliJson(dataDir, ['recovered', 'restore', id])) as Record<string, unknown>;
  assert.equal(typeof output['path'], 'string', JSON.stringify(output));
  return String(output['path']);
}

/** Newest first. `file` is the absolute path. */
export async function versionsOf(dataDir: string, file: string): Promise<ShownVersion[]> {
  return listIn(await cliJson(dataDir, ['versions', file])) as ShownVersion[];
}

export function restoreVersion(dataDir: string, file: string, id: string): ReturnType<typeof cli> {
  return cli(dataDir, ['restore', file, id]);
}

function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  const list = Object.values(value as Record<string, unknown>).find((each) => Array.isArray(each));
  assert.ok(Array.isArray(list), `no list in ${JSON.stringify(value)}`);
  return list as unknown[];
}
