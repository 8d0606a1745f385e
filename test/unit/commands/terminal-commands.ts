// Runs terminal commands on a running host.

import { runCommand, terminalCaller } from '../../../app/commands/commands.ts';
import type { TestAccess, TestHost } from '../../server/test-host.ts';

/** Runs a command and returns its result as it would come through the control socket: JSON of any shape. */
export type Run = (name: string, args?: unknown) => Promise<ReturnType<typeof JSON.parse>>;

export function terminalOf(test: Pick<TestHost, 'host'>): Run {
  return async (name, args = {}) =>
    JSON.parse(JSON.stringify(await runCommand(terminalCaller(test.host), name, args)));
}

/** Opens and locks a document, like an editor. */
export async function lockOf(test: TestHost, path: string): Promise<TestAccess> {
  const access = await test.access(path);
  const { fileId, accessToken: token } = access;
  const headers = { 'X-WOPI-Lock': 'lock' };
  const { status } = await test.wopi({ fileId, token, override: 'LOCK', headers });
  if (status !== 200) throw new Error(`Lock of ${path}: ${status}`);
  return access;
}
