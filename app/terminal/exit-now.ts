// Ends the process also while a call to the system hangs, as on a disconnected network drive. `process.exit` waits for the
// threads of Node's pool first, and such a thread never comes back.

import type { ExitCode } from './exit-code.ts';

const lastCallsMs = 500;
const checkMs = 10;

/** Gives calls that are under way a moment to end. */
export async function exitSoon(code: ExitCode): Promise<never> {
  for (let waitedMs = 0; waitedMs < lastCallsMs && hasCalls(); waitedMs += checkMs) {
    await new Promise((resolve) => setTimeout(resolve, checkMs));
  }
  return exitNow(code);
}

/** By SIGKILL where a call is under way: what is on disk is as after a power failure, which every start can recover from. */
export function exitNow(code: ExitCode): never {
  if (hasCalls()) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}

/** Calls to the file system and the name servers occupy a thread each. */
function hasCalls(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(?:FSReq|GetAddrInfo|GetNameInfo)/u.test(name));
}
