import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { diagnosticsText } from '../../../app/doctor/diagnostics.ts';
import { lock, stateOf } from '../desktop/desktop-fixture.ts';

const state = stateOf({
  locks: [lock('Secret plan.odt')],
  settings: { publicUrl: 'https://docs.example.org', versionDays: 7, trustedProxies: ['192.168.1.2'] },
});

const text = diagnosticsText({
  state,
  findings: [
    { check: 'folder', verdict: 'ok', text: '/home/ana/Documents can be written to.' },
    {
      check: 'address',
      verdict: 'failed',
      text: 'https://docs.example.org:8790 can’t be reached (ECONNREFUSED).',
    },
    { check: 'network', verdict: 'note', text: 'DocTray listens on 192.168.1.7. Trusted proxies: 10.0.0.8.' },
  ],
  log: [
    '{"level":"info","time":"2026-03-04T12:00:00.000Z","msg":"PutFile","path":"/wopi/files/a","user":"ana"}',
    JSON.stringify({
      level: 'error',
      time: '2026-03-04T12:00:01.000Z',
      msg: 'A save of “Secret plan.odt” failed.',
      path: 'Finance/Secret plan.odt',
      user: 'ana',
      err: {
        type: 'Error',
        code: 'ENOSPC',
        message: `ENOSPC: no space left, open '${homedir()}/Documents/Secret plan.odt'`,
        stack: `Error: ENOSPC\n    at save (file://${homedir()}/app/files/replace-content.js:12:3)\n    at node:internal/x:1:2`,
      },
    }),
  ],
});

test('diagnostics show version, state, findings, changed settings and problems with their place in the code', () => {
  assert.ok(text.startsWith(`DocTray ${state.app.version} on linux `));
  assert.match(text, /Host: serving, 1 locks/u);
  assert.match(text, /failed address: .* can’t be reached \(ECONNREFUSED\)/u);
  assert.match(text, /versionDays: 7/u);
  assert.match(text, /error A save of “…” failed\./u);
  assert.match(text, /Error ENOSPC/u);
  assert.match(text, /at save \(replace-content\.js:12:3\)/u);
});

test('diagnostics name no folder, document, user or address of this computer', () => {
  const names = ['Secret plan', '/home/ana', homedir(), 'Finance'];
  const secrets = [...names, 'docs.example.org', '192.168.1', '10.0.0.8'];
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in:\n${text}`);
  assert.doesNotMatch(text, /\bana\b/u);
  assert.doesNotMatch(text, /PutFile/u);
});
