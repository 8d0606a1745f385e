// `npm run audit` with an npm that answers what a test gives it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'doctray-audit-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** An npm that prints `answer`. */
function audit(answer: string, env: NodeJS.ProcessEnv = {}) {
  const asked = join(folder, 'asked');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(asked)}, process.argv.slice(2).join(' ')); process.stdout.write(${JSON.stringify(answer)}); process.exitCode = 1;`;
  writeFileSync(join(folder, 'npm.cjs'), script);
  const node = JSON.stringify(process.execPath);
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\nexec ${node} "${folder}/npm.cjs" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'npm.cmd'), `@${node} "${join(folder, 'npm.cjs')}" %*\r\n`);
  const path = [folder, process.env['PATH'] ?? ''].join(delimiter);
  const run = spawnSync(process.execPath, [join(import.meta.dirname, '../../build/audit.ts')], {
    encoding: 'utf8',
    env: { ...process.env, CI: '', ...env, PATH: path },
  });
  return { ...run, asked: readFileSync(asked, 'utf8') };
}

const found = (severity: string) =>
  JSON.stringify({ vulnerabilities: { koa: { severity, range: '<3.0.1', fixAvailable: true } } });
const unreachable = JSON.stringify({ message: 'getaddrinfo ENOTFOUND', error: { summary: '' } });

test('names each severe vulnerability in a package that ships, and fails', () => {
  const none = audit(found('moderate'));
  assert.deepEqual([none.status, none.stderr], [0, '']);
  assert.equal(none.stdout, '0 severe vulnerabilities in packages that ship\n');
  assert.equal(none.asked, 'audit --omit=dev --audit-level=high --json');
  const { status, stderr } = audit(found('high'));
  assert.equal(status, 1);
  assert.equal(stderr, 'koa <3.0.1: high; npm audit fix updates it\n');
});

test('without an answer, says so in one line, and fails only in a workflow', () => {
  const refused = JSON.stringify({ error: { code: 'ENOAUDIT', summary: 'no audit endpoint' } });
  for (const answer of [unreachable, refused, 'npm error network timeout\nmore', '']) {
    const here = audit(answer);
    assert.equal(here.status, 0);
    assert.match(here.stderr, /^The npm registry can’t say [^\n]*\n$/);
  }
  assert.equal(audit(unreachable, { CI: 'true' }).status, 1);
});
