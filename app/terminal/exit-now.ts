// Exits the process even if a system call hangs, as on a disconnected network drive. `process.exit` first waits for the threads
// of libuv's pool, and a hung thread never finishes.

import type { ExitCode } from './exit-code.ts';

const lastCallsMs = 500;
const checkMs = 10;

/** Gives running calls a moment to finish. */
export async function exitSoon(code: ExitCode): Promise<never> {
  for (let waitedMs = 0; waitedMs < lastCallsMs && hasCalls(); waitedMs += checkMs) {
    await new Promise((resolve) => setTimeout(resolve, checkMs));
  }
  return exitNow(code);
}

/** Uses SIGKILL if a call is running. The files are then as after a power failure, which the next start recovers from. */
export function exitNow(code: ExitCode): never {
  if (hasCalls()) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}

/** File system calls and DNS lookups run on the thread pool. */
function hasCalls(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(?:FSReq|GetAddrInfo|GetNameInfo)/u.test(name));
}
