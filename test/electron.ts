// Runs the tests that use Electron on the real one: `npm run test:electron`, or `npm run test:electron -- test/security` for some of
// them. Everywhere else they run on the stand-in.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepareElectron } from './real-electron.ts';

const suites = ['test/security', 'test/e2e'];

const electron = await prepareElectron();
if ('lack' in electron) {
  process.stderr.write(`${electron.lack}\n`);
  process.exitCode = 1;
} else {
  const given = process.argv.slice(2);
  const args = [join(import.meta.dirname, 'run.ts'), ...(given.length === 0 ? suites : given)];
  // One file at a time: windows on one display take the focus from each other.
  const env = { DOCTRAY_TESTS_AT_ONCE: '1', ...process.env, ...electron.env };
  const { status } = spawnSync(process.execPath, args, { env, stdio: 'inherit' });
  electron.stop();
  process.exitCode = status ?? 1;
}
