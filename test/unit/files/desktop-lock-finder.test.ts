import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const finder = new URL('../../../app/files/desktop-lock-finder.ts', import.meta.url).href;
const jail = new URL('../../../app/files/jail.ts', import.meta.url).href;

test('a finder that failed to load is loaded again by the next call', async () => {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { createDesktopLockFinder } from ${JSON.stringify(finder)};
    import { openJail } from ${JSON.stringify(jail)};
    const find = createDesktopLockFinder();
    const jail = await openJail('/');
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null')); } catch {}
    const first = await find(jail, 'a.docx').then(() => 'loaded', ({ code }) => code);
    for (const fd of taken) closeSync(fd);
    const second = await find(jail, 'a.docx').then(() => 'loaded', ({ code }) => code);
    console.log(JSON.stringify([first, second]));`;
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    'ulimit -n 128; exec "$@"',
    'limited',
    process.execPath,
    '--input-type=module',
    '--eval',
    script,
  ]);
  assert.deepEqual(JSON.parse(stdout), ['EMFILE', 'loaded']);
});
